package planner

// How much of the prompts a prefix cache of some size spares, from published
// traces.

const traceSource = "computed from kvcache-ai/Mooncake, commit 3b5a59413395: prompts as hashes of 512-token blocks, in order of arrival, one LRU cache for all, leading blocks only"

// TraceHits is the hit rate of one trace by the size of an LRU cache.
type TraceHits struct {
	ID, Title string
	Requests  int        // of which the rates were computed
	Tokens    [7]float64 // of cache; the last is one without limit
	Rates     [7]float64 // share of prompt tokens found
	Source    string
}

// traceHits are our replays of the two traces.
var traceHits = [...]TraceHits{
	{
		ID: "mooncake-conversation", Title: "Mooncake, conversation", Requests: 12031,
		Tokens: [7]float64{0.5e6, 2.6e6, 5.1e6, 15.4e6, 25.6e6, 51e6, unlimited},
		Rates:  [7]float64{0.045, 0.114, 0.216, 0.332, 0.362, 0.371, 0.374},
		Source: traceSource,
	},
	{
		ID: "mooncake-synthetic", Title: "Mooncake, synthetic", Requests: 3993,
		Tokens: [7]float64{0.5e6, 2.6e6, 5.1e6, 15.4e6, 25.6e6, 25.6e6, unlimited},
		Rates:  [7]float64{0.086, 0.285, 0.432, 0.636, 0.651, 0.651, 0.651},
		Source: traceSource,
	},
}

// unlimited is the size of a cache that forgets nothing: more than the tokens of
// either trace.
const unlimited = 1e9

// AllTraceHits lists the traces.
func AllTraceHits() []TraceHits { return append([]TraceHits(nil), traceHits[:]...) }

// HitFrac is the share of prompt tokens that a cache of so many tokens spares,
// straight between the computed sizes and from nothing at none: the curves bend
// down, so that errs low between two sizes. A hit rate belongs to its trace: how
// much is shared, how fast requests come, and how many there were.
func (h *TraceHits) HitFrac(cacheTokens float64) float64 {
	if !(cacheTokens > 0) {
		return 0
	}
	size, rate := 0.0, 0.0
	for i, top := range h.Tokens {
		if cacheTokens < top {
			return rate + float64((h.Rates[i]-rate)*((cacheTokens-size)/(top-size)))
		}
		size, rate = top, h.Rates[i]
	}
	return rate
}
