package command

// tools are those that are known, in the order in which they are named.
func tools() []tool {
	return []tool{
		vllmServe(), vllmThroughput(), vllmLatency(), sglangServing(),
		aiperf(), genaiPerf(), guidellm(), guidellmRun(), llmperf(), inferencePerf(),
	}
}

// What tools are for.
const (
	regressions = "your own regressions: has this change made this model faster on this machine?"
	endpoints   = "endpoints in production: what does a client see?"
	procurement = "procurement and public claims: one protocol for everybody, fixed and audited"
)

// FirstToken is what Reports calls the time to first token.
const FirstToken = "time to first token"

// Latencies and what they are called.
const (
	ttft = FirstToken
	tpot = "time per output token"
	itl  = "gaps between stream events"
	e2e  = "end-to-end latency"
)

// schedule makes a run of a rate and a cap, if they were given. An infinite rate
// is no rate; a limit of 0 under a cap is not known.
func schedule(rate float64, finite bool, limit int, capped bool, shape float64) Run {
	switch {
	case finite && capped:
		return Run{Loop: Throttled, Rate: rate, Shape: shape, Clients: limit}
	case finite:
		return Run{Loop: Open, Rate: rate, Shape: shape}
	case capped:
		return Run{Loop: Closed, Clients: limit}
	}
	return Run{Loop: Burst}
}

// gaps puts the shape of gamma gaps into words.
func gaps(shape float64) string {
	switch {
	case shape == 0:
		return "even gaps"
	case shape == 1:
		return "Poisson"
	case shape < 1:
		return "bursts"
	}
	return "gaps more even than Poisson's"
}

func (r *Reading) byDefault(flag, value, says string) {
	r.Defaults = append(r.Defaults, Default{flag, value, says})
}

func (r *Reading) silent(what ...string) { r.Silent = append(r.Silent, what...) }

// normal is lengths with a mean and a deviation.
func normal(mean, sd float64) Tokens {
	if sd > 0 {
		return Tokens{Kind: Normal, Mean: mean, SD: sd}
	}
	return Tokens{Kind: Fixed, Mean: mean}
}

// fixed is n tokens each; not said if n is 0.
func fixed(n int) Tokens {
	if n == 0 {
		return Tokens{}
	}
	return Tokens{Kind: Fixed, Mean: float64(n)}
}

// between is lengths from lo to hi.
func between(lo, hi int) Tokens {
	if lo == hi {
		return Tokens{Kind: Fixed, Mean: float64(lo)}
	}
	return Tokens{Kind: Uniform, Mean: float64(lo+hi) / 2, Lo: lo, Hi: hi}
}
