package sim

// Prefill and decode apart. The first Pools.Prefill replicas compute prompts
// and give the first token; then
//
//	P1 the request is routed to a decode replica, where it counts as waiting;
//	P2 its KV, BytesPerToken for each token computed, goes over the link of its
//	   prefill replica: one transfer after the other, in the order in which the
//	   prompts were done, each at the full speed of the link. Links of different
//	   replicas do not disturb each other. A speed changes for the transfers
//	   that start later;
//	P3 until it is sent its blocks are held at the source;
//	P4 it then lands in the host memory of the decode replica, which has room
//	   for all, and enters the queue there; its admission takes blocks for it,
//	   and its second token comes at the end of that step;
//	P5 if it is preempted there, it is recomputed (or swapped) there;
//	P6 a client that leaves during the transfer does not stop it. A crash of
//	   either side does, and the request is lost.
//
// A request whose first token is its last needs no transfer. One that lost its
// blocks while its first token was in flight is recomputed, and sent with its
// second.

// link is what a prefill replica sends.
type link struct {
	queue []int32 // slots, the one on the way first
	until Picos   // when it is there; never if the link is idle
}

// handOver sends a request whose prompt has been computed on its way. The
// caller takes it out of the running list.
func (r *replica) handOver(slot int32) {
	s := r.s
	q := &s.seqs[slot]
	to := s.pick(s.c.Pools.Prefill, len(s.replicas), nil)
	if to < 0 {
		r.kv.release(s, slot)
		s.abort(slot)
		return
	}
	q.moved, q.sending = true, true
	q.stored = true
	d := &s.replicas[to]
	d.tick()
	d.waiting++
	s.res.Replica[q.request] = d.id
	s.res.Status[q.request] = Waiting
	s.res.Totals.Sent += int64(q.computed)
	l := &s.links[r.id]
	l.queue = append(l.queue, slot)
	if len(l.queue) == 1 {
		s.send(int(r.id))
	}
}

// send starts the first transfer in a link's queue.
func (s *ServingSim) send(from int) {
	l := &s.links[from]
	l.until = never
	if len(l.queue) == 0 {
		return
	}
	bytes := float64(s.seqs[l.queue[0]].computed) * float64(s.c.Pools.BytesPerToken)
	seconds := bytes / s.c.Pools.BytesPerSec * s.replicas[from].cond.linkSlower
	l.until = maxRun
	if seconds < MaxSeconds {
		l.until = s.now + max(1, Seconds(seconds)).Picos()
	}
}

// landDue lets the transfers end that are due.
func (s *ServingSim) landDue() {
	for i := range s.links {
		for s.links[i].until <= s.now {
			slot := s.links[i].queue[0]
			s.links[i].queue = append(s.links[i].queue[:0], s.links[i].queue[1:]...)
			s.land(&s.replicas[i], slot)
			s.send(i)
		}
	}
}

// land frees the source and queues the request where it will decode.
func (s *ServingSim) land(from *replica, slot int32) {
	from.tick()
	from.interrupt()
	from.kv.release(s, slot)
	from.wakeIfIdle()
	q := &s.seqs[slot]
	q.sending = false
	if q.ended {
		s.vacate(slot)
		return
	}
	s.replicas[s.res.Replica[q.request]].enqueue(slot)
}

// abortTransfers loses what a crashed replica was sending or was to be sent.
func (s *ServingSim) abortTransfers(r *replica) {
	for i := range s.links {
		l := &s.links[i]
		first, kept := len(l.queue) > 0, l.queue[:0]
		for k, slot := range l.queue {
			q := &s.seqs[slot]
			to := &s.replicas[s.res.Replica[q.request]]
			if int(r.id) != i && to != r {
				kept = append(kept, slot)
				continue
			}
			first = first && k > 0
			if int(r.id) != i {
				s.replicas[i].interrupt()
				s.replicas[i].kv.release(s, slot)
				s.replicas[i].wakeIfIdle()
			}
			q.sending = false
			if q.ended {
				s.vacate(slot)
				continue
			}
			to.tick()
			to.waiting--
			s.abort(slot)
			s.vacate(slot)
		}
		l.queue = kept
		if !first { // the one that was on the way is gone
			s.send(i)
		}
	}
}
