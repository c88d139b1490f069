package diagnose

import "openloop/sim"

// What else there could be. A failure whose signs are all among those that
// another one moves cannot be told from windows: with it they would look alike.
// So beside a verdict stand the failures that could be hidden behind it, and
// those alone: the rest would show something that is not seen.

// rulesOut is what a line takes from which on it speaks against a failure.
const rulesOut = 3.0

// hidden are the failures that could be there beside the one or two that are
// named, those that the windows fit best first.
func (m *series) hidden(points *[len(table)]float64, one, two *row) (out []string) {
	if m.how != WithNormal {
		return nil
	}
	var could [len(table)]bool
	for i := range table {
		x := &table[i]
		could[i] = x.verdict != Healthy && x.verdict != one.verdict && x.verdict != two.verdict && m.tells(x) && m.couldHide(x, one, two)
	}
	for {
		best := -1
		for i := range table {
			if could[i] && (best < 0 || points[i] > points[best]) {
				best = i
			}
		}
		if best < 0 {
			return out
		}
		could[best] = false
		out = append(out, table[best].verdict)
	}
}

// couldHide says whether nothing that is seen speaks against a failure beside
// those that are named: the signal that it moves first in the matrix has moved, so have
// its keys, and what moved though it should not is accounted for by the others.
// What is not known speaks against nothing.
func (m *series) couldHide(x, one, two *row) bool {
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
			if of := about(l.sign); l.minus > rulesOut && !m.does(one, of, up) && !m.does(two, of, up) && !m.does(one, of, down) && !m.does(two, of, down) {
				return false
			}
		case l.move == up || l.move == down:
			if l.key || l.minus >= rulesOut {
				return false
			}
		case l.minus >= rulesOut && !m.does(one, l.sign, f.Move) && !m.does(two, l.sign, f.Move):
			return false
		}
	}
	return true
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
