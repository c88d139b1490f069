package queueing

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/sim"
)

// TestEveryWait: no request starts a nanosecond early or late.
func TestEveryWait(t *testing.T) {
	for _, c := range Cases() {
		if c.Load == 0.5 || c.Load == 0.9 {
			c.Requests = 20_000
			require.NoError(t, c.EveryWait(3))
		}
	}
}

// TestLittle: the simulator's own count of who waits and who runs, summed over
// time as it goes, is that of the columns.
func TestLittle(t *testing.T) {
	for _, c := range Cases() {
		if c.Load != 0.8 {
			continue
		}
		c.Requests = 20_000
		r := c.simulate(2, Step, sim.MaxSeconds*sim.Second)
		require.Len(t, r.Samples, 1)
		var waiting, running sim.Nanos
		for i := range r.SentAt {
			waiting += r.AdmittedAt[i] - r.SentAt[i]
			running += r.DoneAt[i] - r.AdmittedAt[i]
		}
		all := r.EndAt.Seconds()
		assert.InEpsilon(t, waiting.Seconds()/all, r.Samples[0].WaitingMean, 1e-9, c.Queue)
		assert.InEpsilon(t, running.Seconds()/all, r.Samples[0].RunningMean, 1e-9, c.Queue)
		assert.InDelta(t, c.Load*float64(c.Seats), r.Samples[0].RunningMean, 0.2*float64(c.Seats), "rate times service")
	}
}

// TestFewRuns is the comparison of the table in small, with runs of its own,
// and shows that it would notice: with a step that is longer by so much that
// waits are 3% longer, theory lies outside the interval.
func TestFewRuns(t *testing.T) {
	for _, c := range []Case{{Queue: "M/M/1", Seats: 1, Load: 0.3, Requests: 50_000}, {Queue: "M/D/1", Seats: 1, Shape: Fixed, Load: 0.3, Requests: 50_000}} {
		// Of a load rho the mean wait grows by 2 + rho/(1-rho) per cent for each
		// per cent of service.
		slower := sim.Picos(math.Round(float64(Step) * (1 + 0.03/(2+c.Load/(1-c.Load)))))
		want := c.Theory().Mean
		for step, within := range map[sim.Picos]bool{Step: true, slower: false} {
			var means []float64
			for seed := range uint64(20) {
				means = append(means, c.Run(seed+100_001, step).Mean)
			}
			in := sim.OverSeeds(means, 0.999)
			assert.Equal(t, within, Beyond(in, want) <= 1, "%s with a step of %d ps: theory %v, simulated %v in %v to %v", c.Queue, step, want, in.Mean, in.Lo, in.Hi)
			if !within {
				assert.InDelta(t, 1.03, in.Mean/want, 0.01)
			}
		}
	}
}

// TestAgreement checks the kept table against theory. At 99% one number in a
// hundred may lie outside of its interval, and none far.
func TestAgreement(t *testing.T) {
	var beyond []float64
	for _, r := range Rows() {
		beyond = append(beyond, Beyond(r.Mean, r.Theory.Mean))
		if r.Theory.P99 > 0 {
			beyond = append(beyond, Beyond(r.P99, r.Theory.P99))
		}
	}
	for _, r := range LoopRows() {
		beyond = append(beyond, Beyond(r.Rate, r.Theory.Rate), Beyond(r.Response, r.Theory.Response))
	}
	require.Len(t, beyond, 48+30+12)
	outside := len(slices.DeleteFunc(slices.Clone(beyond), func(x float64) bool { return x <= 1 }))
	assert.LessOrEqual(t, outside, 4)
	assert.Less(t, slices.Max(beyond), 5.0/2.86, "nothing is five standard errors off")
}

// TestNoCommonBias: errors of the rows are of both signs. Their mean, in
// standard errors, is that of so many independent t variables.
func TestNoCommonBias(t *testing.T) {
	sum := 0.0
	rows := Rows()
	for _, r := range rows {
		sum += (r.Mean.Mean - r.Theory.Mean) / (r.Mean.SD / math.Sqrt(float64(r.Mean.Count)))
	}
	sd := math.Sqrt(19.0 / 17 * float64(len(rows))) // 19/17 is the variance of t with 19 degrees of freedom
	assert.Less(t, math.Abs(sum)/sd, 3.0)
}

// TestRunLength: the spread of the kept means over seeds is the predicted one.
func TestRunLength(t *testing.T) {
	for _, r := range Rows() {
		if r.Queue != "M/M/1" {
			continue
		}
		counted := float64(r.Requests - r.Requests/20)
		share := r.Mean.SD / r.Theory.Mean
		// Chi-square with 19 degrees of freedom is in 6.8 to 38.6 with 99%.
		assert.InDelta(t, 1.2, share*share*counted/Variance(r.Load), 0.85, "load %v", r.Load)
	}
	assert.InEpsilon(t, 1683.0, Variance(0.95), 1e-3)
	assert.InEpsilon(t, 2.586e6, RunLength(0.95, 0.05, 0.95), 1e-3)
}

// TestShapes: all shapes have the mean they should, and the variation that
// theory is given.
func TestShapes(t *testing.T) {
	for _, c := range []Case{{Shape: Geometric}, {Shape: Fixed}, {Shape: Uniform}, {Shape: TwoPoint}} {
		c.Queue, c.Seats, c.Load, c.Requests = "any", 1, 0.5, 100_000
		r := c.simulate(1, Step, 0)
		sum, squares := 0.0, 0.0
		for _, n := range r.Output {
			sum += float64(n)
			squares += float64(n) * float64(n)
		}
		mean := sum / float64(c.Requests)
		assert.InDelta(t, MeanSteps, mean, 4)
		assert.InDelta(t, c.Shape.scv(), squares/float64(c.Requests)/(mean*mean)-1, 0.15, "shape %d", c.Shape)
	}
}
