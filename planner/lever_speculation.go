package planner

// Speculative decoding: a step verifies k drafts and yields E tokens. What is
// read is divided by E; what is computed grows to (k+1)/E of before. While
// reading binds that is a gain, once arithmetic binds a loss, which is what
// those who measured at high load found.

const specBlog = "vLLM blog 2024-10-17, speculative decoding"

var leverSpeculation = Lever{
	ID: SpeculativeDecoding, Slug: "speculation", Name: "Speculative decoding",
	Price: Price{
		Quality:    "None with exact verification: the same distribution of tokens.",
		Memory:     "Weights and KV of the draft head or model, not counted here.",
		Complexity: "A draft head trained for the model and kept in step with it. Acceptance falls on other kinds of text, and the gain turns into a loss under load.",
	},
	Assumes: "Mean accepted lengths as measured on coding prompts; the number of sequences that memory holds does not change.",
	Claims: []Claim{
		{Figure: 1.5, UpTo: true, Of: "speed", Against: "no drafts", Conditions: "Llama-3-70B on 4 H100, ShareGPT, draft model, 1 request/s", Source: specBlog},
		{Figure: 2.8, UpTo: true, Of: "speed", Against: "no drafts", Conditions: "Llama-3-70B on 4 H100, CNN/DailyMail, n-gram lookup, 1 request/s", Source: specBlog},
		{Figure: 1 / 1.4, Of: "speed", Against: "no drafts", Conditions: "the first of these at a high rate of requests: 1.4 times slower", Source: specBlog},
		{Figure: 1 / 1.8, Of: "speed", Against: "no drafts", Conditions: "the second of these at a high rate of requests: 1.8 times slower", Source: specBlog},
		{Figure: 1.38, Of: "throughput", Against: "no drafts", Conditions: "EAGLE-3 in SGLang at batch 64", Source: "EAGLE-3, abstract and paper"},
	},
	Sources: []string{acceptanceSource, specBlog},
	on:      func(d Deployment, _ Workload) bool { return d.Spec.Drafts > 0 },
	set: func(d Deployment, _ Workload, t Targets, on bool) Deployment {
		d.Spec = Speculation{}
		if on {
			d.Spec = t.Spec
		}
		return d
	},
}
