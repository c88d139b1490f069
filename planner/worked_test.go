package planner_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner"
	"openloop/planner/profile"
)

// Numbers that were worked out outside this project, beyond those of the golden
// file, to the digits to which they were written down.

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		require.NoError(t, err)
		return v
	}
}

func TestWorkedQueues(t *testing.T) {
	f := must[float64](t)
	assert.InDelta(t, 0.58333, f(planner.MeanWait(1, 0.7, 0.2, 1, 1.5)), 1e-5)
	assert.InDelta(t, 0.71571, f(planner.MeanWait(8, 0.85, 1, 1, 2)), 1e-5)
	for k, want := range map[int]float64{1: 0.1667, 2: 0.4082, 4: 0.6157, 8: 0.7623, 16: 0.8577, 32: 0.9170, 64: 0.9526} {
		assert.InDelta(t, want, f(planner.TargetFrac(k, 0.25, 1, 1, 1.5)), 5e-5, "%d servers", k)
	}
	assert.Equal(t, 1.0, f(planner.TargetFrac(3, 0.1, 1, 0, 0)), "a metronome and equal work never wait")
	assert.Zero(t, f(planner.WaitQuantile(8, 0.1, 1, 0.5)), "half of the requests do not wait at all")
}

func TestWorkedSpeculation(t *testing.T) {
	f := must[float64](t)
	s := planner.Speculation{Drafts: 4, Acceptance: 0.8, DraftCost: 0.05}
	assert.InDelta(t, 2.80133, f(s.Speedup(1, 0)), 1e-5)
	assert.InDelta(t, 0.64646, f(s.Speedup(0, 1)), 1e-5) // 3.3616/(5.2)
	// In between a verifying step is as long as its longer side.
	assert.InDelta(t, 3.3616/(1.5+0.2), f(s.Speedup(1, 0.3)), 1e-9)
	table, ok := planner.FindAcceptanceTable("kimi-k2.5-eagle3")
	require.True(t, ok)
	measured := planner.Speculation{Drafts: 4, Table: table, DraftCost: 0.05}
	assert.InDelta(t, 3.24/1.2, f(measured.Speedup(1, 0)), 1e-12)
	for _, table := range planner.AcceptanceTables() {
		for i, e := range table.Lengths {
			a := f(planner.ImpliedAcceptance(e, i+1))
			assert.InDelta(t, e, f(planner.ExpectedTokens(a, i+1)), 1e-9, "%s, %d drafts", table.ID, i+1)
		}
	}
}

func TestWorkedShapes(t *testing.T) {
	f := must[float64](t)
	assert.InDelta(t, 104449, f(planner.AttentionCrossover(model(t, "llama-3.1-70b"))), 0.5)
	assert.InDelta(t, 53249, f(planner.AttentionCrossover(model(t, "llama-3.1-8b"))), 0.5)
	assert.InDelta(t, 1.8796e-3, f(planner.AllReduceSeconds(80, 8192, 4, 32, 2, 450e9, 10e-6)), 5e-8)
	for _, c := range []struct {
		gpu     string
		compute profile.DType
		bytes   float64
		want    float64
	}{{"h100-sxm", profile.BF16, 2, 295.2}, {"h200-sxm", profile.BF16, 2, 206.0}, {"b200-sxm", profile.FP4, 0.5, 281.3}} {
		g := gpu(t, c.gpu)
		assert.InDelta(t, c.want, f(planner.CriticalBatch(g, c.compute, c.bytes)), 0.051, c.gpu)
	}
	// The collective term of a plan is that function: latency into each step,
	// the transfer into each token.
	c := chat70B(t)
	plain := must[planner.Plan](t)(planner.Evaluate(c.w, c.d, c.o))
	c.d.Engine = planner.EngineTerms{LinkFrac: 1, LatencySeconds: 10e-6}
	with := must[planner.Plan](t)(planner.Evaluate(c.w, c.d, c.o))
	step := func(p planner.Plan) float64 { return p.WeightSeconds + 32*p.KVSeconds }
	assert.InDelta(t, f(planner.AllReduceSeconds(80, 8192, 4, 32, 2, 450e9, 10e-6)), step(with)-step(plain), 1e-12)
}

