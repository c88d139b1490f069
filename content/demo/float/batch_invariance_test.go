package float

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demotest"
	"openloop/numerics"
)

func runInvariance(t *testing.T, link string) *invarianceRun {
	t.Helper()
	_, task := demotest.Run(t, demotest.Find(t, all, "batch-invariance"), link)
	return task.(*invarianceRun)
}

// The first state is the surprise: another batch, another winner, and neither
// is a mere tie.
func TestFirstStateFlips(t *testing.T) {
	r := runInvariance(t, "")
	assert.NotEqual(t, r.winner(1), r.winner(r.batch))
	assert.NotZero(t, r.gap(1))
	assert.NotZero(t, r.gap(r.batch))
}

// The known pair wins by turns as the parts go 1, 2, 4, 8, 16 (a, a, b, a, b
// in the golden file).
func TestKnownPair(t *testing.T) {
	r := runInvariance(t, "pair=golden&kernel=matmul&most=256")
	want := map[int]int{1: 0, 2: 0, 4: 1, 8: 0, 16: 1}
	seen := map[int]bool{}
	for batch := 1; batch <= 256; batch++ {
		parts := r.at(batch).count
		require.Equal(t, want[parts], r.winner(batch), "batch %d, %d parts", batch, parts)
		seen[parts] = true
	}
	assert.Len(t, seen, len(want))
	assert.InDelta(t, 1.0710209608078003e-06, r.exactGap(), 1e-20)
	assert.Equal(t, 3, r.flips())
}

func TestInvariantNeverFlips(t *testing.T) {
	for seed := 1; seed <= 8; seed++ {
		for _, kernel := range []string{"attention", "matmul", "norm"} {
			r := runInvariance(t, "vocabulary=512&invariant=on&most=512&kernel="+kernel+"&seed="+strconv.Itoa(seed))
			require.Zero(t, r.flips(), "%s, seed %d", kernel, seed)
			for batch := 2; batch <= 512; batch++ {
				require.Equal(t, r.at(1), r.at(batch))
			}
		}
	}
}

// Most seeds flip with the first settings; it is not one lucky seed.
func TestManySeedsFlip(t *testing.T) {
	flips := 0
	for seed := 1; seed <= 10; seed++ {
		if runInvariance(t, "seed="+strconv.Itoa(seed)).flips() > 0 {
			flips++
		}
	}
	assert.GreaterOrEqual(t, flips, 4, "of 10")
}

// The length that the rule is told may be any number, also one that is no
// whole count of warps.
func TestOddLengths(t *testing.T) {
	for _, link := range []string{"kernel=norm&told=200", "kernel=norm&told=129&invariant=on", "told=129", "kernel=matmul&told=1001&length=65"} {
		r := runInvariance(t, link+"&vocabulary=64&batch=300")
		require.Len(t, r.byBatch, 300, link)
	}
}

func TestClosestPair(t *testing.T) {
	s := newPairSearch(5, 200, 64)
	for !s.step(1) {
	}
	rows := append([]logitRow(nil), s.rows...)
	a, b := s.closest()
	require.Less(t, a.index, b.index)
	best := int64(math.MaxInt64)
	for i, x := range rows {
		for _, y := range rows[:i] {
			if gap := max(x.units-y.units, y.units-x.units); gap > 0 {
				best = min(best, gap)
			}
		}
	}
	assert.Equal(t, best, max(a.units-b.units, b.units-a.units))
	// Each row can be made again from its own seed.
	row := make([]float32, 64)
	numerics.Fill(numerics.BF16Dot, a.seed, row)
	assert.Equal(t, a.units, exactUnits(row))
}

// The fixed-point sum is the exact sum.
func TestUnits(t *testing.T) {
	row := make([]float32, 7168)
	for seed := uint32(1); seed <= 50; seed++ {
		numerics.Fill(numerics.BF16Dot, seed, row)
		var exact numerics.Exact
		exact.AddAll(row)
		require.Equal(t, exact.Float64(), fromUnits(exactUnits(row)), "seed %d", seed)
		seq := sumIn(numerics.Sequential, row, nil)
		require.Equal(t, float64(seq), fromUnits(units(seq)))
	}
}

func TestScramble(t *testing.T) {
	seen := map[uint32]bool{}
	for seed := uint32(1); seed <= 100_000; seed++ {
		x := scramble(seed)
		require.NotZero(t, x)
		require.False(t, seen[x])
		seen[x] = true
	}
}
