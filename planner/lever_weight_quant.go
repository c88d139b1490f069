package planner

import "openloop/planner/profile"

// Narrower weights: fewer bytes to read in each step and more memory left for
// sequences. Arithmetic gets faster only if it runs in that type, which weights
// that are expanded to bf16 do not.

var leverWeightQuant = Lever{
	ID: WeightQuant, Slug: "weight-quant", Name: "Narrower weights",
	Price: Price{
		Quality:    "A model trained in 16 bits loses something, more with 4 bits than with 8; test it on your own tasks. Some models are trained in 8 or 4 bits and lose nothing.",
		Memory:     "None: it saves memory. Scales, and layers left in 16 bits, are counted only where the storage says so.",
		Complexity: "Low where a checkpoint exists. Kernels must support the type on your GPU.",
	},
	Assumes: "The same share of bandwidth and of the peak of the narrower type as before, unless both were measured, or an efficiency says what each type reaches.",
	Sources: []string{"vendor peaks by type: planner/profile", "measured steps: planner/profile, where there are any of both types"},
	on:      func(d Deployment, _ Workload) bool { return d.storage().AlwaysOn < 2 || d.storage().Routed < 2 },
	set: func(d Deployment, _ Workload, t Targets, on bool) Deployment {
		d.Storage, d.HeadBytesPerParam = profile.Storage{}, 0
		d.Weights, d.Compute = t.PlainWeights, t.PlainWeights
		other := t.PlainReference
		if on {
			d.Weights, d.Compute, other = t.Weights, t.Compute, t.WeightsReference
		}
		if d.Reference.Origin != Roofline && other.Origin != Roofline {
			d.Reference = other
		}
		if t.Efficiency != nil && d.Reference.Origin == Roofline {
			t.Efficiency.retype(&d)
		}
		return d
	},
}
