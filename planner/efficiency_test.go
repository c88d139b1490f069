package planner_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner"
	"openloop/planner/profile"
)

func published(t *testing.T, gpu, model string, weights, compute profile.DType) planner.Deployment {
	t.Helper()
	g, ok := profile.FindGPU(gpu)
	require.True(t, ok)
	m, ok := profile.FindModel(model)
	require.True(t, ok)
	d := planner.Deployment{GPU: g, Model: m, TP: 8, Weights: weights, KV: profile.FP8, Compute: compute}
	e := planner.PublishedEfficiency()
	e.Set(&d)
	return d
}

// Each type has its own share of its own peak; experts that are expanded theirs.
func TestEfficiencySet(t *testing.T) {
	e := planner.PublishedEfficiency()
	for _, c := range []struct {
		weights, compute profile.DType
		mfu, experts     float64
	}{
		{profile.BF16, profile.BF16, e.BF16MFU, e.Engine.ExpertMFUFrac},
		{profile.FP8, profile.FP8, e.FP8MFU, e.Engine.ExpertMFUFrac},
		{profile.INT8, profile.INT8, e.FP8MFU, e.Engine.ExpertMFUFrac},
		{profile.FP4, profile.FP4, e.FP4MFU, e.Engine.ExpertMFUFrac},
		{profile.INT4, profile.BF16, e.BF16MFU, e.ExpandedExpertFrac},
	} {
		d := published(t, "b200-sxm", "qwen3-235b-a22b", c.weights, c.compute)
		assert.Equal(t, c.mfu, d.MFU, c.compute.String())
		assert.Equal(t, c.experts, d.Engine.ExpertMFUFrac, c.weights.String())
		assert.True(t, d.ReserveMean)
		assert.Equal(t, e.MaxNumSeqs, d.MaxNumSeqs)
	}
}

// ReplicaTokensPerSec is what Evaluate says of a replica, whatever the load, and
// every part of an efficiency matters to it.
func TestReplicaTokensPerSec(t *testing.T) {
	d := published(t, "h100-sxm", "qwen3-235b-a22b", profile.FP8, profile.FP8)
	c := planner.Class{PromptTokens: 1000, OutputTokens: 1000}
	got, err := planner.ReplicaTokensPerSec(c, d, planner.Objective{})
	require.NoError(t, err)
	busy := c
	busy.RequestsPerSec, busy.PeakToMean = 50, 3
	p, err := planner.Evaluate(one(busy), d, planner.Objective{TargetFrac: 0.4})
	require.NoError(t, err)
	assert.InEpsilon(t, c.OutputTokens/p.ReplicaSeconds, got, 1e-12)

	for name, worse := range map[string]func(*planner.Efficiency){
		"MFU":           func(e *planner.Efficiency) { e.FP8MFU *= 0.5 },
		"MBU":           func(e *planner.Efficiency) { e.MBU *= 0.5 },
		"memory":        func(e *planner.Efficiency) { e.MemoryFrac *= 0.8 },
		"seats":         func(e *planner.Efficiency) { e.MaxNumSeqs /= 8 },
		"step":          func(e *planner.Efficiency) { e.Engine.StepSeconds *= 4 },
		"link":          func(e *planner.Efficiency) { e.Engine.LinkFrac *= 0.5 },
		"latency":       func(e *planner.Efficiency) { e.Engine.LatencySeconds *= 4 },
		"attention MFU": func(e *planner.Efficiency) { e.Engine.AttentionMFU *= 0.5 },
		"attention MBU": func(e *planner.Efficiency) { e.Engine.AttentionMBU *= 0.5 },
		"experts":       func(e *planner.Efficiency) { e.Engine.ExpertMFUFrac *= 0.5 },
	} {
		e := planner.PublishedEfficiency()
		worse(&e)
		other := d
		e.Set(&other)
		less, err := planner.ReplicaTokensPerSec(c, other, planner.Objective{})
		require.NoError(t, err)
		assert.Less(t, less, got*0.9999, name)
	}
	_, err = planner.ReplicaTokensPerSec(c, d, planner.Objective{TPOTSeconds: 1e-6})
	var bad *planner.ValueError
	require.ErrorAs(t, err, &bad)
	assert.Equal(t, "Objective.TPOTSeconds", bad.Field)
}

// The description of the fit is a copy.
func TestPublishedFitIsACopy(t *testing.T) {
	f := planner.PublishedFit()
	f.Free[0], f.Sources[0] = "", ""
	assert.NotEmpty(t, planner.PublishedFit().Free[0])
	assert.NotEmpty(t, planner.PublishedFit().Sources[0])
}
