package planner_test

import (
	"math"
	"sort"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner"
	"openloop/planner/profile"
)

func ablate(t testing.TB, c planCase) planner.Ablation {
	t.Helper()
	a, err := planner.Ablate(c.w, c.d, c.o, planner.DefaultTargets(c.d))
	require.NoError(t, err, c.name)
	return a
}

// leverCase is a workload in which a lever must save GPUs, must cost GPUs, or
// must change nothing.
type leverCase struct {
	lever  planner.LeverID
	where  string
	sign   int // +1 saves, -1 costs, 0 nothing, but for a part in a thousand
	cause  planner.Cause
	change func(c *planCase)
}

// leverCases has for each lever a place where it must matter and one where it
// must not: a lever that changes nothing where it should fails.
var leverCases = []leverCase{
	{planner.GQA, "decode of long answers, by what the cache holds", +1, planner.CauseBatch, longAnswers},
	{planner.GQA, "a model with a latent vector, which shares more than groups do", 0, planner.CauseNothing, deepSeek},
	{planner.MLA, "decode of long answers", +1, planner.CauseBatch, longAnswers},
	{planner.MLA, "a model that has it", +1, planner.CauseBatch, deepSeek},
	{planner.MLA, "one answer token: only the arithmetic of prefill grows", -1, planner.CausePrefill, noDecode},
	{planner.KVQuant, "decode of long answers", +1, planner.CauseBatch, longAnswers},
	{planner.KVQuant, "arithmetic binds", 0, planner.CauseNotBinding, bigBatch},
	{planner.WeightQuant, "prefill in faster arithmetic", +1, planner.CausePrefill, asIs},
	{planner.WeightQuant, "arithmetic binds, on a GPU without narrow arithmetic", 0, planner.CauseNotBinding, func(c *planCase) { bigBatch(c); c.d.GPU.FP8FLOPsPerSec = 0 }},
	{planner.PrefixCache, "half of each prompt is shared", +1, planner.CausePrefill, func(c *planCase) { c.w.Classes[0].HitFrac = 0.5 }},
	{planner.PrefixCache, "nothing fits the cache", 0, planner.CauseNothing, func(c *planCase) { c.w.Classes[0].HitFrac = 0 }},
	{planner.ChunkedPrefill, "short prompts on an engine with a cost for each step", +1, planner.CausePrefill, func(c *planCase) {
		c.w.Classes[0].PromptTokens = 100
		c.d.Engine.StepSeconds = 4e-3
	}},
	{planner.ChunkedPrefill, "long prompts, whose chunks read again", -1, planner.CausePrefill, func(c *planCase) { c.w.Classes[0].PromptTokens = 30000 }},
	{planner.ChunkedPrefill, "prompts of one chunk on an engine without such costs", 0, planner.CauseNothing, func(c *planCase) { c.w.Classes[0].PromptTokens = 500 }},
	{planner.Disaggregation, "the time per token binds", +1, planner.CauseApart, asIs},
	{planner.Disaggregation, "memory binds", 0, planner.CauseNotBinding, longAnswers},
	{planner.SpeculativeDecoding, "reading binds", +1, planner.CauseWeights, longAnswers},
	{planner.SpeculativeDecoding, "arithmetic binds: verifying costs more than it yields", -1, planner.CauseArithmetic, bigBatch},
	{planner.MoE, "prefill, by arithmetic", +1, planner.CausePrefill, asIs},
	{planner.MoE, "a mixture of experts is dense without it", +1, planner.CausePrefill, func(c *planCase) {
		c.d.Model, c.d.TP = mustModel("qwen3-30b-a3b"), 1
	}},
	{planner.MoE, "a batch that touches every expert, and prompts of one token", 0, planner.CausePrefill, func(c *planCase) {
		noPrefill(c)
		c.w.Classes[0].OutputTokens = 4000
		c.d.GPU.MemoryBytes *= 3
	}},
	{planner.MoE, "one sequence at a time reads what it uses", +1, planner.CauseWeights, func(c *planCase) { noPrefill(c); c.d.MaxNumSeqs = 1 }},
}

