package planner

import "openloop/planner/profile"

// Grouped queries: several query heads share keys and values. The cache shrinks
// by query heads over groups, and with it what each step reads and what a
// sequence holds; arithmetic stays.

var leverGQA = Lever{
	ID: GQA, Slug: "gqa", Name: "Grouped queries",
	BuiltIn: true,
	Price: Price{
		Quality:    "Slightly less than with keys and values for each head; built in when the model is trained, so not yours to choose later.",
		Memory:     "None: it saves memory.",
		Complexity: "None to serve. More GPUs in a replica than groups store some keys twice.",
	},
	Assumes: "The model without it has as many parameters; the model with it has 8 groups, unless it says otherwise.",
	Sources: []string{
		"DeepSeek-V2 technical report, table 1: KV elements by kind of attention",
		"facts of the model's configuration file: heads and groups",
	},
	on: func(d Deployment, _ Workload) bool {
		if d.Attention != AttentionAsBuilt {
			return d.Attention == GroupedQueries
		}
		return d.Model.Attention == profile.GQA || d.Model.Attention == profile.MQA
	},
	set: func(d Deployment, _ Workload, _ Targets, on bool) Deployment {
		switch {
		case d.latent(): // has no groups: nothing to share
		case on:
			d.Attention = GroupedQueries
		default:
			d.Attention = EveryHead
		}
		return d
	},
}

// latent says whether attention works on one vector a token.
func (d *Deployment) latent() bool {
	return d.Attention == LatentVector || d.Attention == AttentionAsBuilt && d.Model.Attention == profile.MLA
}
