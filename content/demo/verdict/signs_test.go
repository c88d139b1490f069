package verdict

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/sim"
	"openloop/sim/diagnose"
)

// TestKind: a state that a failure rules out does not read as if it were so.
func TestKind(t *testing.T) {
	state := diagnose.Reason{Kind: diagnose.Holds, Finding: diagnose.Finding{Sign: diagnose.KVFull, Known: true, Move: sim.Up}}
	assert.Equal(t, "is so", Kind(state))
	state.Move = sim.Flat
	assert.Equal(t, "should not be so", Kind(state))
	assert.Equal(t, "not so", Found(state.Finding, nil))
}

// TestEverySignHasAName: a reason without one would be an empty line.
func TestEverySignHasAName(t *testing.T) {
	seen := map[string]bool{}
	for s := range diagnose.NumSigns {
		assert.NotEmpty(t, Sign(s), "sign %s", s.Key())
		assert.False(t, seen[Sign(s)], "%s twice", Sign(s))
		seen[Sign(s)] = true
	}
	for _, l := range sim.Levers() {
		assert.Equal(t, l.Name, Name(l.ID))
		assert.NotEqual(t, "nothing", Remedy(diagnose.RemedyOf(l.ID)), l.ID)
	}
	for _, v := range []string{diagnose.Undetermined, diagnose.SeatLimit} {
		assert.NotEqual(t, v, Name(v))
	}
}
