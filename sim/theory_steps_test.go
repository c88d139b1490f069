package sim

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestStepsOfOneSeat: with one seat nobody waits beside a free one, so the
// queue is M/G/1 with a geometric number of steps, and Pollaczek and
// Khinchine's formula is exact.
func TestStepsOfOneSeat(t *testing.T) {
	for _, load := range []float64{0.1, 0.5, 0.9, 0.97} {
		for _, mean := range []float64{1, 2, 10, 100} {
			q := MMKSteps(1, load/mean, 1, mean)
			want := MG1(load/mean, mean, 1-1/mean)
			assert.InEpsilon(t, want.WaitSeconds, q.WaitSeconds, 1e-9, "load %v, %v steps", load, mean)
			assert.InEpsilon(t, 1-load, q.Idle, 1e-9)
		}
		// Half a step less of each service ahead than the textbook has.
		assert.InEpsilon(t, load*99.5/(1-load), MMKSteps(1, load/100, 1, 100).WaitSeconds, 1e-9)
	}
	assert.InEpsilon(t, MM1(0.009, 100).WaitQuantile(0.99), MMKSteps(1, 0.009, 1, 100).WaitQuantile(0.99), 0.006)
}

// TestShortSteps: the shorter the steps, the nearer to the textbook.
func TestShortSteps(t *testing.T) {
	for _, k := range []int{1, 2, 4, 16} {
		for _, load := range []float64{0.5, 0.9} {
			want := MMK(k, load*float64(k), 1)
			off := func(steps float64) float64 {
				return MMKSteps(k, load*float64(k), 1/steps, steps).WaitSeconds - want.WaitSeconds
			}
			assert.Less(t, math.Abs(off(1000)), 0.51/1000*(1+want.WaitSeconds), "half a step for oneself and less for those ahead")
			assert.InEpsilon(t, 10.0, off(100)/off(1000), 0.02, "k=%d load=%v: in proportion to the step", k, load)
			p99, limit := MMKSteps(k, load*float64(k), 1e-3, 1000).WaitQuantile(0.99), want.WaitQuantile(0.99)
			assert.InDelta(t, limit, p99, 2e-3+limit/500)
		}
	}
}

// TestStepsTail: the level put back into a long hand-made sum.
func TestStepsTail(t *testing.T) {
	q := MMKSteps(2, 1, 0.1, 10)
	assert.Equal(t, 0.0, q.WaitQuantile(q.Idle/2))
	// Of those who find a step in progress, and only a seat to wait for, the wait is uniform over a step.
	seat := 1 - sumOf(q.ahead)
	assert.InEpsilon(t, 0.05, q.WaitQuantile((q.Idle+seat)/2), 1e-9)
	assert.InEpsilon(t, 0.1, q.WaitQuantile(seat), 1e-9)
	for _, q := range []StepQueue{MMKSteps(2, 2, 1, 1), MMKSteps(2, 3, 1, 1)} {
		assert.True(t, math.IsInf(q.WaitSeconds, 1) && math.IsInf(q.WaitQuantile(0.5), 1))
	}
}

func TestClosedSteps(t *testing.T) {
	one := ClosedSteps(1, 4, 3, 0.1, 20)
	assert.InEpsilon(t, 2.0, one.Seconds, 1e-12, "alone: nobody to wait for")
	assert.InEpsilon(t, 0.2, one.PerSec, 1e-12)
	for _, n := range []int{2, 5, 40} {
		for _, k := range []int{1, 3, 50} {
			want := MachineRepair(n, k, 4, 1)
			off := func(steps float64) float64 { return ClosedSteps(n, k, 4, 1/steps, steps).Seconds - want.Seconds }
			got := ClosedSteps(n, k, 4, 1e-3, 1000)
			assert.Less(t, math.Abs(off(1000)), 0.51/1000*want.Seconds)
			if math.Abs(off(1000)) > 1e-6 { // a full house has the same throughput in steps
				assert.InEpsilon(t, 10.0, off(100)/off(1000), 0.1, "n=%d k=%d", n, k)
			}
			assert.InEpsilon(t, float64(n), got.PerSec*(got.Seconds+4), 1e-9, "N = X(R+Z)")
		}
	}
}

func TestMasses(t *testing.T) {
	assert.Equal(t, []float64{0.25, 0.5, 0.25}, binomial(2, 0.5))
	assert.Equal(t, []float64{1}, binomial(0, 0.3))
	for _, mean := range []float64{1e-3, 0.5, 7, 40} {
		p := poissonMasses(mean)
		first := 0.0
		for j, x := range p {
			first += float64(float64(j) * x)
		}
		assert.InDelta(t, 1, sumOf(p), 1e-14)
		assert.InEpsilon(t, mean, first, 1e-13)
	}
}
