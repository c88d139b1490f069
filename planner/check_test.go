package planner_test

import (
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner"
	"openloop/sim"
)

// worker is what all slow computations have in common.
type worker interface {
	Work(budget int) bool
	Stop()
	Runs() int
}

func finish(w worker) {
	for !w.Work(1 << 30) {
	}
}

func long() bool { return os.Getenv("OPENLOOP_LONG") != "" }

func checked(t testing.TB, c planCase, o planner.CheckOptions) planner.CheckResult {
	t.Helper()
	k, err := planner.NewCheck(c.w, c.d, c.o, o)
	require.NoError(t, err, c.name)
	finish(k)
	r, err := k.Result()
	require.NoError(t, err, c.name)
	return r
}

// TestFormulaAgainstSteps: where a plan's assumptions hold (equal lengths, even
// gaps, endless memory) its formula is that of the simulated steps. Lengths in
// whole tokens, the first token by prefill and what is in a step, rather than the
// mean, are what is left.
func TestFormulaAgainstSteps(t *testing.T) {
	ideal := planner.EvenLengths | planner.EvenArrivals | planner.EndlessMemory | planner.EndlessSeats | planner.WholePrompts | planner.MeanExperts
	for _, c := range planCases(t) {
		t.Run(c.name, func(t *testing.T) {
			if len(c.w.Classes) > 1 {
				t.Skip("the mean over requests is not the mean over tokens")
			}
			without, within := ideal, 0.08
			if c.d.OverlapFrac > 0 {
				// Prefill hides behind the steps that it shares, not behind all.
				without, within = ideal&^planner.WholePrompts, 0.15
			}
			r := checked(t, c, planner.CheckOptions{Seeds: 1, Sim: planner.SimOptions{Without: without, Requests: 300}})
			tpot, batch := r.Rows[planner.MetricTPOT], r.Rows[planner.MetricBatch]
			assert.InEpsilon(t, tpot.Plan, tpot.Simulated.Mean, within)
			assert.InDelta(t, batch.Plan, batch.Simulated.Mean, within*batch.Plan+0.5)
			// One request at a time waits for the step in progress at the most.
			n := r.Runs[0]
			assert.InDelta(t, r.Plan.FirstSeconds, n.TTFTSeconds, 2*r.Plan.FirstSeconds+3*tpot.Simulated.Mean)
			assert.Zero(t, n.Preemptions)
			assert.True(t, n.KeepsUp())
		})
	}
}

// TestPartsAddUp: the parts of a difference are the whole difference, whatever
// the plan, and causes that cannot be are not named.
func TestPartsAddUp(t *testing.T) {
	for _, c := range planCases(t) {
		if !long() && c.name != "chat-70b" && c.name != "apart-chunks" && c.name != "experts" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			c = c.named(c.name, func(c *planCase) { c.w.Classes[0].ServiceCV2 = 0.5 })
			r := checked(t, c, planner.CheckOptions{Seeds: 2, Explain: true, Sim: planner.SimOptions{Requests: 200}})
			require.Len(t, r.Rows, int(planner.MetricKeeps))
			for _, row := range r.Rows {
				sum := row.Full
				for _, p := range row.Parts {
					sum += p.Adds.Mean
					switch p.Cause {
					case planner.CauseChunks:
						assert.Positive(t, c.d.ChunkTokens)
					case planner.CauseExperts:
						assert.True(t, c.d.Model.MoE() || c.d.Experts == planner.RoutedExperts)
					}
				}
				assert.InDelta(t, row.Simulated.Mean, sum, 1e-9*(1+row.Simulated.Mean), row.Metric.String())
			}
		})
	}
}

