package planner_test

import (
	"errors"
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner"
	"openloop/planner/profile"
)

// impossible is a plan that cannot be, the input that is to blame, and how to
// put the nearest value in, where there is one.
type impossible struct {
	name  string
	field string
	spoil func(c *planCase)
	mend  func(c *planCase, v float64)
}

func class0(set func(l *planner.Class, v float64)) func(*planCase, float64) {
	return func(c *planCase, v float64) { set(&c.w.Classes[0], v) }
}

var impossibles = []impossible{
	{"no requests", "Workload.Classes[0].RequestsPerSec", func(c *planCase) { c.w.Classes[0].RequestsPerSec = 0 }, class0(func(l *planner.Class, v float64) { l.RequestsPerSec = v })},
	{"negative rate", "Workload.Classes[0].RequestsPerSec", func(c *planCase) { c.w.Classes[0].RequestsPerSec = -1 }, class0(func(l *planner.Class, v float64) { l.RequestsPerSec = v })},
	{"peak below mean", "Workload.Classes[0].PeakToMean", func(c *planCase) { c.w.Classes[0].PeakToMean = 0.5 }, class0(func(l *planner.Class, v float64) { l.PeakToMean = v })},
	{"no prompt", "Workload.Classes[0].PromptTokens", func(c *planCase) { c.w.Classes[0].PromptTokens = 0 }, class0(func(l *planner.Class, v float64) { l.PromptTokens = v })},
	{"NaN of output", "Workload.Classes[0].OutputTokens", func(c *planCase) { c.w.Classes[0].OutputTokens = math.NaN() }, class0(func(l *planner.Class, v float64) { l.OutputTokens = v })},
	{"more thinking than output", "Workload.Classes[0].ThinkingTokens", func(c *planCase) { c.w.Classes[0].ThinkingTokens = 301 }, class0(func(l *planner.Class, v float64) { l.ThinkingTokens = v })},
	{"all of the prompt is cached", "Workload.Classes[0].HitFrac", func(c *planCase) { c.w.Classes[0].HitFrac = 1 }, class0(func(l *planner.Class, v float64) { l.HitFrac = v })},
	{"more than the prompt is cached", "Workload.Classes[0].CachedTokens", func(c *planCase) { c.w.Classes[0].CachedTokens = 2000 }, class0(func(l *planner.Class, v float64) { l.CachedTokens = v })},
	{"two hit rates", "Workload.Classes[0].HitFrac", func(c *planCase) { c.w.Classes[0].CachedTokens, c.w.Classes[0].HitFrac = 500, 0.5 }, class0(func(l *planner.Class, v float64) { l.HitFrac = v })},
	{"no classes", "Workload.Classes", func(c *planCase) { c.w.Classes = nil }, nil},
	{"no GPU", "Deployment.GPU", func(c *planCase) { c.d.GPU = nil }, nil},
	{"no model", "Deployment.Model", func(c *planCase) { c.d.Model = nil }, nil},
	{"a GPU without memory", "Deployment.GPU.MemoryBytes", func(c *planCase) { c.d.GPU.MemoryBytes = 0 }, nil},
	{"no TP", "Deployment.TP", func(c *planCase) { c.d.TP = 0 }, nil},
	{"does not fit", "Deployment.TP", func(c *planCase) { c.d.TP = 1 }, func(c *planCase, v float64) { c.d.TP = int(v) }},
	{"one sequence does not fit", "Deployment.TP", func(c *planCase) { c.w.Classes[0].PromptTokens, c.o.TPOTSeconds = 1e6, 0 }, func(c *planCase, v float64) { c.d.TP = int(v) }},
	{"fits nowhere", "Deployment.TP", func(c *planCase) { c.w.Classes[0].PromptTokens = 1e8 }, nil},
	{"arithmetic that the GPU lacks", "Deployment.Compute", func(c *planCase) { c.d.Compute = profile.FP4; c.d.Weights = profile.FP4 }, nil},
	{"weights wider than arithmetic", "Deployment.Compute", func(c *planCase) { c.d.Compute = profile.FP8 }, nil},
	{"no such type", "Deployment.KV", func(c *planCase) { c.d.KV = 99 }, nil},
	{"MFU above 1", "Deployment.MFU", func(c *planCase) { c.d.MFU = 1.1 }, func(c *planCase, v float64) { c.d.MFU = v }},
	{"MBU 0", "Deployment.MBU", func(c *planCase) { c.d.MBU = 0 }, nil},
	{"memory share 0", "Deployment.MemoryFrac", func(c *planCase) { c.d.MemoryFrac = 0 }, func(c *planCase, v float64) { c.d.MemoryFrac = v }},
	{"infinite price", "Deployment.USDPerGPUHour", func(c *planCase) { c.d.USDPerGPUHour = math.Inf(1) }, func(c *planCase, v float64) { c.d.USDPerGPUHour = v }},
	{"acceptance without drafts", "Deployment.Spec.Drafts", func(c *planCase) { c.d.Spec.Acceptance = 0.5 }, func(c *planCase, v float64) { c.d.Spec.Drafts = int(v) }},
	{"more drafts than measured", "Deployment.Spec.Drafts", func(c *planCase) { c.d.Spec = planner.Speculation{Drafts: 9, Table: &planner.AcceptanceTables()[0]} }, func(c *planCase, v float64) { c.d.Spec.Drafts = int(v) }},
	{"two acceptances", "Deployment.Spec.Acceptance", func(c *planCase) {
		c.d.Spec = planner.Speculation{Drafts: 2, Acceptance: 0.5, Table: &planner.AcceptanceTables()[0]}
	}, func(c *planCase, v float64) { c.d.Spec.Acceptance = v }},
	{"overlap without chunks", "Deployment.OverlapFrac", func(c *planCase) { c.d.OverlapFrac = 0.5 }, func(c *planCase, v float64) { c.d.OverlapFrac = v }},
	{"overlap of pools that are apart", "Deployment.OverlapFrac", func(c *planCase) { c.d.ChunkTokens, c.d.OverlapFrac, c.d.Disaggregated = 512, 0.5, true }, func(c *planCase, v float64) { c.d.OverlapFrac = v }},
	{"a hit rate that no choice uses", "Deployment.CacheHitFrac", func(c *planCase) { c.d.CacheHitFrac = 0.5 }, func(c *planCase, v float64) { c.d.CacheHitFrac = v }},
	{"a time per token below one step", "Objective.TPOTSeconds", func(c *planCase) { c.o.TPOTSeconds = 0.01 }, func(c *planCase, v float64) { c.o.TPOTSeconds = v }},
	{"a first token before its prefill", "Objective.TTFTSeconds", func(c *planCase) { c.o.TTFTSeconds = 0.1 }, func(c *planCase, v float64) { c.o.TTFTSeconds = v }},
	{"no target", "Objective.TargetFrac", func(c *planCase) { c.o.TargetFrac = 0 }, func(c *planCase, v float64) { c.o.TargetFrac = v }},
	{"a target above 1", "Objective.TargetFrac", func(c *planCase) { c.o.TargetFrac = 1.5 }, func(c *planCase, v float64) { c.o.TargetFrac = v }},
	{"more replicas than can be", "Workload.Classes[0].RequestsPerSec", func(c *planCase) {
		c.w.Classes[0].RequestsPerSec, c.w.Classes[0].OutputTokens, c.o.TPOTSeconds = 1e7, 1e5, 0
	}, nil},
	{"a reference without a model", "Deployment.Reference.Model", func(c *planCase) { c.d.Reference.Origin = planner.Measured }, nil},
	{"a reference of no kind", "Deployment.Reference.Origin", func(c *planCase) { c.d.Reference.Origin = planner.Scaled }, nil},
}

