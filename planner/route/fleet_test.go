package route_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner/route"
)

// The size of a fleet is held to a day that is played hour by hour, with a queue
// of the work that may wait: nothing of the formula is in it.

func TestFleetTable(t *testing.T) {
	for _, c := range []struct {
		name                string
		f                   route.Fleet
		mean, servers, full float64
	}{
		{"nothing waits", route.Fleet{Night: 0.25}, 0.625, 1, 0.375},
		{"the page's", route.Fleet{Night: 0.25, Batch: 0.35}, 0.625, 0.65, 0.375},
		{"just full", route.Fleet{Night: 0.25, Batch: 0.375}, 0.625, 0.625, 0.375},
		{"more than full", route.Fleet{Night: 0.25, Batch: 0.6}, 0.625, 0.625, 0.375},
		{"all may wait", route.Fleet{Night: 0.5, Batch: 1}, 0.75, 0.75, 0.25},
		{"no night", route.Fleet{Night: 1, Batch: 0.6}, 1, 1, 0},
		{"an empty night", route.Fleet{Batch: 0.6}, 0.5, 0.5, 0.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.NoError(t, c.f.Check())
			assert.InDelta(t, c.mean, c.f.Mean(), slack)
			assert.InDelta(t, c.servers, c.f.Servers(), slack)
			assert.InDelta(t, c.full, c.f.Full(), slack)
		})
	}
}

func TestFleetCheck(t *testing.T) {
	for _, bad := range []float64{-0.01, 1.01, math.NaN(), math.Inf(1), math.Inf(-1)} {
		for field, f := range map[string]route.Fleet{"Night": {Night: bad, Batch: 0.5}, "Batch": {Night: 0.5, Batch: bad}} {
			var value *route.ValueError
			require.ErrorAs(t, f.Check(), &value, "%v", f)
			assert.Equal(t, field, value.Field)
		}
	}
}

func TestFleetLaws(t *testing.T) {
	r := drawn(50)
	for range trials {
		f := route.Fleet{Night: corner(r), Batch: corner(r)}
		require.NoError(t, f.Check())
		s := f.Servers()
		assert.GreaterOrEqual(t, s, f.Mean(), "no order of work makes it smaller than the mean")
		assert.LessOrEqual(t, s, 1.0)
		if f.Batch <= f.Full() {
			assert.InDelta(t, 1-f.Batch, s, slack, "one for one until the day is full: %+v", f)
		} else {
			assert.InDelta(t, f.Mean(), s, slack, "nothing more after that: %+v", f)
		}
		more, brighter := f, f
		more.Batch += (1 - f.Batch) * r.Float64()
		brighter.Night += (1 - f.Night) * r.Float64()
		assert.LessOrEqual(t, more.Servers(), s+slack)
		assert.GreaterOrEqual(t, brighter.Servers(), s-slack)
	}
}

// played runs days of n steps, work that may wait first come, first served, and
// says whether a fleet of so many servers does all else at once, and how much of
// it is left at the end of each of the last two days. An instant of the cosine
// stands for its step, so sizes are right to about 1e-4.
func played(f route.Fleet, servers float64) (atOnce bool, left [2]float64, longest float64) {
	const n, days = 1000, 4
	queue := 0.0
	arrived, done := []float64{0}, []float64{0}
	for step := range n * days {
		load := f.Night + (1-f.Night)*0.5*(1-math.Cos(2*math.Pi*(float64(step)+0.5)/n))
		room := servers - (1-f.Batch)*load
		if room < -1e-9 {
			return false, left, 0
		}
		queue += f.Batch * load / n
		work := min(queue, room/n)
		queue -= work
		arrived = append(arrived, arrived[step]+f.Batch*load/n)
		done = append(done, done[step]+work)
		if (step+1)%n == 0 {
			left[0], left[1] = left[1], queue
		}
	}
	end := 0
	for i, a := range arrived {
		for end < len(done) && done[end] < a-1e-12 {
			end++
		}
		longest = max(longest, float64(end-i)/n)
	}
	return true, left, longest
}

// TestFleetPlayed: the fleet of the formula, a thousandth larger, does it all and
// makes nobody wait for a day; a hundredth smaller it does not.
func TestFleetPlayed(t *testing.T) {
	r := drawn(51)
	for range 100 {
		f := route.Fleet{Night: corner(r), Batch: corner(r)}
		atOnce, left, longest := played(f, f.Servers()+1e-3)
		require.True(t, atOnce, "%+v", f)
		require.InDelta(t, left[0], left[1], 1e-9, "%+v: work piles up from day to day", f)
		require.LessOrEqual(t, longest, 1.0, "%+v", f)
		atOnce, left, _ = played(f, f.Servers()-1e-2)
		require.True(t, !atOnce || left[1] > left[0]+5e-3, "%+v: a smaller fleet does it, too", f)
	}
}
