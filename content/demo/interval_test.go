package demo

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		hits, n int
		lo, hi  float64
	}{ // from Newcombe 1998, table I (method 3), to four digits
		{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718},
	} {
		lo, hi := Wilson(c.hits, c.n)
		assert.InDelta(t, c.lo, lo, 5e-5, "%d of %d", c.hits, c.n)
		assert.InDelta(t, c.hi, hi, 5e-5, "%d of %d", c.hits, c.n)
	}
	lo, hi := Wilson(20, 20)
	assert.Equal(t, 1.0, hi)
	assert.InDelta(t, 1-0.1611, lo, 5e-5)
}
