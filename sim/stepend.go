package sim

// The end of a step: tokens come out, requests end, seats and blocks are free.

// endStep is called when the step in progress ends, or the run of steps.
func (r *replica) endStep() {
	r.tick()
	f := r.inProgress()
	if f.ramp.steps == 1 {
		r.commit(f)
	} else {
		r.skip(r.wakeAfter())
	}
	if r.depth == 2 && f.ramp.steps > 0 {
		// The last step of a run is left; what comes after it is to be scheduled.
		r.due = true
		r.setWake()
		return
	}
	r.inFlight--
	r.first ^= 1
	r.due = true
	r.setWake()
}

// commit does what the end of a single step does: tokens come out, requests
// that have all of theirs end, and their seats and blocks are free at once.
func (r *replica) commit(f *flight) {
	s, at := r.s, f.ramp.end(1)
	total := &s.res.Totals
	total.Steps++
	if f.kept {
		s.keptEnded++
	}
	total.PrefillTokens += f.load.PrefillTokens
	total.Recomputed += f.recomputed
	total.BusyPicos += at - f.ramp.start
	total.WarmUpPicos += f.warmUp
	total.CopyPicos += f.copying
	r.window.row.Steps++
	s.effort += int64(len(f.pieces))
	f.ramp.steps = 0
	ended := false
	tokens := int64(0)
	for i := range f.pieces {
		p := &f.pieces[i]
		q := &s.seqs[p.slot]
		q.flying--
		if q.ended { // it was ahead of its own end: accepted drafts, or its client left
			s.vacate(p.slot)
			continue
		}
		if p.emits {
			if p.drafts == 0 && q.generated > 0 { // by far the most
				r.countGap(at - q.last)
				q.last = at
				q.generated++
				tokens++
			} else {
				r.emit(q, p, at)
			}
			if r.kv.prefix != nil && r.depth == 2 && q.running {
				r.kv.index(s, p.slot, q.prompt+q.generated-1) // the token has become known
			}
		}
		if q.generated == q.output || q.expired && q.flying == 0 {
			ended = true
			r.depart(p.slot)
		} else if r.prefillOnly && p.emits && q.running {
			ended = true
			r.handOver(p.slot)
		}
	}
	total.DecodeTokens += tokens
	r.window.row.Tokens += tokens
	r.countGaps()
	if r.leaving > 0 && r.depth == 1 { // those that were passed over in this step
		ended = true
		for _, slot := range r.running {
			if q := &s.seqs[slot]; q.expired && !q.ended {
				r.depart(slot)
			}
		}
	}
	if ended {
		r.closeRanks()
	}
}

// emit gives a request the tokens of a step: the next one and the drafts that
// were accepted, as far as it wants them.
func (r *replica) emit(q *seq, p *piece, at Picos) {
	s := r.s
	n := int32(1)
	if p.drafts > 0 {
		kept := accepted(r.cond.accept, s.mixed, q.request, q.generated, int(p.drafts))
		kept = min(kept, int(q.output-q.generated-1))
		if q.running { // a preempted request has nothing computed to take back
			q.computed -= int32(int(p.drafts) - kept)
		}
		n += int32(kept)
		s.res.Totals.Drafted += int64(p.drafts)
		s.res.Totals.Accepted += int64(kept)
		r.window.row.DraftSteps++
		r.window.row.Accepted += int64(kept)
	}
	if q.generated == 0 {
		s.res.FirstTokenAt[q.request] = at.Nanos()
		s.res.Totals.DecodeTokens--
		r.window.row.FirstTokens++
		if r.sampled {
			r.window.ttft = append(r.window.ttft, at.Nanos()-s.res.SentAt[q.request])
		}
	} else {
		r.countGap(at - q.last)
	}
	q.last = at
	q.generated += n
	s.res.Totals.DecodeTokens += int64(n)
	r.window.row.Tokens += int64(n)
}

// countGap collects equal gaps, which come in a row because they are those of
// one step.
func (r *replica) countGap(gap Picos) {
	if gap != r.gap {
		r.countGaps()
		r.gap = gap
	}
	r.gaps++
}

func (r *replica) countGaps() {
	if r.gaps > 0 {
		r.s.res.ITL.Add(r.gap, r.gaps)
		if r.sampled {
			r.window.itl.add(r.gap, r.gaps)
		}
		r.gaps = 0
	}
}

// depart ends a request that has all its tokens or whose client has gone. If it
// runs, the caller takes it out of the running list.
func (r *replica) depart(slot int32) {
	s := r.s
	q := &s.seqs[slot]
	status := Completed
	if q.expired {
		status = TimedOut
	} else {
		r.window.row.Completed++
	}
	q.ended = true
	if q.running {
		r.kv.release(s, slot)
		if q.expired {
			r.leaving--
		}
	} else {
		r.waiting--
		r.waitsNoMore(q)
		if q.stored && !q.sending {
			r.dropStored(q)
		}
	}
	s.live--
	i := q.request
	s.res.Status[i] = status
	s.res.DoneAt[i] = s.now.Nanos()
	s.res.Generated[i] = q.generated
	if !q.running {
		s.vacate(slot)
	}
	s.tellEnd(i, status)
}

// closeRanks takes the requests that have ended out of the running list.
func (r *replica) closeRanks() {
	kept := r.running[:0]
	for _, slot := range r.running {
		if q := &r.s.seqs[slot]; q.ended {
			q.running = false
			r.s.vacate(slot)
		} else if q.moved {
			q.running, q.moved = false, false
		} else {
			kept = append(kept, slot)
		}
	}
	r.running = kept
}
