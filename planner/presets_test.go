package planner_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner"
)

// TestPresets: each is a plan, says where its numbers are from, and is checked:
// it holds, or the check says what does not.
func TestPresets(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range planner.Presets() {
		assert.False(t, seen[p.ID])
		seen[p.ID] = true
		assert.NotEmpty(t, p.Sources, p.ID)
		assert.NotEmpty(t, p.Examples, p.ID)
		require.NotNil(t, p.Deployment.GPU, p.ID)
		require.NotNil(t, p.Deployment.Model, p.ID)
		assert.Positive(t, p.Deployment.USDPerGPUHour)
		_, err := planner.Ablate(p.Workload, p.Deployment, p.Objective, p.Targets())
		require.NoError(t, err, p.ID)
		found, ok := planner.FindPreset(p.ID)
		require.True(t, ok)
		assert.Equal(t, p, found)
		if !long() && p.ID != "code-completion" && p.ID != "rag-long-prompts" {
			continue
		}
		k, err := planner.NewCheck(p.Workload, p.Deployment, p.Objective, planner.CheckOptions{Seeds: 3})
		require.NoError(t, err)
		finish(k)
		r, err := k.Result()
		require.NoError(t, err)
		want := planner.Held
		for _, x := range r.Promises {
			if x.Outcome != planner.Held {
				want = x.Outcome
			}
		}
		assert.Equal(t, want == planner.Held, r.Outcome == planner.Held, p.ID)
		last := r.Promises[len(r.Promises)-1]
		assert.Equal(t, planner.MetricKeeps, last.Metric, "every plan promises to keep up")
	}
	assert.Len(t, seen, 6)
	_, ok := planner.FindPreset("none")
	assert.False(t, ok)
}
