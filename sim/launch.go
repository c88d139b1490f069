package sim

import "slices"

// From a decision to a step in flight: who gets how many tokens, what work that
// is, and how long it takes.

// give puts a request into the step with n tokens, which count as computed from
// now on (rule 13).
func (r *replica) give(f *flight, slot, n int32) {
	q := &r.s.seqs[slot]
	p := piece{slot: slot, from: q.computed, tokens: n}
	q.computed += n
	if p.from >= q.target {
		p.emits, p.drafts = true, int16(n-1)
		f.fewest = min(f.fewest, q.output-q.generated-q.flying)
		f.lockstep = f.lockstep && int(q.flying) == r.inFlight
	} else {
		p.emits = q.computed == q.target // rule 15
	}
	q.flying++
	f.weigh(q, &p, 1)
	f.pieces = append(f.pieces, p)
}

// giveDecodes is a shortcut, with the same outcome, for the requests at the
// front of a list that decode one token and have room for it: by far the most
// of a run. It returns how many there are.
func (r *replica) giveDecodes(f *flight, slots []int32, left int32) int {
	if len(slots) > int(left) {
		slots = slots[:left]
	}
	seqs, before := r.s.seqs, int32(r.inFlight)
	fewest, lockstep, kv := f.fewest, f.lockstep, int64(0)
	had, n := len(f.pieces), len(slots)
	pieces := slices.Grow(f.pieces, n)[:had+n]
	for i, slot := range slots {
		q := &seqs[slot]
		after := q.output - q.generated - q.flying
		if q.computed < q.target || q.computed >= q.room || after <= 0 || q.expired {
			n = i
			break
		}
		p := &pieces[had+i] // field by field: a copy of a whole piece is much slower
		p.slot, p.from, p.tokens, p.drafts, p.emits = slot, q.computed, 1, 0, true
		fewest = min(fewest, after)
		lockstep = lockstep && q.flying == before
		q.flying++
		q.computed++
		kv += int64(q.computed)
	}
	f.pieces, f.fewest, f.lockstep = pieces[:had+n], fewest, lockstep
	f.load.Decodes += int64(n)
	f.load.DecodeTokens += int64(n)
	f.load.KVTokens += kv
	return n
}

// takeBack takes piece i out of the step again and returns its tokens.
func (r *replica) takeBack(f *flight, i int) (tokens int32) {
	p := f.pieces[i]
	q := &r.s.seqs[p.slot]
	f.weigh(q, &p, -1)
	q.computed = p.from
	q.flying--
	f.pieces = append(f.pieces[:i], f.pieces[i+1:]...)
	return p.tokens
}

// weigh adds the work of a piece to the load of its step, or with sign -1 takes
// it off.
func (f *flight) weigh(q *seq, p *piece, sign int64) {
	l, from, n := &f.load, int64(p.from), int64(p.tokens)
	if p.from >= q.target {
		l.Decodes += sign
		l.DecodeTokens += sign * n
		l.KVTokens += sign * (from + n)
		return
	}
	l.PrefillTokens += sign * n
	l.PrefillPairs += sign * (n*from + n*(n+1)/2)
	f.recomputed += sign * max(0, min(from+n, int64(q.reached))-from)
}

// launch puts the scheduled step in flight: it is known how long it will take.
func (r *replica) launch(f *flight) {
	s := r.s
	f.warmUp = r.warm.surcharge(&f.load, r.kv.used(), r.kv.total)
	start := s.now
	if r.inFlight > 0 {
		start = s.afterPause(r.inProgress().ramp.end(1))
	}
	f.ramp.set(start, s.cost(&f.load)+f.warmUp)
	f.scheduled = 1
	r.inFlight++
	s.effort += int64(2 * len(f.pieces))
	f.kept = len(s.res.Steps) < s.c.TraceSteps
	if f.kept {
		r.trace(f)
	} else if s.jumping {
		r.stretch(f)
	}
}

// cost asks the cost model, within what clocks can hold.
func (s *ServingSim) cost(l *Load) Picos {
	c := s.c.Engine.Cost.Picos(*l)
	if c < 1 {
		panic("sim: a StepCost gave less than 1 ps")
	}
	return min(c, maxRun)
}

func (r *replica) trace(f *flight) {
	s := r.s
	t := StepTrace{
		Replica: r.id, Start: f.ramp.start.Nanos(), End: f.ramp.end(1).Nanos(),
		Used: r.kv.used(), Waiting: r.waiting, Preempt: r.preempted,
	}
	r.preempted = nil
	for _, p := range f.pieces {
		t.Pieces = append(t.Pieces, Piece{Request: s.seqs[p.slot].request, Tokens: p.tokens, From: p.from})
	}
	s.res.Steps = append(s.res.Steps, t)
}
