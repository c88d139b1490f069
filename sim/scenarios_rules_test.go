package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// noteScenarios are the rules one by one, on a synchronous engine.
var noteScenarios = []scenario{
	{
		name:  "1 two prompts in one step",
		rule:  "4: any number of prompts may be admitted in one step",
		specs: []Spec{arrive(0, 6, 2), arrive(0, 5, 2)},
		steps: []string{
			"0: A6@0 B5@0 | used 4",
			"1: A1@6 B1@5 | used 4",
		},
		ends: []string{"A 1 2", "B 1 2"},
		sums: func(t *testing.T, r *Results) {
			assert.Equal(t, Totals{Steps: 2, PrefillTokens: 11, DecodeTokens: 2, BusyPicos: 2e12}, r.Totals)
			assert.EqualValues(t, 2, r.ITL.Count())
			assert.EqualValues(t, 1e12, r.ITL.Max())
			assert.Equal(t, 2*sec, r.EndAt)
		},
	},
	{
		name:  "2 chunk boundary",
		rule:  "3, 4, 15: the last prompt is cut at the budget, and only its last chunk gives a token",
		with:  func(c *Config) { c.Engine.MaxBatchedTokens = 8 },
		specs: []Spec{arrive(0, 10, 2), arrive(0, 7, 1)},
		steps: []string{
			"0: A8@0 | used 2, waiting 1",
			"1: A2@8 B6@0 | used 5",
			"2: A1@10 B1@6 | used 5",
		},
		ends: []string{"A 2 3", "B 3 3"},
		sums: func(t *testing.T, r *Results) { // a last chunk of one token is prefill
			assert.EqualValues(t, 17, r.Totals.PrefillTokens)
			assert.EqualValues(t, 1, r.Totals.DecodeTokens)
		},
	},
	{
		name:  "3 decode and prefill mixed",
		rule:  "2, 4: decodes come first, the rest of the budget is prefill",
		with:  func(c *Config) { c.Engine.MaxBatchedTokens = 8 },
		specs: []Spec{arrive(0, 4, 4), arrive(1*sec, 10, 2)},
		steps: []string{
			"0: A4@0 | used 1",
			"1: A1@4 B7@0 | used 4",
			"2: A1@5 B3@7 | used 5",
			"3: A1@6 B1@10 | used 5",
		},
		ends: []string{"A 1 4", "B 3 4"},
	},
	{
		name:  "4 seats",
		rule:  "8, 16: at most MaxNumSeqs run; a seat is free at the end of the step that finishes",
		with:  func(c *Config) { c.Engine.MaxNumSeqs = 2 },
		specs: []Spec{arrive(0, 4, 2), arrive(0, 4, 3), arrive(0, 4, 2)},
		steps: []string{
			"0: A4@0 B4@0 | used 2, waiting 1",
			"1: A1@4 B1@4 | used 4, waiting 1",
			"2: B1@5 C4@0 | used 3",
			"3: C1@4 | used 2",
		},
		ends: []string{"A 1 2", "B 1 3", "C 3 4"},
	},
	{
		name:  "5 memory runs out",
		rule:  "5, 6, 7, 9: the tail is preempted, waits at the front, is computed again as one prefill",
		with:  sixBlocks,
		specs: []Spec{arrive(0, 7, 6), arrive(0, 7, 4), arrive(0, 7, 3)},
		steps: []string{
			"0: A7@0 B7@0 C7@0 | used 6",
			"1: A1@7 B1@7 C1@7 | used 6",
			"2: A1@8 B1@8 | used 6, waiting 1, preempted C",
			"3: A1@9 B1@9 | used 6, waiting 1",
			"4: A1@10 C9@0 | used 6",
			"5: A1@11 | used 3",
		},
		ends: []string{"A 1 6", "B 1 4", "C 1 5"},
		sums: func(t *testing.T, r *Results) {
			assert.Equal(t, []int32{0, 0, 1}, r.Preemptions)
			assert.EqualValues(t, 30, r.Totals.PrefillTokens)
			assert.EqualValues(t, 13-3, r.Totals.DecodeTokens)
			assert.EqualValues(t, 3e12, r.ITL.Max(), "C's third token comes three steps after its second")
		},
	},
	{
		name:  "6 prefix hit, full blocks only",
		rule:  "prefix cache: 9 tokens are shared, 2 blocks are hit",
		with:  cached(100),
		specs: []Spec{arrive(0, 10, 3).shares(shared(1, 10)), arrive(1*sec, 11, 2).shares(shared(1, 9))},
		steps: []string{
			"0: A10@0 | used 3",
			"1: A1@10 B3@8 | used 4",
			"2: A1@11 B1@11 | used 4",
		},
		ends: []string{"A 1 3", "B 2 3"},
		sums: func(t *testing.T, r *Results) {
			assert.Equal(t, []int32{0, 8}, r.Cached)
			assert.EqualValues(t, 21, r.Totals.LookedUp)
			assert.EqualValues(t, 8, r.Totals.Hit)
		},
	},
	{
		name:  "7 a full hit computes the last block again",
		rule:  "prefix cache: at most floor((tokens-1)/block) blocks are hit",
		with:  cached(100),
		specs: []Spec{arrive(0, 8, 2).shares(shared(1, 8)), arrive(5*sec, 8, 2).shares(shared(1, 8))},
		steps: []string{
			"0: A8@0 | used 2",
			"1: A1@8 | used 3",
			"5: B4@4 | used 2",
			"6: B1@8 | used 3",
		},
		ends: []string{"A 1 2", "B 6 7"},
	},
	{
		name: "8 order of the free blocks",
		rule: "prefix cache: freed blocks go to the tail, the last of a request first, and are taken from the head",
		with: cached(5),
		specs: []Spec{
			arrive(0, 12, 1).shares(shared(1, 12)), arrive(2*sec, 8, 1).shares(shared(2, 8)),
			arrive(4*sec, 8, 1).shares(shared(3, 8)), arrive(6*sec, 12, 1).shares(shared(1, 12)),
		},
		steps: []string{
			"0: A12@0 | used 3",
			"2: B8@0 | used 2",
			"4: C8@0 | used 2",
			"6: D8@4 | used 3",
		},
		ends: []string{"A 1 1", "B 3 3", "C 5 5", "D 7 7"},
		sums: func(t *testing.T, r *Results) { assert.Equal(t, []int32{0, 0, 0, 4}, r.Cached) },
	},
	{
		name: "9 priority preemption",
		rule: "5, 6, 17: the largest (priority, arrival) is the victim, even if it was given its token already",
		with: func(c *Config) { sixBlocks(c); c.Engine.Policy = Priority },
		specs: []Spec{
			arrive(0, 5, 6).priority(5), arrive(sec/10, 7, 4).priority(1), arrive(sec/5, 7, 4).priority(3),
		},
		steps: []string{
			"0: A5@0 | used 2",
			"1: A1@5 B7@0 C7@0 | used 6",
			"2: A1@6 B1@7 C1@7 | used 6",
			"3: B1@8 C1@8 | used 6, waiting 1, preempted A",
			"4: B1@9 C1@9 | used 6, waiting 1",
			"5: A8@0 | used 2",
			"6: A1@8 | used 3",
			"7: A1@9 | used 3",
		},
		ends: []string{"A 1 8", "B 2 5", "C 2 5"},
	},
	{
		name: "9b the same, first come first served",
		rule: "5: the victim is the tail, whatever its priority",
		with: sixBlocks,
		specs: []Spec{
			arrive(0, 5, 6).priority(5), arrive(sec/10, 7, 4).priority(1), arrive(sec/5, 7, 4).priority(3),
		},
		steps: []string{
			"0: A5@0 | used 2",
			"1: A1@5 B7@0 C7@0 | used 6",
			"2: A1@6 B1@7 C1@7 | used 6",
			"3: A1@7 B1@8 | used 5, waiting 1, preempted C",
			"4: A1@8 B1@9 | used 6, waiting 1",
			"5: A1@9 C9@0 | used 6",
			"6: C1@9 | used 3",
		},
		ends: []string{"A 1 6", "B 2 5", "C 2 7"},
	},
	{
		name:  "10 one output token",
		rule:  "15, 16: the last chunk of a prompt is the first sample, and here the last",
		specs: []Spec{arrive(0, 5, 1), arrive(0, 5, 3)},
		steps: []string{
			"0: A5@0 B5@0 | used 4",
			"1: B1@5 | used 2",
			"2: B1@6 | used 2",
		},
		ends: []string{"A 1 1", "B 1 3"},
	},
}

