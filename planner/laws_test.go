package planner_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner"
	"openloop/planner/profile"
)

// What holds of every plan, whatever the numbers.

func plan(t testing.TB, c planCase) planner.Plan {
	t.Helper()
	p, err := planner.Evaluate(c.w, c.d, c.o)
	require.NoError(t, err, c.name)
	return p
}

// every runs a law over all plans that are possible.
func every(t *testing.T, law func(t *testing.T, c planCase, p planner.Plan)) {
	t.Helper()
	for _, c := range planCases(t) {
		t.Run(c.name, func(t *testing.T) { law(t, c, plan(t, c)) })
	}
}

func scaleRate(c planCase, by float64) planCase {
	return c.named(c.name, func(c *planCase) {
		for i := range c.w.Classes {
			c.w.Classes[i].RequestsPerSec *= by
		}
	})
}

func TestGPUsGrowWithTheRate(t *testing.T) {
	every(t, func(t *testing.T, c planCase, _ planner.Plan) {
		last := planner.Plan{}
		for _, by := range []float64{0.01, 0.1, 0.5, 0.9, 1, 1.01, 1.5, 3, 10, 33, 100} {
			p := plan(t, scaleRate(c, by))
			assert.GreaterOrEqual(t, p.GPUs, last.GPUs, "at %v times the rate", by)
			assert.Greater(t, p.GPUsFractional, last.GPUsFractional, "at %v times the rate", by)
			last = p
		}
	})
}

// TestTwiceTheRate: twice the load is twice the GPUs if the target is given; if
// it is solved, a larger fleet may be busier, never less.
func TestTwiceTheRate(t *testing.T) {
	every(t, func(t *testing.T, c planCase, p planner.Plan) {
		twice := plan(t, scaleRate(c, 2))
		if c.o.TTFTSeconds == 0 && c.o.WaitSeconds == 0 {
			assert.InEpsilon(t, 2*p.GPUsFractional, twice.GPUsFractional, 1e-12)
			assert.Equal(t, p.Bound, twice.Bound)
		} else {
			assert.LessOrEqual(t, twice.GPUsFractional, 2*p.GPUsFractional*(1+1e-12))
			assert.GreaterOrEqual(t, twice.TargetFrac, p.TargetFrac*(1-1e-12))
		}
	})
}

func TestPriceOnlyScalesMoney(t *testing.T) {
	every(t, func(t *testing.T, c planCase, p planner.Plan) {
		c.d.USDPerGPUHour = 2*c.d.USDPerGPUHour + 1
		dearer := plan(t, c)
		assert.Equal(t, p.GPUs, dearer.GPUs)
		assert.Greater(t, dearer.Cost.PerHour, p.Cost.PerHour)
		assert.Greater(t, dearer.Cost.PerMOutput, p.Cost.PerMOutput)
	})
}

func TestMoneyAddsUp(t *testing.T) {
	every(t, func(t *testing.T, c planCase, p planner.Plan) {
		rate := 0.0
		for _, l := range c.w.Classes {
			rate += l.RequestsPerSec
		}
		cost := p.Cost
		close(t, cost.PerHour/(3600*rate), cost.PerRequest, "a request is an hour's price over an hour's requests")
		assert.InDelta(t, cost.PerHour, float64(p.GPUs)*c.d.USDPerGPUHour, 1e-9)
		second := (cost.PerMInput*p.InputTokensPerSec + cost.PerMOutput*p.OutputTokensPerSec) / 1e6
		assert.InDelta(t, cost.PerHour/3600, second, 1e-9*cost.PerHour, "prompts and answers share one bill")
		assert.InDelta(t, cost.PerHour/3600, cost.PerMOutputAll*p.OutputTokensPerSec/1e6, 1e-9*cost.PerHour)
		assert.LessOrEqual(t, cost.PerMTotal, cost.PerMOutputAll)
		assert.LessOrEqual(t, cost.Busy, 1+1e-9)
	})
}

