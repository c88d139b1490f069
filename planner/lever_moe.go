package planner

// A mixture of experts: a token uses a few of many. That divides arithmetic, but
// a step reads every expert that some token of its batch wants: at 32 sequences
// an H100 replica of DeepSeek-V3 reads 12 times its active weights. The price by
// active parameters holds for FLOPs, and for bytes only when the batch is large
// enough to share all experts.

var leverMoE = Lever{
	ID: MoE, Slug: "moe", Name: "Mixture of experts",
	BuiltIn: true,
	Price: Price{
		Quality:    "A dense model of as many parameters would be better, one of as many active parameters worse; built in when the model is trained.",
		Memory:     "All experts are stored, whether used or not.",
		Complexity: "Experts on many GPUs exchange tokens in each layer, and the busiest expert is waited for; published throughput is 0.3 to 0.45 of what this model gives without a derating.",
	},
	Assumes: "The same parameters: without it all of them are active, with it the MLPs are cut into 128 experts of which 8 are used, as in Qwen3-30B-A3B. Routing is even.",
	Claims: []Claim{
		{Figure: 1.49, Of: "prefill throughput", Against: "experts not balanced", Conditions: "DeepSeek, balancing experts over 96 H100 in SGLang: how far routing is from even", Source: "LMSYS blog 2025-05-05, large-scale expert parallelism"},
		{Figure: 2.54, Of: "decode throughput", Against: "experts not balanced", Conditions: "as above", Source: "LMSYS blog 2025-05-05, large-scale expert parallelism"},
	},
	Sources: []string{"expected share of experts: planner/profile, from the model's configuration"},
	on: func(d Deployment, _ Workload) bool {
		if d.Experts != ExpertsAsBuilt {
			return d.Experts == RoutedExperts
		}
		return d.Model.MoE()
	},
	set: func(d Deployment, _ Workload, _ Targets, on bool) Deployment {
		switch {
		case on == d.Model.MoE():
			d.Experts = ExpertsAsBuilt
		case on:
			d.Experts = RoutedExperts
		default:
			d.Experts = AllActive
		}
		return d
	},
}
