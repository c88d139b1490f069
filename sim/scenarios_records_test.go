package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// cacheScenarios are more of the prefix cache.
var cacheScenarios = []scenario{
	{
		name: "39 a hit in the free queue",
		rule: "13: block 1 would be hit, but leaves the free queue for it, so C needs 2 blocks and 1 is free",
		with: cached(4),
		specs: []Spec{
			arrive(0, 8, 1).shares(shared(1, 8)), arrive(1*sec, 8, 4), arrive(2*sec, 8, 1).shares(shared(1, 8)),
		},
		steps: []string{
			"0: A8@0 | used 2",
			"1: B8@0 | used 2",
			"2: B1@8 | used 3, waiting 1",
			"3: B1@9 | used 3, waiting 1",
			"4: B1@10 | used 3, waiting 1",
			"5: C4@4 | used 2",
		},
		ends: []string{"A 1 1", "B 2 5", "C 6 6"},
	},
	{
		name:  "40 a hit within the step",
		rule:  "prefix cache: blocks can be found as soon as they are scheduled",
		with:  cached(100),
		specs: []Spec{arrive(0, 8, 1).shares(shared(1, 8)), arrive(0, 9, 1).shares(shared(1, 8))},
		steps: []string{"0: A8@0 B1@8 | used 3"},
		ends:  []string{"A 1 1", "B 1 1"},
	},
	{
		name:  "41 the next turn",
		rule:  "prefix cache: generated tokens are indexed once known; that of the last is never written",
		with:  cached(100),
		specs: nextTurn,
		steps: []string{
			"0: A6@0 | used 2",
			"1: A1@6 | used 2",
			"2: A1@7 | used 2",
			"5: B4@8 | used 3",
		},
		ends: []string{"A 1 3", "B 6 6"},
	},
	{
		name:  "41b the next turn, async",
		rule:  "prefix cache: generated tokens are indexed once known",
		with:  async(cached(100)),
		specs: nextTurn,
		steps: []string{
			"0: A6@0 | used 2",
			"1: A1@6 | used 2",
			"2: A1@7 | used 2",
			"5: B4@8 | used 3",
		},
		ends: []string{"A 1 3", "B 6 6"},
	},
}

// nextTurn is a conversation: the second prompt holds the first and its answer.
var nextTurn = []Spec{
	arrive(0, 6, 3).shares(shared(1, 6)).says(50),
	arrive(5*sec, 12, 1).shares(shared(1, 6), shared(50, 3)),
}

// recordScenarios show what is written down beside the steps.
var recordScenarios = []scenario{
	{
		name: "42 warm-up",
		rule: "each size class of prompts and batches is paid once, and each sixteenth of the blocks",
		with: func(c *Config) {
			c.Engine.KVBlocks = 16
			c.Engine.WarmUp = WarmUp{GraphCapture: 2e12, Autotune: 3e12, AllocatorGrowth: 1e12}
		},
		specs: []Spec{arrive(0, 8, 3), arrive(20*sec, 5, 1), arrive(30*sec, 3, 1)},
		steps: []string{
			"0: A8@0 | used 2",  // 1 + 3 for prompts up to 8 + 2 for two sixteenths
			"6: A1@8 | used 3",  // 1 + 2 for a batch of one + 1 for a third
			"10: A1@9 | used 3", // nothing new
			"20: B5@0 | used 2", // 5 is in the class of 8
			"30: C3@0 | used 1", // 1 + 3 for prompts up to 4
		},
		ends: []string{"A 6 11", "B 21 21", "C 34 34"},
		sums: func(t *testing.T, r *Results) {
			assert.EqualValues(t, 11e12, r.Totals.WarmUpPicos)
			assert.EqualValues(t, 16e12, r.Totals.BusyPicos)
		},
	},
	{
		name:  "43 samples",
		rule:  "what happens at the end of a window belongs to it",
		with:  func(c *Config) { c.Engine.MaxNumSeqs = 1; c.SampleEvery = 2 * sec },
		specs: []Spec{arrive(0, 4, 3), arrive(sec/2, 4, 1)},
		steps: []string{
			"0: A4@0 | used 1",
			"1: A1@4 | used 2, waiting 1",
			"2: A1@5 | used 2, waiting 1",
			"3: B4@0 | used 1",
		},
		ends: []string{"A 1 3", "B 4 4"},
		sums: func(t *testing.T, r *Results) {
			gap := (histEdge(histBin(1e12) + 1)).Nanos()
			assert.Equal(t, []Sample{
				{
					At: 2 * sec, Waiting: 1, Running: 1, WaitingMean: 0.75, RunningMean: 1, UsedBlocks: 2, Steps: 2, Busy: 1,
					Arrived: 2, FirstTokens: 1, Tokens: 2, TTFTp99: 1 * sec, ITLp99: gap,
				},
				{
					At: 4 * sec, WaitingMean: 0.5, RunningMean: 1, Steps: 2, Busy: 1,
					FirstTokens: 1, Completed: 2, Tokens: 2, TTFTp99: 7 * sec / 2, ITLp99: gap,
				},
			}, r.Samples)
		},
	},
	{
		name: "44 the cost of a step",
		rule: "load: pairs of a chunk behind 4 computed tokens are 2*4 + 2*3/2; a decode reads what is computed and itself",
		with: func(c *Config) {
			c.Engine.MaxBatchedTokens = 4
			c.Engine.Cost = LinearCost{Base: 1e12, PerPrefillToken: 1e11, PerPrefillPair: 1e10, PerDecode: 1e9, PerKVToken: 1e8}
		},
		specs: []Spec{arrive(0, 6, 2)},
		steps: []string{
			"0: A4@0 | used 1",    // 1 + 0.4 + 10 pairs
			"1.5: A2@4 | used 2",  // 1 + 0.2 + 11 pairs
			"2.81: A1@6 | used 2", // 1 + 0.001 + 7 tokens of KV
		},
		ends: []string{"A 2.81 3.8117"},
	},
}

