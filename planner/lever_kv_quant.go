package planner

// A narrower KV cache: half the bytes to hold and to read for each token.

const fp8Blog = "vLLM blog 2026-04-22, FP8 KV cache and attention; H100"

var leverKVQuant = Lever{
	ID: KVQuant, Slug: "kv-quant", Name: "8-bit KV cache",
	Price: Price{
		Quality:    "With uncalibrated scales at most 1 to 2 points on reasoning sets; more on long contexts: 97-98% of the bf16 score at 128k tokens for Llama-3.3-70B, 94-98% at 256k for Qwen3-30B-A3B. An accumulator that is too narrow took a 128k needle task from 91% to 13%.",
		Memory:     "None: it saves memory. Scales are not counted.",
		Complexity: "Low, but the quality of long contexts must be tested.",
	},
	Assumes: "Attention reads fewer bytes at the same share of bandwidth; no time to convert.",
	Claims: []Claim{
		{Figure: 1.149, Of: "throughput", Against: "bf16 cache", Conditions: "Llama-3.1-8B, 20,000 tokens in and 2,000 out, 8 at a time: 450.3 to 517.5 tok/s", Source: fp8Blog},
		{Figure: 1.048, Of: "throughput", Against: "bf16 cache", Conditions: "gpt-oss-20b, the same lengths and load", Source: fp8Blog},
	},
	Sources: []string{fp8Blog},
	on:      func(d Deployment, _ Workload) bool { return d.KV.Bytes() < 2 },
	set: func(d Deployment, _ Workload, t Targets, on bool) Deployment {
		d.KV = t.PlainKV
		if on {
			d.KV = t.KV
		}
		return d
	},
}
