package sim

// A jump is a run of steps that differ only in that each request has one more
// token: everybody who runs decodes, and nobody can be admitted, ends or lacks
// a block before the last of them. The run is put in flight as one, and its
// state is worked out when somebody asks: at its end (skip), when something
// happens in the middle (interrupt) or when it is looked at (settle). So a jump
// needs no forecast of what will happen outside the replica.

// stretch makes a run of the step just launched, if it can be repeated.
func (r *replica) stretch(f *flight) {
	if !r.repeats(f) {
		return
	}
	steps := int(f.fewest)
	if steps < 2 {
		return
	}
	steps = 1 + r.stepsWithBlocks(f, steps-1)
	if steps < 2 {
		return
	}
	if c, ok := r.s.c.Engine.Cost.(LinearCost); ok {
		f.ramp.rise(c.PerKVToken*Picos(f.load.Decodes), steps, r.s.end)
	} else {
		r.tabulate(f, steps)
	}
}

// repeats says whether the next call of schedule would do the same, if no
// request ends and there are blocks.
func (r *replica) repeats(f *flight) bool {
	s := r.s
	if f.load.PrefillTokens > 0 || len(s.c.Engine.Draft.Accept) > 0 || f.warmUp > 0 ||
		len(f.pieces) != len(r.running) || !f.lockstep || r.leaving > 0 || r.halt == preempting {
		return false
	}
	if r.depth == 2 && r.inFlight == 1 {
		return false // the second step is scheduled at this very instant
	}
	if r.kv.prefix != nil {
		// What the head finds in the cache changes with every block taken, and
		// the order in which texts that others share enter the index matters.
		if r.halt == headBlocked {
			return false
		}
		for i := range f.pieces {
			if s.texts[f.pieces[i].slot].outputID != 0 {
				return false
			}
		}
	}
	return true
}