// rareScenarios are corners that random runs seldom meet.
var rareScenarios = []scenario{
	{
		name: "45 the budget of a victim",
		rule: "5: A's token is withdrawn at 3 and returned, so C gets 3 tokens; later C is its own victim twice",
		with: func(c *Config) {
			c.Engine.KVBlocks, c.Engine.MaxBatchedTokens, c.Engine.Policy = 4, 4, Priority
		},
		specs: []Spec{arrive(0, 4, 4).priority(5), arrive(1*sec, 4, 6).priority(1), arrive(2*sec, 12, 1).priority(3)},
		steps: []string{
			"0: A4@0 | used 1",
			"1: A1@4 B3@0 | used 3",
			"2: A1@5 B1@3 C2@0 | used 4",
			"3: B1@4 C3@2 | used 4, waiting 1, preempted A",
			"4: B1@5 C3@5 | used 4, waiting 1",
			"5: B1@6 | used 2, waiting 2, preempted C",
			"6: B1@7 C3@0 | used 3, waiting 1",
			"7: B1@8 | used 3, waiting 2, preempted C",
			"8: C4@0 | used 1, waiting 1",
			"9: C4@4 | used 2, waiting 1",
			"10: C4@8 | used 3, waiting 1",
			"11: A4@0 | used 1",
			"12: A3@4 | used 2",
		},
		ends: []string{"A 1 13", "B 3 8", "C 11 11"},
	},
	{
		name:  "46 its own victim in the middle of the list",
		rule:  "5: the loop ends there, so C behind it gets nothing in this step",
		with:  func(c *Config) { c.Engine.KVBlocks, c.Engine.Policy = 5, Priority },
		specs: []Spec{arrive(0, 3, 6).priority(1), arrive(1*sec, 7, 3).priority(5), arrive(2*sec, 3, 3).priority(3)},
		steps: []string{
			"0: A3@0 | used 1",
			"1: A1@3 B7@0 | used 3",
			"2: A1@4 B1@7 C3@0 | used 5",
			"3: A1@5 | used 3, waiting 1, preempted B",
			"4: A1@6 C1@3 | used 3, waiting 1",
			"5: A1@7 C1@4 | used 4, waiting 1",
			"6: B9@0 | used 3",
		},
		ends: []string{"A 1 6", "B 2 7", "C 3 6"},
	},
	{
		name: "47 a timeout of one that was passed over",
		rule: "3: A's drafts take the whole budget, B runs and is in no step; it leaves at the end of the step all the same",
		with: func(c *Config) {
			c.Engine.MaxBatchedTokens, c.Engine.Draft.Accept, c.Timeout = 4, []float64{0, 0, 0}, 5*sec/2
		},
		specs: []Spec{arrive(0, 2, 9), arrive(0, 2, 9)},
		steps: []string{
			"0: A2@0 B2@0 | used 2",
			"1: A4@2 | used 4",
			"2: A4@3 | used 4",
		},
		ends: []string{"A 1 3 timed out", "B 1 3 timed out"},
		sums: func(t *testing.T, r *Results) { assert.Equal(t, []int32{3, 1}, r.Generated) },
	},
	{
		name:  "48 preempted with drafts in flight, async",
		rule:  "6, 16: B receives its token; its rejected draft is not subtracted from nothing",
		with:  async(func(c *Config) { c.Engine.KVBlocks, c.Engine.Draft.Accept = 4, []float64{0} }),
		specs: []Spec{arrive(0, 3, 5), arrive(0, 3, 5)},
		steps: []string{
			"0: A3@0 B3@0 | used 2",
			"1: A2@3 B2@3 | used 4",
			"2: A2@5 B2@5 | used 4",
			"3: A2@6 | used 3, waiting 1, preempted B",
			"4: A2@7 | used 3, waiting 1",
			"5: B6@0 | used 2",
			"6: B2@6 | used 3",
		},
		ends: []string{"A 1 5", "B 1 7"},
		sums: func(t *testing.T, r *Results) {
			assert.EqualValues(t, 7, r.Totals.Drafted)
			assert.EqualValues(t, 3+3+6, r.Totals.PrefillTokens)
		},
	},
	{
		name:  "49 the gate and a hit",
		rule:  "9: blocks for all tokens less those that are hit",
		with:  func(c *Config) { cached(4)(c); c.Engine.FullPromptGate = true },
		specs: []Spec{arrive(0, 8, 3).shares(shared(1, 8)), arrive(1*sec, 9, 1).shares(shared(1, 8))},
		steps: []string{
			"0: A8@0 | used 2",
			"1: A1@8 B1@8 | used 4",
			"2: A1@9 | used 3",
		},
		ends: []string{"A 1 3", "B 2 2"},
	},
}
