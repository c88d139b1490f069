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
	m.bare = m.how == WithNormal
	for _, s := range [...]Sign{FirstAttempts, prompts, outputs, ReplicasDown, promptRate} {
		m.bare = m.bare && !m.found[s].Known
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
	m.state(KVFull, kv, kv >= 0.95 && m.fresh(SignOf(sim.KVOccupancy)))
	rate, done := mean(SignOf(sim.PreemptionRate)), mean(StripSign(sim.CompletedRate))
	if done == done {
		m.state(Preempting, rate, rate > 0.1*done && m.fresh(SignOf(sim.PreemptionRate)))
	} else {
		m.state(Preempting, rate, rate > 1.0/60 && m.fresh(SignOf(sim.PreemptionRate)))
	}
	m.state(HitAlone, known(m.found[hit].Known), m.found[hit].Move == sim.Down && m.found[Preempting].Move != sim.Up)
	if f := &m.found[HitAlone]; f.Move == sim.Up {
		f.Widths = m.found[hit].Widths // as clear as that is
	}
	m.state(LossFirst, known(m.found[hit].Known && m.found[preempts].Known), m.lossFirst())
	queue, running := mean(SignOf(sim.QueueDepth)), mean(SignOf(sim.RunningBatch))
	m.state(QueueLong, queue-running, queue > running && m.fresh(SignOf(sim.QueueDepth)))
	drafts := mean(SignOf(sim.AcceptedLength))
	m.state(DraftWasted, drafts, drafts < 1.15)
	each := mean(StripSign(sim.GenerationRate)) / running
	prompts := mean(StripSign(sim.PromptRate)) / running
	m.state(DecodeStarved, prompts+each, each < 4 && prompts > 20*each)
	m.compared(mean)
	full := m.whileWaiting()
	m.state(DecodeRoom, full, full < 0.85)
	waits := m.found[DecodeWaiting].Move == sim.Up && m.found[itl].Move == sim.Up && m.found[MeanGap].Move != sim.Up
	m.state(GapsAreWaits, known(m.found[DecodeWaiting].Known && m.found[MeanGap].Known), waits)
	m.state(GapsStay, known(m.found[itl].Move == sim.Up), m.found[itl].To-m.found[itl].From >= stays)
	m.state(LeaksAway, known(m.found[KVPerRequest].Known), m.rises(KVPerRequest, shortLeak, 0.8))
	m.state(Hurts, known(m.found[ttft].Known), m.factor(ttft) >= 5 && m.found[ttft].To-m.found[ttft].From >= stays || m.found[QueueLong].Move == sim.Up || m.found[FallsBehind].Move == sim.Up)
	restarted := false
	for i := range m.w {
		restarted = restarted || m.w[i].Restarted
	}
	m.state(Stalled, m.col[sim.RunningBatch][n-1], m.stalled())
	m.state(WornOff, known(m.found[sim.ITLp99].Known), m.wornOff())
	m.state(GapsFirst, known(m.found[itl].Known), m.gapsFirst())
	alike := m.gapsAlike()
	m.state(GapsAlike, alike, 0.5 <= alike && alike <= 3 && m.factor(itl) < 2.2*m.factor(MeanGap))
	if finite(alike) {
		m.found[GapsAlike].After = alike
	}
	more := m.holdsMore()
	m.state(HoldsMore, more, more > 0)
	slow, favored := &m.found[ITLApart], &m.found[ShareApart]
	both := slow.Move == sim.Up && favored.Move == sim.Up
	m.state(SlowFavored, known(slow.Known && favored.Known), both && slow.Replica == favored.Replica)
	m.state(SlowSpared, known(slow.Known && favored.Known), both && slow.Replica != favored.Replica)
	lead := m.gapsLead()
	m.state(GapsLead, lead, lead >= 0.5)
	m.state(GapsAlone, lead, lead >= 2.2)
	all := m.allSlow()
	m.state(AllSlow, all, all >= 0.5)
	came, tells := FirstAttempts, m.found[FirstAttempts].Known
	if !tells { // where nobody counts who comes, as in a log, the batch says it until somebody waits
		came = batch
		tells = m.found[batch].Known && (m.bare || m.found[SignOf(sim.QueueDepth)].Move != sim.Up)
	}
	m.state(RampUp, known(tells), m.dayRises(came))
	m.state(Rolling, known(m.found[ReplicasDown].Known), m.rolling())
	m.state(PoolsApart, known(len(m.kind) > 1), m.poolsApart())
	m.state(Restarted, 0, restarted)
	m.date()
	if m.found[Restarted].Move == sim.Flat { // only a source of several processes' texts can say so
		m.found[Restarted].Known = m.how == WithLifetime
	}
}

// fresh says whether a sign went up; without a series nothing says that it was
// so before.
func (m *series) fresh(s Sign) bool { return m.how != WithNormal || m.found[s].Move == sim.Up }