func asIs(*planCase) {}

func longAnswers(c *planCase) {
	c.w.Classes[0].RequestsPerSec, c.w.Classes[0].PromptTokens, c.w.Classes[0].OutputTokens = 4, 500, 4000
}

func noDecode(c *planCase) { c.w.Classes[0].OutputTokens = 1; c.o.TPOTSeconds = 0 }

func noPrefill(c *planCase) { c.w.Classes[0].PromptTokens = 1; c.o.TPOTSeconds = 0 }

// bigBatch has memory for batches beyond the ridge.
func bigBatch(c *planCase) {
	c.w.Classes[0].PromptTokens, c.w.Classes[0].OutputTokens = 10, 200
	c.o.TPOTSeconds = 0
	c.d.GPU.MemoryBytes *= 20
}

func deepSeek(c *planCase) {
	c.d.GPU, c.d.Model, c.d.TP = mustGPU("h200-sxm"), mustModel("deepseek-v3"), 8
	c.d.Weights, c.d.Compute = profile.FP8, profile.FP8
	c.o.TPOTSeconds = 0
	longAnswers(c)
}

func mustModel(id string) *profile.Model {
	m, ok := profile.FindModel(id)
	if !ok {
		panic(id)
	}
	return m
}

func mustGPU(id string) *profile.GPU {
	g, ok := profile.FindGPU(id)
	if !ok {
		panic(id)
	}
	return g
}

func TestLeversMoveWhatTheyShould(t *testing.T) {
	seen := map[planner.LeverID]map[int]bool{}
	for _, c := range leverCases {
		t.Run(c.lever.Lever().Slug+", "+c.where, func(t *testing.T) {
			x := chat70B(t).named(c.where, c.change)
			targets := planner.DefaultTargets(x.d)
			if c.sign == 0 && c.lever == planner.PrefixCache {
				targets.HitFrac = 0
			}
			a, err := planner.Ablate(x.w, x.d, x.o, targets)
			require.NoError(t, err)
			s := a.Savings[c.lever]
			relative := s.Alone / a.Plan.GPUsFractional
			if c.sign == 0 {
				assert.InDelta(t, 0, relative, 1e-3)
			} else {
				assert.Greater(t, float64(c.sign)*relative, 2e-3)
			}
			assert.Equal(t, c.cause.String(), s.Reason.Cause.String())
		})
		if seen[c.lever] == nil {
			seen[c.lever] = map[int]bool{}
		}
		seen[c.lever][c.sign] = true
	}
	for id := range planner.Levers {
		assert.True(t, seen[id][1], "no workload in which %s must save", id.Lever().Slug)
		assert.True(t, seen[id][0] || seen[id][-1], "no workload in which %s must not", id.Lever().Slug)
	}
}

// TestSavingIsWithoutLessWith: applied by hand, each lever gives the two plans
// that the ablation compares.
func TestSavingIsWithoutLessWith(t *testing.T) {
	for _, c := range planCases(t) {
		t.Run(c.name, func(t *testing.T) {
			targets := planner.DefaultTargets(c.d)
			a := ablate(t, c)
			o := c.o
			o.TargetFrac, o.WaitSeconds, o.TTFTSeconds = a.Plan.TargetFrac, 0, 0
			for id, s := range a.Savings {
				l := planner.LeverID(id).Lever()
				assert.Equal(t, l.On(c.d, c.w), s.On)
				if s.Needed || s.Harmful || s.WithTP != s.WithoutTP {
					continue
				}
				gpus := func(on bool) float64 {
					d := l.Apply(c.d, c.w, targets, on)
					p, err := planner.Evaluate(c.w, d, o)
					require.NoError(t, err)
					return p.GPUsFractional
				}
				assert.InEpsilon(t, s.With, gpus(true), 1e-12, l.Slug)
				assert.InEpsilon(t, s.Without, gpus(false), 1e-12, l.Slug)
				assert.InDelta(t, s.Alone, s.Without-s.With, 1e-12)
				if s.On {
					assert.InEpsilon(t, a.Plan.GPUsFractional, s.With, 1e-12, "%s is on: the plan has it", l.Slug)
				} else {
					assert.InEpsilon(t, a.Plan.GPUsFractional, s.Without, 1e-12, "%s is off: the plan lacks it", l.Slug)
				}
			}
		})
	}
}

