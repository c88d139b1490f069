package sim

// Config is a cluster of identical replicas and how long to watch it.
type Config struct {
	Engine   Engine
	Replicas int     // >= 1
	Routing  Routing // which replica gets an arriving request

	// MaxWaiting is the longest waiting queue of a replica: a request that
	// arrives when it is full is Dropped. 0 means no limit.
	MaxWaiting int

	// Timeout ends a request that has not finished this long after it was
	// sent. 0 means that clients wait for ever.
	Timeout Nanos

	// Horizon stops the run at this instant; what has not ended is Running or
	// Waiting. 0 means: until every request has ended.
	Horizon Nanos

	// Pauses are spans in which no replica starts a step; a step in progress
	// ends as planned. In order, without overlap.
	Pauses []Span

	// SampleEvery is the width of a window of the signal series; 0 keeps none.
	SampleEvery Nanos

	// TraceSteps is how many steps, from the first on and of all replicas
	// together, are kept with the requests in them. Results.StepsNotKept counts
	// the others, and a report warns. 0 keeps none. At most 2^24 requests in
	// steps are kept, so the legal range is 0 to 2^24/MaxNumSeqs. Steps that
	// are kept are made one by one, which is slow.
	TraceSteps int
}

// Span is the half-open interval [From, To).
type Span struct{ From, To Nanos }

// Engine is the configuration of one replica, under vLLM's names where it has
// one.
type Engine struct {
	MaxNumSeqs       int // most requests in the running list
	MaxBatchedTokens int // most tokens in one step, prefill and decode together; >= MaxNumSeqs

	// PrefillChunkTokens is the most prompt tokens of one request in one
	// step. 0 turns chunked prefill off: a prompt is computed in one step or
	// not yet. MaxBatchedTokens is vLLM's default.
	PrefillChunkTokens int

	BlockTokens int // tokens of one KV block
	KVBlocks    int // usable blocks (vLLM keeps one more, the null block)

	// Watermark is the share of blocks that an admission must leave free while
	// something is running; in [0,1). 0 is off, and the default.
	Watermark float64

	// FullPromptGate admits a request only if all its present tokens fit now,
	// although only the first chunk is allocated.
	FullPromptGate bool

	PrefixCache bool   // reuse full blocks by their hash, evict least recently used
	Policy      Policy // order of the waiting queue and choice of victims
	Async       bool   // schedule step k+2 when step k ends, while k+1 runs
	Draft       Draft
	Cost        StepCost
	WarmUp      WarmUp

	// MaxModelLen is the longest prompt plus output; 0 means what fits in KV.
	MaxModelLen int
}

// Policy orders requests.
type Policy uint8

// The policies.
const (
	FCFS     Policy = iota // first come, first served; the tail of the running list is preempted
	Priority               // smaller Priority first, then arrival; the largest is preempted
)

// Routing picks a replica for an arriving request.
type Routing uint8

// The routing rules of this file.
const (
	RoundRobin    Routing = iota
	LeastRequests         // fewest waiting and running; the lowest index on a tie
)

// Draft is speculative decoding. Accept[i] is the probability in [0,1] that
// draft token i+1 is accepted if all before it were; its length is the number
// of drafts a step (k). Empty is off.
type Draft struct {
	Accept []float64
}

// WarmUp is the work that only the first steps of a replica pay. The cold
// prefix cache is not here: it is what an empty cache is. Zero is off.
type WarmUp struct {
	// GraphCapture is paid the first time that a step decodes in a size class
	// (1, 2, 4, 8, 16, 24, ... by 8 up to 256, then by 16).
	GraphCapture Picos
	// Autotune is paid the first time that a step has a prefill in a size
	// class (powers of two of prefill tokens).
	Autotune Picos
	// AllocatorGrowth is paid each time that the blocks in use pass a further
	// sixteenth of KVBlocks for the first time.
	AllocatorGrowth Picos
}
