package sizing

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner"
	"openloop/planner/profile"
)

// Levers that act on bytes: what a request holds, and what a step reads.

// model is a model that is in the table; a mistake in its name fails the tests.
func model(id string) *profile.Model {
	m, ok := profile.FindModel(id)
	if !ok {
		panic("demo: no model is called " + id)
	}
	return m
}

const (
	cacheOfRequest = "KV cache of a request"

	fewer    = "Heads share keys and values in groups, so the cache has fewer of them."
	kvSource = "shape of the model, as in its configuration"
)

// product writes a row of factors.
func product(factors ...int) string {
	s := ""
	for i, f := range factors {
		if i > 0 {
			s += " × "
		}
		s += text.Whole(f)
	}
	return s
}

func gigabytes(bytes float64) float64 { return bytes / 1e9 }

// perToken is the line about what one token keeps in the cache, in 2 bytes.
func perToken(name, numbers, formula string, elements float64, strong bool) demo.Step {
	return demo.Step{Name: name, Numbers: numbers + " × 2 bytes", Value: text.WithUnit(text.Num(elements*2/1000, 4), "kB"), Formula: formula, Source: kvSource, Strong: strong}
}

// inMemory is the line about how many requests fit.
func inMemory(bytes float64) demo.Step {
	const room = 100e9
	return demo.Step{Name: "Requests in 100 GB with it", Numbers: "100 GB / " + text.Num(gigabytes(bytes), 3) + " GB", Value: text.Num(room/bytes, 3), Formula: "n = M / KV", Source: "memory beside the weights; 100 GB is a round number"}
}

func gqa() mechanism {
	m := model("llama-3.1-70b")
	mha, own := float64(m.KVElementsIfMHA()), float64(m.KVElementsPerToken())
	return mechanism{
		option: demo.Option{Name: "gqa", Label: "GQA"}, levers: []planner.LeverID{planner.GQA}, title: "KV cache of one request, Llama 3.1 70B", until: 32_768, less: true,
		y: demo.Axis{Label: cacheOfRequest, Unit: "GB", Digits: 3}, names: [3]string{"a head each", "eight groups", ""}, says: fewer,
		of: func(x float64, _ *other) [3]float64 {
			return [3]float64{gigabytes(2 * mha * x), gigabytes(m.KVBytes(x, 2)), 0}
		},
		steps: func(x float64, _ *other) []demo.Step {
			const formula = "2 (key and value) × layers × heads × width of a head"
			return []demo.Step{
				perToken("A token, a head each", product(2, m.Layers, m.Heads, m.HeadDim), formula, mha, false),
				perToken("A token, eight groups", product(2, m.Layers, m.KVHeads, m.HeadDim), formula, own, true),
				inMemory(m.KVBytes(x, 2)),
			}
		},
		equations: []demo.Equation{{Name: "KV cache, GQA", TeX: `2\,L\,H_{kv}\,d\,b\,n`, Says: "L layers, heads of keys and values H, d numbers a head in b bytes each, n tokens"}},
	}
}

func mla() mechanism {
	m := model("deepseek-v3")
	const groups = 8
	mha, own := float64(m.KVElementsIfMHA()), float64(m.KVElementsPerToken())
	grouped := float64(2 * m.Layers * groups * m.NopeHeadDim)
	return mechanism{
		option: demo.Option{Name: "mla", Label: "MLA"}, levers: []planner.LeverID{planner.MLA}, title: "KV cache of one request, DeepSeek-V3", until: 32_768, less: true,
		y: demo.Axis{Label: cacheOfRequest, Unit: "GB", Digits: 3}, names: [3]string{"a head each", "one vector", "eight groups"},
		says: "All heads share one compressed vector a token, and make their keys and values from it.",
		of: func(x float64, _ *other) [3]float64 {
			return [3]float64{gigabytes(2 * mha * x), gigabytes(m.KVBytes(x, 2)), gigabytes(2 * grouped * x)}
		},
		steps: func(x float64, _ *other) []demo.Step {
			return []demo.Step{
				perToken("A token, a head each", product(m.Layers, m.Heads, m.NopeHeadDim+m.RopeHeadDim+m.ValueHeadDim), "layers × heads × (key + value)", mha, false),
				perToken("A token, eight groups", product(2, m.Layers, groups, m.NopeHeadDim), "2 × layers × groups × width", grouped, false),
				perToken("A token, one vector", text.Whole(m.Layers)+" × ("+text.Whole(m.KVRank)+" + "+text.Whole(m.RopeHeadDim)+")", "layers × (vector + part for the position)", own, true),
				inMemory(m.KVBytes(x, 2)),
			}
		},
		equations: []demo.Equation{{Name: "KV cache, MLA", TeX: `L\,(r + d_r)\,b\,n`, Says: "a vector of r numbers, and d for the position, for all heads of a layer"}},
	}
}

