package replica

import (
	"openloop/content/demo"
	"openloop/sim"
)

// The server: one H100 with a model of 8 billion parameters in bf16, as
// Llama-3.1-8B, under an engine as vLLM is. It is not a product that somebody
// measured; it is a set of constants with a source each, the same in every
// chapter, so that figures can be compared.

// Step costs in picoseconds. The kernel part is from this project's fits to the
// kernel timings of an H100 that ai-dynamo/aiconfigurator publishes (commit
// 095f58a, vLLM 0.24, bf16): the decode fit (mean error 2.8%), and the slopes of
// the prefill fit (4.0%), whose own constant of 3.00 ms is replaced by that of
// decode, because a step that does both reads the weights once. EngineOverhead
// is the median of what 20 published vLLM batches of mid-2024
// (argonne-lcf/LLM-Inference-Bench, commit 4211f5d) took beyond their kernels;
// with it they are 10.5% off in the mean.
const (
	kernelBase      = 6_090_000_000 // 6.09 ms a step: the weights are read once
	EngineOverhead  = 3_190_000_000 // 3.19 ms a step: scheduling, sampling, input and output
	perPrefillToken = 16_020_000    // 0.01602 ms
	perPrefillPair  = 1212          // 1.212e-6 ms a pair of query and key: the fit's 6.06e-7 a square of the prompt, which is two of its pairs
	perSequence     = 8_200_000     // 0.0082 ms a decoding sequence
	perKVToken      = 44_300        // 4.43e-5 ms a token of KV cache read
)

// Sizes of the server.
const (
	MaxSeqs     = 256  // requests that run at once, at most
	StepTokens  = 2048 // tokens of one step, at most
	BlockTokens = 16
	KVTokens    = 400_000
)

// Means of the default workload, in tokens.
const (
	MeanPrompt = 512
	MeanOutput = 192
)

// Server is one replica, without warm-up.
func Server() sim.Config {
	return sim.Config{
		Replicas: 1,
		Engine: sim.Engine{
			MaxNumSeqs: MaxSeqs, MaxBatchedTokens: StepTokens, PrefillChunkTokens: StepTokens,
			BlockTokens: BlockTokens, KVBlocks: KVTokens / BlockTokens, Cost: StepCost(),
		},
	}
}

// StepCost is what a step takes.
func StepCost() sim.LinearCost {
	return sim.LinearCost{
		Base: kernelBase + EngineOverhead, PerPrefillToken: perPrefillToken, PerPrefillPair: perPrefillPair,
		PerDecode: perSequence, PerKVToken: perKVToken,
	}
}

// Slowed is the server with every step taking times as long.
func Slowed(c sim.Config, times float64) sim.Config {
	cost := c.Engine.Cost.(sim.LinearCost)
	scale := func(p sim.Picos) sim.Picos { return sim.Picos(float64(float64(p)*times) + 0.5) }
	c.Engine.Cost = sim.LinearCost{
		Base: scale(cost.Base), PerPrefillToken: scale(cost.PerPrefillToken), PerPrefillPair: scale(cost.PerPrefillPair),
		PerDecode: scale(cost.PerDecode), PerDraftToken: scale(cost.PerDraftToken), PerKVToken: scale(cost.PerKVToken),
	}
	return c
}

// Lengths are those of the default workload: prompts near 512 tokens, answers
// near 192, each normal with half its mean as deviation, clipped.
func Lengths() sim.Lengths { return LengthsAround(MeanPrompt, MeanOutput) }

// LengthsAround has these means (before clipping at 1/32 and 4 times the
// prompt's, 1 and 4 times the answer's).
func LengthsAround(prompt, output float64) sim.Lengths {
	return sim.Separate{
		Prompt: sim.NormalCount{Mean: prompt, SD: prompt / 2, Min: max(1, int32(prompt/32)), Max: int32(4 * prompt)},
		Output: sim.NormalCount{Mean: output, SD: output / 2, Min: 1, Max: int32(4 * output)},
	}
}

// StepEquation is the formula that every demo of the server rests on.
func StepEquation() demo.Equation {
	return demo.Equation{
		Name: "Step",
		TeX:  `t = 9.28 + 0.01602\,P + 1.212\cdot 10^{-6}\,Q + 0.0082\,B + 4.43\cdot 10^{-5}\,K\ \text{ms}`,
		Says: "P prompt tokens in the step, Q their query-key pairs, B decoding requests, K tokens of KV cache that they read; kernels fitted to published H100 timings of an 8B model, 3.19 ms of engine overhead",
	}
}
