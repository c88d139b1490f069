package sim

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"openloop/numerics/detmath"
)

// open is n requests of an open loop.
func open(t *testing.T, a Arrivals, n int) []sent {
	w := Workload{Generator: OpenLoop{a}, Lengths: Separate{FixedCount(1), FixedCount(1)}, Requests: n}
	all := fixed(0, n).run(t, mustSource(t, w, 21))
	for i, r := range all {
		hold(t, r.SentAt == r.IntendedAt, "an open loop sends as planned", i)
	}
	return all
}

// TestGapsOfRenewals: mean rate and coefficient of variation of the gaps, and
// their whole distribution for Poisson. sdOfSD is that of the sample's relative
// standard deviation for gamma gaps, as in TestGammaMoments.
func TestGapsOfRenewals(t *testing.T) {
	const n, rate = 10_000, 8.0
	for _, c := range []struct {
		a          Arrivals
		burstiness float64
	}{{Poisson{rate}, 1}, {Gamma{rate, 1}, 1}, {Gamma{rate, 0.5}, 0.5}, {Gamma{rate, 2}, 2}} {
		mean, sd := moments(gaps(open(t, c.a, n)))
		cv := 1 / math.Sqrt(c.burstiness)
		assert.InDelta(t, 1, mean*rate, sigmas*cv/math.Sqrt(n), "%+v", c.a)
		assert.InDelta(t, cv, sd/mean, sigmas*cv*math.Sqrt((2+6/c.burstiness)/n), "%+v", c.a)
	}
	x := gaps(open(t, Poisson{rate}, n))
	assert.Less(t, ksDistance(x, func(x float64) float64 { return 1 - detmath.Exp(-rate*x) }), ksBound/math.Sqrt(n))
	assert.Equal(t, open(t, Poisson{rate}, 100), open(t, Gamma{rate, 1}, 100), "burstiness 1 is Poisson")
}

func TestConstantDoesNotDrift(t *testing.T) {
	all := open(t, Constant{3}, 60_001)
	assert.Equal(t, []Nanos{0, 333_333_333, 666_666_667, Second}, []Nanos{all[0].SentAt, all[1].SentAt, all[2].SentAt, all[3].SentAt})
	assert.Equal(t, 20_000*Second, all[60_000].SentAt)
}

func TestBurst(t *testing.T) {
	for _, r := range open(t, Burst{}, 1000) {
		assert.Zero(t, r.SentAt)
	}
}

// TestMMPP: the mean gap, and its squared coefficient of variation,
//
//	1 + 2*s0*s1*(r0-r1)^2 / ((s0+s1)^2 * (r0*r1 + r0*s1 + r1*s0))
//
// with rates r and rates of leaving s, and the index of dispersion of counts
//
//	I = 1 + 2*s0*s1*(r0-r1)^2 / ((s0+s1)^2 * (r0*s1 + r1*s0))
//
// (Fischer and Meier-Hellstern, "The Markov-modulated Poisson process (MMPP)
// cookbook", 1993). The mean of n gaps has the relative standard error
// sqrt(I/n). For the variation there is no such formula: with half as many gaps
// ten seeds were off by at most 6.1%.
func TestMMPP(t *testing.T) {
	for _, c := range []struct {
		a MMPP
		n int
	}{
		{MMPP{RatePerSec: [2]float64{2, 40}, MeanStay: [2]Nanos{10 * Second, 2 * Second}}, 100_000},
		{MMPP{RatePerSec: [2]float64{0, 10}, MeanStay: [2]Nanos{Second, Second}}, 20_000},
	} {
		mean, sd := moments(gaps(open(t, c.a, c.n)))
		r0, r1 := c.a.RatePerSec[0], c.a.RatePerSec[1]
		s0, s1 := 1/c.a.MeanStay[0].Seconds(), 1/c.a.MeanStay[1].Seconds()
		apart := 2 * s0 * s1 * (r0 - r1) * (r0 - r1) / ((s0 + s1) * (s0 + s1))
		dispersion := 1 + apart/(r0*s1+r1*s0)
		assert.InDelta(t, (r0*s1+r1*s0)/(s0+s1), c.a.MeanRatePerSec(), 1e-12)
		assert.InEpsilon(t, 1/c.a.MeanRatePerSec(), mean, sigmas*math.Sqrt(dispersion/float64(c.n)))
		assert.InEpsilon(t, 1+apart/(r0*r1+r0*s1+r1*s0), sd*sd/mean/mean, 0.1)
	}
}

