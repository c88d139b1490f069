package diagnose

import (
	"math"

	"openloop/numerics/detmath"
	"openloop/sim"
)

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
	m.compared(mean)
	restarted := false
	for i := range m.w {
		restarted = restarted || m.w[i].Restarted
	}
	m.state(Stalled, m.col[sim.RunningBatch][n-1], m.stalled())
	m.state(WornOff, known(m.found[sim.ITLp99].Known), m.wornOff())
	m.state(GapsFirst, known(m.found[itl].Known), m.gapsFirst())
	alike := m.gapsAlike()
	m.state(GapsAlike, alike, alike >= 0.5)
	if alike == alike {
		m.found[GapsAlike].After = alike
	}
	m.state(RampUp, known(m.found[FirstAttempts].Known), m.rampUp())
	m.state(Rolling, known(m.found[ReplicasDown].Known), m.rolling())
	m.state(PoolsApart, known(len(m.kind) > 1), m.poolsApart())
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

// compared are the states that stand for a comparison where there is no series.
func (m *series) compared(mean func(Sign) float64) {
	came, left := mean(StripSign(sim.OfferedRate)), mean(StripSign(sim.CompletedRate))
	seconds := m.width()
	m.state(FallsBehind, came-left, came-left > 0.1*came && (came-left)*seconds > 3*math.Sqrt(came*seconds))
	if m.how == WithNormal {
		return // the noise is known, and how it was before
	}
	slow, favored := mean(ITLApart), mean(ShareApart)
	if favored != favored {
		favored = 1
	}
	m.state(SlowReplica, slow, slow >= 2 && favored < 1.4)
	m.state(FavoredOne, mean(ShareApart), favored >= 2)
	for i, s := range [...]Sign{SlowReplica, FavoredOne} {
		if f := &m.found[s]; f.Move == sim.Up {
			f.Replica = int(m.apart[i][len(m.w)-1])
		}
	}
}

func known(yes bool) float64 {
	if yes {
		return 0
	}
	return math.NaN()
}

// stalled looks for a window in which hardly a token came, although there is
// work and nobody is down. Without a rate of tokens it is one that ended no gap.
func (m *series) stalled() bool {
	run, gen, itl := m.col[sim.RunningBatch], m.col[StripSign(sim.GenerationRate)], m.col[sim.ITLp99]
	f := &m.found[StripSign(sim.GenerationRate)]
	for k := m.normal[1]; k < len(run); k++ {
		if !(run[k] >= 1) || m.col[ReplicasDown][k] > 0.02 {
			continue
		}
		if f.Known && gen[k] < 0.05*f.Before || !f.Known && itl[k] != itl[k] && m.found[sim.ITLp99].Known {
			return true
		}
	}
	return false
}

// wornOff says whether most of what gaps were too long was in the first three
// windows: of the mean gap, or of the longest.
func (m *series) wornOff() bool {
	f := &m.found[sim.ITLp99]
	if f.Move != sim.Up || m.how != WithNormal {
		return false
	}
	return m.soon(itl, f.From) >= 0.7 || m.soon(MeanGap, f.From) >= 0.75
}

func (m *series) gapsFirst() bool {
	gaps := len(m.w)
	for _, s := range [...]Sign{itl, MeanGap, ITLLeast} {
		if f := &m.found[s]; f.Move == sim.Up {
			gaps = min(gaps, f.From)
		}
	}
	for _, s := range [...]Sign{queue, batch, kv} {
		if f := &m.found[s]; f.Move == sim.Up && f.From < gaps-1 {
			return false
		}
	}
	return gaps < len(m.w)
}

// gapsAlike is how much the mean gap grew for how much the longest did, both as
// factors: 1 if alike, 0 if they alone grew.
func (m *series) gapsAlike() float64 {
	f, g := &m.found[itl], &m.found[MeanGap]
	if f.Move != sim.Up || !g.Known {
		return math.NaN()
	}
	long, mean := 0.0, 0.0
	for k := f.From; k < f.To; k++ {
		x, y := over(m.col[itl][k], f.Before), over(m.col[MeanGap][k], g.Before)
		if x == x && y == y {
			long, mean = long+detmath.Log(x), mean+detmath.Log(y)
		}
	}
	return mean / long
}

// soon is the share of a sign's excess that is in the first three windows from
// one on.
func (m *series) soon(s Sign, from int) float64 {
	f := &m.found[s]
	early, all := 0.0, 0.0
	for k := from; k < len(m.w); k++ {
		x := over(m.col[s][k], f.Before)
		if !(x > 1+2*f.Noise) {
			continue
		}
		all += x - 1
		if k < from+3 {
			early += x - 1
		}
	}
	return share(early, all)
}

// rampUp says whether arrivals rose bit by bit: a straight line up to their
// height fits better than a step.
func (m *series) rampUp() bool {
	f := &m.found[FirstAttempts]
	if f.Move != sim.Up || m.how != WithNormal {
		return false
	}
	x := m.col[FirstAttempts]
	to := m.height(x, f)
	from := max(m.normal[0], f.From-6)
	if to-from < shortRamp {
		return false
	}
	step, ramp := math.Inf(1), math.Inf(1)
	for begin := from; begin < to; begin++ {
		step = min(step, misfit(x[from:to], f.Before, begin-from, 0))
		for long := shortRamp; begin+long <= to; long++ {
			ramp = min(ramp, misfit(x[from:to], f.Before, begin-from, long))
		}
	}
	return ramp < 0.85*step
}

const shortRamp = 4 // windows that a rise bit by bit takes at least

// height is the end of the windows up to which arrivals rise: of those that are
// out, to where the mean of five is largest.
func (m *series) height(x []float64, f *Finding) int {
	best, at := 0.0, f.To
	for k := f.From; k+3 <= f.To; k++ {
		sum := 0.0
		for _, v := range x[k : k+3] {
			sum += v
		}
		if sum > best {
			best, at = sum, k+3
		}
	}
	return at
}

// misfit is the sum of squares that is left when x is base up to begin, rises
// evenly for so long, and then stays at the height that fits best.
func misfit(x []float64, base float64, begin, long int) float64 {
	shape := func(k int) float64 {
		switch {
		case k < begin:
			return 0
		case k >= begin+long:
			return 1
		}
		return (float64(k-begin) + 0.5) / float64(long)
	}
	up, all := 0.0, 0.0
	for k, v := range x {
		if g := shape(k); v == v {
			up, all = up+float64(g*(v-base)), all+float64(g*g)
		}
	}
	if all == 0 {
		return math.Inf(1)
	}
	up /= all
	left := 0.0
	for k, v := range x {
		if e := v - base - float64(up*shape(k)); v == v {
			left += float64(e * e)
		}
	}
	return left
}