// TestApplyTwiceAndBack: a lever is a switch.
func TestApplyTwiceAndBack(t *testing.T) {
	for _, c := range planCases(t) {
		targets := planner.DefaultTargets(c.d)
		for _, l := range planner.AllLevers() {
			was := l.On(c.d, c.w)
			assert.Equal(t, c.d, l.Apply(c.d, c.w, targets, was), "%s, %s: as it is", c.name, l.Slug)
			turned := l.Apply(c.d, c.w, targets, !was)
			if l.ID == planner.GQA && l.On(turned, c.w) == was {
				continue // a latent vector has no groups
			}
			assert.Equal(t, !was, l.On(turned, c.w), "%s, %s: turned", c.name, l.Slug)
			assert.Equal(t, was, l.On(l.Apply(turned, c.w, targets, was), c.w), "%s, %s: back", c.name, l.Slug)
		}
	}
}

func TestRanking(t *testing.T) {
	for _, c := range planCases(t) {
		t.Run(c.name, func(t *testing.T) {
			a := ablate(t, c)
			sum := 0.0
			for i, id := range a.Ranked {
				s := a.Savings[id]
				assert.Equal(t, i+1, s.Rank)
				sum += s.Alone
				if i > 0 {
					before := a.Savings[a.Ranked[i-1]]
					assert.True(t, before.Needed || s.Harmful || before.Alone >= s.Alone)
				}
				assert.False(t, math.IsNaN(s.Alone) || math.IsInf(s.Alone, 0))
			}
			assert.InDelta(t, sum, a.AloneSum, 1e-9)
			require.True(t, a.Known)
			assert.InDelta(t, a.AloneSum-(a.None-a.All), a.Interaction, 1e-9)
			assert.True(t, sort.SliceIsSorted(a.Savings[:], func(i, j int) bool { return a.Savings[i].Lever < a.Savings[j].Lever }))
		})
	}
}

// TestRankingFollowsTheWorkload: the list re-sorts as the mix changes.
func TestRankingFollowsTheWorkload(t *testing.T) {
	prompts, answers := ablate(t, chat70B(t)), ablate(t, chat70B(t).long())
	rank := func(a planner.Ablation, id planner.LeverID) int { return a.Savings[id].Rank }
	assert.Less(t, rank(prompts, planner.WeightQuant), rank(prompts, planner.KVQuant), "prefill and the step bind: weights")
	assert.Less(t, rank(answers, planner.KVQuant), rank(answers, planner.WeightQuant), "memory binds: KV")
	assert.Less(t, rank(prompts, planner.Disaggregation), rank(answers, planner.Disaggregation))
}

// TestLatentArithmeticCounts: with the cache alone latent attention saves more
// than with what it computes.
func TestLatentArithmeticCounts(t *testing.T) {
	c := chat70B(t).long()
	bytes := c.named("", func(c *planCase) { c.d.KVScale = 576.0 / 2048 })
	both := c.named("", func(c *planCase) { c.d.Attention = planner.LatentVector })
	p, q := plan(t, bytes), plan(t, both)
	assert.Equal(t, p.BatchMemory, q.BatchMemory)
	assert.Equal(t, planner.BoundCompute, q.Bound)
	assert.Greater(t, q.GPUsFractional, 1.05*p.GPUsFractional)
	// 242 FLOPs for each byte of cache against 8: near the ridge of an H100.
	assert.InEpsilon(t, (2*512.0+64)/(2*128), (q.ComputeSeconds-linearOf(t, q))/(p.ComputeSeconds-linearOf(t, p)), 1e-9)
}

// linearOf is the part of the arithmetic of a token that is not attention.
func linearOf(t *testing.T, p planner.Plan) float64 {
	t.Helper()
	in := map[string]float64{}
	for _, i := range link(t, &p, "f").Inputs {
		in[i.Symbol] = i.Value
	}
	if in["experts"] == 0 { // a term that is not there
		return in["matrices"] / in["F"]
	}
	return in["matrices"]/in["F"] + in["experts"]/in["Fe"]
}

