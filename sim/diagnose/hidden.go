package diagnose

import (
	"slices"

	"openloop/sim"
)

// What else there could be. A failure whose signs are all among those that
// another one moves cannot be told from windows: with it they would look alike.
// So beside a verdict stand the failures that could be hidden behind it, and
// those alone: the rest would show something that is not seen.

// rulesOut is what a line takes from which on it speaks against a failure.
const rulesOut = 3.0

// hidden are the failures that could be there beside those in rows, those that
// the windows fit best first.
func (m *series) hidden(points []float64, rows ...*row) (out []string) {
	if m.how != WithNormal {
		return nil
	}
	var at []int
	for i := range table {
		x := &table[i]
		named := slices.ContainsFunc(rows, func(r *row) bool { return r.verdict == x.verdict })
		if x.verdict != Healthy && !named && m.tells(x) && m.couldHide(x, rows) {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int {
		switch {
		case points[a] > points[b]:
			return -1
		case points[a] < points[b]:
			return 1
		}
		return 0
	})
	for _, i := range at {
		out = append(out, table[i].verdict)
	}
	return out
}

// couldHide says whether nothing that is seen speaks against a failure beside
// those in rows: the signal that it moves first in the matrix has moved, so have
// its keys, and what moved though it should not is accounted for by the others.
// What is not known speaks against nothing.
func (m *series) couldHide(x *row, rows []*row) bool {
	if e, ok := sim.Signature(x.verdict); ok {
		if f := &m.found[SignOf(e.First)]; f.Known && f.Move != e.Moves[e.First] {
			return false
		}
	}
	for i := range x.lines {
		l := &x.lines[i]
		f := &m.found[l.sign]
		switch {
		case !f.Known || l.bare && !m.bare || fits(l.move, f.Move):
		case l.sign.State():
			if of := about(l.sign); l.minus > rulesOut && !m.accounted(of, sim.Up, rows) && !m.accounted(of, sim.Down, rows) {
				return false
			}
		case l.move == up || l.move == down:
			if l.key || l.minus >= rulesOut {
				return false
			}
		case l.minus >= rulesOut && !m.accounted(l.sign, f.Move, rows):
			return false
		}
	}
	return true
}

func (m *series) accounted(s Sign, move sim.Move, rows []*row) bool {
	return slices.ContainsFunc(rows, func(r *row) bool { return m.does(r, s, move) })
}

// about is the sign whose shape or size a state is about: a failure that moves
// it makes the state say nothing of another.
func about(s Sign) Sign {
	switch s {
	case WornOff, GapsFirst, GapsAlike, GapsLead, GapsAlone, AllSlow, GapsStay, GapsAreWaits, SlowFavored, SlowSpared:
		return itl
	case KVFull, HoldsMore, LeaksAway:
		return kv
	case Preempting, HitAlone, LossFirst:
		return preempts
	case QueueLong, FallsBehind, Hurts, Stalled:
		return queue
	case RampUp:
		return FirstAttempts
	case DecodeRoom:
		return DecodeWaiting
	case Rolling:
		return ReplicasDown
	}
	return s
}