// TestCausesAreFound: a plan that leaves one thing out differs by that thing.
func TestCausesAreFound(t *testing.T) {
	part := func(r planner.CheckResult, m planner.Metric, c planner.SimCause) float64 {
		for _, p := range r.Rows[m].Parts {
			if p.Cause == c {
				return p.Adds.Mean
			}
		}
		return 0
	}
	explain := planner.CheckOptions{Seeds: 2, Explain: true, Sim: planner.SimOptions{Requests: 300}}

	bursts := chat70B(t).named("bursts", func(c *planCase) { c.w.Classes[0].ArrivalCV2 = 20 })
	r := checked(t, bursts, explain)
	assert.Greater(t, part(r, planner.MetricTTFT, planner.CauseArrivals), 0.5*r.Rows[planner.MetricTTFT].Simulated.Mean)
	assert.Zero(t, part(r, planner.MetricTTFT, planner.CauseLengths), "all are equally long")

	// Keys and values for each head: 24 sequences fill the memory.
	full := chat70B(t).named("full", func(c *planCase) {
		c.d.Attention, c.w.Classes[0].ServiceCV2, c.o.TargetFrac = planner.EveryHead, 1, 0.95
	})
	r = checked(t, full, explain)
	assert.Greater(t, part(r, planner.MetricWait, planner.CauseMemory), 0.5*r.Rows[planner.MetricWait].Simulated.Mean)
	assert.Positive(t, r.Runs[0].Preemptions)

	seats := chat70B(t).named("seats", func(c *planCase) { c.d.MaxNumSeqs, c.o = 8, planner.Objective{TargetFrac: 0.97} })
	r = checked(t, seats, explain)
	assert.Greater(t, part(r, planner.MetricWait, planner.CauseSeats), 0.5*r.Rows[planner.MetricWait].Simulated.Mean)
	assert.InDelta(t, 0, part(r, planner.MetricWait, planner.CauseMemory), 1e-9)
}

// TestHalfTheLoadHolds: what holds at the full load holds at half of it, and a
// plan that keeps up at all does better with more replicas.
func TestHalfTheLoadHolds(t *testing.T) {
	for _, c := range planCases(t) {
		if !long() && c.name != "chat-70b" && c.name != "apart" && c.name != "drafts" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			o := planner.CheckOptions{Seeds: 2, Sim: planner.SimOptions{Requests: 300}}
			full := checked(t, c, o)
			o.Sim.RequestsPerSec = 0.5 * peakOf(c.w)
			half := checked(t, c, o)
			if full.Outcome == planner.Held {
				assert.Equal(t, planner.Held, half.Outcome)
			}
			assert.LessOrEqual(t, half.Rows[planner.MetricTPOT].Simulated.Mean, full.Rows[planner.MetricTPOT].Simulated.Mean)
			if !c.d.Disaggregated {
				o.Sim = planner.SimOptions{Requests: 300, Replicas: 2 * full.Plan.Replicas}
				double := checked(t, c, o)
				assert.LessOrEqual(t, double.Rows[planner.MetricTPOT].Simulated.Mean, full.Rows[planner.MetricTPOT].Simulated.Mean)
			}
		})
	}
}

func peakOf(w planner.Workload) float64 {
	sum := 0.0
	for _, l := range w.Classes {
		sum += l.RequestsPerSec * l.PeakToMean
	}
	return sum
}

// TestSameInAnySlices: how a page cuts the work does not change its result, and
// one that is stopped gives nothing more.
func TestSameInAnySlices(t *testing.T) {
	for _, name := range []string{"chat-70b", "apart", "drafts"} {
		c := caseNamed(t, name)
		o := planner.CheckOptions{Seeds: 2, Sim: planner.SimOptions{Requests: 100}}
		whole := checked(t, c, o)
		k, err := planner.NewCheck(c.w, c.d, c.o, o)
		require.NoError(t, err)
		c.w.Classes[0].PromptTokens = 1 // the caller's own, which the check must not see
		turns := 0
		for !k.Work(1000) {
			turns++
		}
		got, err := k.Result()
		require.NoError(t, err)
		assert.Equal(t, whole.Runs, got.Runs, name)
		assert.Equal(t, whole.Promises, got.Promises, name)
		assert.Greater(t, turns, 4)
		assert.True(t, k.Work(1000), "a finished one stays so")
	}
	c := chat70B(t)
	k, err := planner.NewCheck(c.w, c.d, c.o, planner.CheckOptions{})
	require.NoError(t, err)
	assert.False(t, k.Work(1))
	k.Stop()
	assert.True(t, k.Work(1))
	r, err := k.Result()
	assert.NoError(t, err)
	assert.Empty(t, r.Promises)
	k, err = planner.NewCheck(c.w, c.d, c.o, planner.CheckOptions{})
	require.NoError(t, err)
	k.Stop() // before it began
	assert.True(t, k.Work(1))
}