// stepsWithBlocks is how many of so many further steps there are blocks for,
// short of those that would make the allocator grow.
func (r *replica) stepsWithBlocks(f *flight, steps int) int {
	k := &r.kv
	spare := int64(min(k.free, r.warm.headroom(k.used(), k.total)))
	if int64(len(f.pieces))*(int64(steps)/int64(k.blockTokens)+1) <= spare {
		return steps
	}
	lo, hi := 0, steps+1 // there are blocks for lo, not known for hi
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		var need int64
		for i := range f.pieces {
			q := &r.s.seqs[f.pieces[i].slot]
			if more := int64(q.computed) + int64(mid) - int64(q.room); more > 0 {
				need += (more + int64(k.blockTokens) - 1) / int64(k.blockTokens)
			}
		}
		if need <= spare {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// mostTabulated keeps the memory of a table, and the time of one event, small.
const mostTabulated = 1 << 12

// tabulate works out when up to so many steps end, until after the next event
// that is already known.
func (r *replica) tabulate(f *flight, steps int) {
	s, a, l := r.s, &f.ramp, f.load
	steps = min(steps, mostTabulated)
	known := min(s.nextArrival(), s.nextOutside(), s.end)
	t := a.end(1)
	a.space = append(a.space[:0], t)
	for len(a.space) < steps && t <= known {
		l.KVTokens += l.Decodes
		t += s.cost(&l)
		a.space = append(a.space, t)
	}
	s.effort += int64(8 * len(a.space))
	if len(a.space) > 1 {
		a.table, a.steps = a.space, len(a.space)
	}
}

// skip does the first m steps of the run in progress. Requests can end in none
// but the last of the whole run. They then stand where the calls of schedule up
// to the end of step m have put them.
func (r *replica) skip(m int) {
	if m == 0 {
		return
	}
	s, f := r.s, r.inProgress()
	a := &f.ramp
	n := int64(len(f.pieces))
	at, firstEnd := a.end(m), a.end(1)
	total := &s.res.Totals
	total.Steps += int64(m)
	total.BusyPicos += at - a.start
	total.DecodeTokens += int64(m) * n
	r.window.row.Steps += int32(m)
	r.window.row.Tokens += int64(m) * n
	s.effort += int64(2*len(f.pieces)) + 8

	scheduled := min(r.depth, a.steps-m)
	more := int32(m + scheduled - f.scheduled)
	f.scheduled = scheduled
	ended := false
	for i := range f.pieces {
		p := &f.pieces[i]
		q := &s.seqs[p.slot]
		r.countGap(firstEnd - q.last)
		q.last = at
		q.generated += int32(m)
		q.flying += more - int32(m)
		p.from += int32(m)
		if q.computed += more; q.computed > q.room || r.kv.prefix != nil {
			r.extend(p.slot)
		}
		ended = ended || q.generated == q.output || q.expired && q.flying == 0
	}
	r.countGaps()
	if ended { // all blocks are taken before the first is freed
		for i := range f.pieces {
			if q := &s.seqs[f.pieces[i].slot]; q.generated == q.output || q.expired && q.flying == 0 {
				r.depart(f.pieces[i].slot)
			}
		}
		r.closeRanks()
	}
	if a.table == nil {
		r.countRamp(a.cost+a.slope, a.slope, int64(m-1), n)
	} else {
		s.effort += int64(2 * m)
		for k := 2; k <= m; k++ {
			r.countRamp(a.end(k)-a.end(k-1), 0, 1, n)
		}
	}
	a.skip(m)
}

func (r *replica) countRamp(first, slope Picos, k, n int64) {
	if k == 0 {
		return
	}
	r.s.res.ITL.AddRamp(first, slope, k, n)
	if r.sampled {
		r.window.itl.addRamp(first, slope, k, n)
	}
}

// extend gives a request in a run the blocks for what it has computed.
func (r *replica) extend(slot int32) {
	q := &r.s.seqs[slot]
	if !r.kv.reserve(r.s, slot, q.computed) {
		panic("sim: a jump ran out of KV blocks")
	}
	if r.kv.prefix != nil {
		r.kv.index(r.s, slot, q.computed-int32(r.depth-1)) // the token in flight is not known
	}
}

// lead schedules the second step of a run whose first has just begun on an
// asynchronous engine.
func (r *replica) lead() {
	f := r.inProgress()
	more := min(r.depth, f.ramp.steps) - f.scheduled
	f.scheduled += more
	for i := range f.pieces {
		q := &r.s.seqs[f.pieces[i].slot]
		q.flying += int32(more)
		q.computed += int32(more)
		r.extend(f.pieces[i].slot)
	}
}

// settle does the steps of a run that have ended by now.
func (r *replica) settle() {
	if r.inFlight == 0 || r.inProgress().ramp.steps == 1 {
		return
	}
	r.tick()
	r.skip(min(r.inProgress().ramp.ended(r.s.now), r.wakeAfter()-1))
}

// interrupt lets the next call of schedule decide anew, because something has
// happened that the run did not reckon with. If a step of the run ends at this
// very instant, that call is now: what happens at a step's end is seen by it.
func (r *replica) interrupt() {
	if r.inFlight == 0 {
		return
	}
	a := &r.inProgress().ramp
	switch m := a.ended(r.s.now); {
	case a.steps == 1:
		r.cut()
	case r.due: // the second step of the run is not scheduled yet
		a.steps = 1
	case m > 0 && a.end(m) == r.s.now:
		a.steps = m + r.depth - 1
		r.endStep()
	default:
		r.cut()
	}
}

// cut ends a run with the steps that have been scheduled: the one in progress
// and, on an asynchronous engine, the one behind it.
func (r *replica) cut() {
	if r.inFlight == 0 {
		return
	}
	f := r.inProgress()
	switch {
	case f.ramp.steps == 1:
		if r.inFlight == 2 {
			r.flights[r.first^1].ramp.steps = 1
		}
	case r.depth == 2:
		r.settle()
		r.split(f)
		f.ramp.steps = 1
	default:
		f.ramp.steps = min(f.ramp.ended(r.s.now), f.ramp.steps-1) + 1
	}
	r.setWake()
}

// split makes the second step of a run a flight of its own.
func (r *replica) split(f *flight) {
	second := &r.flights[r.first^1]
	second.pieces = append(second.pieces[:0], f.pieces...)
	for i := range second.pieces {
		second.pieces[i].from++
	}
	second.load, second.recomputed, second.warmUp, second.kept = Load{}, 0, 0, false
	second.ramp.set(r.s.afterPause(f.ramp.end(1)), f.ramp.end(2)-f.ramp.end(1))
	f.scheduled, second.scheduled = 1, 1
	r.inFlight = 2
}
