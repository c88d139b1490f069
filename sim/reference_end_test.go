package sim

import (
	"math/bits"
	"slices"
)

// endStep ends the step that is due now: rules 15 and 16.
func (p *refReplica) endStep() {
	if len(p.inFlight) == 0 || p.inFlight[0].end != p.w.now {
		return
	}
	s := p.inFlight[0]
	p.inFlight = p.inFlight[1:]
	p.due = true
	p.count(s)
	for _, piece := range s.pieces {
		r := piece.r
		r.inFlight--
		if piece.emits {
			r.emitting--
		}
		if r.status.Final() {
			continue // it was ahead of its own end
		}
		if piece.emits {
			p.tokens(piece)
		}
		if r.expired && r.inFlight == 0 || r.generated == r.output() {
			p.leave(r, r.end())
		}
	}
	for _, r := range slices.Clone(p.running) {
		if r.expired && r.inFlight == 0 {
			p.leave(r, TimedOut) // it was in the list and not in the step
		}
	}
}

// tokens gives r what came out of its piece: one token and the drafts that
// were accepted. Those rejected were not computed after all, unless r was
// preempted meanwhile and has nothing computed anyway. The token that was in
// flight is known now, so the tokens before it can be indexed.
func (p *refReplica) tokens(piece *refPiece) {
	r := piece.r
	accepted := refAccepted(p.w.seed, r, piece.drafts(), p.e.Draft.Accept)
	accepted = min(accepted, r.output()-r.generated-1)
	p.counted(piece, accepted)
	r.generated += 1 + accepted
	if r.status == Running {
		r.computed -= piece.drafts() - accepted
		if p.e.Async {
			p.kv.index(r, r.known()-1)
		}
	}
}

// end is how r ends now that nothing more of it will be scheduled.
func (r *refRequest) end() Status {
	if r.expired {
		return TimedOut
	}
	return Completed
}

// leave takes r out of the engine; its blocks are free at once (rule 16).
func (p *refReplica) leave(r *refRequest, s Status) {
	p.w.recorder.again(r, p.w.now)
	p.waiting = refWithout(p.waiting, r)
	p.running = refWithout(p.running, r)
	p.kv.release(r)
	p.w.end(r, s)
}

func refWithout(list []*refRequest, r *refRequest) []*refRequest {
	return slices.DeleteFunc(slices.Clone(list), func(x *refRequest) bool { return x == r })
}

// Warm-up -----------------------------------------------------------------

// refWarm remembers what has been paid for.
type refWarm struct {
	graphs, tunes map[int]bool
	sixteenths    int
}

// pay is what this step pays for being the first of its kind.
func (m *refWarm) pay(e Engine, l Load, used int) Picos {
	var cost Picos
	if size := refGraphSize(int(l.Decodes)); size > 0 && !m.graphs[size] {
		m.graphs[size] = true
		cost += e.WarmUp.GraphCapture
	}
	if size := bits.Len64(uint64(max(l.PrefillTokens-1, 0))); l.PrefillTokens > 0 && !m.tunes[size] {
		m.tunes[size] = true
		cost += e.WarmUp.Autotune
	}
	for used*16 >= (m.sixteenths+1)*e.KVBlocks {
		m.sixteenths++
		cost += e.WarmUp.AllocatorGrowth
	}
	return cost
}

// refGraphSize is the smallest captured batch that holds n: 1, 2, 4, then by 8
// up to 256, then by 16.
func refGraphSize(n int) int {
	switch {
	case n <= 2:
		return n
	case n <= 4:
		return 4
	case n <= 256:
		return ceilDiv(n, 8) * 8
	default:
		return ceilDiv(n, 16) * 16
	}
}
