package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/numerics/detmath"
)

// TestTQuantileTables holds it to the tables in every textbook.
func TestTQuantileTables(t *testing.T) {
	for _, c := range []struct {
		df         int
		t975, t995 float64
		t95, t9995 float64
	}{
		{1, 12.7062, 63.6567, 6.3138, 636.6192},
		{2, 4.3027, 9.9248, 2.9200, 31.5991},
		{3, 3.1824, 5.8409, 2.3534, 12.9240},
		{4, 2.7764, 4.6041, 2.1318, 8.6103},
		{5, 2.5706, 4.0321, 2.0150, 6.8688},
		{9, 2.2622, 3.2498, 1.8331, 4.7809},
		{10, 2.2281, 3.1693, 1.8125, 4.5869},
		{19, 2.0930, 2.8609, 1.7291, 3.8834},
		{29, 2.0452, 2.7564, 1.6991, 3.6594},
		{30, 2.0423, 2.7500, 1.6973, 3.6460},
		{60, 2.0003, 2.6603, 1.6706, 3.4602},
		{120, 1.9799, 2.6174, 1.6577, 3.3735},
	} {
		assert.InDelta(t, c.t95, TQuantile(0.95, c.df), 6e-5, "df=%d", c.df)
		assert.InDelta(t, c.t975, TQuantile(0.975, c.df), 6e-5, "df=%d", c.df)
		assert.InDelta(t, c.t995, TQuantile(0.995, c.df), 6e-5, "df=%d", c.df)
		assert.InDelta(t, c.t9995, TQuantile(0.9995, c.df), 6e-5, "df=%d", c.df)
	}
	assert.InDelta(t, growthSure, TQuantile(0.99, verdictSpans-1), 1e-9)
}

// TestTQuantileClosedForms: one degree of freedom is a Cauchy distribution,
// whose quantile is a tangent; two and four have algebraic ones.
func TestTQuantileClosedForms(t *testing.T) {
	for _, p := range []float64{0.51, 0.6, 0.75, 0.9, 0.975, 0.999, 0.999999} {
		assert.InEpsilon(t, math.Tan(math.Pi*(p-0.5)), TQuantile(p, 1), 1e-9, "p=%v", p)
		a := 4 * p * (1 - p)
		q := math.Cos(math.Acos(math.Sqrt(a))/3) / math.Sqrt(a)
		assert.InEpsilon(t, 2*math.Sqrt(q-1), TQuantile(p, 4), 1e-7, "p=%v", p)
	}
	assert.Equal(t, 0.0, TQuantile(0.5, 7))
	assert.InDelta(t, -TQuantile(0.9, 7), TQuantile(0.1, 7), 1e-14)
}

func TestTQuantileIsMonotone(t *testing.T) {
	for _, p := range []float64{0.6, 0.9, 0.975, 0.9999} {
		last := math.Inf(1)
		for df := 1; df <= 1200; df++ {
			x := TQuantile(p, df)
			assert.Less(t, x, last, "p=%v df=%d", p, df) // also across the change of method at 1000
			last = x
		}
		assert.InEpsilon(t, detmath.NormQuantile(p), TQuantile(p, 1e9), 1e-8)
	}
	for df := 1; df < 50; df++ {
		last := 0.0
		for p := 0.505; p < 1; p += 0.01 {
			x := TQuantile(p, df)
			assert.Greater(t, x, last, "p=%v df=%d", p, df)
			last = x
		}
	}
	for _, bad := range []func(){func() { TQuantile(0, 3) }, func() { TQuantile(1, 3) }, func() { TQuantile(math.NaN(), 3) }, func() { TQuantile(0.9, 0) }} {
		assert.Panics(t, bad)
	}
}

func TestOverSeeds(t *testing.T) {
	got := OverSeeds([]float64{1, 2, 3, 4, 5}, 0.95)
	half := 2.7764451052 * math.Sqrt(2.5) / math.Sqrt(5)
	assert.Equal(t, 3.0, got.Mean)
	assert.Equal(t, math.Sqrt(2.5), got.SD)
	assert.InDelta(t, 3-half, got.Lo, 1e-9)
	assert.InDelta(t, 3+half, got.Hi, 1e-9)
	assert.Equal(t, []float64{1, 5, 5, 0}, []float64{got.Min, got.Max, float64(got.Count), got.Lag1})

	one := OverSeeds([]float64{4}, 0.95)
	assert.Equal(t, 4.0, one.Mean)
	assert.True(t, math.IsInf(one.Lo, -1) && math.IsInf(one.Hi, 1), "one seed bounds nothing")
	none := OverSeeds(nil, 0.95)
	assert.True(t, math.IsNaN(none.Mean) && math.IsInf(none.Hi, 1))
	assert.Equal(t, 0, none.Count)
	assert.True(t, math.IsNaN(OverSeeds([]float64{1, math.NaN()}, 0.95).Hi))
}

// autoregressive is x[i] = phi*x[i-1] + noise, started in its steady state
// with mean 0 and variance 1.
func autoregressive(rng *rand.Rand, n int, phi float64) []float64 {
	xs := make([]float64, n)
	x := rng.NormFloat64()
	for i := range xs {
		xs[i] = x
		x = phi*x + math.Sqrt(1-phi*phi)*rng.NormFloat64()
	}
	return xs
}

// TestIntervalsCover counts how often a 95% interval holds the true mean 0.
// Independent values are covered as promised; correlated ones almost, with
// batches of 100 values at a correlation length of 20; and with batches
// shorter than that length by far too seldom, which Lag1 then tells.
func TestIntervalsCover(t *testing.T) {
	const runs = 1000
	for _, c := range []struct {
		name    string
		n       int
		phi     float64
		lo, hi  float64 // allowed share
		lagMean float64 // Lag1 on average, within 0.1
	}{
		{"independent", 200, 0, 0.92, 0.98, -0.05},
		{"correlated, long batches", 4000, 0.9, 0.90, 0.98, 0},
		{"correlated, short batches", 200, 0.9, 0.40, 0.80, 0.35},
	} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(5, 6))
			held, lag := 0, 0.0
			for range runs {
				got := BatchMeans(autoregressive(rng, c.n, c.phi), 20, 0.95)
				if got.Lo <= 0 && 0 <= got.Hi {
					held++
				}
				lag += got.Lag1 / runs
			}
			share := float64(held) / runs
			assert.True(t, c.lo <= share && share <= c.hi, "covered %v", share)
			assert.InDelta(t, c.lagMean, lag, 0.1)
		})
	}
	rng := rand.New(rand.NewPCG(7, 8))
	held := 0
	for range runs {
		got := OverSeeds(autoregressive(rng, 5, 0), 0.95)
		if got.Lo <= 0 && 0 <= got.Hi {
			held++
		}
	}
	assert.InDelta(t, 0.95, float64(held)/runs, 5*math.Sqrt(0.95*0.05/runs), "seeds")
}

func TestBatchMeans(t *testing.T) {
	series := make([]float64, 103)
	for i := range series {
		series[i] = float64(i)
	}
	got := BatchMeans(series, 2, 0.95)
	assert.Equal(t, []float64{25, 76.5, 50.75}, []float64{got.Min, got.Max, got.Mean})
	short := BatchMeans(series[:9], 2, 0.95)
	assert.Equal(t, 4.0, short.Mean)
	assert.True(t, math.IsInf(short.Hi, 1))
	assert.Equal(t, 0, short.Count)
	flat := BatchMeans(make([]float64, 100), 20, 0.95)
	assert.Equal(t, Interval{Count: 20}, flat)
	assert.Panics(t, func() { BatchMeans(series, 1, 0.95) })
}
