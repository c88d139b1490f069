package prose

import (
	"math"
	"testing"

	"openloop/content/tables"

	"github.com/stretchr/testify/assert"
)

// What is folded behind the ranking gives the numbers above it: each tau from the pairs,
// each first lever from the savings, each verdict from the promises.
func TestRankingIsItsPairs(t *testing.T) {
	for _, r := range tables.PlanRuns() {
		p := pairsOf(r)
		assert.InDelta(t, r.All.Tau, p.tau(), 1e-12, r.Preset)
		planned, simulated := "", ""
		most, best := math.Inf(-1), math.Inf(-1)
		kept := r.Runs
		for _, l := range r.Levers {
			if l.Compared && l.PlannedSaved > most {
				planned, most = l.Lever, l.PlannedSaved
			}
			if l.Compared && l.SimulatedSaved > best {
				simulated, best = l.Lever, l.SimulatedSaved
			}
		}
		for _, p := range r.Promises {
			kept = min(kept, p.Kept)
		}
		assert.Equal(t, r.All.PlannedTop, planned, r.Preset)
		assert.Equal(t, r.All.SimulatedTop, simulated, r.Preset)
		assert.LessOrEqual(t, r.Kept, kept, r.Preset)
	}
	assert.Len(t, planSavings().Rows, 54)
}
