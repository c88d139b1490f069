package diagnose

import "openloop/sim"

// date gives each state that holds the first window in which it did, and those
// of gaps, lengths or replicas when what they are about left its band. What
// has neither is as old as all of it.
func (m *series) date() {
	from := func(s Sign, k int) {
		if f := &m.found[s]; f.Move == sim.Up && k < len(m.w) {
			f.From = k
		}
	}
	first := func(s, of Sign, holds func(k int) bool) {
		for k := m.found[of].From; m.found[of].Move != sim.Flat && k < len(m.w); k++ {
			if holds(k) {
				from(s, k)
				return
			}
		}
	}
	first(KVFull, kv, func(k int) bool { return m.col[kv][k] >= 0.95 })
	first(Preempting, preempts, func(k int) bool { return m.col[preempts][k] > 0 })
	first(QueueLong, queue, func(k int) bool { return m.col[queue][k] > m.col[batch][k] })
	first(DraftWasted, accepted, func(k int) bool { return m.col[accepted][k] < 1.15 })
	for _, x := range [...]struct{ state, of Sign }{
		{DecodeRoom, DecodeWaiting}, {GapsAreWaits, DecodeWaiting}, {GapsStay, itl}, {WornOff, itl}, {GapsFirst, itl}, {GapsAlike, itl},
		{GapsLead, itl}, {GapsAlone, itl}, {AllSlow, itl}, {LeaksAway, KVPerRequest}, {HoldsMore, KVPerRequest}, {HitAlone, hit},
		{SlowFavored, ITLApart}, {SlowSpared, ITLApart}, {Rolling, ReplicasDown}, {RampUp, FirstAttempts}, {Hurts, ttft},
	} {
		if f := &m.found[x.of]; f.Move != sim.Flat {
			from(x.state, f.From)
		}
	}
}
