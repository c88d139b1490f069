package kernel_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/numerics/kernel"
)

// The counts below were computed outside this project from the published rule.
func TestFlashSplits(t *testing.T) {
	for _, c := range []struct {
		name        string
		sms, tokens int
		batch, want []int
	}{
		{"a100, 4096 tokens, every batch", 108, 4096, upTo(22),
			[]int{16, 11, 7, 6, 5, 4, 7, 3, 3, 5, 2, 2, 2, 5, 5, 3, 3, 3, 4, 4, 5, 1}},
		{"a100, 1024 tokens", 108, 1024, []int{1, 2, 4, 8}, []int{8, 8, 4, 3}},
		{"a100, 8192 tokens", 108, 8192, []int{1, 2, 4, 8}, []int{22, 13, 6, 3}},
		{"a100, 32768 tokens", 108, 32768, []int{1, 2, 4, 8}, []int{24, 12, 6, 3}},
		{"h100, 4096 tokens", 132, 4096, []int{1, 2, 4, 8, 16, 24, 26, 27, 28, 64}, []int{32, 16, 7, 4, 2, 4, 5, 1, 1, 1}},
		{"h100, 8192 tokens", 132, 8192, []int{1, 2, 4, 8, 16, 24, 26, 27, 28, 64}, []int{32, 16, 7, 4, 2, 4, 5, 1, 1, 1}},
		{"h100, 1024 tokens", 132, 1024, []int{1, 2, 4, 8, 16, 24, 26, 27}, []int{8, 8, 8, 4, 2, 4, 1, 1}},
		{"h100, 32768 tokens", 132, 32768, []int{1, 2, 4, 8, 16, 24, 26, 27}, []int{29, 14, 7, 4, 2, 4, 5, 1}},
		{"one block cannot be cut", 108, 128, []int{1, 2, 64}, []int{1, 1, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := make([]int, len(c.batch))
			for i, b := range c.batch {
				got[i] = kernel.FlashSplits(b, 8, 1, c.tokens, c.sms)
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// Float64 efficiencies give other counts for a few shapes, so the float32 of
// the source is not a detail: 5 heads and 199 blocks of KV come out at 40 parts
// instead of 34.
func TestFlashSplitsNeedsFloat32(t *testing.T) {
	assert.Equal(t, 40, kernel.FlashSplits(1, 5, 1, 199*128, 108))
	assert.Equal(t, 34, flash64(5, 199*128, 108))
	var shapes, differ int
	for _, sms := range []int{108, 132} {
		for work := 1; work <= sms; work++ {
			for blocks := 8; blocks <= 256; blocks += 8 {
				shapes++
				if kernel.FlashSplits(work, 1, 1, blocks*128, sms) != flash64(work, blocks*128, sms) {
					differ++
				}
			}
		}
	}
	assert.Positive(t, differ)
	assert.Less(t, float64(differ), 0.005*float64(shapes), "%d of %d shapes differ", differ, shapes)
}

func TestFlashSplitsStaysInRange(t *testing.T) {
	for batch := 1; batch <= 300; batch++ {
		for _, tokens := range []int{1, 127, 129, 5000, 131072} {
			s := kernel.FlashSplits(batch, 4, 2, tokens, 108)
			require.GreaterOrEqual(t, s, 1)
			require.LessOrEqual(t, s, min(128, (tokens+127)/128), "batch %d, %d tokens", batch, tokens)
		}
	}
}

// flash64 is the rule with every efficiency in float64.
func flash64(work, tokens, sms int) int {
	slots := 2 * sms
	if float64(work) >= 0.8*float64(slots) {
		return 1
	}
	blocks := (tokens + 127) / 128
	eff := map[int]float64{}
	best := 0.0
	parts := func(s int) int { return (blocks + s - 1) / s }
	for s := 1; s <= min(128, slots, blocks); s++ {
		if s > 1 && parts(s) == parts(s-1) {
			continue
		}
		w := float64(work*s) / float64(slots)
		eff[s] = w / math.Ceil(w)
		best = max(best, eff[s])
	}
	for s := 1; s <= blocks; s++ {
		if e, ok := eff[s]; ok && e >= 0.85*best {
			return s
		}
	}
	return 1
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i + 1
	}
	return all
}
