package planner

import (
	"math"

	"openloop/sim"
)

// The step times of a plan for the simulator. Neither of its own forms fits: a
// plan takes the longer of reading and computing for decode, and adds prefill,
// which neither a sum nor one roofline for the whole step does. Where the chain
// puts means, this puts what is in the step: its sequences, their KV, and the
// experts that they touch. A step is
//
//	decode + prefill - x min(decode, prefill)
//	decode  = fixed + max(weights + KV, arithmetic) + all-reduce
//	prefill = tokens and pairs at the mean of the mix + KV read again by chunks
//
// and without sequences that decode, fixed + max(prefill, weights). Cached
// tokens cost nothing, but the prompt holds and reads its whole KV, as in the
// chain: the arithmetic of what is not cached is spread over the prompt.
type stepCost struct {
	d *Deployment
	s step

	// Picoseconds: of each step, of a prompt that is a step of its own, of a
	// token and of a pair of prefill, of a byte of KV, of the matrices of a
	// decoded token, of its all-reduce, of a FLOP of its attention, and of the
	// weights by tokens in the step.
	fixed, alone                    float64
	perPrefill, perPair, perKV      float64
	perToken, perSent, perAttention float64
	weights                         []float64

	// Bytes of KV and FLOPs of attention of one token of context, if straight:
	// in proportion to the context.
	straight        bool
	held, attention float64

	read, drafts float64 // 1 + kc, kc
	overlap      float64
	sum          bool // AddCompute
	landed       bool // the KV of prompts comes from another pool: nothing to compute
}

const picos = 1e12

// mostTouched is the batch from which all experts count as touched as they are
// at it.
const mostTouched = 4096

// newStepCost is for the mix of the plan, whose prompts have pairs query-key
// pairs on average. meanExperts keeps the experts of the plan's full batch.
func newStepCost(p *Plan, pairs float64, meanExperts bool) *stepCost {
	d, s, m := &p.made, &p.step, &p.mix
	c := &stepCost{d: d, s: *s, overlap: d.OverlapFrac, sum: d.Engine.AddCompute}
	c.fixed = float64(s.fixed * picos)
	if d.ChunkTokens == 0 {
		c.alone = float64(s.alone(d) * picos)
	}
	work := float64(m.prompts.always*s.perFLOP) + float64(m.prompts.routed*s.perExpert) + float64(m.prompts.tokens*s.perToken)
	c.perPrefill = float64(work*picos) / m.prompt
	c.perPair = float64(m.prompts.attention*s.perPrefill*picos) / pairs
	c.perKV = float64(s.perKVByte * picos)

	always, routed, head, _ := s.sizes.decodeFLOPs(1)
	c.perToken = float64((always+head)*s.perFLOP*picos) + float64(routed*s.perExpert*picos)
	c.perSent = float64((s.perToken + s.perSequence) * picos)
	c.perAttention = float64(s.perDecode * picos)
	c.drafts = float64(float64(d.Spec.Drafts) * d.Spec.DraftCost)
	c.read = 1 + c.drafts
	c.setContext()
	c.setWeights(p, meanExperts)
	return c
}

// setContext finds out whether KV and attention grow in proportion to the
// context, which windows prevent.
func (c *stepCost) setContext() {
	const far = 1 << 20
	_, _, _, one := c.s.sizes.decodeFLOPs(1)
	_, _, _, many := c.s.sizes.decodeFLOPs(far)
	c.held, c.attention = c.s.sizes.kvBytes(c.d, 1), one
	near := func(a, b float64) bool { return math.Abs(a-b) <= float64(1e-9*b) }
	c.straight = near(float64(c.held*far), c.s.sizes.kvBytes(c.d, far)) && near(float64(one*far), many)
}

// setWeights tabulates the weights that a step of so many tokens reads.
func (c *stepCost) setWeights(p *Plan, meanExperts bool) {
	seconds := func(batch float64) float64 { return float64(c.s.sizes.weightBytes(batch) * c.s.perByte * picos) }
	switch {
	case c.s.sizes.routedRead == 0:
		c.weights = []float64{seconds(1)}
	case meanExperts:
		c.weights = []float64{float64((p.WeightSeconds/c.s.read - c.s.fixed) * picos)}
	default:
		c.weights = make([]float64, mostTouched+1)
		for i := range c.weights {
			c.weights[i] = seconds(float64(i))
		}
	}
}

func (c *stepCost) weightsOf(tokens int64) float64 {
	return c.weights[min(tokens, int64(len(c.weights)-1))]
}

// Picos implements sim.StepCost.
func (c *stepCost) Picos(l sim.Load) sim.Picos {
	prefill, n, pairs := 0.0, float64(l.PrefillTokens), float64(l.PrefillPairs)
	touch := l.DecodeTokens
	if l.PrefillTokens > 0 && !c.landed {
		touch += l.PrefillTokens
		prefill = float64(c.perPrefill*n) + float64(c.perPair*pairs)
		// What a chunk attends to before itself: exact for one prompt.
		if before := pairs/n - float64(0.5*(n+1)); before > 0 {
			prefill += float64(c.bytes(before) * c.perKV)
		}
	}
	weights := c.weightsOf(max(touch, 1))
	if l.Decodes == 0 {
		return whole64(c.fixed + max(prefill+c.alone-min(c.fixed, c.alone), weights))
	}
	b := float64(l.Decodes)
	context := float64(l.KVTokens) / b
	tokens := float64(l.DecodeTokens) + float64(c.drafts*b)
	reading := float64(weights * c.read)
	kv := float64(b * c.bytes(context) * c.perKV * c.read)
	linear := float64(tokens * c.perToken)
	attention := float64(tokens * c.flops(context) * c.perAttention)
	decode := float64(c.fixed * c.read)
	if c.sum {
		decode += reading + max(kv, attention) + linear
	} else {
		decode += max(reading+kv, linear+attention)
	}
	decode += float64(tokens * c.perSent)
	if prefill > 0 {
		prefill += c.alone
	}
	return whole64(decode + prefill - float64(c.overlap*min(decode, prefill)))
}

func (c *stepCost) bytes(context float64) float64 {
	if c.straight {
		return float64(c.held * context)
	}
	return c.s.sizes.kvBytes(c.d, context)
}

func (c *stepCost) flops(context float64) float64 {
	if c.straight {
		return float64(c.attention * context)
	}
	_, _, _, a := c.s.sizes.decodeFLOPs(context)
	return a
}

// whole64 rounds a step; the simulator bounds it further.
func whole64(x float64) sim.Picos { return sim.Picos(math.Floor(min(max(x, 1), 1e18) + 0.5)) }
