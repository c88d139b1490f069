package sim

// What a Config says of the cluster around the engines. Zero values are off,
// and cost nothing.

// Affinity is how PrefixAffinity chooses (router.go).
type Affinity struct {
	// Blocks is how many leading blocks of a prompt are looked up; at least 1.
	Blocks int
	// Guard is how many more requests than the least loaded replica another
	// may have, as the router sees it, to be chosen for what it has cached.
	Guard int
}

// Pools sets the first Prefill replicas apart: they compute prompts and give
// the first token; the others do the rest (pools.go). Prefill 0 is off.
type Pools struct {
	Prefill       int
	BytesPerToken int64   // of KV
	BytesPerSec   float64 // of each prefill replica's link
}

// Autoscaler changes the number of replicas (autoscale.go). Every 0 is off;
// Config.Replicas is then how many there are at the start.
type Autoscaler struct {
	Signal ScaleSignal
	Target float64 // of the signal, for one replica; above 0
	Every  Nanos   // between two evaluations

	Lag  Nanos // from a decision until a machine is there
	Load Nanos // until it has loaded its weights; then it is cold, and pays WarmUp

	Min, Max int

	// Stable is for how long fewer replicas must have been enough before one
	// is taken away.
	Stable Nanos
}

// ScaleSignal is what an autoscaler looks at, summed over the replicas.
type ScaleSignal uint8

// The signals.
const (
	ScaleOnRequests ScaleSignal = iota // waiting and running
	ScaleOnQueue                       // waiting
	ScaleOnKV                          // share of KV blocks held
)

// Swap copies the KV of a preempted request to host memory instead of throwing
// it away, and back with its next admission (swap.go). HostBlocks 0 is off.
type Swap struct {
	HostBlocks int   // of one replica
	PerBlock   Picos // to copy a block, one way; the step waits for it
}

// Change is what is different in [From, To). Zero fields change nothing. Where
// changes overlap, factors multiply, shares of blocks add up, shares of luck
// combine as independent, the larger of two sizes counts, and a replica is down
// if any change says so. A step that was scheduled before a change takes as
// long as it would have.
type Change struct {
	Span
	Replica int // which one; All for each

	Slower     float64 // steps take so many times as long; at least 1
	LostKV     float64 // share of the KV blocks that nobody can use; they read as used
	AcceptLoss float64 // share of the accepted drafts that are refused

	// WholePrompts turns chunked prefill off, and lets a step have so many
	// tokens, as an engine without it must be set up to.
	WholePrompts int

	// Down aborts what the replica holds at From, and brings it back, cold, at
	// To.
	Down bool

	// Cold empties the prefix cache at From and has warm-up to be paid again,
	// at the prices of WarmUp until To.
	Cold   bool
	WarmUp WarmUp

	Skew       float64 // share of the arrivals that go to Replica whatever the router says
	LinkSlower float64 // the links of the pools are so many times slower; at least 1
}

// All stands for each replica in a Change.
const All = -1
