package sim

// Replicas that come and go: a crash, a cold start, a drain.

// presence is whether a replica is there.
type presence uint8

const (
	up       presence = iota
	draining          // takes no new request, and is gone once it has none
	off
	booting // will be up at bootAt
)

// accepts says whether a request can be sent to the replica.
func (r *replica) accepts() bool { return r.presence == up }

// there says whether it costs money.
func (r *replica) there() bool { return r.presence == up || r.presence == draining }

// setPresence counts the time that was and changes it.
func (r *replica) setPresence(p presence) {
	r.countDown()
	r.presence = p
}

// countDown brings the time that the replica was not there up to now.
func (r *replica) countDown() {
	if !r.there() {
		r.window.down += r.s.now - r.downSince
		r.s.res.Totals.DownPicos += r.s.now - r.downSince
	}
	r.downSince = r.s.now
}

// crash loses all requests and all memory. The part of a step that was done
// counts as busy; its tokens are lost.
func (r *replica) crash() {
	s := r.s
	r.settle()
	if r.inFlight > 0 {
		s.res.Totals.BusyPicos += max(0, s.now-r.inProgress().ramp.start)
	}
	r.countGaps()
	r.due = false
	r.leaving = 0
	r.copying = 0
	for k := range r.flights[:r.inFlight] {
		for _, p := range r.flights[r.first^k].pieces {
			if q := &s.seqs[p.slot]; q.ended && q.flying > 0 {
				q.flying = 0
				s.vacate(p.slot)
			}
		}
	}
	r.inFlight = 0
	for _, slot := range r.running {
		s.abort(slot)
		s.vacate(slot)
	}
	r.running = r.running[:0]
	for r.queue.n > 0 {
		slot := r.queue.first()
		r.queue.drop(s.seqs)
		s.seqs[slot].queued = false
		if s.seqs[slot].ended {
			s.vacate(slot)
		} else {
			s.abort(slot)
			s.vacate(slot)
		}
	}
	s.abortTransfers(r)
	r.waiting, r.host = 0, 0
	r.halt = queueEmpty
	r.setWake()
	r.kv = newKVCache(&s.c.Engine)
	r.setPresence(off)
}

// abort ends a request with its replica. Its blocks are gone with the rest; the
// caller vacates its slot.
func (s *ServingSim) abort(slot int32) {
	q := &s.seqs[slot]
	q.ended, q.running, q.swapped = true, false, false
	q.flying = 0
	q.blocks, q.room = 0, 0
	if s.c.Engine.PrefixCache {
		t := &s.texts[slot]
		t.blocks, t.indexed = t.blocks[:0], 0
	}
	s.live--
	s.replicas[s.res.Replica[q.request]].waitsNoMore(q)
	i := q.request
	s.res.Status[i] = Aborted
	s.res.DoneAt[i] = s.now.Nanos()
	s.res.Generated[i] = q.generated
	s.tellEnd(i, Aborted)
}

// boot brings a replica up, with nothing in its memory.
func (r *replica) boot() {
	r.kv = newKVCache(&r.s.c.Engine)
	r.warm = transient{cost: r.cond.warmUp}
	r.setPresence(up)
	r.kv.lose(r.cond.lost)
}
