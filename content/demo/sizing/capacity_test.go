package sizing

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/planner"
)

// What cannot be planned says which setting is in the way and what would do.
func TestImpossiblePlans(t *testing.T) {
	for _, c := range []struct{ name, link, says string }{
		{"fits on no offered replica", "gpu=l4&model=kimi-k2&weights=bf16", "No replica of up to 64 holds it"},
		{"fits on a larger one", "tp=1&weights=bf16", "Nearest that fits: 2 GPUs of a replica."},
		{"SLO below one step", "tpot=5", "Nearest that can be promised: 9.97 ms"},
		{"TTFT below a prefill", "ttft=0.05", "Nearest that can be promised: "},
		{"no target at all", "busy=0&ttft=0", "Nearest: busy at most 70%"},
		{"all is found in the cache", "hit=100", "Nearest: 99.913%."},
		{"hidden, but not in chunks", "chunk=0&overlap=50", "contradict each other"},
		{"hidden, and apart", "apart=on&overlap=50", "contradict each other"},
		{"own heads that do not divide", "model=own&heads=64&kv_heads=7", "Nearest: 8."},
	} {
		task := started(t, "capacity-planner", "plan=shown&"+c.link)
		says := task.Summary().String()
		assert.Contains(t, says, c.says, c.name)
		assert.NotContains(t, says, "Deployment.", c.name)
		assert.NotContains(t, says, "NaN", c.name)
		require.Len(t, task.Figures(), 5, c.name)
		assert.Contains(t, task.Figures()[0].Steps[0].Name, c.says, "%s: the figure is blank", c.name)
	}
}

// The value that is suggested does make a plan.
func TestNearestIsPossible(t *testing.T) {
	for _, link := range []string{"tpot=5", "ttft=0.05", "tp=1&weights=bf16", "gpu=l4&tpot=500&weights=bf16&ttft=9", "model=llama-3.1-405b&tp=2"} {
		r := started(t, "capacity-planner", link).(*capacityRun)
		require.NotNil(t, r.wrong, link)
		near, ok := number(r.wrong.Nearest)
		require.True(t, ok, link)
		again := r.a
		switch r.wrong.Field {
		case "Deployment.TP":
			again.deployment.TP = int(near)
		case "Objective.TPOTSeconds":
			again.objective.TPOTSeconds = near
		case "Objective.TTFTSeconds":
			again.objective.TTFTSeconds = near
		}
		_, err := planner.Evaluate(again.workload, again.deployment, again.objective)
		assert.NoError(t, err, link)
	}
}

// A task that never succeeds has no price, the fleet still has one.
func TestNoSuccess(t *testing.T) {
	task := started(t, "capacity-planner", "plan=shown&success=0")
	solved, _ := demo.MetricNamed(task, "usd_solved")
	gpus, _ := demo.MetricNamed(task, "gpus")
	assert.True(t, math.IsNaN(solved.Value))
	assert.Positive(t, gpus.Value)
	assert.Contains(t, strings.Join(task.Figures()[3].Notes, " "), "never succeeds")
}

// corners are every setting at its ends, alone and with a second one.
func corners(d *demo.Demo) []string {
	var single []string
	for _, k := range d.Knobs {
		for _, x := range []float64{k.Min, k.Max} {
			single = append(single, k.Name+"="+k.Text(x))
		}
		for _, o := range k.Options {
			single = append(single, k.Name+"="+o.Name)
		}
	}
	links := append([]string(nil), single...)
	for i, a := range single {
		b := single[(i*7+13)%len(single)]
		c := single[(i*31+5)%len(single)]
		links = append(links, a+"&"+b, a+"&"+b+"&"+c)
	}
	return links
}

