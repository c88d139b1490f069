package route_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner/route"
)

// coverage counts over many seeds how often an interval holds the closed form.
type coverage struct {
	names   []string
	held, n map[string]int
	mean    map[string]float64
	want    map[string]float64
}

func newCoverage() *coverage {
	return &coverage{held: map[string]int{}, n: map[string]int{}, mean: map[string]float64{}, want: map[string]float64{}}
}

func (c *coverage) add(name string, want float64, e route.Estimate) {
	if c.n[name] == 0 {
		c.names = append(c.names, name)
		c.want[name] = want
	}
	c.n[name]++
	c.mean[name] += e.Mean
	if e.Lo <= want+slack && want-slack <= e.Hi {
		c.held[name]++
	}
}

// check wants the stated level. Over 1500 seeds its standard error is 0.0056;
// counts are whole numbers, which alone moves the true level by up to 0.01.
func (c *coverage) check(t *testing.T, tolerance float64) {
	t.Helper()
	for _, name := range c.names {
		n := float64(c.n[name])
		assert.InDelta(t, route.Level, float64(c.held[name])/n, 0.025, "%s: share of intervals that hold", name)
		assert.InDelta(t, c.want[name], c.mean[name]/n, tolerance*max(1, c.want[name]), "%s: mean over seeds", name)
	}
}

const (
	seeds    = 1500
	requests = 400
)

func TestSampleCovers(t *testing.T) {
	pair := mmlu(0.9, 20)
	pair.Prices.Verify = 0.3
	behind := route.Point{Accuracy: 0.8, Cost: 5}
	router := route.Router{Pair: pair, AUC: 0.75}
	cascade := route.Cascade{Pair: pair, AUC: 0.85, NoiseSD: 0.8}
	cache := route.Cache{Repeats: 0.4, AUC: 0.95, AccFalse: 0.2, Embed: 0.02, Stale: 0.3, AccStale: 0.1}
	stack := route.Stack{Cache: cache, Hit: 0.35, Route: cascade, Batch: route.Batch{Share: 0.4, Discount: 0.5}}
	two := stack
	two.Route = router
	c := newCoverage()
	for seed := range uint64(seeds) {
		for _, s := range []struct {
			name   string
			want   route.Point
			sample route.Sampled
		}{
			{"router", router.AtFrac(0.3), router.Sample(0.3, seed, requests)},
			{"cascade", cascade.AtFrac(0.4), cascade.Sample(0.4, seed, requests)},
			{"stack of a cascade", stack.AtFrac(0.5), stack.Sample(0.5, seed, requests)},
			{"stack of a router", two.AtFrac(0.5), two.Sample(0.5, seed, requests)},
		} {
			c.add(s.name+" share", s.want.StrongFrac, s.sample.StrongFrac)
			c.add(s.name+" accuracy", s.want.Accuracy, s.sample.Accuracy)
			c.add(s.name+" cost", s.want.Cost, s.sample.Cost)
		}
		want, got := cache.AtHit(0.35, behind), cache.Sample(0.35, behind, seed, requests)
		c.add("cache hit", want.Hit, got.Hit)
		c.add("cache false", want.False, got.False)
		c.add("cache stale", want.Stale, got.Stale)
		c.add("cache accuracy", want.Accuracy, got.Accuracy)
		c.add("cache cost", want.Cost, got.Cost)
	}
	c.check(t, 0.003)
}

// TestSampleNoise: noise drawn into each confidence lowers the accuracy as the
// formula of the AUC says; a formula that ignored it would be far outside.
func TestSampleNoise(t *testing.T) {
	c := route.Cascade{Pair: mmlu(0.9, 20), AUC: 0.9}
	const n = 400_000
	for _, sd := range []float64{0, 0.5, 1, 3} {
		c.NoiseSD = sd
		got := c.Sample(0.3, 5, n)
		assert.InDelta(t, c.AtFrac(0.3).Accuracy, got.Accuracy.Mean, 0.003, "noise %v", sd)
		assert.InDelta(t, 0.3, got.StrongFrac.Mean, 0.003)
	}
	assert.InDelta(t, 0.9, route.NoisyAUC(0.9, 0), 1e-15)
	assert.InDelta(t, phi(1.2815515655446004/math.Sqrt2), route.NoisyAUC(0.9, 1), 1e-12)
	assert.Less(t, c.EffectiveAUC(), 0.66)
}

// TestNoisyAUC counts pairs.
func TestNoisyAUC(t *testing.T) {
	r := drawn(50)
	const n, d = 200_000, 1.5
	auc := phi(d / math.Sqrt2)
	for _, sd := range []float64{0, 0.7, 2} {
		above := 0
		for range n {
			if d+r.NormFloat64()+sd*r.NormFloat64() > r.NormFloat64()+sd*r.NormFloat64() {
				above++
			}
		}
		assert.InDelta(t, route.NoisyAUC(auc, sd), float64(above)/n, 0.005, "noise %v", sd)
	}
	assert.Equal(t, 1.0, route.NoisyAUC(1, 3))
	assert.Equal(t, 0.5, route.NoisyAUC(0.5, 3))
	assert.Equal(t, 0.0, route.NoisyAUC(0, 3))
}

// TestSampleEnds: scores without chance, and a seed gives the same sample again.
func TestSampleEnds(t *testing.T) {
	r := route.Router{Pair: mmlu(0.9, 20), AUC: 1}
	for _, f := range []float64{0, 0.1, r.Rates.Pi, 0.6, 1} {
		got := r.Sample(f, 7, 100_000)
		assert.InDelta(t, r.AtFrac(f).Accuracy, got.Accuracy.Mean, 0.005, "share %v", f)
		assert.InDelta(t, f, got.StrongFrac.Mean, 0.006)
		assert.Equal(t, got, r.Sample(f, 7, 100_000))
	}
	assert.NotEqual(t, r.Sample(0.5, 7, 1000), r.Sample(0.5, 8, 1000))
	c := route.Cascade{Pair: r.Pair, AUC: 0}
	assert.InDelta(t, c.AtFrac(0.7).Accuracy, c.Sample(0.7, 7, 100_000).Accuracy.Mean, 0.005)
	one := r.Sample(0.5, 1, 1)
	require.Equal(t, 1, one.N)
	assert.Greater(t, one.Accuracy.Hi-one.Accuracy.Lo, 0.5, "one request says little")
}
