package sim

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

const theoryTol = 1e-12 // relative; the formulas lose a few bits only

// TestMM1Textbook: at load 0.5 and 1 s of service the wait is 1 s; at 0.9, 9 s.
func TestMM1Textbook(t *testing.T) {
	for _, c := range []struct{ load, wait, waiting, inSystem float64 }{
		{0.5, 1, 0.5, 1}, {0.8, 4, 3.2, 4}, {0.9, 9, 8.1, 9}, {0.99, 99, 98.01, 99}, {0, 0, 0, 0},
	} {
		q := MM1(c.load, 1)
		assert.InDelta(t, c.wait, q.WaitSeconds, 1e-10)
		assert.InDelta(t, c.wait+1, q.InSystemSecs, 1e-10)
		assert.InDelta(t, c.waiting, q.WaitingMean, 1e-10)
		assert.InDelta(t, c.inSystem, q.InSystemMean, 1e-10)
		assert.InDelta(t, c.load, q.WaitProb, 1e-15)
		d := MD1(c.load, 1)
		assert.InDelta(t, c.wait/2, d.WaitSeconds, 1e-10)
		assert.InDelta(t, MG1(c.load, 1, 1).WaitSeconds, q.WaitSeconds, 1e-10)
	}
	for _, load := range []float64{1, 1.5} {
		for _, q := range []Queue{MM1(load, 1), MMK(3, 3*load, 1), MG1(load, 1, 2), MD1(load, 1), MGK(2, 2*load, 1, 0)} {
			assert.True(t, math.IsInf(q.WaitSeconds, 1) && math.IsInf(q.InSystemMean, 1))
			assert.Equal(t, 1.0, q.WaitProb)
		}
		assert.True(t, math.IsInf(MM1(load, 1).WaitQuantile(0.5), 1))
		assert.True(t, math.IsInf(MM1InSystemQuantile(load, 1, 0.5), 1))
	}
}

// TestWaitQuantiles: the quantile put back into the tail gives 1-q.
func TestWaitQuantiles(t *testing.T) {
	q := MM1(0.9, 1)
	assert.InEpsilon(t, 10*math.Log(90), q.WaitQuantile(0.99), theoryTol)
	assert.InEpsilon(t, 10*math.Log(100), MM1InSystemQuantile(0.9, 1, 0.99), theoryTol)
	assert.Equal(t, 0.0, q.WaitQuantile(0.05), "a tenth does not wait")
	m := MMK(4, 3, 1)
	assert.InEpsilon(t, 0.01, m.WaitProb*math.Exp(-(4-3)*m.WaitQuantile(0.99)), theoryTol)
	assert.Equal(t, 0.0, m.WaitQuantile(1-m.WaitProb))
}

// TestErlangTables: values of the traffic tables, to their digits.
func TestErlangTables(t *testing.T) {
	for _, c := range []struct {
		k       int
		erlangs float64
		b       float64
	}{{1, 1, 0.5}, {2, 1, 0.2}, {5, 3, 0.1101}, {10, 5, 0.0184}, {10, 10, 0.2146}, {20, 15, 0.0456}, {0, 3, 1}} {
		assert.InDelta(t, c.b, ErlangB(c.k, c.erlangs), 5e-5, "B(%d, %v)", c.k, c.erlangs)
	}
	// The largest offered load with 1% refused by 10 lines is 4.46 erlangs.
	assert.InDelta(t, 0.01, ErlangB(10, 4.4612), 1e-5)
	assert.InEpsilon(t, 1.0/3, ErlangC(2, 1), theoryTol)
	assert.InEpsilon(t, 0.7, ErlangC(1, 0.7), theoryTol)
	assert.Equal(t, 1.0, ErlangC(2, 2))
}

// TestErlangCAgainstSum uses the sum of the steady-state probabilities.
func TestErlangCAgainstSum(t *testing.T) {
	for _, k := range []int{1, 2, 3, 10, 50, 150} {
		for _, load := range []float64{0.1, 0.5, 0.9, 0.999} {
			a := load * float64(k)
			term, sum := 1.0, 1.0
			for j := 1; j < k; j++ {
				term *= a / float64(j)
				sum += term
			}
			last := term * a / float64(k) / (1 - load)
			assert.InEpsilon(t, last/(sum+last), ErlangC(k, a), 1e-10, "k=%d load=%v", k, load)
		}
	}
	big := ErlangC(100_000, 99_900)
	assert.True(t, big > 0 && big < 1, "no overflow: %v", big)
}