// At every corner there is a plan whose numbers are finite, or a sentence.
func TestCorners(t *testing.T) {
	for _, d := range []*demo.Demo{capacityPlanner(), taskCost()} {
		plans, none := 0, 0
		for _, link := range corners(d) {
			s, problems := demo.Parse(d, "plan=shown&"+link)
			if d.ID != "capacity-planner" {
				s, problems = demo.Parse(d, link)
			}
			if len(problems) > 0 {
				continue // the same setting twice
			}
			task, err := demo.Run(s)
			require.NoError(t, err, link)
			says := task.Summary().String()
			require.NotEmpty(t, says, link)
			require.NotContains(t, says, "n/a", link)
			require.NotContains(t, says, "∞", link)
			for _, f := range task.Figures() {
				require.NotEmpty(t, f.Alt, link)
				require.NotEmpty(t, f.Table.Rows, link)
				require.NotContains(t, f.Alt, "n/a", "%s: %s", link, f.ID)
				for _, row := range f.Ranking.Rows {
					for _, c := range row.Cells {
						require.False(t, math.IsNaN(c.Num) || math.IsInf(c.Num, 0), "%s: %s of %s", link, row.Label, f.ID)
					}
				}
				for _, step := range f.Steps {
					require.NotContains(t, step.Numbers+step.Value, "n/a", "%s: %s", link, step.Name)
				}
			}
			if r, ok := task.(*capacityRun); ok && r.wrong != nil {
				none++
			} else {
				plans++
			}
		}
		assert.Greater(t, plans, 50, d.ID)
		if d.ID == "capacity-planner" {
			assert.Greater(t, none, 20, "the corners should hit what is impossible")
		}
	}
}

// Every equation of a shown plan names its source and its error, and every term
// where it is from.
func TestEveryNumberOpens(t *testing.T) {
	for _, p := range capacityPlanner().Presets {
		task := started(t, "capacity-planner", p.State+"&plan=shown")
		for _, s := range task.Figures()[0].Steps {
			assert.NotEmpty(t, s.Source, s.Name)
			assert.NotEmpty(t, s.Error, s.Name)
			assert.NotEmpty(t, s.Value, s.Name)
			if s.Key != "rho" {
				assert.NotEmpty(t, s.Formula, s.Name)
			}
			for _, term := range s.Terms {
				assert.NotEmpty(t, term.From, "%s of %s", term.Symbol, s.Name)
			}
		}
	}
}

// The guess is scored by the engine: how many times too many or too few.
func TestGuess(t *testing.T) {
	gpus, _ := demo.MetricNamed(started(t, "capacity-planner", ""), "gpus")
	for _, c := range []struct {
		guess float64
		says  string
	}{{gpus.Value, "exactly right"}, {2 * gpus.Value, "2 times too many"}, {gpus.Value / 4, "4 times too few"}} {
		d := capacityPlanner()
		s, p := demo.NewState(d).Set("guess", d.Knobs[0].Text(c.guess))
		require.Nil(t, p)
		s, p = s.Set("plan", "shown")
		require.Nil(t, p)
		task, err := demo.Run(s)
		require.NoError(t, err)
		assert.Contains(t, task.Summary().String(), c.says)
	}
}

// Until the reader has guessed, nothing on the page says how many it takes.
func TestHidden(t *testing.T) {
	task := started(t, "capacity-planner", "")
	for _, f := range task.Figures()[1:] {
		assert.Empty(t, f.Ranking.Rows)
		assert.Contains(t, f.Alt, "Hidden")
	}
	for _, s := range task.Figures()[0].Steps {
		assert.NotContains(t, []string{"GPUs", "R", "T", "G"}, s.Key)
	}
	assert.NotContains(t, task.Summary().String(), "take 16 GPUs")
}

// The presets are those that the planner checks by simulation: the same load,
// promise, hardware, model and types.
func TestPresetsAreThePlanners(t *testing.T) {
	presets := capacityPlanner().Presets
	want := planner.Presets()
	require.Len(t, presets, len(want))
	for i, p := range want {
		a := started(t, "capacity-planner", presets[i].State).(*capacityRun).a
		class := p.Workload.Classes[0]
		class.Name = ""
		got := a.workload.Classes[0]
		assert.InDelta(t, class.ThinkingTokens, got.ThinkingTokens, 1, p.ID)
		assert.InDelta(t, class.HitFrac, got.HitFrac, 1e-12, p.ID)
		class.ThinkingTokens, class.HitFrac = got.ThinkingTokens, got.HitFrac
		assert.Equal(t, class, got, p.ID)
		assert.Equal(t, p.Objective, a.objective, p.ID)
		d, e := &p.Deployment, &a.deployment
		assert.Equal(t, []any{d.GPU.ID, d.Model.ID, d.TP, d.Weights, d.Compute, d.KV}, []any{e.GPU.ID, e.Model.ID, e.TP, e.Weights, e.Compute, e.KV}, p.ID)
	}
}
