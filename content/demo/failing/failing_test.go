package failing

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/verdict"
	"openloop/content/demotest"
	"openloop/sim"
)

func TestAnswers(t *testing.T) {
	demotest.Answers(t, Demos(), map[string]int{
		"eight-signals": 2, "same-utilization": 3, "same-utilization&seed=5": 3, "long-prompts": 1, "long-prompts&seed=5": 1, "retry-storm": 2,
	})
}

// TestLeversAreKnown: every lever can be pulled at every strength, has a clause
// for each signal that its signature moves, and a remedy that is there.
func TestLeversAreKnown(t *testing.T) {
	require.Len(t, whys, len(sim.Levers()))
	for _, l := range sim.Levers() {
		for _, strength := range []float64{0.1, 0.35, 0.6, 1} {
			p := plan{levers: [2]string{l.ID, noLever}, strengths: [2]float64{strength, 1}, from: l.Start, to: l.End, remedy: "none"}
			_, err := p.scenario(BaseFor(l.ID))
			assert.NoError(t, err, "%s at %v", l.ID, strength)
		}
		assert.Equal(t, l.Default, intensity(&l, 1), l.ID)
		e, _ := sim.Signature(l.ID)
		for id := range sim.NumSignals {
			assert.Equal(t, e.Moves[id] != sim.Flat, why(l.ID, id) != "", "%s: %s", l.ID, id.Describe().Name)
		}
	}
	assert.Empty(t, why("no such lever", 0))
}

// TestEveryRemedyRuns: with every lever, and with two levers of different bases.
func TestEveryRemedyRuns(t *testing.T) {
	for _, r := range remedies() {
		for _, l := range sim.Levers() {
			for _, second := range []string{noLever, "slow_kv_link", "retry_storm"} {
				p := plan{levers: [2]string{l.ID, second}, strengths: [2]float64{1, 0.5}, from: l.Start, to: l.End, remedy: r.id, seed: 1}
				_, err := p.scenario(BaseFor(l.ID, second))
				assert.NoError(t, err, "%s and %s with %s", l.ID, second, r.id)
			}
		}
	}
}

func TestWatch(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name  string
		y     []float64
		move  sim.Move
		first int
		most  float64
	}{
		{"inside", []float64{1, 2, 1, 2}, sim.Flat, -1, nan},
		{"above", []float64{1, 3, 1, 5}, sim.Up, 1, 5},
		{"below", []float64{0, 2, -1, 2}, sim.Down, 0, -1},
		{"one in eight", []float64{1, 1, 9, 1, 1, 1, 1, 1}, sim.Flat, -1, nan},
		{"not known", []float64{nan, nan, nan, nan}, sim.Flat, -1, nan},
		{"more above", []float64{0, 3, 4, 1}, sim.Up, 1, 4},
		{"none", nil, sim.Flat, -1, nan},
	} {
		got := watch(c.y, 1, 2, 0, len(c.y))
		assert.Equal(t, c.move, got.move, c.name)
		assert.Equal(t, c.first, got.first, c.name)
		if !math.IsNaN(c.most) {
			assert.Equal(t, c.most, got.most, c.name)
		}
	}
}

// TestSeek: a run that stands at a time shows nothing later, keeps its axes, and
// is whole again at the end; metrics and records do not depend on it.
func TestSeek(t *testing.T) {
	for _, id := range []string{"eight-signals", "retry-storm"} {
		s, task := demotest.Run(t, demotest.Find(t, Demos(), id), "")
		timed := task.(demo.Timed)
		whole, csv, metrics := task.Figures(), demo.CSV(s, task), task.Metrics()
		for _, at := range []float64{0, 3, 20, 40, 47, 60, 96} {
			timed.Seek(at)
			for i, f := range task.Figures() {
				require.Equal(t, whole[i].ID, f.ID)
				for k, x := range f.Traces {
					assert.Equal(t, whole[i].Traces[k].Top, x.Top, "%s %s", id, x.ID)
					for _, when := range x.X {
						assert.LessOrEqual(t, when, at, "%s %s", id, x.ID)
					}
				}
			}
			for _, e := range task.Events() {
				assert.LessOrEqual(t, e.At, at, "%s at %v: %s", id, at, e.Says)
			}
			assert.NotEmpty(t, task.Summary().String())
			assert.Equal(t, csv, demo.CSV(s, task))
			for i, m := range task.Metrics() {
				assert.Equal(t, math.Float64bits(metrics[i].Value), math.Float64bits(m.Value), "%s: %s", id, m.Name)
			}
		}
		timed.Seek(timed.Clock().To)
		again := task.Figures()
		for i := range whole {
			assert.Equal(t, whole[i].Alt, again[i].Alt)
			assert.Equal(t, len(whole[i].Traces), len(again[i].Traces))
		}
	}
}

// TestReadings: the rules read the run that the demo opens with, and a cold start, as
// what they are and nothing beside.
func TestReadings(t *testing.T) {
	d := demotest.Find(t, Demos(), "eight-signals")
	for link, want := range map[string]string{"": "KV squeeze", "seed=8": "KV squeeze", "lever=cold_start": "cold start", "lever=cold_start&seed=8": "cold start"} {
		_, task := demotest.Run(t, d, link)
		read := task.(*eightRun).reading()
		assert.Equal(t, want, verdict.Name(read.Verdict), link)
		assert.Empty(t, read.Also, link)
	}
}

// TestRemedyThatChangesNothing says so.
func TestRemedyThatChangesNothing(t *testing.T) {
	d := demotest.Find(t, Demos(), "eight-signals")
	_, task := demotest.Run(t, d, "lever=traffic_surge&remedy=budget")
	assert.Contains(t, task.Summary().String(), "changes nothing here")
	_, task = demotest.Run(t, d, "lever=traffic_surge&remedy=replicas")
	assert.NotContains(t, task.Summary().String(), "changes nothing here")
}

// TestSeenRuns presses every preset of the dashboard, and each again: what was seen
// needs no run, whatever came between, and equals what a run from nothing gives.
func TestSeenRuns(t *testing.T) {
	d := Demos()[0]
	states := []string{""}
	for _, p := range d.Presets {
		states = append(states, p.State)
	}
	var last demo.Task
	for round := range 2 {
		for i, link := range states {
			s, problems := demo.Parse(d, link)
			require.Empty(t, problems)
			task, err := demo.StartFrom(last, s)
			require.NoError(t, err)
			if round > 0 || i > 0 && link == "" {
				assert.True(t, task.Step(0), "%q is run again", link)
			}
			demo.Finish(task)
			demo.Stand(s, task)
			fresh, err := demo.Run(s)
			require.NoError(t, err)
			assert.Equal(t, fmt.Sprint(fresh.Records()), fmt.Sprint(task.Records()), link) // as text, for NaN
			assert.Equal(t, fmt.Sprint(fresh.Metrics()), fmt.Sprint(task.Metrics()), link)
			assert.LessOrEqual(t, len(task.(*eightRun).seen), keptRuns)
			last = task
		}
	}
}