func TestFleetCarriesItsWork(t *testing.T) {
	every(t, func(t *testing.T, c planCase, p planner.Plan) {
		work := p.PrefillGPUSecondsPerSec + p.DecodeGPUSecondsPerSec
		assert.GreaterOrEqual(t, float64(p.GPUs), work)
		assert.GreaterOrEqual(t, float64(p.GPUs), p.GPUsFractional-1e-9)
		assert.GreaterOrEqual(t, p.GPUsFractional, p.MeanGPUsFractional)
		assert.Zero(t, p.GPUs%c.d.TP)
		assert.Greater(t, p.TargetFrac, 0.0)
		assert.LessOrEqual(t, p.TargetFrac, 1.0)
		assert.LessOrEqual(t, p.Batch, float64(p.BatchLimit)*(1+1e-9))
		if c.o.TPOTSeconds > 0 {
			assert.LessOrEqual(t, p.TPOTSeconds, c.o.TPOTSeconds*(1+1e-9))
		}
		if p.WaitLimitSeconds > 0 && p.Replicas <= 64 {
			assert.LessOrEqual(t, p.MeanWaitSeconds, p.WaitLimitSeconds*(1+1e-9))
		}
		if c.o.TTFTSeconds > 0 && p.Replicas <= 64 {
			assert.LessOrEqual(t, p.MeanWaitSeconds+p.FirstSeconds, c.o.TTFTSeconds*(1+1e-9))
		}
	})
}

// TestNoPlanBeatsTheRoofline: replica-seconds are at least what arithmetic takes
// at the peak, and what reading takes at the peak with the largest batch.
func TestNoPlanBeatsTheRoofline(t *testing.T) {
	every(t, func(t *testing.T, c planCase, p planner.Plan) {
		if c.d.Attention != planner.AttentionAsBuilt || c.d.Experts != planner.ExpertsAsBuilt {
			t.Skip("another shape than the model's")
		}
		peak, ok := c.d.GPU.PeakFLOPsPerSec(c.d.Compute)
		require.True(t, ok)
		peak, bytes := peak*float64(c.d.TP), c.d.GPU.HBMBytesPerSec*float64(c.d.TP)
		peaks, flops, read, decoded := 0.0, 0.0, 0.0, 0.0
		for _, l := range c.w.Classes {
			rate := l.RequestsPerSec * l.PeakToMean
			cached := l.CachedTokens + l.HitFrac*l.PromptTokens
			context := l.PromptTokens + l.OutputTokens/2
			peaks += rate
			flops += rate * (c.d.Model.PrefillFLOPs(l.PromptTokens-cached, cached) + l.OutputTokens*c.d.Model.DecodeFLOPs(context))
			read += rate * l.OutputTokens * c.d.Model.KVBytes(context, c.d.KV.Bytes())
			decoded += rate * l.OutputTokens
		}
		read += decoded * c.d.Model.StepWeightBytes(float64(p.BatchLimit), c.d.Weights.Bytes()) / float64(p.BatchLimit)
		tokens := 1.0
		if c.d.Spec.Drafts > 0 {
			tokens, _ = planner.ExpectedTokens(c.d.Spec.Acceptance, c.d.Spec.Drafts)
		}
		assert.GreaterOrEqual(t, p.ReplicaSeconds, flops/peak/peaks*(1-1e-6)-reusedHead(c, peak))
		assert.GreaterOrEqual(t, p.ReplicaSeconds, read/bytes/peaks/tokens*(1-1e-9))
	})
}

// reusedHead is the LM head of a prompt: a measured prefill has it in its base,
// which a chunked prefill does not pay.
func reusedHead(c planCase, peak float64) float64 {
	if c.d.Reference.Origin == planner.Roofline {
		return 0
	}
	return c.d.Model.HeadFLOPs() / peak
}

func TestOrderOfClassesDoesNotMatter(t *testing.T) {
	for _, c := range planCases(t) {
		if c.name != "classes" {
			continue
		}
		back := c.named(c.name, func(c *planCase) { slices.Reverse(c.w.Classes) })
		a, err := planner.Ablate(c.w, c.d, c.o, planner.DefaultTargets(c.d))
		require.NoError(t, err)
		b, err := planner.Ablate(back.w, back.d, back.o, planner.DefaultTargets(c.d))
		require.NoError(t, err)
		assert.Equal(t, a.Ranked, b.Ranked)
		assert.Equal(t, a.Plan.GPUs, b.Plan.GPUs)
		assert.InEpsilon(t, a.Plan.GPUsFractional, b.Plan.GPUsFractional, 1e-12)
		return
	}
	t.Fatal("no case of several classes")
}

