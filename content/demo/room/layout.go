// Package room is the engine room: a serving cluster as it stands at one time of
// its run, for a picture of it and for the words beside that picture.
//
// Start reading at Frame (what is in a room), then Append and Read (how it goes to
// the picture as an array of numbers), then Replay, which a demo embeds: it runs
// the simulator again up to the time that is shown, so a room is exact and needs
// nothing that a run would have to record. Says has the words.
package room

import "openloop/sim"

// Version of the layout. A picture refuses another.
const Version = 2

// MostQueued is how many of the requests in the queue of one replica are listed;
// Replica.Waiting counts all.
const MostQueued = 64

// Frame is a room. Times are in seconds, Never is one that has not come.
type Frame struct {
	At          float64
	BlockTokens int  // tokens of one KV block
	Letters     bool // requests are called A, B, C, not by number

	// What has become of the requests that were sent so far.
	Sent, Completed, Refused, TimedOut, Lost int
	PutBack                                  int // preemptions so far
	Again                                    int // of the requests sent, those that a client sent again

	Replicas []Replica
	Requests []Request // replica by replica: running ones in order of admission, then the queue from its head; last those on a link
}

// Never is a time that has not come.
const Never = -1

// Replica is one engine. Blocks are of its KV memory; what is neither held nor
// kept nor lost is blank.
type Replica struct {
	Presence         sim.Presence
	Slower           float64 // how many times as long its steps take as they should
	Waiting, Running int
	Seats            int // most running requests
	Blocks           int
	Held             int // by at least one request
	Shared           int // of those, by more than one
	Kept             int // by nobody, with content that may be found again
	Lost             int
	Evicted          int     // contents written over so far
	Host             int     // blocks in host memory
	From, To         float64 // the step in progress, s
	Prefill, Decode  int     // tokens in it
	Budget           int     // most tokens of a step
	PrefillOnly      bool
}

// Request is one request that is in the room.
type Request struct {
	ID, Replica int
	Place       sim.Place
	Prompt      int // tokens
	Output      int // tokens asked for
	Generated   int
	Target      int // tokens to compute before the next one comes out
	Computed    int
	Blocks      int
	Shared      int  // of those, held by others too
	Tokens      int  // given in the step in progress
	Waits       bool // was put back and waits again
	Stored      bool // what it has computed is outside of the KV memory
	PutBack     int  // times
	Attempt     int  // 1, or more if its client gave up before and asked again
	Cached      int  // prompt tokens that the prefix cache gave
	Sent        float64
	Admitted    float64 // first admission; Never
	FirstToken  float64 // Never
}

// Numbers of a frame, of a replica and of a request in the array.
const (
	headNumbers    = 13
	replicaNumbers = 18
	requestNumbers = 19
)

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Append writes a frame behind dst: a head of 13 numbers (version, time, block
// tokens, letters, sent, completed, refused, timed out, lost, put back, sent again,
// how many replicas, how many requests), then 18 for each replica and 19 for each
// request, in the order of their fields.
func (f *Frame) Append(dst []float64) []float64 {
	dst = append(dst, Version, f.At, float64(f.BlockTokens), flag(f.Letters),
		float64(f.Sent), float64(f.Completed), float64(f.Refused), float64(f.TimedOut), float64(f.Lost), float64(f.PutBack), float64(f.Again),
		float64(len(f.Replicas)), float64(len(f.Requests)))
	for i := range f.Replicas {
		r := &f.Replicas[i]
		dst = append(dst, float64(r.Presence), r.Slower)
		for _, n := range r.counts() {
			dst = append(dst, float64(*n))
		}
		dst = append(dst, r.From, r.To, flag(r.PrefillOnly))
	}
	for i := range f.Requests {
		q := &f.Requests[i]
		dst = append(dst, float64(q.Place), flag(q.Waits), flag(q.Stored))
		for _, n := range q.counts() {
			dst = append(dst, float64(*n))
		}
		dst = append(dst, q.Sent, q.Admitted, q.FirstToken)
	}
	return dst
}

// counts are the whole numbers of a replica, in the order of the array.
func (r *Replica) counts() [13]*int {
	return [13]*int{
		&r.Waiting, &r.Running, &r.Seats, &r.Blocks, &r.Held, &r.Shared, &r.Kept, &r.Lost, &r.Evicted, &r.Host,
		&r.Prefill, &r.Decode, &r.Budget,
	}
}

func (q *Request) counts() [13]*int {
	return [13]*int{
		&q.ID, &q.Replica, &q.Prompt, &q.Output, &q.Generated, &q.Target, &q.Computed, &q.Blocks, &q.Shared, &q.Tokens,
		&q.PutBack, &q.Attempt, &q.Cached,
	}
}

// Read reads an array that Append has written into f, whose memory it uses again.
// It says whether the array is one, and leaves f as it was if not.
func (f *Frame) Read(x []float64) bool {
	if len(x) < headNumbers || x[0] != Version {
		return false
	}
	replicas, requests := x[11], x[12]
	if !(replicas >= 0 && requests >= 0) || headNumbers+float64(replicaNumbers*replicas)+float64(requestNumbers*requests) != float64(len(x)) {
		return false
	}
	f.At, f.BlockTokens, f.Letters = x[1], int(x[2]), x[3] != 0
	for i, n := range []*int{&f.Sent, &f.Completed, &f.Refused, &f.TimedOut, &f.Lost, &f.PutBack, &f.Again} {
		*n = int(x[4+i])
	}
	x = x[headNumbers:]
	f.Replicas, f.Requests = f.Replicas[:0], f.Requests[:0]
	for ; replicas > 0; replicas-- {
		r := Replica{Presence: sim.Presence(x[0]), Slower: x[1], From: x[15], To: x[16], PrefillOnly: x[17] != 0}
		for i, n := range r.counts() {
			*n = int(x[2+i])
		}
		f.Replicas = append(f.Replicas, r)
		x = x[replicaNumbers:]
	}
	for ; requests > 0; requests-- {
		q := Request{Place: sim.Place(x[0]), Waits: x[1] != 0, Stored: x[2] != 0, Sent: x[16], Admitted: x[17], FirstToken: x[18]}
		for i, n := range q.counts() {
			*n = int(x[3+i])
		}
		f.Requests = append(f.Requests, q)
		x = x[requestNumbers:]
	}
	return true
}

// Find is the request with this number, nil if it is not in the room.
func (f *Frame) Find(id int) *Request {
	for i := range f.Requests {
		if f.Requests[i].ID == id {
			return &f.Requests[i]
		}
	}
	return nil
}
