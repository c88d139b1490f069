package sim

// Load is the work of one step of one replica.
type Load struct {
	PrefillTokens int64 // prompt (and recomputed) tokens of requests that are still in prefill
	PrefillPairs  int64 // query-key pairs of those tokens: for n tokens after c computed ones, n*c + n*(n+1)/2
	Decodes       int64 // sequences that decode in this step
	DecodeTokens  int64 // tokens that they are given: Decodes plus the drafts they verify
	KVTokens      int64 // tokens in the KV cache that the decodes read: for each, computed + its new tokens
}

// StepCost says how long a step takes. Implementations are pure and return at
// least 1 ps for every non-empty Load.
type StepCost interface {
	Picos(l Load) Picos
}

// LinearCost is the affine model a + b*prefill + c*pairs + d*decodes + e*KV:
// what small studies fit to step timings. All coefficients are in picoseconds
// and whole, so k identical decode steps, whose KV grows by the batch each
// time, sum exactly in closed form.
type LinearCost struct {
	Base            Picos // each step
	PerPrefillToken Picos
	PerPrefillPair  Picos
	PerDecode       Picos // each sequence that decodes
	PerDraftToken   Picos // each draft token verified, beyond the sequence's own
	PerKVToken      Picos
}

// Picos implements StepCost.
func (c LinearCost) Picos(l Load) Picos {
	return c.Base +
		c.PerPrefillToken*Picos(l.PrefillTokens) +
		c.PerPrefillPair*Picos(l.PrefillPairs) +
		c.PerDecode*Picos(l.Decodes) +
		c.PerDraftToken*Picos(l.DecodeTokens-l.Decodes) +
		c.PerKVToken*Picos(l.KVTokens)
}
