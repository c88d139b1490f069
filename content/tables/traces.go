package tables

// Trace is what the guide needs of a published trace of requests, derived from
// the file and small enough to send to every reader: a sample of its lengths,
// how its arrivals bunch, and what a prefix cache would find in it. The figures
// of the whole trace stand beside the sample, so that a page can quote them and
// a test can say how far the sample is off.
type Trace struct {
	Name       string // as prose calls it
	Dataset    string // repository
	Commit     string
	File       string // path in the repository
	SHA256     string // of the file
	License    string // SPDX
	Credit     string // who asks to be named, and how
	Requests   int    // rows used
	LeftOut    int    // rows without an answer or a prompt, which no server can run
	Seconds    float64
	PeakMinute float64 // requests of the fullest minute over those of the mean minute

	// Pairs is the sample: real rows, each as likely as any other.
	Pairs []Pair

	Full   Moments // of all rows
	Sample Moments // of Pairs

	Cache []CacheRow // empty if the trace does not say which prompts begin alike
}

// Pair is the lengths of one request in tokens.
type Pair struct{ Prompt, Output int32 }

// Moments are what costs depend on. Lengths are in tokens, quantiles by nearest
// rank.
type Moments struct {
	Prompt, Output [4]float64 // mean, p50, p90, p99
	PromptSquared  float64    // mean square of the prompt: what attention in prefill costs
	KVTime         float64    // mean of Output*(Prompt + Output/2): tokens of KV cache, times the steps that hold them
}

// Numbers are all of them, in a fixed order.
func (m Moments) Numbers() []float64 {
	return append(append(append([]float64(nil), m.Prompt[:]...), m.Output[:]...), m.PromptSquared, m.KVTime)
}

// CacheRow is the share of prompt tokens that a cache of this size would have
// found: requests in order of arrival, the least recently used block of 512
// tokens leaves, only leading blocks count, and a prompt is there for the next
// request at once.
type CacheRow struct {
	Tokens int64 // size of the cache; 0 is without limit
	Hit    float64
}

// Traces returns the traces, smallest prompts first.
func Traces() []Trace { return append([]Trace(nil), traces...) }

// MaxPairs is the most pairs of one sample.
const MaxPairs = 200
