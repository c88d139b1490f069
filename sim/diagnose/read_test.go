package diagnose_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/sim"
	"openloop/sim/diagnose"
)

// TestDefaultLevers: on the base server, pulled as hard as their rows say, most
// runs of these levers are named.
func TestDefaultLevers(t *testing.T) {
	const seeds = 3
	for _, l := range sim.Levers() {
		named := 0
		for seed := range uint64(seeds) {
			r := diagnose.Read(run(t, sim.Healthy(l.ID), 200+seed, defaultPull(&l)))
			if r.Verdict == l.ID {
				named++
			} else {
				t.Logf("%s seed %d: %s (%.1f) second %s (%.1f), by %v", l.ID, seed, r.Verdict, r.Points, r.Second, r.SecondPoints, r.Separator.Sign.Key())
			}
		}
		assert.Greater(t, 2*named, seeds, l.ID)
	}
}
