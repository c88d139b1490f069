package planner

// Prefill and decode in pools of their own: prefill no longer stretches the
// steps of decode, so a replica may decode more at once within the same time per
// token. Nothing is gained where memory or arithmetic binds, and two pools round
// up twice. So the published gains depend on the limit, and on what was there
// before.

const (
	distServe   = "DistServe, OSDI 2024, abstract of the later arXiv version; the first version states 4.48 and 10.2"
	splitwise   = "Splitwise, ISCA 2024, abstract"
	distServeIf = "various models, applications and limits; more than 90% of requests within both the limit on the first token and that on the time per token; goodput for each GPU, not throughput"
)

var leverDisaggregation = Lever{
	ID: Disaggregation, Slug: "disaggregation", Name: "Prefill and decode apart",
	Price: Price{
		Quality:    "None: the same tokens.",
		Memory:     "Weights are in both pools. KV moves over the network before decode starts.",
		Complexity: "High: two pools to size and to keep in proportion as the mix changes, and a fast network.",
	},
	Assumes: "Each pool is as busy as replicas that do both would be; the time to move KV delays the first token and nothing else.",
	Claims: []Claim{
		{Figure: 7.4, Of: "requests", Against: "state-of-the-art systems of its time", Conditions: distServeIf, Source: distServe, Either: 1},
		{Figure: 12.6, Of: "tighter limits", Against: "state-of-the-art systems of its time", Conditions: distServeIf, Source: distServe, Either: 1},
		{Figure: 1.4, UpTo: true, Of: "throughput, at 20% lower cost", Against: "clusters without the split", Conditions: "cluster designs", Source: splitwise, Either: 2},
		{Figure: 2.35, Of: "throughput, at the same power and cost", Against: "clusters without the split", Conditions: "cluster designs", Source: splitwise, Either: 2},
	},
	Sources: []string{distServe, splitwise},
	on:      func(d Deployment, _ Workload) bool { return d.Disaggregated },
	set: func(d Deployment, _ Workload, t Targets, on bool) Deployment {
		d.Disaggregated = on
		switch {
		case on:
			d.OverlapFrac = 0 // nothing shares a step any more
		case d.ChunkTokens > 0:
			d.OverlapFrac = t.OverlapFrac
		}
		return d
	},
}
