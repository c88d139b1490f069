package sim

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"openloop/numerics/detmath"
)

// Statistical tests here run at fixed seeds, so they pass always or never. Their
// bounds are those of the stated confidence, so that a new seed would pass too.

const (
	// Kolmogorov and Smirnov: the largest distance between the empirical and
	// the true distribution exceeds ksBound/sqrt(n) once in 1,000 samples.
	ksBound = 1.95
	// A mean of n independent values is off by more than this many standard
	// errors once in 16,000 samples.
	sigmas = 4.0
)

// ksDistance is sup |F_n - cdf|. It sorts x.
func ksDistance(x []float64, cdf func(float64) float64) float64 {
	slices.Sort(x)
	worst, n := 0.0, float64(len(x))
	for i, v := range x {
		f := cdf(v)
		worst = max(worst, f-float64(i)/n, float64(i+1)/n-f)
	}
	return worst
}

func moments(x []float64) (mean, sd float64) {
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	for _, v := range x {
		sd += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sd / float64(len(x)-1))
}

func sample(n int, draw func() float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = draw()
	}
	return x
}

func TestDistributionsFollowTheirFormulas(t *testing.T) {
	const n = 50_000
	exponential := func(x float64) float64 { return 1 - detmath.Exp(-x) }
	for _, c := range []struct {
		name string
		draw func(r *Rand) float64
		cdf  func(float64) float64
	}{
		{"Float64", (*Rand).Float64, func(x float64) float64 { return x }},
		{"Open", (*Rand).Open, func(x float64) float64 { return x }},
		{"Exponential", (*Rand).Exponential, exponential},
		{"Normal", (*Rand).Normal, detmath.NormCDF},
		{"LogNormal", func(r *Rand) float64 { return r.LogNormal(100, 2) },
			func(x float64) float64 { return detmath.NormCDF(detmath.Log(x/100) / 2) }},
		{"Gamma 1", func(r *Rand) float64 { return r.Gamma(1) }, exponential},
		// Sums and squares with closed distributions: Gamma(1/2) is half the
		// square of a normal, Gamma(2) and Gamma(3) are Erlang.
		{"Gamma 0.5", func(r *Rand) float64 { return r.Gamma(0.5) },
			func(x float64) float64 { return detmath.Erf(math.Sqrt(x)) }},
		{"Gamma 2", func(r *Rand) float64 { return r.Gamma(2) },
			func(x float64) float64 { return 1 - detmath.Exp(-x)*(1+x) }},
		{"Gamma 3", func(r *Rand) float64 { return r.Gamma(3) },
			func(x float64) float64 { return 1 - detmath.Exp(-x)*(1+x+x*x/2) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := NewRand(11, StreamArrivals, 0)
			x := sample(n, func() float64 { return c.draw(&r) })
			assert.Less(t, ksDistance(x, c.cdf), ksBound/math.Sqrt(n))
		})
	}
}

func TestGammaMoments(t *testing.T) {
	const n = 50_000
	for _, shape := range []float64{0.05, 0.3, 0.999, 1.001, 7.5, 400} {
		r := NewRand(5, StreamArrivals, 0)
		mean, sd := moments(sample(n, func() float64 { return r.Gamma(shape) }))
		assert.InDelta(t, shape, mean, sigmas*math.Sqrt(shape/n), "mean of shape %v", shape)
		// The variance of the sample variance is (kurtosis-1)*var^2/n with
		// kurtosis 3+6/shape.
		assert.InDelta(t, 1, sd/math.Sqrt(shape), sigmas*math.Sqrt((2+6/shape)/n)/2, "sd of shape %v", shape)
	}
}

func TestDiscreteDistributions(t *testing.T) {
	const n = 100_000
	// chance checks the count of an event of probability p.
	chance := func(what string, got int, p float64) {
		assert.InDelta(t, p, float64(got)/n, sigmas*math.Sqrt(p*(1-p)/n), what)
	}
	r := NewRand(3, StreamPrefixes, 0)
	var geo, dice, pop [8]int
	z := newZipf(6, 1)
	for range n {
		geo[min(r.Geometric(4), 7)]++
		dice[r.IntN(6)]++
		pop[z.draw(&r)]++
	}
	harmonic := 1 + 1.0/2 + 1.0/3 + 1.0/4 + 1.0/5 + 1.0/6
	for k := range 6 {
		chance("geometric", geo[k+1], math.Pow(0.75, float64(k))*0.25)
		chance("die", dice[k], 1.0/6)
		chance("Zipf", pop[k], 1/float64(k+1)/harmonic)
	}
	assert.Zero(t, geo[0])
	assert.EqualValues(t, 1, r.Geometric(1))
}

// TestEndsOfUniform: the widest words give the numbers next to the ends.
func TestEndsOfUniform(t *testing.T) {
	r := NewRand(1, StreamJitter, 0)
	for range 1000 {
		x := r.Open()
		assert.True(t, x > 0 && x < 1)
		s := r.sign()
		assert.True(t, s > -1 && s < 1 && s != 0)
	}
	assert.Equal(t, 0x1p-53, float64(uint64(0)>>12<<1|1)*0x1p-53)
	assert.Equal(t, 1-0x1p-53, float64(^uint64(0)>>12<<1|1)*0x1p-53)
}

// TestStreamsDiffer: neighbors in seed, stream and sub have nothing in common,
// measured as correlation of their first numbers.
func TestStreamsDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(20) {
		for s := StreamArrivals; s <= StreamFaults; s++ {
			for sub := range uint64(20) {
				r := NewRand(seed, s, sub)
				x := r.Uint64()
				assert.False(t, seen[x])
				seen[x] = true
			}
		}
	}
	const n = 20_000
	for _, other := range []func(i uint64) Rand{
		func(i uint64) Rand { return NewRand(i+1, StreamPrompts, 0) },
		func(i uint64) Rand { return NewRand(i, StreamOutputs, 0) },
		func(i uint64) Rand { return NewRand(i, StreamPrompts, 1) },
	} {
		sum := 0.0
		for i := range uint64(n) {
			a, b := NewRand(i, StreamPrompts, 0), other(i)
			sum += (a.Float64() - 0.5) * (b.Float64() - 0.5) * 12
		}
		assert.InDelta(t, 0, sum/n, sigmas/math.Sqrt(n))
	}
}

// TestSeedsKeepTheirMeaning: links hold seeds, so these words may never change.
func TestSeedsKeepTheirMeaning(t *testing.T) {
	r := NewRand(7, StreamArrivals, 0)
	assert.Equal(t, []uint64{0x6dec985ac2d1ae01, 0x3cc0ae7cf76948c8, 0xfbf4ed99a2f26f63}, []uint64{r.Uint64(), r.Uint64(), r.Uint64()})
	r = NewRand(7, StreamThink, 3)
	assert.Equal(t, []float64{0.7333857405222269, 1.697305505475533, 0.46691219172802245, 33.38220051688921}, []float64{r.Exponential(), r.Normal(), r.Gamma(0.5), r.LogNormal(100, 1)})
}
