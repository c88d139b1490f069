package sim

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestQuantileRules(t *testing.T) {
	// 1..10: numpy.percentile(range(1, 11), 90) is 9.1, its "inverted_cdf" 9.
	for _, c := range []struct {
		name    string
		values  []Nanos
		q       float64
		nearest Nanos
		linear  Nanos
	}{
		{"p90 of ten", []Nanos{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}, 0.9, 90, 91},
		{"median of ten", []Nanos{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}, 0.5, 50, 55},
		{"p99 of ten", []Nanos{1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10000}, 0.99, 10000, 9910},
		{"smallest", []Nanos{3, 1, 2}, 0, 1, 1},
		{"largest", []Nanos{3, 1, 2}, 1, 3, 3},
		{"median of three", []Nanos{3, 1, 2}, 0.5, 2, 2},
		{"one value", []Nanos{7}, 0.99, 7, 7},
		{"all equal", []Nanos{5, 5, 5, 5}, 0.9, 5, 5},
		{"between two clusters", []Nanos{10, 10, 10, 1000}, 0.75, 10, 258}, // rank 2.25: 257.5, nobody saw it
		{"among the lost", []Nanos{10, Never}, 0.75, Never, Never},
	} {
		t.Run(c.name, func(t *testing.T) {
			for rule, want := range map[Rule]Nanos{NearestRank: c.nearest, Linear: c.linear} {
				var s Selector
				for _, x := range c.values {
					s.Add(x)
				}
				assert.Equal(t, want, s.Quantiles(nil, []float64{c.q}, rule, 0.95)[0].Value, "rule %d", rule)
			}
		})
	}
	var none Selector
	assert.Equal(t, []Quantile{{Q: 0.5, Value: Never, Hi: Never}}, none.Quantiles(nil, []float64{0.5}, Linear, 0.95))
	assert.Panics(t, func() { none.Quantiles(nil, []float64{math.NaN()}, NearestRank, 0.95) })
	assert.Panics(t, func() { none.Quantiles(nil, []float64{1.1}, NearestRank, 0.95) })
}

// seriesShapes are orders of values that make a careless selection slow or
// wrong.
var seriesShapes = map[string]func(rng *rand.Rand, i, n int) int64{
	"random":   func(rng *rand.Rand, _, _ int) int64 { return rng.Int64N(1e12) },
	"few":      func(rng *rand.Rand, _, _ int) int64 { return rng.Int64N(3) },
	"equal":    func(*rand.Rand, int, int) int64 { return 9 },
	"rising":   func(_ *rand.Rand, i, _ int) int64 { return int64(i) },
	"falling":  func(_ *rand.Rand, i, n int) int64 { return int64(n - i) },
	"organ":    func(_ *rand.Rand, i, n int) int64 { return int64(min(i, n-i)) },
	"sawtooth": func(_ *rand.Rand, i, _ int) int64 { return int64(i % 7) },
	"extremes": func(rng *rand.Rand, i, _ int) int64 { return []int64{0, math.MaxInt64, 5}[rng.IntN(3)] },
}

// TestSelectionAgainstSort compares every quantile with its place in the
// sorted values.
func TestSelectionAgainstSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	qs := []float64{0, 0.001, 0.25, 0.5, 0.5, 0.9, 0.99, 0.999, 1}
	for name, shape := range seriesShapes {
		for _, n := range []int{1, 2, 3, 24, 25, 26, 100, 999, 5000} {
			var s Selector
			sorted := make([]int64, n)
			for i := range n {
				sorted[i] = shape(rng, i, n)
				s.Add(Nanos(sorted[i]))
			}
			slices.Sort(sorted)
			for i, got := range s.Quantiles(nil, qs, NearestRank, 0.95) {
				r := int(math.Ceil(qs[i] * float64(n)))
				assert.Equal(t, Nanos(sorted[max(r, 1)-1]), got.Value, "%s %d q=%v", name, n, qs[i])
				assert.Equal(t, int64(n-max(r, 1)), got.Beyond)
				assert.LessOrEqual(t, got.Lo, got.Value)
				assert.GreaterOrEqual(t, got.Hi, got.Value)
				if got.Lo > 0 {
					assert.Contains(t, sorted, int64(got.Lo))
				}
			}
			slices.Sort(s.values)
			assert.Equal(t, sorted, s.values, "values are kept")
		}
	}
}

