package sim

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A scenario is a small run traced by hand, as the table of its steps. Each
// shows a rule of the scheduler. Requests are A, B, C in order of arrival;
// every step lasts 1 s; a block has 4 tokens.
//
// A step reads "2: A1@6 B4@0 | used 3, waiting 1, preempted C": at 2 s a step
// starts in which A gets 1 token on top of 6 computed and B 4 on top of none;
// 3 blocks are held and 1 request waits once it is scheduled; C was put back.
// An end reads "A 1 2": first token at 1 s, left at 2 s.
type scenario struct {
	name  string
	rule  string
	with  func(c *Config) // changes to sceneConfig
	specs []Spec
	steps []string
	ends  []string
	sums  func(t *testing.T, r *Results) // more to be checked
}

const sec = Second

// sceneConfig is a synchronous engine with room for everything.
func sceneConfig() Config {
	return Config{
		Replicas: 1,
		Trace:    true,
		Engine: Engine{
			MaxNumSeqs: 4, MaxBatchedTokens: 16, PrefillChunkTokens: 1 << 20,
			BlockTokens: 4, KVBlocks: 100,
			Cost: LinearCost{Base: 1e12},
		},
	}
}

// arrive is a request of an open loop.
func arrive(at Nanos, prompt, output int32) Spec {
	return Spec{IntendedAt: at, SentAt: at, Prompt: prompt, Output: output, Session: -1, Client: -1}
}

func (s Spec) priority(p int32) Spec { s.Priority = p; return s }

func (s Spec) says(output uint64) Spec { s.OutputID = output; return s }

func (s Spec) shares(prefix ...Segment) Spec { s.Prefix = prefix; return s }

func TestScenarios(t *testing.T) {
	for _, s := range slicesConcat(noteScenarios, asyncScenarios, limitScenarios, endScenarios, draftScenarios, clusterScenarios, cacheScenarios, recordScenarios, rareScenarios) {
		for _, j := range judged {
			t.Run(s.name+"/"+j.name, func(t *testing.T) {
				c := sceneConfig()
				if s.with != nil {
					s.with(&c)
				}
				r := openLoop(j.from)(c, s.specs, 1)
				assert.Equal(t, s.steps, stepLines(r), "rule %s", s.rule)
				assert.Equal(t, s.ends, endLines(r), "rule %s", s.rule)
				if s.sums != nil {
					s.sums(t, r)
				}
			})
		}
	}
}

func slicesConcat(tables ...[]scenario) []scenario {
	var all []scenario
	for _, table := range tables {
		all = append(all, table...)
	}
	return all
}

func stepLines(r *Results) []string {
	var lines []string
	for _, s := range r.Steps {
		var b strings.Builder
		b.WriteString(seconds(s.Start) + ":")
		for _, p := range s.Pieces {
			b.WriteString(" " + letters(p.Request) + strconv.Itoa(int(p.Tokens)) + "@" + strconv.Itoa(int(p.From)))
		}
		b.WriteString(" | used " + strconv.Itoa(int(s.Used)))
		if s.Waiting > 0 {
			b.WriteString(", waiting " + strconv.Itoa(int(s.Waiting)))
		}
		if len(s.Preempt) > 0 {
			b.WriteString(", preempted " + letters(s.Preempt...))
		}
		if s.Replica > 0 {
			b.WriteString(", replica " + strconv.Itoa(int(s.Replica)))
		}
		lines = append(lines, b.String())
	}
	return lines
}

func endLines(r *Results) []string {
	words := map[Status]string{Waiting: " waiting", Running: " running", Failed: " failed", TimedOut: " timed out", Dropped: " dropped"}
	var lines []string
	for i, status := range r.Status {
		line := letters(int32(i)) + " " + seconds(r.FirstTokenAt[i]) + " " + seconds(r.DoneAt[i]) + words[status]
		lines = append(lines, line)
	}
	return lines
}

func letters(requests ...int32) string {
	var b strings.Builder
	for _, r := range requests {
		b.WriteByte('A' + byte(r))
	}
	return b.String()
}

func seconds(n Nanos) string {
	if n == Never {
		return "-"
	}
	return strconv.FormatFloat(n.Seconds(), 'g', -1, 64)
}

// shared names the shared texts of the scenarios.
func shared(id uint64, tokens int32) Segment { return Segment{ID: id, Tokens: tokens} }

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
