package planner_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner"
)

// A verdict counts runs: what is said of a promise follows from the runs, and a
// fleet in which one run falls behind is a broken promise.

// counted is the verdict by its rule, from the runs alone.
func counted(m planner.Metric, limit float64, runs []planner.Numbers) (kept int, o planner.Outcome) {
	for i := range runs {
		n := &runs[i]
		switch {
		case m == planner.MetricKeeps && n.KeepsUp(),
			m == planner.MetricTPOT && n.TPOTSeconds <= limit,
			m == planner.MetricTTFT && n.TTFTSeconds <= limit:
			kept++
		}
	}
	switch {
	case kept == len(runs):
		return kept, planner.Held
	case m == planner.MetricKeeps || len(runs)-kept > len(runs)/2:
		return kept, planner.Broken
	}
	return kept, planner.Unclear
}

func TestVerdictsCountRuns(t *testing.T) {
	seen := map[planner.Outcome]int{}
	p, ok := planner.FindPreset("code-completion")
	require.True(t, ok)
	c := planCase{name: p.ID, w: p.Workload, d: p.Deployment, o: p.Objective}
	for _, replicas := range []int{6, 7, 8, 9, 12} {
		r := checked(t, c, planner.CheckOptions{Seeds: 5, Sim: planner.SimOptions{Replicas: replicas, Requests: 300}})
		require.Len(t, r.Promises, 3)
		all := 0
		for i := range r.Runs {
			if r.Runs[i].Within(c.o) {
				all++
			}
		}
		assert.Equal(t, all, r.Kept)
		broken := 2*(len(r.Runs)-all) > len(r.Runs)
		for _, p := range r.Promises {
			kept, o := counted(p.Metric, p.Limit, r.Runs)
			assert.Equal(t, kept, p.Kept, "%d replicas, %v", replicas, p.Metric)
			assert.Equal(t, o, p.Outcome, "%d replicas, %v", replicas, p.Metric)
			broken = broken || o == planner.Broken
			seen[o]++
			for _, x := range []planner.Over{p.Simulated, p.P99} {
				assert.True(t, 0 <= x.Least && x.Least <= x.Mean && x.Mean <= x.Most, "%d replicas, %v: %v", replicas, p.Metric, x)
			}
		}
		assert.Equal(t, broken, r.Outcome == planner.Broken, "%d replicas", replicas)
		assert.Equal(t, all == len(r.Runs), r.Outcome == planner.Held, "%d replicas", replicas)
	}
	assert.Positive(t, seen[planner.Held])
	assert.Positive(t, seen[planner.Broken])
	assert.Positive(t, seen[planner.Unclear])
}