// TestSelectionWithoutLuck drives the fallback for bad pivots.
func TestSelectionWithoutLuck(t *testing.T) {
	a := make([]int64, 1000)
	for i := range a {
		a[i] = int64(i * 7919 % 1000)
	}
	selectIn(a, 0, len(a), []int{500}, 0)
	assert.Equal(t, int64(500), a[500])
}

// binomialCDF sums from k down with log gamma from package math, another way
// than the code under test.
func binomialCDF(n, k int64, q float64) float64 {
	lg := func(x float64) float64 { y, _ := math.Lgamma(x); return y }
	sum := 0.0
	for i := int64(0); i <= k; i++ {
		sum += math.Exp(lg(float64(n+1)) - lg(float64(i+1)) - lg(float64(n-i+1)) + float64(i)*math.Log(q) + float64(n-i)*math.Log(1-q))
	}
	return sum
}

func TestRankInterval(t *testing.T) {
	for _, n := range []int64{1, 2, 5, 6, 10, 100, 298, 299, 300, 473, 1000, 3000} {
		for _, q := range []float64{0.01, 0.1, 0.5, 0.9, 0.99, 0.999} {
			for _, level := range []float64{0.9, 0.95, 0.99} {
				lo, hi := RankInterval(n, q, level)
				miss := (1 - level) / 2
				assert.True(t, 0 <= lo && lo < hi && hi <= n+1, "n=%d q=%v: %d %d", n, q, lo, hi)
				if lo > 0 {
					assert.LessOrEqual(t, binomialCDF(n, lo-1, q), miss+1e-9, "n=%d q=%v level=%v lo=%d", n, q, level, lo)
				}
				if hi <= n {
					assert.LessOrEqual(t, 1-binomialCDF(n, hi-1, q), miss+1e-9, "n=%d q=%v level=%v hi=%d", n, q, level, hi)
				}
				// Not wider than it must be.
				if lo < n {
					assert.Greater(t, binomialCDF(n, lo, q), miss-1e-9)
				}
				if hi > lo+1 {
					assert.Greater(t, 1-binomialCDF(n, hi-2, q), miss-1e-9)
				}
			}
		}
	}
}

// TestRankIntervalTables holds it to published tables: the 95% interval of the
// median of 10 is the 2nd to the 9th value, of 20 the 6th to the 15th.
func TestRankIntervalTables(t *testing.T) {
	for _, c := range []struct{ n, lo, hi int64 }{{5, 0, 6}, {6, 1, 6}, {10, 2, 9}, {15, 4, 12}, {20, 6, 15}, {25, 8, 18}} {
		lo, hi := RankInterval(c.n, 0.5, 0.95)
		assert.Equal(t, []int64{c.lo, c.hi}, []int64{lo, hi}, "n=%d", c.n)
	}
	// An upper bound of p99 needs 0.99^n <= 0.025: n >= 368.
	_, hi := RankInterval(367, 0.99, 0.95)
	assert.Equal(t, int64(368), hi)
	_, hi = RankInterval(368, 0.99, 0.95)
	assert.Equal(t, int64(368), hi)
}

func TestRankIntervalLarge(t *testing.T) {
	// 10^6 values: within a rank or two of the normal approximation.
	lo, hi := RankInterval(1_000_000, 0.99, 0.95)
	half := 1.959964 * math.Sqrt(1e6*0.99*0.01)
	assert.InDelta(t, 990_000-half, float64(lo), 2)
	assert.InDelta(t, 990_001+half, float64(hi), 2)
}

// TestQuantileIntervalCovers draws samples whose p90 is known. The count of
// intervals that hold it is binomial; 5 standard errors are allowed.
func TestQuantileIntervalCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const runs, n = 2000, 200
	held := 0
	var s Selector
	for range runs {
		s.Reset()
		for range n {
			s.Add(Nanos(rng.Int64N(1_000_000)))
		}
		q := s.Quantiles(nil, []float64{0.9}, NearestRank, 0.95)[0]
		if q.Lo < 900_000 && 900_000 <= q.Hi {
			held++
		}
	}
	assert.Greater(t, float64(held)/runs, 0.95-5*math.Sqrt(0.95*0.05/runs))
	assert.Less(t, float64(held)/runs, 0.99, "should not be much wider than asked")
}

func TestTotalIsExact(t *testing.T) {
	var a total
	for range 4 {
		a.add(math.MaxInt64)
	}
	assert.Equal(t, total{hi: 1, lo: math.MaxUint64 - 3}, a)
	assert.Equal(t, float64(math.MaxInt64), a.over(4))
	assert.Equal(t, int64(1)<<61, portion(1<<62, 1<<40, 1<<41))
}
