package planner

import "openloop/planner/profile"

// Latent attention: one compressed vector a token stands for the keys and values
// of all heads. The cache shrinks most, but in decode each head works on the
// whole vector: 2(2r + rope) FLOPs a head and token where grouped queries take
// 4e. For DeepSeek-V3 that is 242 FLOPs for each byte of bf16 cache, near the
// ridge of an H100 at 295, where 8 groups have 8. So that arithmetic is counted:
// a planner that only counts bytes flatters this lever.

var leverMLA = Lever{
	ID: MLA, Slug: "mla", Name: "Latent attention",
	BuiltIn: true,
	Price: Price{
		Quality:    "Its makers report quality as good as with keys and values for each head; built in when the model is trained.",
		Memory:     "None: it saves memory. With tensor parallelism each GPU would hold the whole cache; engines give each GPU its own sequences for attention instead.",
		Complexity: "Kernels of its own, and that change of parallelism.",
	},
	Assumes: "A model without it is given the vector of DeepSeek-V3, 512 + 64 elements a layer. DeepSeek without it has keys and values for each of its heads, or 8 groups if grouped queries are on. Parameters stay.",
	Claims: []Claim{{
		Figure: 2.25, Of: "groups of grouped-query attention with a cache of the same size", Against: "grouped queries with heads of the same width",
		Conditions: "DeepSeek-V2: (512 + 64) elements against 2 x 128 for a group", Source: "DeepSeek-V2 technical report, table 1",
	}},
	Sources: []string{"DeepSeek-V2 technical report, table 1 and section 2.1"},
	on:      func(d Deployment, _ Workload) bool { return d.latent() },
	set: func(d Deployment, _ Workload, _ Targets, on bool) Deployment {
		switch {
		case on && d.Model.Attention == profile.MLA:
			d.Attention = AttentionAsBuilt
		case on:
			d.Attention = LatentVector
		case d.Model.Attention == profile.MLA:
			d.Attention = EveryHead
		default:
			d.Attention = AttentionAsBuilt
		}
		return d
	},
}
