package numerics_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/numerics"
)

var allKinds = []numerics.Kind{numerics.U01, numerics.Sym, numerics.Wide, numerics.Dot, numerics.BF16Dot, numerics.Sq}

// unit is u, the largest relative error of one float32 rounding.
const unit = 0x1p-24

func fill(k numerics.Kind, seed uint32, n int) []float32 {
	v := make([]float32, n)
	numerics.Fill(k, seed, v)
	return v
}

func sum(t *testing.T, o numerics.Order, v []float32) float32 {
	t.Helper()
	s, ok := numerics.Sum(o, v, nil)
	require.True(t, ok, "%s of %d values", o, len(v))
	return s
}

// TestSumFollowsItsText compares with the plain version for every length near
// the places where the fast one changes its way, and checks that the input is
// left alone.
func TestSumFollowsItsText(t *testing.T) {
	var lengths []int
	for n := range 140 {
		lengths = append(lengths, n)
	}
	lengths = append(lengths, 255, 256, 257, 511, 512, 1000, 1023, 1024, 1025, 2048, 3000, 4095, 4097)
	for _, o := range allOrders() {
		t.Run(o.String(), func(t *testing.T) {
			scratch := make([]float32, 4097)
			for _, n := range lengths {
				v := fill(numerics.Wide, uint32(n+1), n)
				before := slices.Clone(v)
				want, wantOK := naive(o, v)
				got, ok := numerics.Sum(o, v, scratch[:n])
				require.Equal(t, wantOK, ok, "n = %d", n)
				require.Equal(t, hex32(want), hex32(got), "n = %d", n)
				require.Equal(t, before, v, "n = %d: the input changed", n)
				if ok {
					require.Equal(t, hex32(want), hex32(sum(t, o, v)), "n = %d without scratch", n)
				}
				require.Equal(t, ok, o.Defined(n), "n = %d", n)
			}
		})
	}
}

func TestSumDoesNotAllocate(t *testing.T) {
	v := fill(numerics.Sym, 3, 4096)
	scratch := make([]float32, len(v))
	w := fill(numerics.Sym, 4, 4096)
	for _, o := range allOrders() {
		assert.Zero(t, testing.AllocsPerRun(20, func() { numerics.Sum(o, v, scratch) }), "Sum %s", o)
		assert.Zero(t, testing.AllocsPerRun(20, func() { numerics.DotOrder(o, v, w, scratch) }), "DotOrder %s", o)
	}
	assert.Zero(t, testing.AllocsPerRun(20, func() { numerics.ExactSum(v) }), "ExactSum")
	assert.Zero(t, testing.AllocsPerRun(20, func() { numerics.Fill(numerics.BF16Dot, 9, scratch) }), "Fill")
}

// TestThreeValuesNeverDiffer: with up to three values the trees of these orders
// are the same; the fourth value is the first that can tell them apart. Kahan
// and the orders that regroup three values are left out.
func TestThreeValuesNeverDiffer(t *testing.T) {
	same := []numerics.Order{numerics.Pairwise, numerics.SplitK(4), numerics.SplitK(2), numerics.Block(256)}
	differ := 0
	for _, k := range allKinds {
		for seed := uint32(1); seed <= 500; seed++ {
			for n := 1; n <= 3; n++ {
				v := fill(k, seed, n)
				want := sum(t, numerics.Sequential, v)
				for _, o := range same {
					require.Equal(t, want, sum(t, o, v), "%s, %s, n = %d, seed %d", o, k, n, seed)
				}
			}
			v := fill(k, seed, 4)
			if sum(t, numerics.Sequential, v) != sum(t, numerics.Pairwise, v) {
				differ++
			}
		}
	}
	assert.Positive(t, differ, "four values must tell some orders apart")
}

// TestErrorBounds holds each order to its worst case: that many u times the sum
// of absolute values, with the second-order term put in as n*u.
func TestErrorBounds(t *testing.T) {
	log2 := func(n int) float64 { return math.Ceil(math.Log2(float64(n))) }
	bounds := []struct {
		order numerics.Order
		units func(n int) float64
	}{
		{numerics.Sequential, func(n int) float64 { return float64(n - 1) }},
		{numerics.Pairwise, log2},
		{numerics.Halving, log2},
		{numerics.SplitK(4), func(n int) float64 { return math.Ceil(float64(n)/4) + 4 - 2 }},
		{numerics.SplitK(16), func(n int) float64 { return math.Ceil(float64(n)/16) + 16 - 2 }},
		{numerics.Block(256), func(n int) float64 { return math.Ceil(float64(n)/256) + 5 + 256/32 - 2 }},
		{numerics.Block(1024), func(n int) float64 { return math.Ceil(float64(n)/1024) + 5 + 1024/32 - 2 }},
		{numerics.Kahan, func(int) float64 { return 2 }},
	}
	for _, b := range bounds {
		t.Run(b.order.String(), func(t *testing.T) {
			for _, k := range allKinds {
				for _, n := range []int{2, 5, 33, 100, 257, 1024, 3001} {
					for seed := uint32(1); seed <= 12; seed++ {
						v := fill(k, seed, n)
						limit := b.units(n) * unit * (1 + float64(n)*unit) * sumAbs(v)
						if b.order == numerics.Kahan {
							limit += 4 * float64(n) * unit * unit * sumAbs(v)
						}
						e := math.Abs(errorOf(sum(t, b.order, v), v))
						require.LessOrEqual(t, e, limit, "%s, n = %d, seed %d", k, n, seed)
					}
				}
			}
		})
	}
}

