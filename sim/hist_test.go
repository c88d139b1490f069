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

func TestRank(t *testing.T) {
	for _, c := range []struct {
		q    float64
		n    int64
		want int64
	}{
		{0, 5, 1}, {1, 5, 5}, {0.5, 4, 2}, {0.5, 5, 3}, {0.07, 100, 7}, {0.99, 100, 99}, {0.99, 101, 100}, {0.999, 1_000_000, 999_000},
		{0.28, 25, 7}, {0.55, 1_000_000, 550_000},
	} {
		assert.Equal(t, c.want, rank(c.q, c.n), "q %v of %d", c.q, c.n)
	}
}
