package sim

import "strconv"

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
	maxWarmUp   = Picos(1e15)              // 1,000 s
	maxRun      = Picos(MaxSeconds) * 1e12 // a run ends here at the latest
)

// ConfigError says which field of a Config is out of range.
type ConfigError struct {
	Field string // as in Engine.MaxNumSeqs
	Value string
	Legal string
}

// Error implements error.
func (e *ConfigError) Error() string {
	return "sim: " + e.Field + " is " + e.Value + ", legal is " + e.Legal
}

// whole refuses an integer outside [lo, hi].
func whole[T ~int | ~int64](field string, v, lo, hi T) error {
	if lo <= v && v <= hi {
		return nil
	}
	return &ConfigError{field, strconv.FormatInt(int64(v), 10),
		strconv.FormatInt(int64(lo), 10) + " to " + strconv.FormatInt(int64(hi), 10)}
}

// share refuses a float outside [0, 1], or [0, 1) if open; NaN too.
func share(field string, v float64, open bool) error {
	if v >= 0 && (v < 1 || v == 1 && !open) {
		return nil
	}
	legal := "0 to 1"
	if open {
		legal = "0 to below 1"
	}
	return &ConfigError{field, strconv.FormatFloat(v, 'g', -1, 64), legal}
}

func choice(field string, v, known uint8) error {
	if v < known {
		return nil
	}
	return whole(field, int(v), 0, int(known)-1)
}

func (c *Config) validate() error {
	longest := Seconds(MaxSeconds)
	for _, err := range []error{
		whole("Replicas", c.Replicas, 1, maxReplicas),
		choice("Routing", uint8(c.Routing), uint8(LeastRequests)+1),
		whole("MaxWaiting", c.MaxWaiting, 0, maxTokens),
		whole("Timeout", c.Timeout, 0, longest),
		whole("Horizon", c.Horizon, 0, longest),
		c.Engine.validate(),
		validPauses(c.Pauses),
	} {
		if err != nil {
			return err
		}
	}
	if c.SampleEvery != 0 {
		return whole("SampleEvery", c.SampleEvery, minSample, longest)
	}
	return nil
}

func validPauses(pauses []Span) error {
	before := Nanos(0)
	for i, p := range pauses {
		field := "Pauses[" + strconv.Itoa(i) + "]"
		if err := whole(field+".From", p.From, before, Seconds(MaxSeconds)); err != nil {
			return err
		}
		if err := whole(field+".To", p.To, p.From+1, Seconds(MaxSeconds)+1); err != nil {
			return err
		}
		before = p.To
	}
	return nil
}

func (e *Engine) validate() error {
	for _, err := range []error{
		whole("Engine.MaxNumSeqs", e.MaxNumSeqs, 1, maxSeqs),
		whole("Engine.MaxBatchedTokens", e.MaxBatchedTokens, max(1, e.MaxNumSeqs), maxTokens),
		whole("Engine.PrefillChunkTokens", e.PrefillChunkTokens, 0, maxTokens),
		whole("Engine.BlockTokens", e.BlockTokens, 1, maxTokens/2),
		whole("Engine.KVBlocks", e.KVBlocks, 1, maxBlocks),
		share("Engine.Watermark", e.Watermark, true),
		choice("Engine.Policy", uint8(e.Policy), uint8(Priority)+1),
		whole("len(Engine.Draft.Accept)", len(e.Draft.Accept), 0, maxDrafts),
		whole("Engine.WarmUp.GraphCapture", e.WarmUp.GraphCapture, 0, maxWarmUp),
		whole("Engine.WarmUp.Autotune", e.WarmUp.Autotune, 0, maxWarmUp),
		whole("Engine.WarmUp.AllocatorGrowth", e.WarmUp.AllocatorGrowth, 0, maxWarmUp),
		whole("Engine.MaxModelLen", e.MaxModelLen, 0, maxTokens),
	} {
		if err != nil {
			return err
		}
	}
	for i, p := range e.Draft.Accept {
		if err := share("Engine.Draft.Accept["+strconv.Itoa(i)+"]", p, false); err != nil {
			return err
		}
	}
	if e.Cost == nil {
		return &ConfigError{"Engine.Cost", "nil", "a StepCost"}
	}
	if c, ok := e.Cost.(LinearCost); ok {
		return c.validate(e)
	}
	return nil
}

// validate refuses coefficients with which a step could take no time, or so
// long that clocks overflow.
func (c LinearCost) validate(e *Engine) error {
	const field = "Engine.Cost(LinearCost)"
	for _, x := range []struct {
		name string
		v    Picos
	}{
		{".Base", c.Base}, {".PerPrefillToken", c.PerPrefillToken}, {".PerPrefillPair", c.PerPrefillPair},
		{".PerDecode", c.PerDecode}, {".PerDraftToken", c.PerDraftToken}, {".PerKVToken", c.PerKVToken},
	} {
		if err := whole(field+x.name, x.v, 0, maxRun); err != nil {
			return err
		}
	}
	if c.Base+c.PerPrefillToken+c.PerPrefillPair < 1 || c.Base+c.PerDecode+c.PerKVToken < 1 {
		return &ConfigError{field, "0 ps for some step", "at least 1 ps for every step"}
	}
	// The largest load: all tokens of the budget read a whole KV cache each.
	tokens, kv := float64(e.MaxBatchedTokens), float64(e.KVBlocks)*float64(e.BlockTokens)
	most := float64(c.Base) + float64(float64(c.PerPrefillToken)*tokens) + float64(float64(c.PerPrefillPair)*tokens*kv) +
		float64(float64(c.PerDecode)*tokens) + float64(float64(c.PerDraftToken)*tokens) +
		float64(float64(c.PerKVToken)*min(tokens, float64(e.MaxNumSeqs))*kv)
	if most > float64(maxRun) {
		return &ConfigError{field, strconv.FormatFloat(most/1e12, 'g', 3, 64) + " s for the largest step",
			"at most " + strconv.FormatFloat(MaxSeconds, 'f', 0, 64) + " s"}
	}
	return nil
}
