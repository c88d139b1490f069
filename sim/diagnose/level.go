package diagnose

import "openloop/sim"

// States hold or do not, whatever was before: they are all that one scrape or
// the first line of a log can show.

func (m *series) states() {
	n := len(m.w)
	if n == 0 {
		return
	}
	from := 0
	switch {
	case m.how == WithLifetime:
		from = 1
	case m.onset >= 0:
		from = m.onset
	}
	mean := func(s Sign) float64 {
		sum, count := 0.0, 0.0
		for _, x := range m.col[s][from:] {
			if x == x {
				sum, count = sum+x, count+1
			}
		}
		return sum / count
	}
	kv := mean(SignOf(sim.KVOccupancy))
	m.state(KVFull, kv, kv >= 0.95)
	rate, done := mean(SignOf(sim.PreemptionRate)), mean(StripSign(sim.CompletedRate))
	if done == done {
		m.state(Preempting, rate, rate > 0.1*done)
	} else {
		m.state(Preempting, rate, rate > 1.0/60)
	}
	queue, running := mean(SignOf(sim.QueueDepth)), mean(SignOf(sim.RunningBatch))
	m.state(QueueLong, queue-running, queue > running)
	drafts := mean(SignOf(sim.AcceptedLength))
	m.state(DraftWasted, drafts, drafts < 1.15)
	each := mean(StripSign(sim.GenerationRate)) / running
	prompts := mean(StripSign(sim.PromptRate)) / running
	m.state(DecodeStarved, prompts+each, each < 4 && prompts > 20*each)
	restarted := false
	for i := range m.w {
		restarted = restarted || m.w[i].Restarted
	}
	m.state(Restarted, 0, restarted)
	if m.found[Restarted].Move == sim.Flat { // only a source of several processes' texts can say so
		m.found[Restarted].Known = m.how == WithLifetime
	}
}

// state records one, from a value that is not a number if it is not known.
func (m *series) state(s Sign, from float64, holds bool) {
	f := &m.found[s]
	if f.Known = from == from; f.Known && holds {
		f.Move, f.Widths, f.To = sim.Up, most, len(m.w)
		f.From = max(0, m.onset)
	}
}
