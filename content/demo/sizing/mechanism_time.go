package sizing

import (
	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/content/demo/text"
	"openloop/planner"
	"openloop/planner/profile"
	"openloop/sim"
)

// Levers that act on time: of a prompt, of those who wait for it, and of a token.

// Settings of the pictures.
const (
	foundShare  = 0.75 // of a prompt, by the prefix cache
	chunkTokens = 512
	promptRate  = 3.0 // prompts a second
	draftCount  = 3
	accepted    = 0.8 // of drafts, each
	poorly      = 0.4
	mostBusy    = 0.95
)

// stepSeconds is what a step of the guide's server takes: prompt tokens after
// some that are known, beside requests that decode.
func stepSeconds(prompt, known, batch, context float64) float64 {
	pairs := float64(prompt*known) + float64(prompt*(prompt+1)/2)
	load := sim.Load{PrefillTokens: int64(prompt), PrefillPairs: int64(pairs), Decodes: int64(batch), KVTokens: int64(float64(batch * context))}
	return float64(replica.StepCost().Picos(load)) / 1e12
}

const serverSource = "step of the guide's server, an 8B model on one H100"

func prefixCaching() mechanism {
	return mechanism{
		option: demo.Option{Name: "prefix", Label: "Prefix caching"}, levers: []planner.LeverID{planner.PrefixCache}, title: "Time to compute a prompt, three quarters of it known, 8B model on one H100", until: 32_768, less: true,
		y: demo.Axis{Label: "Prefill of a prompt", Unit: "ms", Digits: 3}, names: [3]string{"all computed", "three quarters found", ""},
		says: "A prompt that begins as another one did need not compute that beginning again.",
		of: func(x float64, _ *other) [3]float64 {
			return [3]float64{1000 * stepSeconds(x, 0, 0, 0), 1000 * stepSeconds((1-foundShare)*x, foundShare*x, 0, 0), 0}
		},
		steps: func(x float64, _ *other) []demo.Step {
			return []demo.Step{
				{Name: "Tokens computed, of " + text.Whole(int(x)), Numbers: "(1 − 0.75) × " + text.Whole(int(x)), Value: text.Whole(int((1 - foundShare) * x)), Source: "0.75 is a made-up share; what is found depends on traffic, memory and routing"},
				{Name: "All computed", Value: text.Seconds(stepSeconds(x, 0, 0, 0)), Formula: "a + b P + c P (P + 1) / 2", Source: serverSource},
				{Name: "Three quarters found", Value: text.Seconds(stepSeconds((1-foundShare)*x, foundShare*x, 0, 0)), Formula: "a + b P + c (P K + P (P + 1) / 2)", Source: serverSource + "; new tokens still look at the K known ones", Strong: true},
			}
		},
		equations: []demo.Equation{replica.StepEquation()},
	}
}

func chunkedPrefill() mechanism {
	return mechanism{
		option: demo.Option{Name: "chunked", Label: "Chunked prefill"}, levers: []planner.LeverID{planner.ChunkedPrefill}, title: "How long the batch waits for its next token, 8B model on one H100", until: 32_768, less: true,
		y: demo.Axis{Label: "Longest gap between tokens", Unit: "ms", Digits: 3}, names: [3]string{"prompt whole", "chunks of 512", "no prompt"},
		says: "A long prompt is computed in pieces beside the others' tokens.",
		of: func(x float64, o *other) [3]float64 {
			piece := min(x, chunkTokens)
			return [3]float64{1000 * stepSeconds(x, 0, o.batch, 600), 1000 * stepSeconds(piece, x-piece, o.batch, 600), 1000 * stepSeconds(0, 0, o.batch, 600)}
		},
		steps: func(x float64, o *other) []demo.Step {
			n := int(x+chunkTokens-1) / chunkTokens
			piece := min(x, chunkTokens)
			return []demo.Step{
				{Name: "One step with the whole prompt", Value: text.Seconds(stepSeconds(x, 0, o.batch, 600)), Source: serverSource + ", beside a batch with 600 tokens of context each"},
				{Name: "The last of " + text.Count(n, "step", "steps") + " with a chunk", Value: text.Seconds(stepSeconds(piece, x-piece, o.batch, 600)), Source: "the later a chunk, the more it looks back at", Strong: true},
				{Name: "The price: weights are read again", Numbers: text.Whole(n-1) + " × " + text.Seconds(stepSeconds(0, 0, 0, 0)), Value: text.Seconds(float64(n-1) * stepSeconds(0, 0, 0, 0)), Source: "constant part of a step, once more for each further chunk; the batch decodes in it"},
			}
		},
	}
}

