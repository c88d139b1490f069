package sim

import "slices"

// The way of a request into a replica, and out of it when its client gives up.

// nextArrival is when the source will send the next request; never if it has
// none, or none before the run ends.
func (s *ServingSim) nextArrival() Picos {
	if !s.asked {
		s.asked = true
		at, ok := s.src.Next()
		if !ok || at > s.end.Nanos() {
			s.arrival = never
		} else {
			s.arrival = max(at.Picos(), s.now)
		}
	}
	return s.arrival
}

// promised says whether the source has a request, even after the end.
func (s *ServingSim) promised() bool {
	_, ok := s.src.Next()
	return ok
}

// arrivals takes the requests that are due. It returns false if it has to go
// on later.
func (s *ServingSim) arrivals() bool {
	for s.nextArrival() <= s.now {
		if s.effort >= s.enough {
			return false
		}
		s.effort += eventEffort
		s.src.Take(&s.spec)
		s.asked = false
		s.arrive(&s.spec)
	}
	return true
}

func (s *ServingSim) arrive(r *Spec) {
	i := s.record(r)
	if !s.fits(r) {
		s.refuse(i, Failed)
		return
	}
	n := s.route(i, r)
	if n < 0 {
		s.refuse(i, Dropped)
		return
	}
	to := &s.replicas[n]
	if s.c.MaxWaiting > 0 && int(to.waiting) >= s.c.MaxWaiting {
		s.refuse(i, Dropped)
		return
	}
	s.res.Replica[i] = to.id
	slot := s.seat(r, i)
	if s.c.Timeout > 0 {
		s.slotOf[i] = slot
	}
	s.live++
	to.arrive(slot)
}

// fits says whether a request can ever run: its length, its KV (that of the
// last token is never written) and, with chunked prefill off, its prompt.
func (s *ServingSim) fits(r *Spec) bool {
	e := &s.c.Engine
	tokens := int64(r.Prompt) + int64(r.Output)
	return r.Prompt >= 1 && r.Output >= 1 &&
		tokens <= maxTokens &&
		(e.MaxModelLen == 0 || tokens <= int64(e.MaxModelLen)) &&
		tokens-1 <= int64(e.KVBlocks)*int64(e.BlockTokens) &&
		(e.PrefillChunkTokens > 0 || int(r.Prompt) <= e.MaxBatchedTokens)
}

// refuse ends a request that did not get into a replica.
func (s *ServingSim) refuse(i int32, why Status) {
	s.res.Status[i] = why
	s.res.DoneAt[i] = s.now.Nanos()
	s.tellEnd(i, why)
}

// tellEnd tells the source, which may then have another request to send.
func (s *ServingSim) tellEnd(i int32, status Status) {
	s.src.Ended(i, s.now.Nanos(), status)
	s.asked = false
}

// record opens the row of a request in all columns and returns its number.
func (s *ServingSim) record(r *Spec) int32 {
	c := &s.res
	n := len(c.SentAt)
	if n == cap(c.SentAt) {
		s.widen(max(64, n)) // doubling all at once copies less than append does
	}
	c.IntendedAt = append(c.IntendedAt, r.IntendedAt)
	c.SentAt = append(c.SentAt, r.SentAt)
	c.AdmittedAt = append(c.AdmittedAt, Never)
	c.FirstTokenAt = append(c.FirstTokenAt, Never)
	c.DoneAt = append(c.DoneAt, Never)
	c.Prompt = append(c.Prompt, r.Prompt)
	c.Output = append(c.Output, r.Output)
	c.Generated = append(c.Generated, 0)
	c.Cached = append(c.Cached, 0)
	c.Preemptions = append(c.Preemptions, 0)
	c.Replica = append(c.Replica, -1)
	c.Session = append(c.Session, r.Session)
	c.Turn = append(c.Turn, r.Turn)
	c.Client = append(c.Client, r.Client)
	c.Status = append(c.Status, Waiting)
	if r.Attempt > 0 || len(c.Origin) > 0 {
		s.recordOrigin(r, n)
	}
	if s.c.Timeout > 0 {
		s.slotOf = append(s.slotOf, -1)
	}
	return int32(n)
}

// recordOrigin notes which request row n is an attempt at. Rows before the first
// repetition are their own.
func (s *ServingSim) recordOrigin(r *Spec, n int) {
	c := &s.res
	for i := len(c.Origin); i <= n; i++ {
		c.Origin = append(c.Origin, int32(i))
	}
	if r.Attempt > 0 {
		c.Origin[n] = r.Origin
	}
}

func (s *ServingSim) widen(n int) {
	c := &s.res
	for _, col := range []*[]Nanos{&c.IntendedAt, &c.SentAt, &c.AdmittedAt, &c.FirstTokenAt, &c.DoneAt} {
		*col = slices.Grow(*col, n)
	}
	for _, col := range []*[]int32{
		&c.Prompt, &c.Output, &c.Generated, &c.Cached, &c.Preemptions, &c.Replica, &c.Session, &c.Turn, &c.Client,
	} {
		*col = slices.Grow(*col, n)
	}
	c.Status = slices.Grow(c.Status, n)
}

// seat gives request i a slot.
func (s *ServingSim) seat(r *Spec, i int32) int32 {
	slot := int32(len(s.seqs))
	if n := len(s.vacant); n > 0 {
		slot = s.vacant[n-1]
		s.vacant = s.vacant[:n-1]
	} else {
		s.seqs = append(s.seqs, seq{})
		if s.c.Engine.PrefixCache {
			s.texts = append(s.texts, text{shelf: &s.shelf})
		}
	}
	s.seqs[slot] = seq{request: i, prompt: r.Prompt, output: r.Output, priority: r.Priority}
	if s.c.Engine.PrefixCache {
		s.texts[slot].set(r, i)
	}
	return slot
}

// vacate frees the slot of a request that has ended, once neither a step in
// flight nor the waiting queue nor a link knows it any more.
func (s *ServingSim) vacate(slot int32) {
	if q := &s.seqs[slot]; q.ended && q.flying == 0 && !q.queued && !q.sending {
		s.vacant = append(s.vacant, slot)
		if s.c.Engine.PrefixCache {
			s.texts[slot].putAway()
		}
	}
}

// nextExpiry is when the next client gives up. All wait equally long, so they
// give up in the order in which they sent.
func (s *ServingSim) nextExpiry() Picos {
	for ; s.overdue < len(s.res.Status); s.overdue++ {
		if !s.res.Status[s.overdue].Final() {
			return max((s.res.SentAt[s.overdue] + s.c.Timeout).Picos(), s.now)
		}
	}
	return never
}

// expire lets the clients give up whose time has come. It returns false if it
// has to go on later.
func (s *ServingSim) expire() bool {
	if s.c.Timeout == 0 {
		return true
	}
	for s.nextExpiry() <= s.now {
		if s.effort >= s.enough {
			return false
		}
		i := s.overdue
		s.overdue++
		r := &s.replicas[s.res.Replica[i]]
		s.effort += eventEffort + int64(len(r.running))
		r.giveUp(s.slotOf[i])
	}
	return true
}
