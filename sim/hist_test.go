package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHistBins(t *testing.T) {
	for i := 0; i < histBins-1; i++ {
		lo, next := histEdge(i), histEdge(i+1)
		if next <= 0 {
			break // past the largest span
		}
		assert.Less(t, lo, next)
		assert.Equal(t, i, histBin(lo))
		assert.Equal(t, i, histBin(next-1))
	}
	assert.Less(t, histBin(1<<63-1), histBins)
}
