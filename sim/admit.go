package sim

// Admission: from the waiting queue into the running list.

// admit moves requests from the queue into the running list (rules 8 to 10)
// and says why it stopped.
func (r *replica) admit(f *flight, left int32) halt {
	s := r.s
	for {
		slot, ok := r.head()
		if !ok {
			return queueEmpty
		}
		if left == 0 || len(r.running) >= s.c.Engine.MaxNumSeqs {
			return noSeat
		}
		q := &s.seqs[slot]
		n := r.fit(slot, left)
		if n == 0 {
			return headBlocked
		}
		r.queue.drop(s.seqs)
		q.queued, q.running = false, true
		r.waiting--
		r.running = append(r.running, slot)
		r.waitsNoMore(q)
		q.target = q.prompt + q.generated
		q.computed = 0
		if r.kv.prefix != nil {
			r.kv.share(s, slot)
			q.computed = q.blocks * r.kv.blockTokens
			s.res.Totals.LookedUp += int64(q.target)
			s.res.Totals.Hit += int64(q.computed)
			r.window.row.LookedUp += int64(q.target)
			r.window.row.Hit += int64(q.computed)
		}
		r.kv.reserve(s, slot, q.computed+n)
		s.res.Status[q.request] = Running
		if s.res.AdmittedAt[q.request] == Never {
			s.res.AdmittedAt[q.request] = s.now.Nanos()
			s.res.Cached[q.request] = q.computed
		}
		r.give(f, slot, n)
		left -= n
		if r.kv.prefix != nil {
			r.remember(&f.pieces[len(f.pieces)-1])
		}
	}
}

// waitsNoMore closes the row of a request that had been put back.
func (r *replica) waitsNoMore(q *seq) {
	if q.putBack > 0 {
		r.s.res.PutBacks[q.putBack-1].Again = r.s.now.Nanos()
		q.putBack = 0
	}
}

// head is the first request that waits. Those that ended in the queue are
// removed on the way.
func (r *replica) head() (slot int32, ok bool) {
	for r.queue.n > 0 {
		slot := r.queue.first()
		q := &r.s.seqs[slot]
		if !q.ended {
			return slot, true
		}
		r.forget(slot)
	}
	return 0, false
}

// forget removes the head, which has ended.
func (r *replica) forget(slot int32) {
	r.s.effort++
	r.queue.drop(r.s.seqs)
	r.s.seqs[slot].queued = false
	r.s.vacate(slot)
}

// sweep removes those that ended from the front of the queue, as head would,
// but returns false if it has to go on later: many may have given up at once.
func (r *replica) sweep() bool {
	for r.queue.n > 0 {
		slot := r.queue.first()
		if !r.s.seqs[slot].ended {
			break
		}
		if r.s.effort >= r.s.enough {
			return false
		}
		r.forget(slot)
	}
	return true
}

// fit is how many tokens the head can be given now; 0 if it must wait.
func (r *replica) fit(slot, left int32) int32 {
	q, k := &r.s.seqs[slot], &r.kv
	tokens := q.prompt + q.generated
	var found, fromFree int32
	if k.prefix != nil {
		found, fromFree = k.prefix.lookUp(&r.s.texts[slot], tokens, k.blockTokens)
		r.s.effort += 2 * int64(found)
	}
	hit := found * k.blockTokens
	n := r.chunk(tokens-hit, left)
	if n == 0 {
		return 0
	}
	free := k.free - fromFree // rule 12
	need := k.blocksFor(hit+n) - found
	if need > free {
		return 0
	}
	if r.s.c.Engine.FullPromptGate && k.blocksFor(tokens)-found > free {
		return 0
	}
	if len(r.running) > 0 && free-need < k.watermark {
		return 0
	}
	return n
}
