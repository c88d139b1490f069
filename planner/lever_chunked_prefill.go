package planner

// Chunked prefill; what it does is in chunked.go.

const sarathi = "Sarathi-Serve, OSDI 2024, abstract; the first arXiv version states other figures"

var leverChunkedPrefill = Lever{
	ID: ChunkedPrefill, Slug: "chunked-prefill", Name: "Chunked prefill",
	Price: Price{
		Quality:    "None: the same tokens.",
		Memory:     "None.",
		Complexity: "On by default in current engines. Smaller chunks make the longest gap shorter and the first token later.",
	},
	Assumes: "What it changes is the tail: the longest gap between two tokens. GPUs change by what a step costs whatever is in it, which a prompt no longer pays alone, less the KV that later chunks read again. Arithmetic hides behind reading only as far as OverlapFrac says, a choice that no source supports.",
	Claims: []Claim{
		{Figure: 2.6, Of: "requests/s within a limit on the tail", Against: "vLLM", Conditions: "Mistral-7B, one A100", Source: sarathi},
		{Figure: 3.7, UpTo: true, Of: "requests/s within a limit on the tail", Against: "vLLM", Conditions: "Yi-34B, two A100", Source: sarathi},
		{Figure: 5.6, UpTo: true, Of: "end-to-end serving capacity", Against: "vLLM", Conditions: "Falcon-180B with pipeline parallelism", Source: sarathi},
	},
	Sources: []string{sarathi},
	on:      func(d Deployment, _ Workload) bool { return d.ChunkTokens > 0 },
	set: func(d Deployment, _ Workload, t Targets, on bool) Deployment {
		d.ChunkTokens, d.OverlapFrac = 0, 0
		if on {
			d.ChunkTokens = t.ChunkTokens
			if !d.Disaggregated {
				d.OverlapFrac = t.OverlapFrac
			}
		}
		return d
	},
}