func quantization() mechanism {
	m := model("llama-3.1-8b")
	return mechanism{
		option: demo.Option{Name: "quant", Label: "Quantization"}, levers: []planner.LeverID{planner.KVQuant, planner.WeightQuant}, title: "What a decode step reads, Llama 3.1 8B", byBatch: true, until: 256, less: true,
		y: demo.Axis{Label: "Read by a step", Unit: "GB", Digits: 3}, names: [3]string{"16 bits", "8 bits", "8-bit weights"},
		says: "Decoding waits for memory, so half the bytes are nearly half the time.",
		of: func(x float64, o *other) [3]float64 {
			kv := float64(x * m.KVBytes(o.context, 1))
			return [3]float64{gigabytes(m.StepWeightBytes(x, 2) + float64(2*kv)), gigabytes(m.StepWeightBytes(x, 1) + kv), gigabytes(m.StepWeightBytes(x, 1) + float64(2*kv))}
		},
		steps: func(x float64, o *other) []demo.Step {
			kv := m.KVBytes(o.context, 2)
			weights := m.StepWeightBytes(x, 2)
			g, _ := profile.FindGPU("h100-sxm")
			read := float64(x*kv) + weights
			return []demo.Step{
				{Name: "Weights, 16 bits", Value: text.WithUnit(text.Num(gigabytes(weights), 3), "GB"), Source: "all parameters but the input embedding, once a step"},
				{Name: "KV cache of the batch, 16 bits", Numbers: text.Whole(int(x)) + " × " + text.Num(gigabytes(kv), 3) + " GB", Value: text.WithUnit(text.Num(gigabytes(x*kv), 3), "GB"), Formula: "B × KV(context)", Source: kvSource},
				{Name: "Time to read it, 16 bits", Numbers: text.Num(gigabytes(read), 3) + " GB / " + text.Num(g.HBMBytesPerSec/1e12, 3) + " TB/s", Value: text.Seconds(read / g.HBMBytesPerSec), Source: "peak bandwidth of an H100, which nobody quite reaches"},
				{Name: "The same, 8 bits", Numbers: text.Num(gigabytes(read/2), 3) + " GB / " + text.Num(g.HBMBytesPerSec/1e12, 3) + " TB/s", Value: text.Seconds(read / 2 / g.HBMBytesPerSec), Source: "weights and cache both", Strong: true},
			}
		},
		equations: []demo.Equation{{Name: "Bytes of a step", TeX: `W\,b_w + B\,n\,k\,b_k`, Says: "W weights of b bytes, and the cache of B requests with n tokens each: k numbers a token, of their own width"}},
	}
}

func experts() mechanism {
	m := model("qwen3-30b-a3b")
	active := float64(m.ExpertsActive) / float64(m.ExpertsRouted)
	return mechanism{
		option: demo.Option{Name: "moe", Label: "Mixture of experts"}, levers: []planner.LeverID{planner.MoE}, title: "Experts that a decode step reads, Qwen3 30B-A3B", byBatch: true, until: 256, less: true,
		y: demo.Axis{Label: "Experts read by a step", Unit: "%", Max: 100, Digits: 3}, names: [3]string{"dense", "experts", "arithmetic"},
		says: "A token meets a few experts of many; a batch meets more.",
		of: func(x float64, _ *other) [3]float64 {
			return [3]float64{100, 100 * m.ExpertsTouchedFrac(x), 100 * active}
		},
		steps: func(x float64, _ *other) []demo.Step {
			return []demo.Step{
				{Name: "Arithmetic of a token", Numbers: text.Whole(m.ExpertsActive) + " / " + text.Whole(m.ExpertsRouted), Value: text.Percent(active, 3), Formula: "k / E", Source: "experts that a token uses, of those in a layer"},
				{Name: "Experts that a step reads", Numbers: "1 − (1 − " + text.Whole(m.ExpertsActive) + "/" + text.Whole(m.ExpertsRouted) + ") to the power of " + text.Whole(int(x)), Value: text.Percent(m.ExpertsTouchedFrac(x), 3), Formula: "1 − (1 − k/E)^B", Source: "tokens choose evenly and independently; real routing is skewed and reads fewer", Strong: true},
				{Name: "Parameters, all and active", Value: text.Num(float64(m.Params().Total())/1e9, 3) + " and " + text.Num(float64(m.Active())/1e9, 3) + " billion", Source: "counted from the shape"},
			}
		},
		equations: []demo.Equation{{Name: "Experts touched", TeX: `1 - (1 - k/E)^B`, Says: "k of E experts a token, B tokens: the share that at least one of them wants"}},
	}
}