// TestCurve maps each instant through the area under the rate: what comes out
// must be a Poisson process of rate 1.
func TestCurve(t *testing.T) {
	const n = 20_000
	triangle := func(x float64) float64 { // area of a rate that climbs from 0 to 10 and back within 4 s
		whole := math.Floor(x / 4)
		x -= 4 * whole
		if x <= 2 {
			return whole*20 + 2.5*x*x
		}
		return whole*20 + 20 - 2.5*(4-x)*(4-x)
	}
	for _, c := range []struct {
		name string
		a    Arrivals
		area func(float64) float64
	}{
		{"triangle", Curve{RatePerSec: []float64{0, 10}, Every: 2 * Second, Repeat: true}, triangle},
		{"level", Curve{RatePerSec: []float64{5}, Every: Second}, func(x float64) float64 { return 5 * x }},
		{"level repeated", Curve{RatePerSec: []float64{5}, Every: Second, Repeat: true}, func(x float64) float64 { return 5 * x }},
		{"ramp up", Ramp{2, 12, 100 * Second}, func(x float64) float64 {
			if x < 100 {
				return 2*x + x*x/20
			}
			return 700 + 12*(x-100)
		}},
		{"rare", Curve{RatePerSec: []float64{0, 0.01, 0, 0}, Every: 250 * Millisecond, Repeat: true}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := n
			if c.area == nil { // 400 s between two: whole periods are jumped over
				m = 2000
				mean, _ := moments(gaps(open(t, c.a, m)))
				assert.InDelta(t, 400, mean, 400*sigmas/math.Sqrt(float64(m)))
				return
			}
			all := open(t, c.a, m)
			x, before := make([]float64, m), 0.0
			for i, r := range all {
				area := c.area(r.SentAt.Seconds())
				x[i], before = area-before, area
			}
			assert.Less(t, ksDistance(x, func(x float64) float64 { return 1 - detmath.Exp(-x) }), ksBound/math.Sqrt(float64(m)))
		})
	}
}

// TestRampDown: a ramp to 0 has an end, and about as many requests as its area.
func TestRampDown(t *testing.T) {
	all := open(t, Ramp{20, 0, 100 * Second}, 5000)
	assert.InDelta(t, 1000, len(all), sigmas*math.Sqrt(1000))
	assert.Less(t, all[len(all)-1].SentAt, 100*Second)
}

func TestDiurnal(t *testing.T) {
	a := Diurnal{LowPerSec: 1, HighPerSec: 9, Period: 240 * Second}
	rates := a.curve().RatePerSec
	for k, r := range rates {
		assert.InDelta(t, 5-4*math.Cos(2*math.Pi*float64(k)/24), r, 1e-12)
	}
	const n = 50_000 // about 42 days
	var noon, all int
	for _, r := range open(t, a, n) {
		if day := r.SentAt % (240 * Second); day >= 110*Second && day < 130*Second {
			noon++
		}
		all++
	}
	// Around noon the rate is 9, then 9*0.966.. on both sides: on average 8.864
	// of a mean 5, over a twelfth of the day.
	want := (rates[11] + rates[12]) / 2 / 5 / 12
	assert.InDelta(t, want, float64(noon)/float64(all), sigmas*math.Sqrt(want/n)+0.02*want)
}

func TestStampsKeepOrderAndQuantum(t *testing.T) {
	const quantum = 3 * Second
	at := []Nanos{}
	r := NewRand(4, StreamFaults, 0)
	for tick := range Nanos(200) {
		for range r.IntN(8) {
			at = append(at, tick*quantum+tick%5) // a little beside the grid
		}
	}
	all := open(t, Stamps{At: at, RateScale: 1, Quantum: quantum}, len(at))
	require.Len(t, all, len(at))
	moved, u := 0, []float64{}
	for i, r := range all { // open has checked the order
		assert.GreaterOrEqual(t, r.SentAt, at[i])
		assert.Less(t, r.SentAt, at[i]+quantum)
		alone := (i == 0 || at[i-1] != at[i]) && (i+1 == len(at) || at[i+1] != at[i])
		if alone {
			assert.Equal(t, at[i], r.SentAt)
			continue
		}
		moved++
		u = append(u, (r.SentAt-at[i]).Seconds()/3)
	}
	assert.Greater(t, moved, 400)
	assert.Less(t, ksDistance(u, func(x float64) float64 { return x }), ksBound/math.Sqrt(float64(moved)), "spread evenly")

	same := open(t, Stamps{At: at, RateScale: 1}, len(at))
	double := open(t, Stamps{At: at, RateScale: 2}, len(at))
	for i := range at {
		assert.Equal(t, at[i], same[i].SentAt)
		assert.InDelta(t, float64(at[i])/2, float64(double[i].SentAt), 0.5)
	}
	assert.True(t, slices.IsSorted(at), "the caller's stamps are left alone")
}

// TestStampsAtTheirNext: where the next stamp is nearer than a quantum, equal
// ones stay before it.
func TestStampsAtTheirNext(t *testing.T) {
	at := []Nanos{10, 10, 10, 12, 12, 13}
	all := open(t, Stamps{At: at, RateScale: 1, Quantum: Second}, len(at))
	for i, r := range all[:3] {
		assert.True(t, r.SentAt == 10 || r.SentAt == 11, "%d: %d", i, r.SentAt)
	}
	assert.Equal(t, Nanos(12), all[3].SentAt)
	assert.Equal(t, Nanos(12), all[4].SentAt)
	assert.Equal(t, Nanos(13), all[5].SentAt)
}

func TestReplay(t *testing.T) {
	tr := Trace{At: []Nanos{0, 2 * Second}, Prompt: []int32{600, 100}, Output: []int32{3, 4}, Hashes: [][]uint64{{7, 9}, {7}}, HashTokens: 512}
	all := fixed(0, 9).run(t, mustSource(t, tr.Replay(2, 0), 1))
	require.Len(t, all, 2)
	assert.Equal(t, Spec{Prompt: 600, Output: 3, Session: -1, Client: -1, Prefix: []Segment{{7, 512}, {9, 88}}}, all[0].Spec)
	assert.Equal(t, Spec{IntendedAt: Second, SentAt: Second, Prompt: 100, Output: 4, Session: -1, Client: -1, Prefix: []Segment{{7, 100}}}, all[1].Spec)
}
