package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// limitScenarios show what stops an admission or cuts a prompt.
var limitScenarios = []scenario{
	{
		name:  "14 watermark",
		rule:  "10: int(0.34*6) = 2 blocks stay free after an admission; a running request may take them",
		with:  func(c *Config) { sixBlocks(c); c.Engine.Watermark = 0.34 },
		specs: []Spec{arrive(0, 8, 3), arrive(0, 8, 2), arrive(0, 4, 1)},
		steps: []string{
			"0: A8@0 B8@0 | used 4, waiting 1",
			"1: A1@8 B1@8 | used 6, waiting 1",
			"2: A1@9 C4@0 | used 4",
		},
		ends: []string{"A 1 3", "B 1 2", "C 3 3"},
	},
	{
		name:  "15 watermark of an idle engine",
		rule:  "10: it does not count while nothing runs",
		with:  func(c *Config) { sixBlocks(c); c.Engine.Watermark = 0.34 },
		specs: []Spec{arrive(0, 20, 1), arrive(0, 4, 1)},
		steps: []string{
			"0: A20@0 | used 5, waiting 1",
			"1: B4@0 | used 1",
		},
		ends: []string{"A 1 1", "B 2 2"},
	},
	{
		name:  "16 gate for the full prompt",
		rule:  "9: B needs 6 blocks in all and 5 are free, so it waits although its first chunk would fit",
		with:  func(c *Config) { sixBlocks(c); c.Engine.MaxBatchedTokens = 8; c.Engine.FullPromptGate = true },
		specs: []Spec{arrive(0, 4, 3), arrive(0, 21, 2)},
		steps: []string{
			"0: A4@0 | used 1, waiting 1",
			"1: A1@4 | used 2, waiting 1",
			"2: A1@5 | used 2, waiting 1",
			"3: B8@0 | used 2",
			"4: B8@8 | used 4",
			"5: B5@16 | used 6",
			"6: B1@21 | used 6",
		},
		ends: []string{"A 1 3", "B 6 7"},
		sums: func(t *testing.T, r *Results) { assert.Zero(t, r.Totals.Recomputed) },
	},
	{
		name:  "17 without the gate",
		rule:  "5, 9: B is admitted for its first chunk, later lacks a block, and is its own victim",
		with:  func(c *Config) { sixBlocks(c); c.Engine.MaxBatchedTokens = 8 },
		specs: []Spec{arrive(0, 4, 3), arrive(0, 21, 2)},
		steps: []string{
			"0: A4@0 B4@0 | used 2",
			"1: A1@4 B7@4 | used 5",
			"2: A1@5 | used 2, waiting 1, preempted B",
			"3: B8@0 | used 2",
			"4: B8@8 | used 4",
			"5: B5@16 | used 6",
			"6: B1@21 | used 6",
		},
		ends: []string{"A 1 3", "B 6 7"},
		sums: func(t *testing.T, r *Results) { assert.EqualValues(t, 11, r.Totals.Recomputed) },
	},
	{
		name:  "18 chunked prefill off",
		rule:  "4, 8: a whole prompt or nothing; C would fit behind B, and nobody overtakes",
		with:  func(c *Config) { c.Engine.PrefillChunkTokens = 0; c.Engine.MaxBatchedTokens = 8 },
		specs: []Spec{arrive(0, 6, 2), arrive(0, 6, 1), arrive(0, 2, 1)},
		steps: []string{
			"0: A6@0 | used 2, waiting 2",
			"1: A1@6 B6@0 | used 4, waiting 1",
			"2: C2@0 | used 1",
		},
		ends: []string{"A 1 2", "B 2 2", "C 3 3"},
	},
	{
		name:  "19 chunk limit below the budget",
		rule:  "3: 4 prompt tokens a step for each, and the rest of the budget is left",
		with:  func(c *Config) { c.Engine.PrefillChunkTokens = 4; c.Engine.MaxBatchedTokens = 12 },
		specs: []Spec{arrive(0, 10, 1), arrive(0, 6, 2)},
		steps: []string{
			"0: A4@0 B4@0 | used 2",
			"1: A4@4 B2@4 | used 4",
			"2: A2@8 B1@6 | used 5",
		},
		ends: []string{"A 3 3", "B 2 3"},
	},
	{
		name:  "20 several partial prefills",
		rule:  "2, 4: two prompts in chunks side by side; the third enters when the budget has room",
		with:  func(c *Config) { c.Engine.PrefillChunkTokens = 4; c.Engine.MaxBatchedTokens = 8 },
		specs: []Spec{arrive(0, 10, 1), arrive(0, 10, 1), arrive(0, 3, 1)},
		steps: []string{
			"0: A4@0 B4@0 | used 2, waiting 1",
			"1: A4@4 B4@4 | used 4, waiting 1",
			"2: A2@8 B2@8 C3@0 | used 7",
		},
		ends: []string{"A 3 3", "B 3 3", "C 3 3"},
	},
	{
		name: "21 the waiting heap and a preempted request",
		rule: "6, 17: under Priority a preempted request has no place at the front: D goes first",
		with: func(c *Config) { c.Engine.KVBlocks = 4; c.Engine.Policy = Priority },
		specs: []Spec{
			arrive(0, 7, 4).priority(1), arrive(0, 7, 3).priority(5), arrive(2*sec, 4, 1).priority(3),
		},
		steps: []string{
			"0: A7@0 B7@0 | used 4",
			"1: A1@7 B1@7 | used 4",
			"2: A1@8 | used 3, waiting 2, preempted B",
			"3: A1@9 C4@0 | used 4, waiting 1",
			"4: B9@0 | used 3",
		},
		ends: []string{"A 1 4", "B 1 5", "C 4 4"},
	},
	{
		name: "22 the same, first come first served",
		rule: "6, 8: the preempted request is at the front, does not fit, and nobody overtakes",
		with: func(c *Config) { c.Engine.KVBlocks = 4 },
		specs: []Spec{
			arrive(0, 7, 4).priority(1), arrive(0, 7, 3).priority(5), arrive(2*sec, 4, 1).priority(3),
		},
		steps: []string{
			"0: A7@0 B7@0 | used 4",
			"1: A1@7 B1@7 | used 4",
			"2: A1@8 | used 3, waiting 2, preempted B",
			"3: A1@9 | used 3, waiting 2",
			"4: B9@0 C4@0 | used 4",
		},
		ends: []string{"A 1 4", "B 1 5", "C 5 5"},
	},
	{
		name:  "23 its own victim at the head of the list",
		rule:  "5: the call gives nothing, which is not a step; an idle engine looks again at once",
		with:  func(c *Config) { c.Engine.KVBlocks = 4; c.Engine.Policy = Priority },
		specs: []Spec{arrive(0, 7, 4).priority(5), arrive(sec/2, 7, 4).priority(1)},
		steps: []string{
			"0: A7@0 | used 2",
			"1: A1@7 B7@0 | used 4",
			"2: B1@7 | used 2, waiting 1, preempted A",
			"3: B1@8 | used 3, waiting 1",
			"4: B1@9 | used 3, waiting 1",
			"5: A9@0 | used 3",
			"6: A1@9 | used 3",
		},
		ends: []string{"A 1 7", "B 2 5"},
	},
	{
		name:  "24 a preempted request hits its own blocks",
		rule:  "prefix cache: looked up again on resume, over prompt and generated tokens",
		with:  cached(5),
		specs: []Spec{arrive(0, 7, 3), arrive(0, 7, 3)},
		steps: []string{
			"0: A7@0 B7@0 | used 4",
			"1: A1@7 B1@7 | used 4",
			"2: A1@8 | used 3, waiting 1, preempted B",
			"3: B1@8 | used 3",
		},
		ends: []string{"A 1 3", "B 1 4"},
		sums: func(t *testing.T, r *Results) {
			assert.Equal(t, []int32{0, 0}, r.Cached, "nothing at the first admission")
			assert.EqualValues(t, 7+7+9, r.Totals.LookedUp)
			assert.EqualValues(t, 8, r.Totals.Hit)
			assert.EqualValues(t, 7+7+1, r.Totals.PrefillTokens, "one token is left, and it is prefill")
			assert.Zero(t, r.Totals.Recomputed)
		},
	},
}

