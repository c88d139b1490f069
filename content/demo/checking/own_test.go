package checking

import (
	"strings"
	"testing"

	"openloop/content/demo"
	"openloop/content/demo/sizing"
	"openloop/planner"
	"openloop/planner/profile"
	"openloop/sim"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The reader's own plan: a link of the planner, simulated like a preset.

func plannerDemo(t *testing.T) *demo.Demo {
	t.Helper()
	for _, d := range sizing.Demos() {
		if d.ID == "capacity-planner" {
			return d
		}
	}
	require.Fail(t, "there is no planner")
	return nil
}

// own is the state of plan-check for a link of the planner.
func own(link string) string {
	return "v=1&fleet=" + sizing.OwnFleet + "&" + sizing.OwnKnob + "=" + demo.Escaped(link) + "&hide=bet"
}

// toSimulation is the state of plan-check that the planner leads to.
func toSimulation(t *testing.T, state string) string {
	t.Helper()
	s, problems := demo.Parse(plannerDemo(t), state)
	require.Empty(t, problems)
	task, err := demo.Run(s)
	require.NoError(t, err)
	for _, p := range task.Figures()[0].Pages {
		if p.Next {
			state, ok := strings.CutPrefix(p.Path, "guide/planner.html#demo=plan-check&")
			require.True(t, ok, p.Path)
			return state
		}
	}
	return ""
}

// TestOwnPlanIsThePresets: the link of each preset of the planner gives the runs of
// the preset, and the planner leads to them.
func TestOwnPlanIsThePresets(t *testing.T) {
	presets := plannerDemo(t).Presets
	require.Len(t, presets, len(planner.Presets()))
	for i, p := range planner.Presets() {
		shown := "v=1&plan=shown"
		if presets[i].State != "" {
			shown += "&" + presets[i].State
		}
		assert.Equal(t, "v=1&fleet="+p.ID, toSimulation(t, shown))
		a, b := started(t, "v=1&fleet="+p.ID), started(t, own(shown))
		require.Empty(t, a.wrong)
		require.Empty(t, b.wrong)
		assert.Equal(t, a.explains, b.explains)
		x, y := once(t, a), once(t, b)
		assert.Equal(t, x.Kept, y.Kept, p.ID)
		assert.Equal(t, x.Runs[0].Sent, y.Runs[0].Sent, p.ID)
		// The hit rate of the agents is a line between two sizes here, a number there.
		assert.InEpsilon(t, x.Runs[0].TTFTSeconds, y.Runs[0].TTFTSeconds, 1e-6, p.ID)
		assert.InEpsilon(t, x.Runs[0].TPOTSeconds, y.Runs[0].TPOTSeconds, 1e-6, p.ID)
		require.Len(t, y.Promises, len(x.Promises), p.ID)
		for k := range x.Promises {
			assert.Equal(t, x.Promises[k].Limit, y.Promises[k].Limit, p.ID)
		}
	}
}

// started is a check that has not begun to work.
func started(t *testing.T, link string) *checkRun {
	t.Helper()
	state, problems := demo.Parse(planCheck(), link)
	require.Empty(t, problems, link)
	task, err := state.Demo.Start(state.Values, 7)
	require.NoError(t, err)
	return task.(*checkRun)
}

// once is one run of what was started.
func once(t *testing.T, r *checkRun) planner.CheckResult {
	t.Helper()
	f := &r.fleet
	k, err := planner.NewCheck(f.workload, f.deployment, f.objective, planner.CheckOptions{Seeds: 1, Sim: planner.SimOptions{Requests: 200, RequestsPerSec: f.peak()}})
	require.NoError(t, err)
	for !k.Work(1 << 30) {
	}
	out, err := k.Result()
	require.NoError(t, err)
	return out
}

// TestPlannerLeadsToOwnPlan: any other plan goes along as a link, with what makes it
// and nothing else, and what is simulated is that plan.
func TestPlannerLeadsToOwnPlan(t *testing.T) {
	state := toSimulation(t, "v=1&guess=3&plan=shown&rate=35&tpot=40&b_tp=8&kv=fp8&drafts=0&price=4")
	assert.Equal(t, own("v=1&rate=35&tpot=40&kv=fp8&price=4"), state)
	r := run(t, state)
	require.Empty(t, r.wrong)
	assert.Equal(t, 35.0, r.fleet.workload.Classes[0].RequestsPerSec)
	assert.Equal(t, 0.04, r.fleet.objective.TPOTSeconds)
	assert.Equal(t, 3, len(r.result.Promises))
	assert.Equal(t, 0.04, r.result.Promises[0].Limit)
	_, kept := r.kept()
	assert.False(t, kept, "no kept runs are of this plan")
	assert.Empty(t, toSimulation(t, "v=1"), "what is hidden leads nowhere")
	assert.Empty(t, toSimulation(t, "v=1&plan=shown&tpot=5"), "nor does what cannot be")

	// Measured steps go along; where there are none, the plan has the fitted ones.
	assert.Equal(t, own("v=1&efficiency=measured"), toSimulation(t, "v=1&plan=shown&efficiency=measured"))
	assert.Equal(t, own("v=1&rate=35&gpu=l4&model=llama-3.1-8b"), toSimulation(t, "v=1&plan=shown&efficiency=measured&rate=35&gpu=l4&model=llama-3.1-8b"))

	// A second kind of request comes along, and more load is more of both.
	two := started(t, own("v=1&rate2=10")+"&load=50")
	require.Empty(t, two.wrong)
	assert.InDelta(t, 45.0, two.fleet.peak(), 1e-9)
	apart := run(t, own("v=1&apart=on&chunk=0")+"&runs=2&search=on")
	require.Empty(t, apart.wrong)
	assert.Contains(t, apart.Summary().String(), "for prefill and")
	assert.Contains(t, apart.searchFigure().Alt+apart.searchFigure().Notes[0], "not searched")
}

func TestLinksThatAreNoPlan(t *testing.T) {
	for link, says := range map[string]string{
		"":                             "Paste the link of one",
		"hello":                        "This is no link of the planner",
		"https://example.org/x":        "This is no link of the planner",
		"rate=5":                       "Its links begin with v=1, after the #",
		"#v=1&rate=0":                  `Requests (rate): "0" is out of range; legal: 0.01 to 100000 /s; the nearest is 0.01 /s`,
		"#demo=task-cost&v=1&turns=10": "task-cost",
		"#v=1&rate=-5":                 "rate",
		"#v=1&rate=NaN":                "rate",
		"v=9&rate=5":                   "v",
		"#v=1&rat=5":                   "no setting rat",
		"#v=1&a=1&b=1&c=1&d=1&e=1":     "And 2 more",
		"#v=1&tpot=5":                  "9.97 ms",
		"#v=1&hit=100":                 "leaves nothing to compute",
		"#v=1&model=deepseek-r1":       "does not fit",
		"#v=1&ttft=0.01":               "No plan keeps a time to first token",
		"#v=1&rate=100000":             "too large to be simulated",
		"#v=1&bursts=150":              "Bursts",
	} {
		r := run(t, own(link))
		assert.Contains(t, r.wrong, says, link)
		assert.Equal(t, r.wrong, r.Summary().String(), link)
		for _, f := range r.Figures() {
			assert.Contains(t, f.Alt+strings.Join(f.Notes, " "), r.wrong, link)
		}
		for _, m := range r.Metrics() {
			assert.True(t, m.Value != m.Value, "%s: %s is %v", link, m.Name, m.Value)
		}
		assert.NotEmpty(t, r.Records().Rows)
	}
	// The whole address is as good as its end, and blanks around it are nothing.
	r := run(t, own("  https://example.org/guide/planner.html#demo=capacity-planner&v=1&seed=7&plan=shown&rate=5 "))
	assert.Empty(t, r.wrong)
	assert.Equal(t, 5.0, r.fleet.workload.Classes[0].RequestsPerSec)
}

// TestAnyPlanEnds: what is simulated is bounded in requests, with and without causes.
func TestAnyPlanEnds(t *testing.T) {
	r := started(t, own("v=1&rate=60"))
	assert.Empty(t, r.wrong)
	assert.True(t, r.explains)
	r = run(t, own("v=1&rate=150")+"&runs=2")
	assert.Empty(t, r.wrong)
	assert.False(t, r.explains)
	assert.Contains(t, r.causesFigure().Alt+r.causesFigure().Notes[0], "too long for that")
	for _, run := range r.result.Runs {
		assert.Greater(t, run.Sent, int64(mostExplained/2))
		assert.Less(t, run.Sent, int64(mostSimulated))
	}
}

// TestMeasuredSteps: a plan with step times that were measured is simulated with
// those: a step takes what the fit of the measurements says, and it is said whose
// they are.
func TestMeasuredSteps(t *testing.T) {
	r := started(t, own("v=1&efficiency=measured&model=llama-3.1-8b&tp=1&weights=bf16"))
	require.Empty(t, r.wrong)
	d := &r.fleet.deployment
	assert.Equal(t, planner.Measured, r.plan.Origin)
	setup, err := planner.SimConfig(&r.plan, r.fleet.workload, planner.SimOptions{})
	require.NoError(t, err)
	c, ok := profile.Calibrated(d.GPU.ID, d.Model.ID, d.Weights, d.TP)
	require.True(t, ok)
	engine, ok := profile.Overhead(d.GPU.ID, d.Model.ID, "vLLM", d.TP)
	require.True(t, ok)
	for _, batch := range []int64{1, 16, 200} {
		for _, context := range []int64{200, 1300, 9000} {
			got := setup.Config.Engine.Cost.Picos(sim.Load{Decodes: batch, DecodeTokens: batch, KVTokens: batch * context})
			want := c.DecodeSeconds(float64(batch), float64(batch*context)) + engine.StepSeconds
			assert.InEpsilon(t, want, float64(got)/1e12, 0.005, "%d of %d", batch, context)
		}
	}
	assert.Contains(t, r.rowsFigure().Notes[0], "aiconfigurator, vLLM")
	without := started(t, own("v=1&efficiency=measured&gpu=l4&model=llama-3.1-8b&tp=1"))
	assert.Contains(t, without.rowsFigure().Notes[0], "No measured steps")
}
