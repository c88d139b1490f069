package planner

// Speculative decoding: a cheap model drafts k tokens, the target verifies them
// in one step and keeps those up to the first that it would not have written,
// and one of its own. What is known about how many survive, and what they save.

// Speculation says how many tokens a step yields, and for what.
type Speculation struct {
	Drafts int // k, tokens drafted a step; 0 is off

	// Acceptance is the probability that a draft is accepted if those before it
	// were, the same for each: a model, real acceptance falls with the place.
	// Give this or Table, not both.
	Acceptance float64
	Table      *AcceptanceTable // mean lengths as measured; preferred

	DraftCost float64 // c, time of one draft step over that of one target step without drafts
}

// AcceptanceTable is measured mean accepted lengths, the target's own token
// included, for k = 1, 2, ... drafts.
type AcceptanceTable struct {
	ID         string
	Title      string
	Lengths    [8]float64
	Source     string
	Conditions string
}

const acceptanceSource = "SemiAnalysisAI/InferenceX, golden_al_distribution, commit 843c6254ff69, 2026-08"

var acceptanceTables = [...]AcceptanceTable{
	{
		ID: "kimi-k2.5-eagle3", Title: "Kimi K2.5, EAGLE-3 head, thinking on",
		Lengths:    [8]float64{1.83, 2.43, 2.88, 3.24, 3.46, 3.62, 3.71, 3.77},
		Source:     acceptanceSource,
		Conditions: "SPEED-Bench coding prompts, B300, vLLM",
	},
	{
		ID: "deepseek-v4-pro-mtp", Title: "DeepSeek-V4-Pro, multi-token prediction, thinking on",
		Lengths:    [8]float64{1.79, 2.27, 2.49, 2.54, 2.55, 2.55, 2.54, 2.58},
		Source:     acceptanceSource,
		Conditions: "SPEED-Bench coding prompts, B300, vLLM",
	},
}

// AcceptanceTables lists the measured acceptance lengths.
func AcceptanceTables() []AcceptanceTable {
	return append([]AcceptanceTable(nil), acceptanceTables[:]...)
}

// FindAcceptanceTable returns the table with this id.
func FindAcceptanceTable(id string) (*AcceptanceTable, bool) {
	for _, t := range acceptanceTables {
		if t.ID == id {
			return &t, true
		}
	}
	return nil, false
}

// ExpectedTokens is the mean number of tokens of a step with k drafts, each
// accepted with probability a in [0, 1] if those before it were: 1 + a + ... + a^k.
func ExpectedTokens(a float64, k int) (float64, error) {
	c := &checker{}
	c.within("a", a, 0, 1)
	c.count("k", k, 0, 1024)
	if c.Err != nil {
		return 0, c.Err
	}
	return expectedTokens(a, k), nil
}

func expectedTokens(a float64, k int) float64 {
	sum := 1.0
	for range k {
		sum = 1 + float64(a*sum)
	}
	return sum
}

// ImpliedAcceptance is the acceptance a for which ExpectedTokens(a, k) is the
// given mean length, which lies in [1, k+1].
func ImpliedAcceptance(tokens float64, k int) (float64, error) {
	c := &checker{}
	c.count("k", k, 1, 1024)
	c.within("tokens", tokens, 1, float64(k)+1)
	if c.Err != nil {
		return 0, c.Err
	}
	lo, hi := 0.0, 1.0
	for range 60 {
		mid := float64((lo + hi) * 0.5)
		if expectedTokens(mid, k) <= tokens {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo, nil
}

// Speedup is how many times faster tokens come with speculation than without,
// for steps that take memory seconds to read and compute seconds to calculate
// without drafts: E/(V + kc), where verifying costs V = max(memory, (k+1)
// compute)/max(memory, compute) of a normal step. Below 1 it is a slow-down,
// which is what drafts are once compute binds.
func (s Speculation) Speedup(memorySeconds, computeSeconds float64) (float64, error) {
	c := &checker{}
	c.speculation("Spec", &s)
	c.within("memorySeconds", memorySeconds, 0, longestSeconds)
	c.within("computeSeconds", computeSeconds, 0, longestSeconds)
	if c.Err == nil && memorySeconds+computeSeconds == 0 {
		c.fail("memorySeconds", "0", "more than 0, or computeSeconds is", "1e-3")
	}
	if c.Err != nil {
		return 0, c.Err
	}
	k := float64(s.Drafts)
	verify := max(memorySeconds, float64((k+1)*computeSeconds)) / max(memorySeconds, computeSeconds)
	return s.tokens() / (verify + float64(k*s.DraftCost)), nil
}

// tokens is E, the mean tokens of a step; 1 without drafts.
func (s *Speculation) tokens() float64 {
	switch {
	case s.Drafts == 0:
		return 1
	case s.Table != nil:
		return s.Table.Lengths[s.Drafts-1]
	}
	return expectedTokens(s.Acceptance, s.Drafts)
}

// readFactor multiplies what a token reads: (1 + kc)/E.
func (s *Speculation) readFactor() float64 {
	if s.Drafts == 0 {
		return 1
	}
	return (1 + float64(float64(s.Drafts)*s.DraftCost)) / s.tokens()
}

// workFactor multiplies what a token computes: (k + 1 + kc)/E.
func (s *Speculation) workFactor() float64 {
	if s.Drafts == 0 {
		return 1
	}
	k := float64(s.Drafts)
	return (k + 1 + float64(k*s.DraftCost)) / s.tokens()
}

// speculation builds texts only if something is wrong.
func (c *checker) speculation(field string, s *Speculation) {
	plain := &checker{}
	plain.drafts("", s)
	if plain.Err != nil {
		c.drafts(field, s)
	}
}

func (c *checker) drafts(field string, s *Speculation) {
	c.count(field+".Drafts", s.Drafts, 0, 1024)
	c.within(field+".DraftCost", s.DraftCost, 0, 10)
	if s.Drafts == 0 || c.Err != nil {
		return
	}
	if s.Table == nil {
		c.within(field+".Acceptance", s.Acceptance, 0, 1)
		return
	}
	c.count(field+".Drafts", s.Drafts, 1, len(s.Table.Lengths))
	if s.Acceptance != 0 {
		c.fail(field+".Acceptance", number(s.Acceptance), "0 beside a Table, which says how many drafts survive", "0")
	}
	if c.Err == nil {
		c.within(field+".Table.Lengths", s.Table.Lengths[s.Drafts-1], 1, float64(s.Drafts)+1)
	}
}