// TestSplitClass: a class that is cut in two equal ones is the same workload.
func TestSplitClass(t *testing.T) {
	every(t, func(t *testing.T, c planCase, p planner.Plan) {
		half := c.named(c.name, func(c *planCase) {
			for i := range c.w.Classes {
				c.w.Classes[i].RequestsPerSec /= 2
			}
			c.w.Classes = append(c.w.Classes, c.w.Classes...)
		})
		q := plan(t, half)
		assert.InEpsilon(t, p.GPUsFractional, q.GPUsFractional, 1e-12)
		assert.Equal(t, p.BatchMemory, q.BatchMemory)
	})
}

// TestMoreOfEach: a better part never costs GPUs, a harder demand never saves any.
func TestMoreOfEach(t *testing.T) {
	better := map[string]func(c *planCase){
		"faster memory":     func(c *planCase) { c.d.GPU.HBMBytesPerSec *= 1.3 },
		"faster arithmetic": func(c *planCase) { c.d.GPU.BF16FLOPsPerSec *= 1.3; c.d.GPU.FP8FLOPsPerSec *= 1.3 },
		"more memory":       func(c *planCase) { c.d.GPU.MemoryBytes = c.d.GPU.MemoryBytes * 13 / 10 },
		"looser limit":      func(c *planCase) { c.o.TPOTSeconds *= 1.3 },
		"longer wait":       func(c *planCase) { c.o.WaitSeconds *= 1.3; c.o.TTFTSeconds *= 1.3 },
		"busier": func(c *planCase) {
			if c.o.WaitSeconds+c.o.TTFTSeconds == 0 {
				c.o.TargetFrac = math.Min(1, c.o.TargetFrac*1.3)
			}
		},
		"fewer output tokens": func(c *planCase) {
			for i := range c.w.Classes {
				c.w.Classes[i].OutputTokens *= 0.8
				c.w.Classes[i].ThinkingTokens *= 0.8
			}
		},
		"calmer": func(c *planCase) {
			for i := range c.w.Classes {
				c.w.Classes[i].ArrivalCV2 *= 0.5
			}
		},
	}
	every(t, func(t *testing.T, c planCase, p planner.Plan) {
		for name, change := range better {
			x := c.named(c.name, func(c *planCase) {
				own := *c.d.GPU
				c.d.GPU = &own
				change(c)
			})
			q := plan(t, x)
			// More memory is a larger full batch, which touches more experts. If
			// the time per token is held against those, memory may cost GPUs:
			// what ExpertsAtBatch is there to mend.
			experts := x.d.Model.MoE() || x.d.Experts == planner.RoutedExperts
			if name == "more memory" && experts && !x.d.ExpertsAtBatch {
				continue
			}
			assert.LessOrEqual(t, q.GPUsFractional, p.GPUsFractional*(1+1e-9), name)
		}
	})
}

// TestSameInputsSamePlan: no state.
func TestSameInputsSamePlan(t *testing.T) {
	every(t, func(t *testing.T, c planCase, p planner.Plan) {
		q := plan(t, c)
		assert.True(t, reflect.DeepEqual(p, q))
	})
}

// TestFineSteps: the fleet for a solved target moves without jumps.
func TestFineSteps(t *testing.T) {
	c := chat70B(t).named("", func(c *planCase) { c.o = planner.Objective{WaitSeconds: 0.05} })
	last := plan(t, scaleRate(c, 0.05)).GPUsFractional
	for by := 0.051; by < 3; by *= 1.002 {
		p := plan(t, scaleRate(c, by))
		require.Greater(t, p.GPUsFractional, last, "at %v", by)
		// At most as steep as replicas that may hardly be busy.
		require.Less(t, p.GPUsFractional-last, 0.25, "at %v", by)
		last = p.GPUsFractional
	}
}

