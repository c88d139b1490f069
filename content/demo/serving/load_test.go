package serving

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/content/demo/text"
	"openloop/content/demotest"
	"openloop/sim"
)

// The right options of the bets, from the engine.
func TestBets(t *testing.T) {
	demotest.Answers(t, []*demo.Demo{openClosed(), closedLoop(), throttled()}, map[string]int{
		"open-closed": 3, "open-closed&seed=1": 3, "open-closed&seed=2": 3,
		"closed-loop": 2, "closed-loop&seed=1": 2,
		"throttled": 0, "throttled&seed=1": 0,
	})
}

// What one request takes alone, by formula, is what a closed loop of one
// client measures.
func TestAloneIsALoopOfOne(t *testing.T) {
	load := sim.Workload{Generator: sim.ClosedLoop{Clients: 1}, Lengths: replica.LengthsAround(2000, 100), Requests: 300} // prompts of up to four steps
	for _, c := range []sim.Config{replica.Server(), replica.Slowed(replica.Server(), 3)} {
		q := &replica.Queue{}
		q.Add(replica.Job{Config: c, Load: load, Seed: 5, Done: func(r *sim.Results) {
			all := sentIn(r, 0, sim.Never)
			alone, busy := requestCost(sizesOf(r, all), c)
			assert.InDelta(t, alone, latencies(r, sim.E2E, sim.FromSent, all).mean(), 1e-6)
			assert.Less(t, busy, alone)
		}})
		finish(q)
	}
}

func finish(q *replica.Queue) {
	for !q.Step(100_000) {
	}
}

// No run does more than the bound says, over its whole length: a law, not an
// estimate, because the drain only slows it down.
func TestBoundIsALaw(t *testing.T) {
	for _, n := range []int{1, 7, 64, 300} {
		for _, think := range []float64{0, 2} {
			loop := sim.ClosedLoop{Clients: n, Think: sim.ThinkTime{Mean: sim.Seconds(think)}}
			q := &replica.Queue{}
			q.Add(replica.Job{Config: replica.Server(), Load: sim.Workload{Generator: loop, Lengths: replica.Lengths(), Requests: 1500}, Seed: 3, Done: func(r *sim.Results) {
				all := sentIn(r, 0, sim.Never)
				alone, busy := requestCost(sizesOf(r, all), replica.Server())
				// All clients together have n requests and, but for the last of
				// each, n thoughts to get through.
				sent := float64(len(all))
				least := max((sent*alone+think*(sent-float64(n)))/float64(n), sent*busy)
				assert.GreaterOrEqual(t, r.EndAt.Seconds(), least*(1-1e-9))
			}})
			finish(q)
		}
	}
}

// The closed loop gets the same clients in all its runs, and Little's law
// holds for the numbers that the summary prints.
func TestLittleInTheSummary(t *testing.T) {
	for _, link := range []string{"", "clients=300&think=3", "slower=10", "clients=2000&think=10"} {
		_, task := demotest.Run(t, closedLoop(), link)
		r := task.(*ceilingRun)
		assert.InEpsilon(t, float64(r.clients), demotest.Metric(t, task, "little"), 0.04, link)
	}
}

// Below the cap both clocks and the open loop agree to the bit.
func TestCapThatDoesNotBind(t *testing.T) {
	_, task := demotest.Run(t, throttled(), "cap=256&rate=20")
	r := task.(*throttledRun)
	require.Zero(t, r.now.capped.held)
	assert.Equal(t, r.now.open, r.now.capped)
	assert.Zero(t, r.now.capped.formula())
}

// Presets show what they say.
func TestPresets(t *testing.T) {
	metric := func(d *demo.Demo, link, name string) float64 {
		_, task := demotest.Run(t, d, link)
		return demotest.Metric(t, task, name)
	}
	assert.InDelta(t, 1, metric(openClosed(), "stall=0", "ratio_e2e"), 0.1)
	assert.Less(t, metric(openClosed(), "stall=0", "ratio_ttft"), 2.0)
	assert.Greater(t, metric(openClosed(), "rate=36", "ratio_ttft"), 10.0)
	assert.Less(t, metric(openClosed(), "stall=10", "p99_closed"), 0.06)
	assert.Less(t, metric(closedLoop(), "clients=32&think=0", "share"), 33.0)
	assert.Less(t, metric(closedLoop(), "clients=1432", "share"), 97.0)
	assert.Zero(t, metric(throttled(), "rate=12", "hidden"))
	assert.Less(t, metric(throttled(), "cap=256", "p99_schedule"), 0.2)
	assert.Greater(t, metric(throttled(), "cap=16&rate=10", "p99_schedule"), 5.0)
}

// A run of no requests and runs of one must not divide by zero.
func TestSparse(t *testing.T) {
	for _, link := range []string{"rate=1&output=16&seed=3", "rate=1&stall=15", "rate=40&prompt=2048&output=512&seats=8"} {
		_, task := demotest.Run(t, openClosed(), link)
		for _, m := range task.Metrics() {
			assert.False(t, math.IsNaN(m.Value) || math.IsInf(m.Value, 0), "%s: %s", link, m.Name)
		}
	}
}

// The knob's row stands in its place, once.
func TestRowsWithNow(t *testing.T) {
	for now, want := range map[float64]string{1: "1, now; 2; 4", 3: "2; 3, now; 4", 4: "2; 4, now", 5: "2; 4; 5, now"} {
		var got []string
		for _, row := range withNow([]float64{2, 4, now}, make([][]demo.Cell, 3)) {
			if c := row[0]; c.Word {
				got = append(got, c.Text)
			} else {
				got = append(got, text.Num(c.Num, 3))
			}
		}
		assert.Equal(t, want, strings.Join(got, "; "))
	}
}