// state records one, from a value that is not a number if it is not known.
func (m *series) state(s Sign, from float64, holds bool) {
	f := &m.found[s]
	if f.Known = finite(from); f.Known && holds {
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

// stalled looks for a window, when it began, in which hardly a token came, although there is
// work and nobody is down. Without a rate of tokens it is one that ended no gap.
func (m *series) stalled() bool {
	run, gen, itl := m.col[sim.RunningBatch], m.col[StripSign(sim.GenerationRate)], m.col[sim.ITLp99]
	f := &m.found[StripSign(sim.GenerationRate)]
	for k := max(0, m.onset-1); k < min(len(run), m.onset+4); k++ {
		if !(run[k] >= 1) || m.col[ReplicasDown][k] > 0.02 {
			continue
		}
		if f.Known && gen[k] < 0.05*f.Before || !f.Known && itl[k] != itl[k] && m.found[sim.ITLp99].Known {
			return true
		}
	}
	return false
}

// wornOff says whether gaps were long when it began and are no more: most of
// what they were too long is in the first three windows, or the mean gap, or
// that of the fastest replica, has come down a few windows later.
func (m *series) wornOff() bool {
	f := &m.found[itl]
	if f.Move != sim.Up || m.how != WithNormal {
		return false
	}
	longest := 0.0
	for k := f.From; k < min(f.From+3, len(m.w)); k++ {
		longest = max(longest, m.excess(itl, k, k+1))
	}
	if longest < 0.25 {
		return false
	}
	return m.soon(itl, f.From) >= 0.7 || m.settles(MeanGap) || m.settles(ITLLeast)
}

// gapsLead is how much the longest gaps grew for how much the batch did, both as
// logarithms, at most 10; not a number where they did not grow.
func (m *series) gapsLead() float64 {
	if m.found[itl].Move != sim.Up {
		return math.NaN()
	}
	return min(10, detmath.Log(m.factor(itl))/max(0.01, detmath.Log(m.factor(batch))))
}

// allSlow is how much the smallest ITL p99 of a replica grew for how much the
// cluster's did, as logarithms; not a number where it did not grow.
func (m *series) allSlow() float64 {
	if m.found[itl].Move != sim.Up || !m.found[ITLLeast].Known {
		return math.NaN()
	}
	return detmath.Log(m.factor(ITLLeast)) / max(0.01, detmath.Log(m.factor(itl)))
}

// factor is what a sign is of what it was; 1 if it did not move up.
func (m *series) factor(s Sign) float64 {
	if f := &m.found[s]; f.Move == sim.Up && f.Before > 0 {
		return f.After / f.Before
	}
	return 1
}

// holdsMore is by how much requests hold more of the cache than a lost prefix
// makes them, as a logarithm less twice the noise: when of each prompt a share
// of 1 - hit is its own, what it holds grows by no more than that does. It is
// not a number where nothing was lost.
func (m *series) holdsMore() float64 {
	h, f := &m.found[hit], &m.found[KVPerRequest]
	if h.Move != sim.Down || !f.Known {
		return math.NaN()
	}
	return detmath.Log(m.factor(KVPerRequest)) - detmath.Log((1-h.After)/max(0.01, 1-h.Before)) - float64(2*f.Noise)
}

// lossFirst says whether the prefix cache lost first, then requests were thrown
// back, and what is no longer shared explains more than all that they hold more.
func (m *series) lossFirst() bool {
	h, p := &m.found[hit], &m.found[preempts]
	return h.Move == sim.Down && m.found[Preempting].Move == sim.Up && h.From <= p.From && m.holdsMore() < -0.1
}

// settles says whether a sign's excess over before is, in the fifth to seventh
// window, less than half of what it was in the first three.
func (m *series) settles(s Sign) bool {
	f := &m.found[s]
	if f.Move != sim.Up || f.Widths < 2 {
		return false
	}
	first, then := m.excess(s, f.From, f.From+3), m.excess(s, f.From+4, f.From+7)
	return first > 0.15 && then < 0.4*first
}

// excess is by how much a sign is over what it was, as a share, on average.
func (m *series) excess(s Sign, from, to int) float64 {
	sum, n := 0.0, 0.0
	for k := from; k < min(to, len(m.w)); k++ {
		if x := over(m.col[s][k], m.found[s].Before); x == x {
			sum, n = sum+x-1, n+1
		}
	}
	return sum / n
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

func (m *series) gapsFirst() bool {
	gaps := len(m.w)
	for _, s := range [...]Sign{itl, MeanGap, ITLLeast} {
		if f := &m.found[s]; f.Move == sim.Up {
			gaps = min(gaps, f.From)
		}
	}
	for _, s := range [...]Sign{queue, batch, kv} {
		if f := &m.found[s]; f.Move == sim.Up && f.From < gaps-1 && f.To-f.From > 1 {
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

// whileWaiting is the mean KV occupancy of the replicas that only decode in the
// first two thirds of the windows in which requests wait there; not a number if
// none do.
func (m *series) whileWaiting() float64 {
	f := &m.found[DecodeWaiting]
	if f.Move != sim.Up {
		return math.NaN()
	}
	sum, n := 0.0, 0.0
	for k := f.From; k < f.From+max(1, (f.To-f.From)*2/3); k++ {
		if v := m.col[DecodeKV][k]; v == v {
			sum, n = sum+v, n+1
		}
	}
	return sum / n
}
