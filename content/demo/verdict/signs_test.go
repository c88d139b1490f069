package verdict

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/sim"
	"openloop/sim/diagnose"
)

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
