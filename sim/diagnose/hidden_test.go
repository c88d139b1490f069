package diagnose_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/sim"
	"openloop/sim/diagnose"
	"openloop/sim/diagnose/score"
)

// TestHidden: what a reading says could be hidden is no failure that it names,
// has moved what it moves first, and is not nearly everything; where a second
// failure is missed it is mostly among them.
func TestHidden(t *testing.T) {
	listed, readings := 0, 0
	for _, l := range sim.Levers() {
		r := diagnose.Read(run(t, sim.Healthy(l.ID), 311, defaultPull(&l)))
		if r.Verdict == diagnose.Healthy || r.Verdict == diagnose.Undetermined {
			assert.Empty(t, r.Hidden, l.ID)
			continue
		}
		readings++
		listed += len(r.Hidden)
		for _, id := range r.Hidden {
			assert.NotContains(t, []string{r.Verdict, r.Also}, id)
			e, ok := sim.Signature(id)
			require.True(t, ok, id)
			if f := &r.Found[diagnose.SignOf(e.First)]; f.Known {
				assert.Equal(t, e.Moves[e.First], f.Move, "%s behind %s", id, r.Verdict)
			}
		}
	}
	assert.Less(t, listed, readings*len(sim.Levers())/2, "of %d failures", readings)
	assert.Positive(t, listed)
	assert.Empty(t, diagnose.Read(run(t, sim.Healthy(""), 311)).Hidden)

	missed, said := 0, 0
	levers := sim.Levers()
	for i := range 60 {
		a, b := levers[i%len(levers)].ID, levers[(i*5+3)%len(levers)].ID
		pair, ok := score.DrawPair(a, b, 31_415, i)
		if a == b || !ok {
			continue
		}
		r := diagnose.Read(pair.Windows())
		second := b
		switch r.Verdict {
		case a:
		case b:
			second = a
		default:
			continue
		}
		if r.Also == second {
			continue
		}
		missed++
		if slices.Contains(r.Hidden, second) || len(r.Else) > 0 {
			said++
		}
	}
	require.Greater(t, missed, 10)
	assert.Greater(t, 10*said, 7*missed, "%d of %d", said, missed)
}