// TestChunksShortenTheTail: what chunks change is the longest gap.
func TestChunksShortenTheTail(t *testing.T) {
	c := chat70B(t).named("", func(c *planCase) { c.w.Classes[0].PromptTokens = 8000 })
	s := ablate(t, c).Savings[planner.ChunkedPrefill]
	assert.Less(t, s.LongestGapWith, 0.2*s.LongestGapWithout)
	chunked := c.named("", func(c *planCase) { c.d.ChunkTokens = 512 })
	assert.Greater(t, plan(t, chunked).FirstSeconds, plan(t, c).FirstSeconds, "and the first token comes later")
	apart := c.named("", func(c *planCase) { c.d.Disaggregated = true })
	assert.Less(t, plan(t, apart).LongestGapSeconds, plan(t, chunked).LongestGapSeconds)

	// x hides arithmetic, up to where arithmetic alone binds.
	last := math.Inf(1)
	for x := 0.0; x <= 1; x += 0.125 {
		hidden := chunked.named("", func(c *planCase) { c.d.OverlapFrac = x })
		p := plan(t, hidden)
		assert.LessOrEqual(t, p.GPUsFractional, last)
		last = p.GPUsFractional
	}
}

// TestNeeded: without the lever nothing fits, or only larger replicas do.
func TestNeeded(t *testing.T) {
	c := chat70B(t).named("", func(c *planCase) {
		c.d.TP, c.d.Weights, c.d.Compute, c.d.MemoryFrac = 2, profile.FP8, profile.FP8, 0.85
		c.o.TPOTSeconds = 0
	})
	s := ablate(t, c).Savings[planner.WeightQuant]
	assert.Equal(t, 2, s.WithTP)
	assert.Equal(t, 4, s.WithoutTP, "bf16 weights take 141 GB of 136")
	assert.Positive(t, s.Alone)

	c.w.Classes[0].HitFrac = 0.9
	c.w.Classes[0].PromptTokens = 30000
	c.d.TP = 64
	p := plan(t, c)
	c.o.TTFTSeconds = 4 * p.FirstSeconds
	a := ablate(t, c)
	cache := a.Savings[planner.PrefixCache]
	assert.True(t, cache.Needed, "without the cache the prompt alone takes longer than the first token may")
	assert.Equal(t, planner.CauseNeeded, cache.Reason.Cause)
	assert.Equal(t, 1, cache.Rank)
	assert.Zero(t, cache.Alone)
}

func TestLeverRows(t *testing.T) {
	slugs := map[string]bool{}
	for i, l := range planner.AllLevers() {
		assert.Equal(t, planner.LeverID(i), l.ID)
		assert.False(t, slugs[l.Slug])
		slugs[l.Slug] = true
		for _, text := range []string{l.Slug, l.Name, l.Assumes, l.Price.Quality, l.Price.Memory, l.Price.Complexity} {
			assert.NotEmpty(t, text, l.Slug)
		}
		assert.NotEmpty(t, l.Sources, l.Slug)
		for _, c := range l.Claims {
			assert.Positive(t, c.Figure)
			for _, text := range []string{c.Of, c.Against, c.Conditions, c.Source} {
				assert.NotEmpty(t, text, l.Slug)
			}
		}
		found, ok := planner.FindLever(l.Slug)
		assert.True(t, ok)
		assert.Equal(t, l.ID, found.ID)
	}
	_, ok := planner.FindLever("luck")
	assert.False(t, ok)

	// DistServe: 7.4 times the requests or 12.6 times tighter limits, not both.
	var figures []float64
	for _, c := range planner.Disaggregation.Lever().Claims {
		if c.Either == 1 {
			figures = append(figures, c.Figure)
			assert.Contains(t, c.Conditions, "more than 90%")
			assert.False(t, c.UpTo)
		}
	}
	assert.Equal(t, []float64{7.4, 12.6}, figures)
}
