package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestBeginnings: hashes that were kept are those that are computed anew, for
// prompts that share a beginning, end inside of it, or go on with another text.
func TestBeginnings(t *testing.T) {
	const blockTokens = 16
	shared := &shelf{}
	d := dice{7}
	for i := range 400 {
		r := Spec{Prompt: int32(d.in(1, 200)), Prefix: []Segment{{ID: uint64(d.in(1, 90)), Tokens: int32(d.in(1, 120))}}}
		if d.one(2) {
			r.Prefix = append(r.Prefix, Segment{ID: 5, Tokens: 40})
		}
		var alone, kept text
		kept.shelf = shared
		alone.set(&r, int32(i))
		kept.set(&r, int32(i))
		for n := 1; n < 20; n += d.in(1, 6) {
			assert.Equal(t, alone.hashes(n, blockTokens), kept.hashes(n, blockTokens)[:n], "request %d, %d blocks", i, n)
		}
		if d.one(2) {
			kept.putAway()
		}
	}
	assert.NotEmpty(t, shared.chains)
}