func sixBlocks(c *Config) {
	c.Engine.KVBlocks = 6
	c.Engine.MaxBatchedTokens = 32
}

func cached(blocks int) func(c *Config) {
	return func(c *Config) {
		c.Engine.PrefixCache = true
		c.Engine.KVBlocks = blocks
	}
}

func async(with func(c *Config)) func(c *Config) {
	return func(c *Config) {
		if with != nil {
			with(c)
		}
		c.Engine.Async = true
	}
}

// asyncScenarios schedule a step when the one before the last ends.
var asyncScenarios = []scenario{
	{
		name:  "1 two prompts in one step, async",
		rule:  "async: an idle engine schedules two steps at once",
		with:  async(nil),
		specs: []Spec{arrive(0, 6, 2), arrive(0, 5, 2)},
		steps: []string{
			"0: A6@0 B5@0 | used 4",
			"1: A1@6 B1@5 | used 4",
		},
		ends: []string{"A 1 2", "B 1 2"},
	},
	{
		name:  "4 seats, async",
		rule:  "async: step 3 is scheduled at 1, when A still holds its seat",
		with:  async(func(c *Config) { c.Engine.MaxNumSeqs = 2 }),
		specs: []Spec{arrive(0, 4, 2), arrive(0, 4, 3), arrive(0, 4, 2)},
		steps: []string{
			"0: A4@0 B4@0 | used 2, waiting 1",
			"1: A1@4 B1@4 | used 4, waiting 1",
			"2: B1@5 | used 4, waiting 1",
			"3: C4@0 | used 3",
			"4: C1@4 | used 2",
		},
		ends: []string{"A 1 2", "B 1 3", "C 4 5"},
		sums: func(t *testing.T, r *Results) { assert.Equal(t, []Nanos{0, 0, 2 * sec}, r.AdmittedAt) },
	},
	{
		name:  "5 memory runs out, async",
		rule:  "async: a freed block is used one step later; the victim still receives its token in flight",
		with:  async(sixBlocks),
		specs: []Spec{arrive(0, 7, 6), arrive(0, 7, 4), arrive(0, 7, 3)},
		steps: []string{
			"0: A7@0 B7@0 C7@0 | used 6",
			"1: A1@7 B1@7 C1@7 | used 6",
			"2: A1@8 B1@8 | used 6, waiting 1, preempted C",
			"3: A1@9 B1@9 | used 6, waiting 1",
			"4: A1@10 | used 6, waiting 1",
			"5: A1@11 C9@0 | used 6",
		},
		ends: []string{"A 1 6", "B 1 4", "C 1 6"},
	},
	{
		name:  "10 one output token, async",
		rule:  "async: a request whose last token is in flight is skipped, and holds its blocks",
		with:  async(nil),
		specs: []Spec{arrive(0, 5, 1), arrive(0, 5, 3)},
		steps: []string{
			"0: A5@0 B5@0 | used 4",
			"1: B1@5 | used 4",
			"2: B1@6 | used 2",
		},
		ends: []string{"A 1 1", "B 1 3"},
	},
	{
		name:  "11 an arrival waits for two steps, async",
		rule:  "async: it waits for the end of the running step and for the one behind it",
		with:  async(nil),
		specs: []Spec{arrive(0, 4, 4), arrive(sec/2, 4, 1)},
		steps: []string{
			"0: A4@0 | used 1",
			"1: A1@4 | used 2",
			"2: A1@5 B4@0 | used 3",
			"3: A1@6 | used 3",
		},
		ends: []string{"A 1 4", "B 3 3"},
		sums: func(t *testing.T, r *Results) { assert.Equal(t, []Nanos{0, 1 * sec}, r.AdmittedAt) },
	},
	{
		name:  "12 preempted with the last token in flight, async",
		rule:  "async: C completes from the waiting queue",
		with:  async(sixBlocks),
		specs: []Spec{arrive(0, 7, 6), arrive(0, 7, 4), arrive(0, 7, 2)},
		steps: []string{
			"0: A7@0 B7@0 C7@0 | used 6",
			"1: A1@7 B1@7 C1@7 | used 6",
			"2: A1@8 B1@8 | used 6, waiting 1, preempted C",
			"3: A1@9 B1@9 | used 6",
			"4: A1@10 | used 6",
			"5: A1@11 | used 3",
		},
		ends: []string{"A 1 6", "B 1 4", "C 1 2"},
		sums: func(t *testing.T, r *Results) { assert.Equal(t, []int32{0, 0, 1}, r.Preemptions) },
	},
	{
		name:  "13 an arrival during the last step in flight, async",
		rule:  "async: the queue is read between steps only, so B waits for the end of the step",
		with:  async(nil),
		specs: []Spec{arrive(0, 4, 1), arrive(sec/2, 4, 1)},
		steps: []string{
			"0: A4@0 | used 1",
			"1: B4@0 | used 1",
		},
		ends: []string{"A 1 1", "B 2 2"},
		sums: func(t *testing.T, r *Results) { assert.Equal(t, []Nanos{0, 1 * sec}, r.AdmittedAt) },
	},
}