func caseNamed(t testing.TB, name string) planCase {
	t.Helper()
	for _, c := range planCases(t) {
		if c.name == name {
			return c
		}
	}
	t.Fatal("no case " + name)
	return planCase{}
}

func TestChecksThatCannotBe(t *testing.T) {
	check := func(change func(*planCase, *planner.CheckOptions)) error {
		var o planner.CheckOptions
		c := chat70B(t).named("bad", func(c *planCase) { change(c, &o) })
		_, err := planner.NewCheck(c.w, c.d, c.o, o)
		return err
	}
	for field, change := range map[string]func(*planCase, *planner.CheckOptions){
		"Workload.Classes[0].RequestsPerSec": func(c *planCase, _ *planner.CheckOptions) { c.w.Classes[0].RequestsPerSec = 0 },
		"Workload.Classes[0].ArrivalCV2":     func(c *planCase, _ *planner.CheckOptions) { c.w.Classes[0].ArrivalCV2 = 174 },
		"Workload.Classes[0].ServiceCV2":     func(c *planCase, _ *planner.CheckOptions) { c.w.Classes[0].ServiceCV2 = 100 },
		"CheckOptions.Seeds":                 func(_ *planCase, o *planner.CheckOptions) { o.Seeds = -1 },
		"SimOptions.Requests":                func(_ *planCase, o *planner.CheckOptions) { o.Sim.Requests = 1 << 30 },
		"SimOptions.Replicas":                func(_ *planCase, o *planner.CheckOptions) { o.Sim.Replicas = -1 },
		"SimOptions.MostRequests":            func(_ *planCase, o *planner.CheckOptions) { o.Sim.MostRequests = 100 },
		"Deployment.Spec.Drafts": func(c *planCase, _ *planner.CheckOptions) {
			c.d.Spec = planner.Speculation{Drafts: 65, Acceptance: 0.7}
		},
	} {
		var bad *planner.ValueError
		require.True(t, errors.As(check(change), &bad), field)
		assert.Equal(t, field, bad.Field)
		assert.NotEmpty(t, bad.Legal)
		assert.NotEmpty(t, bad.Nearest, field)
	}
	// What is offered as nearest is legal.
	assert.NoError(t, check(func(c *planCase, _ *planner.CheckOptions) { c.w.Classes[0].ArrivalCV2 = 100 }))
	assert.NoError(t, check(func(c *planCase, _ *planner.CheckOptions) { c.w.Classes[0].ServiceCV2 = 1 }))

	apart := caseNamed(t, "apart")
	p, err := planner.Evaluate(apart.w, apart.d, apart.o)
	require.NoError(t, err)
	var bad *planner.ValueError
	_, err = planner.SimConfig(&p, apart.w, planner.SimOptions{})
	require.True(t, errors.As(err, &bad))
	assert.Equal(t, "Deployment.Disaggregated", bad.Field)
	_, err = planner.SimConfig(&planner.Plan{}, apart.w, planner.SimOptions{})
	assert.True(t, errors.As(err, &bad))
}