// TestImpossiblePlans: the error names the input, its value and what is legal,
// and the nearest value makes the plan possible.
func TestImpossiblePlans(t *testing.T) {
	for _, x := range impossibles {
		t.Run(x.name, func(t *testing.T) {
			c := chat70B(t).named(x.name, x.spoil)
			p, err := planner.Evaluate(c.w, c.d, c.o)
			assert.Equal(t, planner.Plan{}, p)
			e := valueError(t, err, x.field)
			_, ablation := planner.Ablate(c.w, c.d, c.o, planner.DefaultTargets(chat70B(t).d))
			assert.Equal(t, err, ablation, "the same of an ablation")
			if x.mend == nil {
				return
			}
			v, parse := strconv.ParseFloat(e.Nearest, 64)
			require.NoError(t, parse, "nearest: %q", e.Nearest)
			x.mend(&c, v)
			_, err = planner.Evaluate(c.w, c.d, c.o)
			assert.NoError(t, err, "with %s", e.Nearest)
		})
	}
}

func valueError(t *testing.T, err error, field string) *planner.ValueError {
	t.Helper()
	var e *planner.ValueError
	require.True(t, errors.As(err, &e), "%v", err)
	assert.Equal(t, field, e.Field, "%v", err)
	assert.NotEmpty(t, e.Value)
	assert.NotEmpty(t, e.Legal)
	return e
}

