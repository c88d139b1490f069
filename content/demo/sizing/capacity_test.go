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

// A task that never succeeds has no price, the fleet still has one.
func TestNoSuccess(t *testing.T) {
	task := started(t, "capacity-planner", "plan=shown&success=0")
	solved, _ := demo.MetricNamed(task, "usd_solved")
	gpus, _ := demo.MetricNamed(task, "gpus")
	assert.True(t, math.IsNaN(solved.Value))
	assert.Positive(t, gpus.Value)
	assert.Contains(t, strings.Join(figure(t, task, "bill").Notes, " "), "never succeeds")
}

func figure(t *testing.T, task demo.Task, id string) demo.Figure {
	t.Helper()
	for _, f := range task.Figures() {
		if f.ID == id {
			return f
		}
	}
	require.Fail(t, "no figure "+id)
	return demo.Figure{}
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

// The guess is scored by the engine: how many times too many or too few.
func TestGuess(t *testing.T) {
	gpus, _ := demo.MetricNamed(started(t, "capacity-planner", "plan=shown"), "gpus")
	for _, c := range []struct {
		guess float64
		says  string
	}{{0, "Nobody has guessed, so nothing is marked"}, {gpus.Value, "exactly right"}, {2 * gpus.Value, "2 times too many"}, {gpus.Value / 4, "4 times too few"}} {
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

// A guess that nobody has made is not scored, in words or as a number, and what is
// to be done is said; one that was made is.
func TestUntouchedGuess(t *testing.T) {
	for link, want := range map[string]struct {
		says   string
		scored bool
	}{
		"":                   {"Place your guess; then show the plan.", false},
		"guess=8":            {"You say 8; now show the plan.", false},
		"plan=shown":         {"that takes a guess first, with the plan hidden.", false},
		"guess=8&plan=shown": {"A guess of 8: ", true},
	} {
		task := started(t, "capacity-planner", link)
		off, _ := demo.MetricNamed(task, "guess_off")
		assert.Equal(t, want.scored, !math.IsNaN(off.Value), link)
		assert.Contains(t, task.Summary().String(), want.says, link)
		assert.Equal(t, want.scored, strings.Contains(task.Summary().String(), "A guess of"), link)
	}
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
		assert.InDelta(t, class.HitFrac, got.HitFrac, 1e-12, p.ID)
		class.HitFrac = got.HitFrac
		assert.Equal(t, class, got, p.ID)
		assert.Equal(t, p.Objective, a.objective, p.ID)
		d, e := &p.Deployment, &a.deployment
		assert.Equal(t, []any{d.GPU.ID, d.Model.ID, d.TP, d.Weights, d.Compute, d.KV}, []any{e.GPU.ID, e.Model.ID, e.TP, e.Weights, e.Compute, e.KV}, p.ID)
	}
}