func disaggregation() mechanism {
	m := model("llama-3.1-8b")
	// together is the share of the time that prefill leaves to decoding.
	together := func(x float64) float64 { return 1 - float64(promptRate*stepSeconds(x, 0, 0, 0)) }
	return mechanism{
		option: demo.Option{Name: "apart", Label: "Disaggregation"}, levers: []planner.LeverID{planner.Disaggregation}, title: "Time per token while prompts keep coming, 8B model", until: 16_384, less: true,
		y: demo.Axis{Label: "Time per token", Unit: "ms", Digits: 3}, names: [3]string{"one pool", "two pools", ""},
		says: "Prompts are computed on other GPUs, so nobody who decodes waits for them.",
		of: func(x float64, o *other) [3]float64 {
			step, left := stepSeconds(0, 0, o.batch, 600), together(x)
			if left < 1-mostBusy {
				return [3]float64{-1, 1000 * step, 0}
			}
			return [3]float64{1000 * step / left, 1000 * step, 0}
		},
		steps: func(x float64, o *other) []demo.Step {
			left := together(x)
			kv := m.KVBytes(x, 2)
			const link = 50e9
			out := []demo.Step{
				{Name: "Share of time that prompts take", Numbers: text.Num(promptRate, 2) + "/s × " + text.Seconds(stepSeconds(x, 0, 0, 0)), Value: text.Percent(1-left, 3), Formula: "λ × prefill", Source: serverSource + "; three prompts a second are made up"},
				{Name: "A step without a prompt", Value: text.Seconds(stepSeconds(0, 0, o.batch, 600)), Source: serverSource, Strong: true},
				{Name: "The price: the cache moves", Numbers: text.Num(gigabytes(kv), 3) + " GB / 50 GB/s", Value: text.Seconds(kv / link), Source: "KV cache of the prompt over a link of 400 Gbit/s, before the first token that the second pool makes"},
			}
			if left < 1-mostBusy {
				out[0].Error = "one pool has no time left to decode"
			}
			return out
		},
		equations: []demo.Equation{{Name: "One pool", TeX: `\frac{t_{step}}{1 - \lambda\,t_{prefill}}`, Says: "a step takes the time of a step, and of what is left when prompts have had theirs"}},
	}
}

func speculation() mechanism {
	m := model("llama-3.1-8b")
	g, _ := profile.FindGPU("h100-sxm")
	peak, _ := g.PeakFLOPsPerSec(profile.BF16)
	// times are those of a step with so many requests: reading and computing.
	times := func(batch, context float64) (read, compute float64) {
		read = (m.StepWeightBytes(batch, 2) + float64(batch*m.KVBytes(context, 2))) / g.HBMBytesPerSec
		return read, float64(batch*m.DecodeFLOPs(context)) / peak
	}
	speed := func(batch, context, acceptance float64) float64 {
		read, compute := times(batch, context)
		x, err := planner.Speculation{Drafts: draftCount, Acceptance: acceptance, DraftCost: 0.05}.Speedup(read, compute)
		if err != nil {
			panic("demo: " + err.Error())
		}
		return x
	}
	const context = 600
	return mechanism{
		option: demo.Option{Name: "speculation", Label: "Speculation"}, levers: []planner.LeverID{planner.SpeculativeDecoding}, title: "Speed of decoding with three drafts, Llama 3.1 8B on one H100", byBatch: true, until: 256,
		y: demo.Axis{Label: "Speed, times that without drafts", Digits: 3}, names: [3]string{"no drafts", "good drafts", "poor drafts"},
		says: "A step checks several guessed tokens at once and keeps those up to the first wrong one.",
		of: func(x float64, _ *other) [3]float64 {
			return [3]float64{1, speed(x, context, accepted), speed(x, context, poorly)}
		},
		steps: func(x float64, _ *other) []demo.Step {
			read, compute := times(x, context)
			e, _ := planner.ExpectedTokens(accepted, draftCount)
			verify := max(read, 4*compute) / max(read, compute)
			return []demo.Step{
				{Name: "Tokens of a step", Numbers: "1 + 0.8 + 0.8² + 0.8³", Value: text.Num(e, 3), Formula: "E = 1 + a + ... + a^k", Source: "three drafts, each accepted with a chance of 0.8 if those before it were; poor ones 0.4"},
				{Name: "A step reads and computes", Value: text.Seconds(read) + " and " + text.Seconds(compute), Source: "H100 at its peaks, 600 tokens of context a request"},
				{Name: "Checking four tokens takes", Numbers: "max(" + text.Seconds(read) + ", 4 × " + text.Seconds(compute) + ") / max of both", Value: text.Num(verify, 3) + " steps", Source: "while reading takes longer, checking is free"},
				{Name: "Speed", Numbers: text.Num(e, 3) + " / (" + text.Num(verify, 3) + " + 3 × 0.05)", Value: text.Num(speed(x, context, accepted), 3), Formula: "E / (V + k c)", Source: "a draft costs a twentieth of a step", Strong: true},
			}
		},
		equations: []demo.Equation{{Name: "Speculation", TeX: `\frac{1 + a + \dots + a^k}{V + k\,c}`, Says: "k drafts accepted with chance a each; V steps to check them, c of a step to make one"}},
	}
}