// TestNearestIsNear: a hundredth part beyond the nearest value is impossible
// again, where a limit is what makes the plan impossible.
func TestNearestIsNear(t *testing.T) {
	c := chat70B(t)
	c.o.TPOTSeconds = 1e-3
	_, err := planner.Evaluate(c.w, c.d, c.o)
	v, parse := strconv.ParseFloat(valueError(t, err, "Objective.TPOTSeconds").Nearest, 64)
	require.NoError(t, parse)
	c.o.TPOTSeconds = v * 0.9999
	_, err = planner.Evaluate(c.w, c.d, c.o)
	assert.Error(t, err)
	c = chat70B(t)
	c.d.TP = 1
	_, err = planner.Evaluate(c.w, c.d, c.o)
	assert.Equal(t, "2", valueError(t, err, "Deployment.TP").Nearest, "141 GB of weights in 144 GB")
}

func TestImpossibleArguments(t *testing.T) {
	bad := func(field string) func(any, error) {
		return func(_ any, err error) { t.Helper(); valueError(t, err, field) }
	}
	wrap := func(v float64, err error) (any, error) { return v, err }
	f := func(field string) func(float64, error) {
		return func(v float64, err error) { t.Helper(); bad(field)(wrap(v, err)) }
	}
	f("servers")(planner.ErlangC(0, 0.5))
	f("rho")(planner.ErlangC(2, 1))
	f("rho")(planner.MeanWait(2, math.NaN(), 1, 1, 1))
	f("serviceSeconds")(planner.MeanWait(2, 0.5, 0, 1, 1))
	f("ca2")(planner.MeanWait(2, 0.5, 1, -1, 1))
	f("q")(planner.WaitQuantile(2, 0.5, 1, 1))
	f("waitSeconds")(planner.TargetFrac(2, 0, 1, 1, 1))
	f("a")(planner.ExpectedTokens(1.5, 3))
	f("tokens")(planner.ImpliedAcceptance(9, 3))
	f("Spec.Acceptance")(planner.Speculation{Drafts: 2, Acceptance: 2}.Speedup(1, 1))
	f("memorySeconds")(planner.Speculation{}.Speedup(0, 0))
	f("tp")(planner.AllReduceSeconds(80, 8192, 0, 1, 2, 1e9, 0))
	f("linkBytesPerSec")(planner.TransferSeconds(1, 0))
	f("tokensPerSec")(planner.USDPerMTokens(1, 0, 1))
	f("usedFrac")(planner.USDPerMTokens(1, 1, 0))
	f("bytesPerParam")(planner.CriticalBatch(gpu(t, "h100-sxm"), profile.BF16, 0))
	f("compute")(planner.Ridge(gpu(t, "h100-sxm"), profile.FP4))
	f("b")(planner.ReuseBytesPerSec(1, 1, 1, 2, 4, 0, 1e15))

	task := planner.Task{Turns: 1, UserTokens: 1, SuccessFrac: 1, MaxAttempts: 1}
	for field, spoil := range map[string]func(k *planner.Task){
		"Task.SuccessFrac": func(k *planner.Task) { k.SuccessFrac = 0 },
		"Task.MaxAttempts": func(k *planner.Task) { k.MaxAttempts = 0 },
		"Task.Turns":       func(k *planner.Task) { k.Turns = 0 },
		"Task.UserTokens":  func(k *planner.Task) { k.UserTokens = 0 },
	} {
		k := task
		spoil(&k)
		_, err := k.Tokens()
		valueError(t, err, field)
		_, err = k.Cost(1)
		valueError(t, err, field)
	}

	c := chat70B(t)
	_, err := planner.Mixed(c.d, planner.Batch{}, 0, 0, false)
	valueError(t, err, "chunk")
	_, err = planner.LargestChunk(c.d, planner.Batch{Sequences: 32, ContextTokens: 2048}, 0.01)
	valueError(t, err, "stepSeconds")
	p := plan(t, c)
	_, err = p.Power(0.5, 0.1)
	valueError(t, err, "pue")
	_, err = (&planner.Plan{}).Power(1, 0.1)
	valueError(t, err, "Plan")
	targets := planner.DefaultTargets(c.d)
	targets.ChunkTokens = 0
	_, err = planner.Ablate(c.w, c.d, c.o, targets)
	valueError(t, err, "Targets.ChunkTokens")
}
