package planner

// Workload is what is asked of the fleet: classes of requests that share all
// replicas.
type Workload struct {
	Classes []Class // 1 to maxClasses
}

// maxClasses bounds the work of one plan.
const maxClasses = 64

// Class is one kind of request, by its means.
type Class struct {
	Name           string
	RequestsPerSec float64 // mean, > 0
	PeakToMean     float64 // >= 1; the fleet is sized for the peaks of all classes at once

	PromptTokens float64 // all of the prompt, cached part included; >= 1
	OutputTokens float64 // all that is decoded, thinking included; >= 1

	// ThinkingTokens of the OutputTokens are not shown to anybody: they cost
	// the same and matter for the price of an answer that is read.
	ThinkingTokens float64

	// What a prefix cache spares of the prompt: a number of tokens or a share
	// in [0, 1), not both. At least one token is always computed.
	CachedTokens, HitFrac float64

	// Squared coefficients of variation. ArrivalCV2 is that of the gaps between
	// requests: 1 is Poisson, 0 a metronome. ServiceCV2 is that of the work of
	// one request around the mean of its class.
	ArrivalCV2, ServiceCV2 float64
}

// mostTokens bounds lengths, mostRequests rates.
const (
	mostTokens   = 1e8
	mostRequests = 1e7
)

func (c *checker) workload(w *Workload) {
	if n := len(w.Classes); n < 1 || n > maxClasses {
		c.fail("Workload.Classes", number(float64(n)), "1 to "+number(maxClasses)+" classes", nearest(float64(n), 1, maxClasses))
	}
	for i := range w.Classes {
		if c.Err != nil {
			return
		}
		if !w.Classes[i].plain() {
			c.class("Workload.Classes["+number(float64(i))+"].", &w.Classes[i])
		}
	}
}

// plain says that class would find nothing, without building texts.
func (l *Class) plain() bool {
	c := &checker{}
	c.class("", l)
	return c.Err == nil
}

func (c *checker) class(at string, l *Class) {
	c.above(at+"RequestsPerSec", l.RequestsPerSec, 0, 1e-3, mostRequests)
	c.within(at+"PeakToMean", l.PeakToMean, 1, 1e4)
	c.within(at+"PromptTokens", l.PromptTokens, 1, mostTokens)
	c.within(at+"OutputTokens", l.OutputTokens, 1, mostTokens)
	c.within(at+"ThinkingTokens", l.ThinkingTokens, 0, l.OutputTokens)
	c.within(at+"ArrivalCV2", l.ArrivalCV2, 0, mostVariable)
	c.within(at+"ServiceCV2", l.ServiceCV2, 0, mostVariable)
	if c.Err != nil {
		return
	}
	most := l.PromptTokens - 1
	if l.CachedTokens != 0 && l.HitFrac != 0 {
		c.fail(at+"HitFrac", number(l.HitFrac), "0 beside CachedTokens, which says the same in tokens", "0")
	}
	c.within(at+"CachedTokens", l.CachedTokens, 0, most)
	if !(l.HitFrac >= 0 && float64(l.HitFrac*l.PromptTokens) <= most) {
		near := 0.0
		if l.HitFrac > 0 {
			near = rounded(most/l.PromptTokens, false)
		}
		c.fail(at+"HitFrac", number(l.HitFrac), "0 to less than 1, so that at least one token of the prompt is computed", number(near))
	}
}

// cached is how many tokens of the prompt the cache of this deployment spares.
func (l *Class) cached(d *Deployment) float64 {
	switch d.Cache {
	case CacheOff:
		return 0
	case CacheHits:
		return min(float64(d.CacheHitFrac*l.PromptTokens), l.PromptTokens-1)
	}
	if l.CachedTokens > 0 {
		return l.CachedTokens
	}
	return float64(l.HitFrac * l.PromptTokens)
}

// Objective is what must hold. All are means in the long run; 0 leaves one out.
type Objective struct {
	TPOTSeconds float64 // time per output token
	TTFTSeconds float64 // wait, prefill and, if the pools are apart, moving the KV cache
	WaitSeconds float64 // mean wait for a replica

	// TargetFrac is the share of its capacity at which a replica runs, in
	// (0, 1]. 0 solves it from WaitSeconds or TTFTSeconds; beside those it is
	// a ceiling.
	TargetFrac float64
}

func (c *checker) objective(o *Objective) {
	c.within("Objective.TPOTSeconds", o.TPOTSeconds, 0, longestSeconds)
	c.within("Objective.TTFTSeconds", o.TTFTSeconds, 0, longestSeconds)
	c.within("Objective.WaitSeconds", o.WaitSeconds, 0, longestSeconds)
	c.within("Objective.TargetFrac", o.TargetFrac, 0, 1)
	if o.TargetFrac == 0 && o.WaitSeconds == 0 && o.TTFTSeconds == 0 {
		c.fail("Objective.TargetFrac", "0", "more than 0, up to 1, unless WaitSeconds or TTFTSeconds says how long a request may wait", "0.7")
	}
}

// Bound is what a replica runs out of first.
type Bound uint8

// The bounds.
const (
	BoundMemory  Bound = iota // KV of the sequences that run at once
	BoundSeats                // MaxNumSeqs, before memory
	BoundTPOT                 // the time between two tokens
	BoundCompute              // arithmetic
	BoundTTFT                 // the wait before the first token
)

// String is the name in links and tables.
func (b Bound) String() string {
	switch b {
	case BoundMemory:
		return "memory_capacity"
	case BoundSeats:
		return "max_num_seqs"
	case BoundTPOT:
		return "tpot_slo"
	case BoundCompute:
		return "compute"
	case BoundTTFT:
		return "ttft_slo"
	}
	return "unknown"
}