// errorOf is result minus the exact sum, rounded once.
func errorOf(result float32, v []float32) float64 {
	var e, exact numerics.Exact
	exact.AddAll(v)
	e.Add(result)
	e.SubExact(&exact)
	return e.Float64()
}

func sumAbs(v []float32) float64 {
	var e numerics.Exact
	for _, x := range v {
		e.Add(max(x, -x))
	}
	return e.Float64()
}

// TestPairwiseIsSymmetric: over a power of two the tree is its own mirror.
func TestPairwiseIsSymmetric(t *testing.T) {
	moved := 0
	for seed := uint32(1); seed <= 60; seed++ {
		for _, n := range []int{2, 4, 64, 1024} {
			v := fill(numerics.Sym, seed, n)
			r := slices.Clone(v)
			slices.Reverse(r)
			for _, o := range []numerics.Order{numerics.Pairwise, numerics.Halving, numerics.Strided} {
				require.Equal(t, sum(t, o, v), sum(t, o, r), "%s, n = %d, seed %d", o, n, seed)
			}
			require.Equal(t, sum(t, numerics.Pairwise, v), sum(t, numerics.Halving, v), "one tree")
			if sum(t, numerics.Sequential, v) != sum(t, numerics.Sequential, r) {
				moved++
			}
		}
	}
	assert.Positive(t, moved, "Sequential must notice the direction")
}

// TestOrderIsAPermutation ties the trees together: Strided is Pairwise of the
// row in bit-reversed order, and Block(32) of one warp is Pairwise.
func TestOrderIsAPermutation(t *testing.T) {
	for seed := uint32(1); seed <= 40; seed++ {
		for logN := range 12 {
			n := 1 << logN
			v := fill(numerics.Dot, seed, n)
			mixed := make([]float32, n)
			for i := range v {
				mixed[reverseBits(i, logN)] = v[i]
			}
			require.Equal(t, sum(t, numerics.Strided, v), sum(t, numerics.Pairwise, mixed), "n = %d, seed %d", n, seed)
			if n <= numerics.Warp {
				require.Equal(t, sum(t, numerics.Pairwise, v), sum(t, numerics.Block(32), v), "n = %d, seed %d", n, seed)
			}
			require.Equal(t, sum(t, numerics.Sequential, v), sum(t, numerics.SplitK(1), v), "n = %d, seed %d", n, seed)
		}
	}
}

func reverseBits(i, width int) int {
	out := 0
	for range width {
		out = out<<1 | i&1
		i >>= 1
	}
	return out
}

// TestExactIgnoresOrder shuffles rows and adds them in pieces.
func TestExactIgnoresOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range allKinds {
		v := fill(k, 11, 777)
		want := numerics.ExactSum(v)
		for range 20 {
			r.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
			cut := r.IntN(len(v))
			var a, b numerics.Exact
			a.AddAll(v[:cut])
			b.AddAll(v[cut:])
			a.AddExact(&b)
			require.Equal(t, want, a.Float32(), "%s", k)
			a.SubExact(&b)
			require.Equal(t, numerics.ExactSum(v[:cut]), a.Float32(), "%s", k)
		}
	}
}

// TestScaling: a power of two moves the exponent and no other bit, in every
// order, as long as nothing becomes subnormal.
func TestScaling(t *testing.T) {
	for _, o := range allOrders() {
		v := fill(numerics.Wide, 5, 512)
		want := sum(t, o, v)
		for i := range v {
			v[i] = float32(v[i] * 0x1p20)
		}
		require.Equal(t, float32(want*0x1p20), sum(t, o, v), "%s", o)
	}
}

// TestBlockSwitch is the RMSNorm case: 256 and 1024 threads give equal bits up
// to 256 values and part from 257 on.
func TestBlockSwitch(t *testing.T) {
	for _, n := range []int{1, 100, 255, 256} {
		for seed := uint32(1); seed <= 100; seed++ {
			v := fill(numerics.Sq, seed, n)
			require.Equal(t, sum(t, numerics.Block(256), v), sum(t, numerics.Block(1024), v), "n = %d, seed %d", n, seed)
		}
	}
	for _, n := range []int{257, 512, 4096} {
		differ := 0
		for seed := uint32(1); seed <= 100; seed++ {
			v := fill(numerics.U01, seed, n)
			if sum(t, numerics.Block(256), v) != sum(t, numerics.Block(1024), v) {
				differ++
			}
		}
		assert.Greater(t, differ, 5, "n = %s of 100 seeds", strconv.Itoa(n))
	}
}
