package sim

// A Snapshot is a cluster as it stands at one instant, after all that happens
// then: what a picture of it shows. Taking one changes nothing of the run.
type Snapshot struct {
	At       Nanos
	Replicas []ReplicaState
	Requests []RequestState // inside a replica or between two, replica by replica: running ones in order of admission, then the queue from its head
}

// Presence is whether a replica is there.
type Presence uint8

// The states of a replica.
const (
	IsUp       Presence = iota
	IsDraining          // takes no new request, and is gone once it has none
	IsOff               // crashed, or not started
	IsBooting
)

// ReplicaState is one replica in a Snapshot. Blocks are those of its KV memory.
type ReplicaState struct {
	Presence Presence
	Slower   float64 // how many times as long its steps take as they should, >= 1

	Waiting int32 // in the queue, or on the way to it
	Running int32

	Blocks  int32 // in all
	Held    int32 // by at least one request
	Shared  int32 // of those, by more than one
	Kept    int32 // by nobody, with content that a later request may find
	Lost    int32 // withheld by a Change
	Evicted int64 // contents dropped to make room, since the replica started
	Host    int32 // blocks swapped out to host memory

	// The step in progress; Start and End are Never if there is none.
	Start, End    Nanos
	Prefill       int32 // prompt tokens in it
	Decode        int32 // tokens that decoding requests are given in it, guesses among them
	Budget, Seats int32 // most tokens of a step, most running requests
	PrefillOnly   bool  // gives the first token and sends the request on
}

// Place is where in a cluster a request is.
type Place uint8

// The places.
const (
	InQueue   Place = iota
	InPrefill       // a token is still to come out of its prompt
	InDecode
	OnLink // its KV is on the way to another replica, or waits to be
)

// RequestState is one request in a Snapshot.
type RequestState struct {
	Request   int32
	Replica   int32 // where it is; of one on a link, where it goes
	Place     Place
	Generated int32
	Target    int32 // tokens to compute before the next one is generated: the prompt, and after a preemption what was generated too
	Computed  int32 // tokens whose KV is there, or will be when the step in progress ends
	Blocks    int32 // held
	Shared    int32 // of those, held by others too
	Tokens    int32 // given in the step in progress
	Priority  int32
	PutBack   bool // was preempted and waits again
	Stored    bool // what it has computed is in host memory, or was sent
}

// Snapshot writes the state of now into dst, whose memory it uses again.
func (s *ServingSim) Snapshot(dst *Snapshot) {
	dst.At = s.Now()
	dst.Replicas, dst.Requests = dst.Replicas[:0], dst.Requests[:0]
	for i := range s.replicas {
		r := &s.replicas[i]
		r.settle()
		dst.Replicas = append(dst.Replicas, r.state())
		first := len(dst.Requests)
		for _, slot := range r.running {
			dst.Requests = append(dst.Requests, r.requestState(slot))
		}
		if r.inFlight > 0 {
			r.markPieces(dst.Requests[first:])
		}
		dst.Requests = r.queueStates(dst.Requests)
	}
	for i := range s.links {
		for _, slot := range s.links[i].queue {
			if q := &s.seqs[slot]; !q.ended {
				x := s.replicas[i].requestState(slot)
				x.Place, x.Replica = OnLink, s.res.Replica[q.request]
				dst.Requests = append(dst.Requests, x)
			}
		}
	}
}

func (r *replica) state() ReplicaState {
	k := &r.kv
	x := ReplicaState{
		Presence: Presence(r.presence), Slower: r.cond.slower,
		Waiting: r.waiting, Running: int32(len(r.running)),
		Blocks: k.total, Held: k.used() - k.lost, Lost: k.lost, Host: r.host,
		Start: Never, End: Never, Budget: r.cond.budget, Seats: int32(r.s.c.Engine.MaxNumSeqs), PrefillOnly: r.prefillOnly,
	}
	if p := k.prefix; p != nil {
		x.Evicted = p.evicted
		for b, n := range p.held {
			switch {
			case n > 1:
				x.Shared++
			case n == 0 && p.hash[b] != 0:
				x.Kept++
			}
		}
	}
	if r.inFlight > 0 {
		f := r.inProgress()
		x.Start, x.End = f.ramp.start.Nanos(), f.ramp.end(1).Nanos()
		for i := range f.pieces { // not the load, which the second of two steps may have no use for
			if p := &f.pieces[i]; p.from < r.s.seqs[p.slot].target {
				x.Prefill += p.tokens
			} else {
				x.Decode += p.tokens
			}
		}
	}
	return x
}

func (r *replica) requestState(slot int32) RequestState {
	q := &r.s.seqs[slot]
	x := RequestState{
		Request: q.request, Replica: r.id, Place: InDecode, Generated: q.generated, Target: q.target, Computed: q.computed,
		Blocks: q.blocks, PutBack: q.putBack > 0, Stored: q.stored, Priority: q.priority,
	}
	if q.prompt+q.generated <= q.target { // the step that completes the prompt gives a token
		x.Place = InPrefill
	}
	if p := r.kv.prefix; p != nil {
		for _, b := range r.s.texts[slot].blocks {
			if p.held[b] > 1 {
				x.Shared++
			}
		}
	}
	return x
}

// markPieces says of running requests what the step in progress gives them.
func (r *replica) markPieces(running []RequestState) {
	next := 0 // pieces are in the order of the list, but for those of requests that have left it
	for _, p := range r.inProgress().pieces {
		q := &r.s.seqs[p.slot]
		for range running {
			x := &running[next]
			next = (next + 1) % len(running)
			if x.Request == q.request {
				x.Tokens = p.tokens
				break
			}
		}
	}
}

// queueStates appends the waiting requests as they would be admitted.
func (r *replica) queueStates(dst []RequestState) []RequestState {
	first := len(dst)
	for i := range r.queue.n {
		slot := r.queue.at(i)
		if r.s.seqs[slot].ended {
			continue
		}
		x := r.requestState(slot)
		x.Place = InQueue
		dst = append(dst, x)
		if r.queue.policy == Priority {
			moveUp(dst[first:])
		}
	}
	return dst
}

// moveUp puts the last request of a queue where its priority puts it.
func moveUp(queue []RequestState) {
	for i := len(queue) - 1; i > 0; i-- {
		a, b := &queue[i-1], &queue[i]
		if a.Priority < b.Priority || a.Priority == b.Priority && a.Request < b.Request {
			return
		}
		*a, *b = *b, *a
	}
}