func TestWorkedTask(t *testing.T) {
	task := planner.Task{Turns: 10, SystemTokens: 2000, UserTokens: 300, AnswerTokens: 400, ThinkingTokens: 1500, SuccessFrac: 0.7, MaxAttempts: 3}
	k := must[planner.TaskTokens](t)(task.Tokens())
	assert.Equal(t, planner.TaskTokens{PrefillNoCache: 54500, PrefillRecomputed: 8600, PrefillAllKept: 5000, Decode: 19000, HitFrac: 1 - 8600.0/54500}, k)
	task.ThinkingKept = true
	k = must[planner.TaskTokens](t)(task.Tokens())
	assert.Equal(t, 54500.0+1500*45, k.PrefillNoCache, "thinking of the turns before is read again")
	assert.Equal(t, 19000.0, k.Decode)

	// By brute force: turn i reads the system prompt, i user parts, i-1 answers.
	sum := 0.0
	for i := 1; i <= 10; i++ {
		sum += 2000 + 300*float64(i) + (400+1500)*float64(i-1)
	}
	assert.Equal(t, sum, k.PrefillNoCache)

	// The price of a success does not depend on how often one may try.
	for _, most := range []int{1, 2, 5, 1000} {
		task.MaxAttempts = most
		c := must[planner.TaskCost](t)(task.Cost(0.02))
		assert.InDelta(t, 0.02/0.7, c.PerSuccess, 1e-15)
		assert.InDelta(t, c.PerSuccess, c.PerTask/c.SuccessFrac, 1e-15)
	}
}

// TestWorkedTable is the table of one lever each around the worked case.
func TestWorkedTable(t *testing.T) {
	base := chat70B(t)
	for _, c := range []struct {
		name       string
		gpus       int
		fractional float64
		tpotMS     float64
		change     func(c *planCase)
	}{
		{"base", 28, 24.81, 50, func(*planCase) {}},
		{"speculation", 24, 20.82, 31.4, func(c *planCase) { c.d.Spec = planner.Speculation{Drafts: 4, Acceptance: 0.7, DraftCost: 0.05} }},
		{"no grouped queries", 56, 52.67, 36.9, func(c *planCase) { c.d.Attention = planner.EveryHead }},
		{"25 ms", 40, 38.18, 25, func(c *planCase) { c.o.TPOTSeconds = 0.025 }},
		{"25 ms apart", 28, 20.80, 25, func(c *planCase) { c.o.TPOTSeconds = 0.025; c.d.Disaggregated = true }},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := base.named(c.name, c.change)
			p := must[planner.Plan](t)(planner.Evaluate(x.w, x.d, x.o))
			assert.Equal(t, c.gpus, p.GPUs)
			assert.InDelta(t, c.fractional, p.GPUsFractional, 0.005)
			assert.InDelta(t, c.tpotMS, p.TPOTSeconds*1e3, 0.05)
		})
	}
	apart := base.long().named("apart", func(c *planCase) { c.d.Disaggregated = true })
	p := must[planner.Plan](t)(planner.Evaluate(apart.w, apart.d, apart.o))
	assert.Equal(t, 24, p.GPUs, "two roundings: worse than the 20 of one pool")
}

func TestLittlesLaw(t *testing.T) {
	// Batch and ReplicaSeconds of every plan obey it.
	for _, c := range planCases(t) {
		p := must[planner.Plan](t)(planner.Evaluate(c.w, c.d, c.o))
		output := link(t, &p, "batch").Inputs[0].Value
		seconds := p.ReplicaSeconds
		if c.d.Disaggregated {
			seconds = p.DecodeSeconds
		}
		assert.InDelta(t, p.Batch, output*p.TPOTSeconds/seconds, 1e-9*p.Batch, c.name)
	}
}
