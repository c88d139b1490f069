package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// draftScenarios are speculative decoding with certain acceptance or refusal.
var draftScenarios = []scenario{
	{
		name:  "33 every draft accepted",
		rule:  "11: a decode is given 1 + k tokens, and holds blocks for k more",
		with:  func(c *Config) { c.Engine.Draft.Accept = []float64{1, 1} },
		specs: []Spec{arrive(0, 4, 7)},
		steps: []string{
			"0: A4@0 | used 1",
			"1: A3@4 | used 3",
			"2: A3@7 | used 3",
		},
		ends: []string{"A 1 3"},
		sums: func(t *testing.T, r *Results) {
			assert.Equal(t, Totals{Steps: 3, PrefillTokens: 4, DecodeTokens: 6, Drafted: 4, Accepted: 4, BusyPicos: 3e12}, r.Totals)
			assert.EqualValues(t, 2, r.ITL.Count(), "tokens of one step share an instant")
		},
	},
	{
		name:  "34 more accepted than there is left to say",
		rule:  "accepted drafts are bounded by the output that is left",
		with:  func(c *Config) { c.Engine.Draft.Accept = []float64{1, 1} },
		specs: []Spec{arrive(0, 4, 6)},
		steps: []string{
			"0: A4@0 | used 1",
			"1: A3@4 | used 3",
			"2: A3@7 | used 3",
		},
		ends: []string{"A 1 3"},
		sums: func(t *testing.T, r *Results) {
			assert.EqualValues(t, 4, r.Totals.Drafted)
			assert.EqualValues(t, 3, r.Totals.Accepted)
			assert.Equal(t, []int32{6}, r.Generated)
		},
	},
	{
		name:  "35 every draft refused",
		rule:  "16: rejected drafts are subtracted from computed",
		with:  func(c *Config) { c.Engine.Draft.Accept = []float64{0, 1} },
		specs: []Spec{arrive(0, 4, 3)},
		steps: []string{
			"0: A4@0 | used 1",
			"1: A3@4 | used 3",
			"2: A3@5 | used 3",
		},
		ends: []string{"A 1 3"},
		sums: func(t *testing.T, r *Results) { assert.Zero(t, r.Totals.Accepted) },
	},
	{
		name:  "36 the budget cuts drafts",
		rule:  "3: the second decode is left with one token and no draft",
		with:  func(c *Config) { c.Engine.Draft.Accept = []float64{1, 1}; c.Engine.MaxBatchedTokens = 4 },
		specs: []Spec{arrive(0, 2, 4), arrive(0, 2, 4)},
		steps: []string{
			"0: A2@0 B2@0 | used 2",
			"1: A3@2 B1@2 | used 4",
			"2: B3@3 | used 2",
		},
		ends: []string{"A 1 2", "B 1 3"},
		sums: func(t *testing.T, r *Results) {
			assert.EqualValues(t, 4, r.Totals.Drafted)
			assert.EqualValues(t, 3, r.Totals.Accepted)
		},
	},
	{
		name:  "36b drafts, async",
		rule:  "async: computed counts on every draft until the step ends; a piece that is ahead of its request's end is in vain",
		with:  async(func(c *Config) { c.Engine.Draft.Accept = []float64{1, 0}; c.Engine.MaxNumSeqs = 1 }),
		specs: []Spec{arrive(0, 4, 5), arrive(sec/2, 4, 1)},
		steps: []string{
			"0: A4@0 | used 1",
			"1: A3@4 | used 3",
			"2: A3@7 | used 3, waiting 1",
			"3: A3@9 | used 4, waiting 1",
			"4: B4@0 | used 1",
		},
		ends: []string{"A 1 3", "B 5 5"},
		sums: func(t *testing.T, r *Results) {
			assert.EqualValues(t, 5, r.Totals.Steps)
			assert.EqualValues(t, 4, r.Totals.Drafted, "not those that were in vain")
			assert.EqualValues(t, 2, r.Totals.Accepted)
		},
	},
}

// clusterScenarios route to two replicas.
var clusterScenarios = []scenario{
	{
		name: "37 least requests",
		rule: "fewest waiting and running, the lowest index on a tie, after the ends of that instant",
		with: func(c *Config) { c.Replicas = 2; c.Routing = LeastRequests },
		specs: []Spec{
			arrive(0, 4, 2), arrive(0, 4, 1), arrive(0, 4, 1), arrive(1*sec, 4, 1), arrive(1*sec, 4, 1),
		},
		steps: []string{
			"0: A4@0 C4@0 | used 2",
			"0: B4@0 | used 1, replica 1",
			"1: A1@4 E4@0 | used 3",
			"1: D4@0 | used 1, replica 1",
		},
		ends: []string{"A 1 2", "B 1 1", "C 1 1", "D 2 2", "E 2 2"},
		sums: func(t *testing.T, r *Results) { assert.Equal(t, []int32{0, 1, 0, 1, 0}, r.Replica) },
	},
	{
		name:  "38 round robin",
		rule:  "each in turn, whatever the load; a request that can never run takes no turn",
		with:  func(c *Config) { c.Replicas = 2; c.Engine.MaxModelLen = 10 },
		specs: []Spec{arrive(0, 4, 2), arrive(0, 10, 1), arrive(sec/2, 4, 1), arrive(1*sec, 4, 1)},
		steps: []string{
			"0: A4@0 | used 1",
			"0.5: C4@0 | used 1, replica 1",
			"1: A1@4 D4@0 | used 3",
		},
		ends: []string{"A 1 2", "B - 0 failed", "C 1.5 1.5", "D 2 2"},
		sums: func(t *testing.T, r *Results) { assert.Equal(t, []int32{0, -1, 1, 0}, r.Replica) },
	},
}
