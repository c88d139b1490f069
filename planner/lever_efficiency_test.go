package planner

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner/profile"
)

// With an efficiency, what the weight lever promises is what a plan with those
// weights and that efficiency takes: narrower arithmetic reaches another share.
func TestWeightLeverKeepsTheEfficiency(t *testing.T) {
	plan := func(w profile.DType) (Ablation, float64) {
		var d Deployment
		d.GPU, _ = profile.FindGPU("h100-sxm")
		d.Model, _ = profile.FindModel("llama-3.1-70b")
		d.TP, d.Weights, d.Compute, d.USDPerGPUHour = 4, w, w, 3
		e := PublishedEfficiency()
		e.Set(&d)
		targets := DefaultTargets(d)
		targets.Efficiency = &e
		load := Workload{Classes: []Class{{RequestsPerSec: 20, PeakToMean: 1, PromptTokens: 2000, OutputTokens: 300, ArrivalCV2: 1, ServiceCV2: 1}}}
		a, err := Ablate(load, d, Objective{TPOTSeconds: 0.05, TargetFrac: 0.7}, targets)
		require.NoError(t, err)
		return a, a.Plan.GPUsFractional
	}
	wide, bf16 := plan(profile.BF16)
	narrow, fp8 := plan(profile.FP8)
	assert.InEpsilon(t, bf16-fp8, wide.Savings[WeightQuant].Alone, 1e-12)
	assert.InEpsilon(t, bf16-fp8, narrow.Savings[WeightQuant].Alone, 1e-12)
}