func TestMeasuredStepsAreMeasured(t *testing.T) {
	c := chat70B(t)
	row, ok := profile.Calibrated("h100-sxm", "llama-3.1-70b", profile.BF16, 4)
	require.True(t, ok)
	c.d = measured(t, c.d, "")
	p := plan(t, c)
	assert.Equal(t, planner.Measured, p.Origin)
	assert.False(t, p.RaisedToPeak)
	const batch, context = 32, 2150
	assert.InEpsilon(t, row.DecodeSeconds(batch, batch*context), p.WeightSeconds+batch*p.KVSeconds, 1e-12)
	// Pairs of a causal prompt are n(n+1)/2; the fit has n^2/2.
	assert.InEpsilon(t, row.PrefillSeconds(2000, 0), p.PrefillSeconds, 1e-4)

	// Narrower weights that were measured are used as measured; others keep the
	// efficiency and read less.
	targets := planner.DefaultTargets(c.d)
	assert.Equal(t, planner.Measured, targets.WeightsReference.Origin)
	fp8 := planner.WeightQuant.Lever().Apply(c.d, c.w, targets, true)
	c8 := c.named("", func(c *planCase) { c.d = fp8 })
	assert.Equal(t, planner.Measured, plan(t, c8).Origin)
	targets.Weights, targets.Compute, targets.WeightsReference = profile.INT4, profile.BF16, planner.Reference{}
	c4 := c.named("", func(c *planCase) { c.d = planner.WeightQuant.Lever().Apply(c.d, c.w, targets, true) })
	p4 := plan(t, c4)
	assert.Equal(t, planner.Scaled, p4.Origin)
	assert.InEpsilon(t, p.WeightSeconds/4, p4.WeightSeconds, 1e-9)

	for _, other := range planCases(t) {
		if other.name == "measured-above-the-peak" {
			assert.True(t, plan(t, other).RaisedToPeak, "a coefficient that beats the peak is not believed, and said so")
		}
	}

	c.d.Model, c.d.TP = model(t, "llama-2-13b"), 1
	c.d = measured(t, c.d, "")
	assert.Equal(t, planner.Interpolated, plan(t, c).Origin)
	none, why := planner.ReferenceOf(c.d.GPU, model(t, "deepseek-v3"), profile.FP8, 8, "")
	assert.Equal(t, planner.Roofline, none.Origin)
	assert.NotEmpty(t, why)
}

// TestStepCoefficients: what a simulator is given is the step of the plan.
func TestStepCoefficients(t *testing.T) {
	every(t, func(t *testing.T, c planCase, p planner.Plan) {
		experts := c.d.Model.MoE() || c.d.Experts == planner.RoutedExperts
		if len(c.w.Classes) > 1 || c.d.Spec.Drafts > 0 || experts && !c.d.ExpertsAtBatch {
			return // the plan's w is at its largest batch, the simulator's at the running one
		}
		s, l := p.Step, c.w.Classes[0]
		context := l.PromptTokens + l.OutputTokens/2
		want := p.WeightSeconds + p.Batch*p.KVSeconds
		got := s.Base + p.Batch*s.Sequence + p.Batch*context*s.KVToken
		assert.InEpsilon(t, want, got, 1e-9)
		cached := l.CachedTokens + l.HitFrac*l.PromptTokens
		n := l.PromptTokens - cached
		prefill := s.PrefillToken*n + s.PrefillPair*(n*cached+n*(n+1)/2)
		if c.d.ChunkTokens == 0 {
			prefill += s.PrefillBase + s.Fixed
		}
		// But for the LM head of a prompt, and chunks that read KV again.
		assert.InEpsilon(t, p.PrefillSeconds, prefill, 1e-2)
		assert.Equal(t, p.BatchLimit, s.MaxNumSeqs)
		assert.Positive(t, s.KVTokens)
	})
}

// TestExpertsAtBatch: the step at the limit of the time per token reads the
// experts that its own batch touches, and fewer GPUs do.
func TestExpertsAtBatch(t *testing.T) {
	c := chat70B(t).named("", func(c *planCase) {
		c.d.GPU, c.d.Model, c.d.TP = gpu(t, "h200-sxm"), model(t, "deepseek-v3"), 8
		c.d.Weights, c.d.Compute, c.o.TPOTSeconds = profile.FP8, profile.FP8, 0.033
	})
	full := plan(t, c)
	c.d.ExpertsAtBatch = true
	own := plan(t, c)
	require.Equal(t, planner.BoundTPOT, own.Bound)
	assert.Less(t, own.GPUsFractional, full.GPUsFractional)
	bytes := c.d.Model.StepWeightBytes(own.Batch, 1)
	assert.InEpsilon(t, bytes/(8*4.8e12*0.8), own.WeightSeconds, 1e-9)
	assert.InEpsilon(t, c.o.TPOTSeconds, own.TPOTSeconds, 1e-9)

	// A limit that the full batch could never meet is met by a small one.
	c.o.TPOTSeconds = 0.005
	assert.Equal(t, planner.BoundTPOT, plan(t, c).Bound)
	c.d.ExpertsAtBatch = false
	_, err := planner.Evaluate(c.w, c.d, c.o)
	valueError(t, err, "Objective.TPOTSeconds")
}
