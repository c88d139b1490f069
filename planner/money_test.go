package planner_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner"
)

func TestThinkingIsPaidFor(t *testing.T) {
	c := chat70B(t)
	c.w.Classes[0].ThinkingTokens = 200
	p := plan(t, c)
	assert.InEpsilon(t, 3*p.Cost.PerMOutputAll, p.Cost.PerMShown, 1e-12, "a third of the output is read")
	c.w.Classes[0].ThinkingTokens = 300
	assert.Zero(t, plan(t, c).Cost.PerMShown)
}

// TestPeaksAndSpares: a fleet for three times the mean costs as much as one for
// a rate of three times, and is a third as busy; spares add to it.
func TestPeaksAndSpares(t *testing.T) {
	c := chat70B(t)
	flat, threefold := plan(t, c), plan(t, scaleRate(c, 3))
	c.w.Classes[0].PeakToMean = 3
	peak := plan(t, c)
	assert.Equal(t, threefold.GPUs, peak.GPUs)
	assert.InEpsilon(t, flat.GPUsFractional, peak.MeanGPUsFractional, 1e-12)
	assert.InEpsilon(t, threefold.Cost.Busy/3, peak.Cost.Busy, 1e-12)
	assert.InEpsilon(t, 3*threefold.Cost.PerMOutputAll, peak.Cost.PerMOutputAll, 1e-12)
	c.d.SpareReplicas = 1
	assert.Equal(t, peak.GPUs+4, plan(t, c).GPUs)
	c.d.Disaggregated = true
	apart := plan(t, c)
	assert.Equal(t, 2, apart.SpareReplicas, "one for each pool")
	assert.Equal(t, apart.Replicas, apart.PrefillReplicas+apart.DecodeReplicas)
}

func TestPriceOfATask(t *testing.T) {
	p := plan(t, chat70B(t))
	task := planner.Task{Turns: 10, SystemTokens: 2000, UserTokens: 300, AnswerTokens: 400, ThinkingTokens: 1500, SuccessFrac: 0.7, MaxAttempts: 3}
	cold, err := p.PriceTask(task, false)
	require.NoError(t, err)
	warm, err := p.PriceTask(task, true)
	require.NoError(t, err)
	assert.InEpsilon(t, (54500*p.Cost.PerMInput+19000*p.Cost.PerMOutput)/1e6, cold.PerAttempt, 1e-12)
	assert.InEpsilon(t, (8600*p.Cost.PerMInput+19000*p.Cost.PerMOutput)/1e6, warm.PerAttempt, 1e-12)
	assert.InEpsilon(t, warm.PerAttempt/0.7, warm.PerSuccess, 1e-12)
	// A plan whose own prompts are half cached charges computed tokens, too.
	c := chat70B(t)
	c.w.Classes[0].HitFrac = 0.5
	q := plan(t, c)
	half, err := q.PriceTask(task, false)
	require.NoError(t, err)
	assert.InEpsilon(t, (54500*2*q.Cost.PerMInput+19000*q.Cost.PerMOutput)/1e6, half.PerAttempt, 1e-12)
	task.SuccessFrac = 0
	_, err = p.PriceTask(task, true)
	valueError(t, err, "Task.SuccessFrac")
}

func TestPowerOfAFleet(t *testing.T) {
	p := plan(t, chat70B(t))
	w, err := p.Power(1.3, 0.1)
	require.NoError(t, err)
	assert.InEpsilon(t, 28*700.0, w.Watts, 1e-12)
	assert.InEpsilon(t, 28*700*1.3/6000, w.JoulesPerOutputToken, 1e-12)
	assert.InEpsilon(t, 28*0.7*1.3*0.1, w.USDPerHour, 1e-12)
	assert.InEpsilon(t, w.USDPerHour/(6000*3600)*1e6, w.USDPerMOutput, 1e-12)
	for _, m := range planner.MeasuredPowers() {
		assert.NotEmpty(t, m.Source)
		if m.TokensPerSec > 0 {
			assert.InEpsilon(t, m.JoulesPerToken, m.Watts/m.TokensPerSec, 5e-3, m.Workload)
		}
	}
}

// TestWords: everything that a page prints has a name of its own.
func TestWords(t *testing.T) {
	seen := map[string]bool{}
	own := func(s string) {
		t.Helper()
		assert.False(t, seen[s], s)
		assert.NotEqual(t, "unknown", s)
		seen[s] = true
	}
	for b := planner.BoundMemory; b <= planner.BoundTTFT; b++ {
		own(b.String())
	}
	for c := planner.CauseNothing; c <= planner.CauseHarmful; c++ {
		own("by " + c.String())
	}
	for o := planner.Roofline; o <= planner.Interpolated; o++ {
		own(o.String())
	}
	for _, a := range planner.Assumptions() {
		own(a.ID)
		assert.NotEmpty(t, a.Text)
	}
	for _, s := range []string{planner.Bound(99).String(), planner.Cause(99).String(), planner.Origin(99).String()} {
		assert.Equal(t, "unknown", s)
	}
}
