package diagnose_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/sim"
	"openloop/sim/diagnose"
	"openloop/sim/diagnose/score"
)

// TestElse: beside a verdict that explains all there is nothing is left over, on
// most runs of every lever; where a second failure is missed, what it moves is.
func TestElse(t *testing.T) {
	runs, said := 0, 0
	for _, l := range sim.Levers() {
		for seed := range uint64(2) {
			r := diagnose.Read(run(t, sim.Healthy(l.ID), 300+seed, defaultPull(&l)))
			runs++
			if len(r.Else) > 0 {
				said++
				t.Logf("%s seed %d: %s, and %s", l.ID, seed, r.Verdict, r.Else[0].Key())
			}
		}
	}
	assert.LessOrEqual(t, 10*said, runs, "%d of %d runs of one failure", said, runs)

	for _, c := range []struct {
		first, second string
		number        int
		left          string // the sign that tells of the failure that is missed
	}{
		{"replica_restart", "straggler", 70, "itl_apart"},
		{"all_gpus_throttled", "straggler", 45, "itl_least"},
		{"retry_storm", "long_prompt_flood", 107, "prompt_tokens"},
		{"long_output_drift", "straggler", 188, "output_tokens"},
		{"all_gpus_throttled", "kv_squeeze", 198, "running_batch"},
	} {
		pair, ok := score.DrawPair(c.first, c.second, 888_101, c.number)
		require.True(t, ok)
		r := diagnose.Read(pair.Windows())
		both := r.Verdict == c.first && r.Also == c.second || r.Verdict == c.second && r.Also == c.first
		assert.False(t, both, "%s and %s: both are named", c.first, c.second)
		if assert.NotEmpty(t, r.Else, "%s and %s", c.first, c.second) {
			assert.Equal(t, c.left, r.Else[0].Key(), "%s and %s", c.first, c.second)
			assert.NotEqual(t, sim.Flat, r.Found[r.Else[0]].Move)
		}
	}

	assert.Empty(t, diagnose.Read(run(t, sim.Healthy(""), 300)).Else)
}
