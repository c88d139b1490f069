package serving

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/content/demo/text"
	"openloop/sim"
)

// Requests that ended in every way there is are all counted, and the line for a
// note has all of them.
func TestEndedCountsEveryStatus(t *testing.T) {
	r := &sim.Results{}
	var all []int
	for s := range sim.NumStatuses {
		r.Status = append(r.Status, s)
		all = append(all, int(s))
	}
	by := ended(r, all)
	for s, n := range by {
		assert.Equal(t, 1, n, "status %d", s)
		by[s] = 1 << s // a power of two each, so that the sum says which are there
	}
	assert.Equal(t, text.Whole(4)+" completed, 8 failed, 16 timed out, 96 dropped, 3 still in the system", endedText(by))
}
