package route_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner/route"
)

// What escalating does to the answers, held to counts of drawn ones.

func TestGainTable(t *testing.T) {
	rates := route.RatesOf(0.6, 0.3, 0.05) // of the weak model's errors 0.3 of 0.4 can be repaired
	for _, c := range []struct {
		name              string
		auc, e            float64
		repaired, spoiled float64
	}{
		{"nothing escalated", 0.8, 0, 0, 0},
		{"everything", 0.8, 1, 0.3, 0.05},
		{"a coin", 0.5, 0.4, 0.12, 0.02},
		{"perfect, part of the errors", 1, 0.2, 0.15, 0},
		{"perfect, all errors", 1, 0.4, 0.3, 0},
		{"perfect, and half of the right ones", 1, 0.7, 0.3, 0.025},
		{"the wrong way, right ones first", 0, 0.6, 0, 0.05},
	} {
		t.Run(c.name, func(t *testing.T) {
			repaired, spoiled := route.Cascade{Pair: route.Pair{Rates: rates}, AUC: c.auc}.Gain(c.e)
			assert.InDelta(t, c.repaired, repaired, slack)
			assert.InDelta(t, c.spoiled, spoiled, slack)
		})
	}
}

func TestGainLaws(t *testing.T) {
	r := drawn(52)
	for range trials {
		c := route.Cascade{Pair: drawPair(r), AUC: corner(r), NoiseSD: corner(r) * 3}
		lastRepaired, lastSpoiled := 0.0, 0.0
		for i := range 21 {
			e := float64(i) / 20
			repaired, spoiled := c.Gain(e)
			require.GreaterOrEqual(t, repaired, lastRepaired-slack, "%+v at %v", c, e)
			require.GreaterOrEqual(t, spoiled, lastSpoiled-slack, "%+v at %v", c, e)
			require.LessOrEqual(t, repaired, c.Rates.Pi+slack)
			require.LessOrEqual(t, spoiled, c.Rates.Lam+slack)
			require.LessOrEqual(t, repaired+spoiled, e+slack, "no more changes than is escalated")
			require.InDelta(t, c.AtFrac(e).Accuracy, c.Rates.Weak+repaired-spoiled, slack, "%+v at %v", c, e)
			lastRepaired, lastSpoiled = repaired, spoiled
		}
	}
}

// TestGainCounted escalates the answers of least confidence among drawn ones and
// counts. The tolerance is four standard errors of a share near 0.2.
func TestGainCounted(t *testing.T) {
	const n, tolerance = 200_000, 4 * 0.4 / 447
	type answer struct {
		confidence   float64
		weak, strong bool
	}
	rates := route.MMLU().Rates()
	for stream, c := range []route.Cascade{{AUC: 0.8}, {AUC: 0.8, NoiseSD: 2}, {AUC: 0.65}, {AUC: 0.95, NoiseSD: 0.5}} {
		c.Rates = rates
		r := rand.New(rand.NewPCG(53, uint64(stream)))
		// Right answers look better by so much that one is above a wrong one AUC of the time.
		apart := math.Sqrt2 * math.Sqrt2 * math.Erfinv(2*c.AUC-1)
		drawn := make([]answer, n)
		for i := range drawn {
			u := r.Float64()
			a := answer{weak: u < rates.Weak, strong: u < rates.Weak-rates.Lam || u >= rates.Weak && u < rates.Weak+rates.Pi}
			a.confidence = r.NormFloat64() + c.NoiseSD*r.NormFloat64()
			if a.weak {
				a.confidence += apart
			}
			drawn[i] = a
		}
		slices.SortFunc(drawn, func(a, b answer) int {
			if a.confidence < b.confidence {
				return -1
			}
			return 1
		})
		for _, e := range []float64{0.1, 0.4, 0.75} {
			repaired, spoiled := 0.0, 0.0
			for _, a := range drawn[:int(e*n)] {
				switch {
				case a.strong && !a.weak:
					repaired++
				case a.weak && !a.strong:
					spoiled++
				}
			}
			gotRepaired, gotSpoiled := c.Gain(e)
			assert.InDelta(t, repaired/n, gotRepaired, tolerance, "%+v at %v", c, e)
			assert.InDelta(t, spoiled/n, gotSpoiled, tolerance, "%+v at %v", c, e)
		}
	}
}