func TestMMKLimits(t *testing.T) {
	// Two servers at load rho: mean time in system is s/(1-rho^2).
	for _, rho := range []float64{0.1, 0.5, 0.9} {
		assert.InEpsilon(t, 1/(1-rho*rho), MMK(2, 2*rho, 1).InSystemSecs, theoryTol)
	}
	assert.InEpsilon(t, MMK(8, 7, 1).WaitSeconds/2, MGK(8, 7, 1, 0).WaitSeconds, theoryTol)
	assert.InEpsilon(t, MG1(0.7, 1, 3).WaitSeconds, MGK(1, 0.7, 1, 3).WaitSeconds, 1e-11)
}

// TestTheoryAgainstQueue: the little queue of these tests, over seeds, against
// its formula, within the interval over seeds at 99.9%.
func TestTheoryAgainstQueue(t *testing.T) {
	for _, c := range []struct {
		servers int
		load    float64
	}{{1, 0.5}, {1, 0.8}, {4, 0.8}} {
		want := MMK(c.servers, c.load*float64(c.servers), 1)
		var waits, p90 []float64
		for seed := range uint64(12) {
			due, service := fifoRandom(seed, 12000, c.servers, c.load)
			rep := NewReport(fifo{servers: c.servers}.run(due, service), ReportOptions{From: due[2000]})
			waits = append(waits, rep.QueueTime.Mean)
			q, ok := rep.QueueTime.At(0.9)
			assert.True(t, ok)
			p90 = append(p90, q.Value.Seconds())
		}
		mean, high := OverSeeds(waits, 0.999), OverSeeds(p90, 0.999)
		assert.True(t, mean.Lo < want.WaitSeconds && want.WaitSeconds < mean.Hi, "%v in %+v", want.WaitSeconds, mean)
		assert.True(t, high.Lo < want.WaitQuantile(0.9) && want.WaitQuantile(0.9) < high.Hi, "%v in %+v", want.WaitQuantile(0.9), high)
	}
}

func TestClosedLoops(t *testing.T) {
	one := MVA(1, 3, 2)
	assert.Equal(t, Closed{PerSec: 0.2, Seconds: 2, InSystemMean: 0.4}, one)
	assert.Equal(t, Closed{}, MVA(0, 3, 2))
	// Two clients, s = 1, Z = 1: R(2) = 1 + L(1) = 1.5, X = 2/2.5.
	assert.InEpsilon(t, 0.8, MVA(2, 1, 1).PerSec, theoryTol)
	for _, n := range []int{1, 2, 5, 20, 100, 3000} {
		for _, think := range []float64{0.1, 1, 10, 100} {
			a, b := MVA(n, think, 1), MachineRepair(n, 1, think, 1)
			assert.InEpsilon(t, a.PerSec, b.PerSec, 1e-9, "n=%d Z=%v", n, think)
			assert.InEpsilon(t, a.Seconds, b.Seconds, 1e-9)
			assert.InEpsilon(t, a.InSystemMean, b.InSystemMean, 1e-9)
			for _, k := range []int{1, 4, n, n + 3} {
				c := MachineRepair(n, k, think, 1)
				assert.InEpsilon(t, float64(n), c.PerSec*(c.Seconds+think), 1e-9, "N = X(R+Z)")
				bound := BoundClosed(float64(n), think, 1, float64(k))
				assert.LessOrEqual(t, c.PerSec, bound.PerSec*(1+1e-9))
				assert.GreaterOrEqual(t, c.Seconds, bound.Seconds*(1-1e-9))
				if k >= n {
					assert.InEpsilon(t, 1.0, c.Seconds, 1e-9, "nobody waits")
				}
			}
		}
	}
	assert.Equal(t, Closed{PerSec: 2, Seconds: 2.5, InSystemMean: 5}, MachineRepair(5, 2, 0, 1))
	assert.Equal(t, Closed{}, MachineRepair(0, 2, 1, 1))
	assert.Equal(t, ClosedBounds{PerSec: 20.0 / 6, Seconds: 4, Knee: 24}, BoundClosed(20, 2, 4, 4))
	assert.Equal(t, ClosedBounds{PerSec: 4, Seconds: 23, Knee: 24}, BoundClosed(100, 2, 4, 4))
}

// TestLargeClosedLoop sums probabilities that pass 1e308.
func TestLargeClosedLoop(t *testing.T) {
	c := MachineRepair(200_000, 256, 0.001, 1)
	assert.InEpsilon(t, 256.0, c.PerSec, 1e-9)
	assert.InEpsilon(t, 200_000/256.0-0.001, c.Seconds, 1e-9)
}
