package float

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/content/demotest"
)

// Shares counted outside this project with other rows: 200,000 pairs where
// marked, 2,000 elsewhere. Ours must agree within four standard errors of both.
func TestNearTiesAgainstOthers(t *testing.T) {
	const many, few = 200_000, 2000
	type share struct {
		gap   int
		share float64
		pairs int
	}
	for link, shares := range map[string][]share{
		"length=1024&pairs=3000":                      {{0, 0.44, few}, {1, 0.354, few}, {2, 0.131, few}, {3, 0.0061, many}, {4, 0, few}},
		"length=4096&pairs=1000":                      {{0, 0.4287, many}, {2, 0.415, few}, {3, 0.2172, many}, {4, 0.0326, many}, {5, 0.0001, many}},
		"length=7168&pairs=400":                       {{0, 0.43, few}, {3, 0.347, few}, {5, 0.0049, 75_000}},
		"length=4096&orders=split2_split8&pairs=1000": {{0, 0.41, few}, {3, 0.135, few}},
	} {
		_, task := demotest.Run(t, demotest.Find(t, all, "near-ties"), link)
		r := task.(*tiesRun)
		for _, c := range shares {
			p := max(c.share, 1/float64(c.pairs))
			deviation := math.Sqrt(p * (1 - p) * (1/float64(r.done) + 1/float64(c.pairs)))
			assert.InDelta(t, c.share, r.share(c.gap), 4*deviation, "%s, gap %v", link, tieGaps()[c.gap])
		}
	}
}

// The typical errors that the feedback and notes speak of.
func TestPairErrors(t *testing.T) {
	_, task := demotest.Run(t, demotest.Find(t, all, "near-ties"), "pairs=2000")
	assert.InEpsilon(t, 3.2e-6, demotest.Metric(t, task, "error_first"), 0.1)
	assert.InEpsilon(t, 1.5e-6, demotest.Metric(t, task, "error_second"), 0.1)
	_, task = demotest.Run(t, demotest.Find(t, all, "near-ties"), "length=4096&pairs=1000")
	assert.InEpsilon(t, 1.5e-5, demotest.Metric(t, task, "error_first"), 0.1)
	assert.InEpsilon(t, 6.6e-6, demotest.Metric(t, task, "error_second"), 0.1)
}
