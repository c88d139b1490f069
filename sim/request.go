package sim

// Spec is a request as its client sends it.
type Spec struct {
	IntendedAt Nanos // when the plan wanted it sent
	SentAt     Nanos // when it was sent; equal to IntendedAt in an open loop
	Prompt     int32 // tokens, >= 1
	Output     int32 // tokens to generate, >= 1
	Priority   int32 // smaller is served first under Policy Priority
	Session    int32 // which conversation; -1 if none
	Turn       int32 // 0 for the first request of a session
	Client     int32 // which closed-loop client; -1 if none

	// Prefix says what the prompt shares with others: its first tokens are
	// those of these segments in turn; what remains belongs to this request
	// alone. Two prompts are equal as far as their segments agree in ID and
	// length. Empty means nothing is shared.
	Prefix []Segment

	// OutputID names the tokens that will be generated, so that a later turn
	// can hold them in its Prefix; 0 means that nobody will.
	OutputID uint64

	// Attempt counts the attempts of one request from 0. Those after the first
	// say in Origin which request, by its number, they repeat.
	Attempt int32
	Origin  int32
}

// Segment is the first Tokens tokens of a text that is known by its ID.
type Segment struct {
	ID     uint64
	Tokens int32
}

// Source hands requests to the cluster in the order in which they are sent,
// and hears how they end.
//
// The simulator calls Next, and Take when that instant has come; between two
// calls of Take it may call Ended any number of times, in order of time, with
// instants not before the last Take. Every request is numbered by its place
// in the order of Take, from 0.
type Source interface {
	// Next is the instant of the next request, as far as is known now. ok is
	// false if there is none, unless a request that is in flight ends.
	Next() (at Nanos, ok bool)
	// Take gives the request that is due at Next. r is overwritten; its
	// Prefix is read before the next call and may be reused.
	Take(r *Spec)
	// Ended says that request i has left the system with this status.
	Ended(i int32, at Nanos, status Status)
}

// A Counted source knows how many requests it has at most, 0 if it does not. A
// simulation without a horizon then makes room for their rows once, where it would
// copy them each time that they have doubled.
type Counted interface{ Most() int }

// Status is how far a request has come.
type Status uint8

// The states of a request. Those from Completed on are final.
const (
	Waiting     Status = iota // sent, in the queue of a replica (or preempted back into it)
	Running                   // in the running list
	Completed                 // all output tokens generated
	Failed                    // can never run here: longer than MaxModelLen, than all KV, or than one step with chunking off
	TimedOut                  // its client gave up
	Dropped                   // refused on arrival: the queue was full, or no replica was up
	Aborted                   // lost with its replica
	NumStatuses               // how many there are
)

// Final says whether a request has ended.
func (s Status) Final() bool { return s >= Completed }
