package field

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/content/demotest"
)

// TestTake holds both ways to read a percentile against each other: the exact
// one lies in the bucket, and the one from the bucket between its bounds.
func TestTake(t *testing.T) {
	bounds := bucketBounds("vllm", "ttft")
	for n := 1; n < 400; n += 7 {
		var o observed
		for i := range n {
			o.x = append(o.x, 0.001+0.02*float64(i*i%97))
		}
		for _, q := range []float64{0.5, 0.9, 0.99, 0.999} {
			o.take(q, bounds)
			assert.True(t, o.low <= o.exact && o.exact <= o.high, "%d at %v: %v not in %v to %v", n, q, o.exact, o.low, o.high)
			assert.True(t, o.low <= o.bucketed && o.bucketed <= o.high)
		}
	}
	var none observed
	none.take(0.99, bounds)
	assert.True(t, math.IsNaN(none.exact) && math.IsNaN(none.bucketed))
}

func TestBoundsRise(t *testing.T) {
	for _, engine := range []string{"vllm", "sglang"} {
		for _, metric := range []string{"ttft", "e2e"} {
			b := bucketBounds(engine, metric)
			assert.True(t, slices.IsSorted(b) && math.IsInf(b[len(b)-1], 1), "%s %s", engine, metric)
		}
	}
}

// TestPooledLiesBetween: whatever the seed, the p99 of all lies between the
// smallest and the largest of the replicas', and so does their mean.
func TestPooledLiesBetween(t *testing.T) {
	d := demotest.Find(t, Demos(), "percentiles-of-replicas")
	for _, link := range []string{"", "seed=3&cluster=slow", "seed=4&percentile=50&metric=e2e"} {
		_, task := demotest.Run(t, d, link)
		get := func(name string) float64 { return demotest.Metric(t, task, name) }
		least := min(get("replica_1"), get("replica_2"), get("replica_3"), get("replica_4"))
		for _, name := range []string{"pooled", "mean", "weighted"} {
			assert.True(t, get(name) >= least && get(name) <= get("largest"), "%s: %s", link, name)
		}
	}
}

// TestCasesFillTheirOwn: each case has a number for its metrics and none for
// those of the others.
func TestCasesFillTheirOwn(t *testing.T) {
	d := demotest.Find(t, Demos(), "field-cases")
	seen := map[string]int{}
	for _, link := range []string{"case=kv", "case=prefix", "case=ttft"} {
		_, task := demotest.Run(t, d, link)
		for _, m := range task.Metrics() {
			if !math.IsNaN(m.Value) {
				seen[m.Name]++
			}
		}
	}
	for _, m := range fieldMetrics {
		assert.Equal(t, 1, seen[m.Name], m.Name)
	}
}