// TestSetup: what the simulator is given is what the plan says.
func TestSetup(t *testing.T) {
	c := caseNamed(t, "classes")
	c.d.Spec = planner.Speculation{Drafts: 3, Table: &planner.AcceptanceTables()[0]}
	p, err := planner.Evaluate(c.w, c.d, c.o)
	require.NoError(t, err)
	s, err := planner.SimConfig(&p, c.w, planner.SimOptions{})
	require.NoError(t, err)
	assert.Equal(t, p.Replicas, s.Config.Replicas)
	assert.Equal(t, p.BatchLimit, s.Config.Engine.MaxNumSeqs)
	kv := s.Config.Engine.KVBlocks * s.Config.Engine.BlockTokens
	assert.LessOrEqual(t, float64(kv), p.KVTokens)
	assert.Greater(t, float64(kv), p.KVTokens-16)

	// Drafts: the lengths of the table come back.
	mean, all := 1.0, 1.0
	for _, a := range s.Config.Engine.Draft.Accept {
		all *= a
		mean += all
	}
	assert.InDelta(t, c.d.Spec.Table.Lengths[2], mean, 1e-9)
	c.d.Spec = planner.Speculation{Drafts: 8, Table: &planner.AcceptanceTables()[1]} // does not grow evenly
	p, err = planner.Evaluate(c.w, c.d, c.o)
	require.NoError(t, err)
	s, err = planner.SimConfig(&p, c.w, planner.SimOptions{})
	require.NoError(t, err)
	mean, all = 1.0, 1.0
	for _, a := range s.Config.Engine.Draft.Accept {
		all *= a
		mean += all
	}
	assert.InDelta(t, c.d.Spec.Table.Lengths[7], mean, 1e-9)

	// The table of lengths: means and rates of the classes.
	l := s.Workload.Lengths.(sim.Joint)
	prompt, output := 0.0, 0.0
	for i := range l.Prompt {
		prompt += float64(l.Prompt[i]) / float64(len(l.Prompt))
		output += float64(l.Output[i]) / float64(len(l.Output))
	}
	wantPrompt, wantOutput := 0.0, 0.0
	for _, x := range c.w.Classes {
		share := x.RequestsPerSec * x.PeakToMean / peakOf(c.w)
		wantPrompt += share * x.PromptTokens
		wantOutput += share * x.OutputTokens
	}
	assert.InEpsilon(t, wantPrompt, prompt, 0.002)
	assert.InEpsilon(t, wantOutput, output, 0.005)
}

// TestSpreadIsWhatWasAsked: lengths have the mean and the variation of their
// class, and prompt and output do not hang together.
func TestSpreadIsWhatWasAsked(t *testing.T) {
	for _, cv2 := range []float64{0.1, 0.5, 1, 3} {
		c := chat70B(t).named("spread", func(c *planCase) { c.w.Classes[0].ServiceCV2 = cv2 })
		p, err := planner.Evaluate(c.w, c.d, c.o)
		require.NoError(t, err)
		s, err := planner.SimConfig(&p, c.w, planner.SimOptions{})
		require.NoError(t, err)
		l := s.Workload.Lengths.(sim.Joint)
		n := float64(len(l.Prompt))
		var x, y, work []float64
		prefill, decode := p.PrefillShownSeconds/p.ReplicaSeconds, p.DecodeSeconds/p.ReplicaSeconds
		for i := range l.Prompt {
			x, y = append(x, float64(l.Prompt[i])/2000), append(y, float64(l.Output[i])/300)
			work = append(work, prefill*x[i]+decode*y[i])
		}
		meanOf := func(v []float64) (mean, cv2 float64) {
			for _, a := range v {
				mean += a / n
			}
			for _, a := range v {
				cv2 += (a/mean - 1) * (a/mean - 1) / n
			}
			return mean, cv2
		}
		for _, v := range [][]float64{x, y, work} {
			mean, _ := meanOf(v)
			assert.InDelta(t, 1, mean, 0.002)
		}
		_, got := meanOf(work)
		assert.InEpsilon(t, cv2, got, 0.1)
		_, ofX := meanOf(x)
		joint := 0.0
		for i := range x {
			joint += (x[i] - 1) * (y[i] - 1) / n
		}
		assert.InDelta(t, 0, joint/ofX, 0.05, "correlation")
	}
}
