package checking

import (
	"strings"
	"testing"

	"openloop/content/demo"
	"openloop/planner"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func part(c planner.SimCause, mean float64) planner.Part {
	var p planner.Part
	p.Cause, p.Adds.Mean = c, mean
	return p
}

// What is said of the first token and of the time per token stands in one row
// for each cause, whichever of them has it.
func TestCausesKeepTheirRows(t *testing.T) {
	token := []planner.Part{part(planner.CauseChunks, 1), part(planner.CauseArrivals, 2)}
	until := []planner.Part{part(planner.CauseQueue, 3), part(planner.CauseArrivals, 4)}
	assert.Equal(t, []planner.SimCause{planner.CauseQueue, planner.CauseChunks, planner.CauseArrivals}, causesOf(token, until))
	mean, ok := adds(until, planner.CauseArrivals)
	assert.True(t, ok)
	assert.Equal(t, 4.0, mean)
	_, ok = adds(until, planner.CauseChunks)
	assert.False(t, ok)
}

func run(t *testing.T, link string) *checkRun {
	t.Helper()
	for _, d := range Demos() {
		if d.ID == "plan-check" {
			state, problems := demo.Parse(d, link)
			require.Empty(t, problems)
			task, err := d.Start(state.Values, 7)
			require.NoError(t, err)
			for !task.Step(1 << 20) {
			}
			return task.(*checkRun)
		}
	}
	require.Fail(t, "there is no plan-check")
	return nil
}

// Each column of the causes adds up: the plan, what each cause adds, the simulation.
func TestCausesAddUp(t *testing.T) {
	for _, link := range []string{"v=1", "v=1&fleet=agents"} {
		r := run(t, link)
		x, first := r.row(planner.MetricTPOT), r.row(planner.MetricTTFT)
		token, until := x.Full, first.Full
		for _, c := range causesOf(x.Parts, first.Parts) {
			a, _ := adds(x.Parts, c)
			b, _ := adds(first.Parts, c)
			token, until = token+a, until+b
		}
		assert.InDelta(t, x.Simulated.Mean, token, 1e-9, link)
		assert.InDelta(t, first.Simulated.Mean, until, 1e-9, link)
	}
}

// Beyond what the plan can carry it has no time per token to be held against.
func TestOverloadHasNoPlan(t *testing.T) {
	r := run(t, "v=1&more=-4")
	says := r.Summary().String()
	assert.Contains(t, says, "the plan has no number for it")
	assert.False(t, strings.Contains(says, "where the plan says"), says)
	for _, m := range r.Metrics() {
		if m.Name == "tpot_plan" || m.Name == "ttft_plan" {
			assert.True(t, m.Value != m.Value, "%s is %v", m.Name, m.Value)
		}
	}
	assert.Contains(t, run(t, "v=1").Summary().String(), "where the plan says")
}
