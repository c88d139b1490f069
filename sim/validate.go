package sim

// Everything that a Config can get wrong is refused here, once, so that the
// loop need not look. The limits keep all sums within 64 bits and all counts
// of tokens within 32.

// Limits of a configuration.
const (
	maxReplicas = 1 << 12
	maxSeqs     = 1 << 20
	maxTokens   = 1 << 30 // of one request, one step; half of it in one block
	maxBlocks   = 1 << 24
	maxDrafts   = 64
	minSample   = Microsecond
	maxRows     = 1 << 22                  // of samples: half a gigabyte
	maxPieces   = 1 << 24                  // of the trace: a fifth of a gigabyte
	maxWarmUp   = Picos(1e15)              // 1,000 s
	maxRun      = Picos(MaxSeconds) * 1e12 // a run ends here at the latest
)

// validate returns a *ValueError for the first field that is out of range.
func (c *Config) validate() error {
	const longest = MaxSeconds * Second
	k := &checker{}
	k.int("Replicas", int64(c.Replicas), 1, maxReplicas)
	k.int("Routing", int64(c.Routing), 0, int64(PrefixAffinity))
	k.int("MaxWaiting", int64(c.MaxWaiting), 0, maxTokens)
	k.span("Timeout", c.Timeout, 0, longest)
	k.span("Horizon", c.Horizon, 0, longest)
	before := Nanos(0)
	for i, p := range c.Pauses {
		field := indexed("Pauses", i)
		k.span(field+".From", p.From, before, longest)
		k.span(field+".To", p.To, p.From+1, longest+1)
		before = p.To
	}
	c.Engine.check(k)
	c.checkCluster(k, longest)
	c.checkSamples(k, longest)
	k.int("TraceSteps", int64(c.TraceSteps), 0, int64(maxPieces/max(1, c.Engine.MaxNumSeqs)))
	return k.result()
}

// checkSamples keeps the rows of a run that goes on for as long as it may
// within memory; a shorter Horizon allows shorter windows.
func (c *Config) checkSamples(k *checker, longest Nanos) {
	if c.SampleEvery == 0 || k.Err != nil {
		return
	}
	last := c.Horizon
	if last == 0 {
		last = longest
	}
	windows := Nanos(maxRows / max(c.Replicas, c.Scale.Max))
	k.span("SampleEvery", c.SampleEvery, max(minSample, (last+windows-1)/windows), longest)
}

func (e *Engine) check(k *checker) {
	k.int("Engine.MaxNumSeqs", int64(e.MaxNumSeqs), 1, maxSeqs)
	k.int("Engine.MaxBatchedTokens", int64(e.MaxBatchedTokens), int64(max(1, e.MaxNumSeqs)), maxTokens)
	k.int("Engine.PrefillChunkTokens", int64(e.PrefillChunkTokens), 0, maxTokens)
	k.int("Engine.BlockTokens", int64(e.BlockTokens), 1, maxTokens/2)
	k.int("Engine.KVBlocks", int64(e.KVBlocks), 1, maxBlocks)
	if k.float("Engine.Watermark", e.Watermark, 0, 1); e.Watermark == 1 {
		k.fail("Engine.Watermark", "1", "0 to below 1")
	}
	k.int("Engine.Policy", int64(e.Policy), 0, int64(Priority))
	k.int("len(Engine.Draft.Accept)", int64(len(e.Draft.Accept)), 0, maxDrafts)
	k.int("Engine.WarmUp.GraphCapture", int64(e.WarmUp.GraphCapture), 0, int64(maxWarmUp))
	k.int("Engine.WarmUp.Autotune", int64(e.WarmUp.Autotune), 0, int64(maxWarmUp))
	k.int("Engine.WarmUp.AllocatorGrowth", int64(e.WarmUp.AllocatorGrowth), 0, int64(maxWarmUp))
	k.int("Engine.MaxModelLen", int64(e.MaxModelLen), 0, maxTokens)
	if k.Err != nil {
		return
	}
	for i, p := range e.Draft.Accept {
		k.float(indexed("Engine.Draft.Accept", i), p, 0, 1)
	}
	switch c := e.Cost.(type) {
	case nil:
		k.fail("Engine.Cost", "nil", "a StepCost")
	case LinearCost:
		c.check(k, "Engine.Cost(LinearCost)", e)
	}
}

// check refuses coefficients with which a step could take no time, or so long
// that clocks overflow.
func (c LinearCost) check(k *checker, field string, e *Engine) {
	for _, x := range []struct {
		name string
		v    Picos
	}{
		{".Base", c.Base}, {".PerPrefillToken", c.PerPrefillToken}, {".PerPrefillPair", c.PerPrefillPair},
		{".PerDecode", c.PerDecode}, {".PerDraftToken", c.PerDraftToken}, {".PerKVToken", c.PerKVToken},
	} {
		k.int(field+x.name, int64(x.v), 0, int64(maxRun))
	}
	if k.Err != nil {
		return
	}
	if c.Base+c.PerPrefillToken+c.PerPrefillPair < 1 || c.Base+c.PerDecode+c.PerKVToken < 1 {
		k.fail(field, "0 ps for some step", "at least 1 ps for every step")
	}
	// The largest load: all tokens of the budget read a whole KV cache each.
	tokens, kv := float64(e.MaxBatchedTokens), float64(e.KVBlocks)*float64(e.BlockTokens)
	most := float64(c.Base) + float64(float64(c.PerPrefillToken)*tokens) + float64(float64(c.PerPrefillPair)*tokens*kv) +
		float64(float64(c.PerDecode)*tokens) + float64(float64(c.PerDraftToken)*tokens) +
		float64(float64(c.PerKVToken)*min(tokens, float64(e.MaxNumSeqs))*kv)
	if most > float64(maxRun) {
		k.fail(field, floatText(most/1e12)+" s for the largest step", "at most "+intText(MaxSeconds)+" s")
	}
}
