package kernel_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/numerics/kernel"
)

func TestRMSNormThreads(t *testing.T) {
	for _, c := range []struct{ tokens, hidden, want int }{
		{1, 4096, 1024}, {255, 4096, 1024}, {256, 4096, 256}, {8192, 4096, 256},
		{255, 768, 768}, {256, 768, 256},
		{255, 128, 128}, {256, 128, 128}, // too narrow to notice the switch
	} {
		assert.Equal(t, c.want, kernel.RMSNormThreads(c.tokens, c.hidden), "%d tokens, hidden %d", c.tokens, c.hidden)
	}
}

func TestSplitK(t *testing.T) {
	tile := kernel.DecodeTile()
	for _, c := range []struct {
		name         string
		m, n, k, sms int
		want         int
	}{
		{"32 tiles leave 76 of 108 idle", 1, 4096, 4096, 108, 4},
		{"16 rows are still one tile", 16, 4096, 4096, 108, 4},
		{"64 tiles", 17, 4096, 4096, 108, 2},
		{"96 tiles", 48, 4096, 4096, 108, 2},
		{"128 tiles fill it", 49, 4096, 4096, 108, 1},
		{"a larger card wants more parts", 49, 4096, 4096, 132, 2},
		{"a short sum is not cut below 256", 1, 128, 1024, 108, 4},
		{"nor at all below 512", 1, 128, 511, 108, 1},
		{"at most 16 parts", 1, 128, 1 << 20, 108, 16},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, kernel.SplitK(c.m, c.n, c.k, tile, c.sms))
		})
	}
}

// More rows never need more parts: unlike the attention rule, this one is
// monotone.
func TestSplitKFallsWithTheBatch(t *testing.T) {
	last := 1 << 30
	for m := 1; m <= 512; m++ {
		s := kernel.SplitK(m, 2048, 8192, kernel.DecodeTile(), 132)
		require.LessOrEqual(t, s, last, "at %d rows", m)
		last = s
	}
	require.Equal(t, 1, last)
}

func TestCosts(t *testing.T) {
	for _, c := range kernel.Costs() {
		require.NotEmpty(t, c.Source, c.Setup)
		require.Greater(t, c.Ratio, 1.0, c.Setup)
	}
	// The percentages that SGLang prints beside its seconds.
	for i, percent := range []float64{42.6, 46.0, 24.4} {
		assert.InDelta(t, percent, 100*(kernel.Costs()[i].Ratio-1), 0.05)
	}
	least, most := kernel.CostRange()
	assert.InDelta(t, 1.244, least, 0.0005)
	assert.InDelta(t, 1.615, most, 0)
}

func TestGPUs(t *testing.T) {
	for _, g := range kernel.GPUs() {
		require.NotEmpty(t, g.Source, g.ID)
		found, ok := kernel.FindGPU(g.ID)
		require.True(t, ok)
		require.Equal(t, g, found)
	}
	_, ok := kernel.FindGPU("gh200")
	require.False(t, ok)
}