// endScenarios show the ends that are not completions, and pauses.
var endScenarios = []scenario{
	{
		name:  "25 timeouts",
		rule:  "who waits leaves at the deadline, who runs at the end of the step",
		with:  func(c *Config) { c.Engine.MaxNumSeqs = 1; c.Timeout = 5 * sec / 2 },
		specs: []Spec{arrive(0, 4, 10), arrive(0, 4, 1)},
		steps: []string{
			"0: A4@0 | used 1, waiting 1",
			"1: A1@4 | used 2, waiting 1",
			"2: A1@5 | used 2, waiting 1",
		},
		ends: []string{"A 1 3 timed out", "B - 2.5 timed out"},
		sums: func(t *testing.T, r *Results) { assert.Equal(t, []int32{3, 0}, r.Generated) },
	},
	{
		name:  "26 timeouts, async",
		rule:  "who runs leaves at the end of the last step that it is in",
		with:  async(func(c *Config) { c.Engine.MaxNumSeqs = 1; c.Timeout = 5 * sec / 2 }),
		specs: []Spec{arrive(0, 4, 10), arrive(0, 4, 1)},
		steps: []string{
			"0: A4@0 | used 1, waiting 1",
			"1: A1@4 | used 2, waiting 1",
			"2: A1@5 | used 2, waiting 1",
			"3: A1@6 | used 2, waiting 1",
		},
		ends: []string{"A 1 4 timed out", "B - 2.5 timed out"},
	},
	{
		name:  "27 a finish at the deadline",
		rule:  "at one instant ends of steps come before timeouts",
		with:  func(c *Config) { c.Timeout = 2 * sec },
		specs: []Spec{arrive(0, 4, 2), arrive(0, 4, 3)},
		steps: []string{
			"0: A4@0 B4@0 | used 2",
			"1: A1@4 B1@4 | used 4",
		},
		ends: []string{"A 1 2", "B 1 2 timed out"},
	},
	{
		name:  "28 a full queue",
		rule:  "who arrives when MaxWaiting wait is dropped",
		with:  func(c *Config) { c.Engine.MaxNumSeqs = 1; c.MaxWaiting = 1 },
		specs: []Spec{arrive(0, 4, 3), arrive(1*sec, 4, 1), arrive(1*sec, 4, 1), arrive(7*sec/2, 4, 1)},
		steps: []string{
			"0: A4@0 | used 1",
			"1: A1@4 | used 2, waiting 1",
			"2: A1@5 | used 2, waiting 1",
			"3: B4@0 | used 1",
			"4: D4@0 | used 1",
		},
		ends: []string{"A 1 3", "B 4 4", "C - 1 dropped", "D 5 5"},
	},
	{
		name:  "29 a full queue before an idle engine",
		rule:  "at one instant all arrivals come before the schedule call",
		with:  func(c *Config) { c.MaxWaiting = 1 },
		specs: []Spec{arrive(0, 4, 1), arrive(0, 4, 1)},
		steps: []string{"0: A4@0 | used 1"},
		ends:  []string{"A 1 1", "B - 0 dropped"},
	},
	{
		name:  "30 requests that can never run",
		rule:  "longer than all blocks (the last token's KV is never written) fails on arrival",
		with:  func(c *Config) { c.Engine.KVBlocks = 2 },
		specs: []Spec{arrive(0, 8, 1), arrive(0, 8, 2), arrive(0, 2, 7)},
		steps: []string{
			"0: A8@0 | used 2, waiting 1",
			"1: C2@0 | used 1",
			"2: C1@2 | used 1",
			"3: C1@3 | used 1",
			"4: C1@4 | used 2",
			"5: C1@5 | used 2",
			"6: C1@6 | used 2",
			"7: C1@7 | used 2",
		},
		ends: []string{"A 1 1", "B - 0 failed", "C 2 8"},
	},
	{
		name:  "31 a pause",
		rule:  "the step in progress ends as planned, none starts, the next starts when the pause is over",
		with:  func(c *Config) { c.Pauses = []Span{{sec / 2, 4 * sec}} },
		specs: []Spec{arrive(0, 4, 3)},
		steps: []string{
			"0: A4@0 | used 1",
			"4: A1@4 | used 2",
			"5: A1@5 | used 2",
		},
		ends: []string{"A 1 6"},
	},
	{
		name:  "32 the horizon",
		rule:  "what has not ended is running or waiting",
		with:  func(c *Config) { c.Engine.MaxNumSeqs = 1; c.Horizon = 3 * sec / 2 },
		specs: []Spec{arrive(0, 4, 3), arrive(1*sec, 4, 1), arrive(2*sec, 4, 1)},
		steps: []string{
			"0: A4@0 | used 1",
			"1: A1@4 | used 2, waiting 1",
		},
		ends: []string{"A 1 - running", "B - - waiting"},
		sums: func(t *testing.T, r *Results) { assert.Equal(t, 3*sec/2, r.EndAt) },
	},
	{
		name:  "32b a pause, async",
		rule:  "a step that was scheduled before the pause starts after it; the call at 1 is made at 4",
		with:  async(func(c *Config) { c.Pauses = []Span{{1 * sec, 4 * sec}} }),
		specs: []Spec{arrive(0, 4, 4), arrive(2*sec, 4, 1)},
		steps: []string{
			"0: A4@0 | used 1",
			"4: A1@4 | used 2",
			"5: A1@5 B4@0 | used 3",
			"6: A1@6 | used 3",
		},
		ends: []string{"A 1 7", "B 6 6"},
		sums: func(t *testing.T, r *Results) {
			assert.Equal(t, []Nanos{0, 4 * sec}, r.AdmittedAt)
			assert.EqualValues(t, 4e12, r.Totals.BusyPicos)
		},
	},
}
