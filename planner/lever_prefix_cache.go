package planner

// A prefix cache: what several prompts begin with is computed once. It spares
// arithmetic of prefill, not memory of the sequences that run, nor decode.

var leverPrefixCache = Lever{
	ID: PrefixCache, Slug: "prefix-cache", Name: "Prefix cache",
	Price: Price{
		Quality:    "None: the same tokens.",
		Memory:     "The cache lives in memory that running sequences do not need. A published conversation trace reaches its 37% only with 51 million tokens of cache; a GPU holds under half a million of an 8B model, for under 5%.",
		Complexity: "Requests must be sent to the replica that has their prefix; more reuse needs KV in host memory or on disk.",
	},
	Assumes: "A sequence still holds KV of its whole prompt, though a shared prefix is stored once.",
	Claims: []Claim{
		{Figure: 1.59, Of: "requests served within the limits", Against: "vLLM, vLLM with prefix caching, vLLM with chunked prefill: the least of the gains", Conditions: "Mooncake with a distributed KV store, real traces, 16 nodes of 8 A800 each side, by limit on the time between tokens", Source: mooncakePaper},
		{Figure: 5.98, UpTo: true, Of: "requests served within the limits", Against: "the same: the largest of the gains", Conditions: "as above", Source: mooncakePaper},
	},
	Sources: []string{traceSource},
	on: func(d Deployment, w Workload) bool {
		switch d.Cache {
		case CacheOff:
			return false
		case CacheHits:
			return d.CacheHitFrac > 0
		}
		return w.reuses()
	},
	set: func(d Deployment, w Workload, t Targets, on bool) Deployment {
		d.CacheHitFrac = 0
		switch {
		case !on:
			d.Cache = CacheOff
		case w.reuses():
			d.Cache = CacheAsGiven
		default:
			d.Cache, d.CacheHitFrac = CacheHits, t.HitFrac
		}
		return d
	},
}

const mooncakePaper = "Mooncake, FAST 2025"

// reuses says whether some class says what a cache would spare.
func (w *Workload) reuses() bool {
	for i := range w.Classes {
		if w.Classes[i].CachedTokens > 0 || w.Classes[i].HitFrac > 0 {
			return true
		}
	}
	return false
}
