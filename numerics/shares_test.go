package numerics_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/numerics"
)

// The published shares were counted by another program, in numpy, over seeds
// 1..2000 for n up to 1024 and 1..500 above. Counting the first seeds of the same
// sets gives a share within sampling error of them.

const (
	// sigmas is how many standard deviations a share may be off. 48 shares are
	// checked, so the chance that honest ones fail is 3e-5.
	sigmas = 5
	// printed is half the last place of the published table.
	printed = 0.0005
)

func TestPublishedShares(t *testing.T) {
	columns := []struct {
		kind  numerics.Kind
		order numerics.Order
		want  map[int]float64 // share of seeds whose bits differ from Sequential, by n
	}{
		{numerics.U01, numerics.Pairwise, map[int]float64{2: 0, 3: 0, 4: 0.183, 16: 0.538, 64: 0.719, 256: 0.850, 1024: 0.915, 4096: 0.970}},
		{numerics.U01, numerics.SplitK(4), map[int]float64{2: 0, 3: 0, 4: 0, 16: 0.524, 64: 0.727, 256: 0.853, 1024: 0.921, 4096: 0.968}},
		{numerics.Sym, numerics.Pairwise, map[int]float64{2: 0, 3: 0, 4: 0.036, 16: 0.401, 64: 0.777, 256: 0.892, 1024: 0.944, 4096: 0.976}},
		{numerics.BF16Dot, numerics.Pairwise, map[int]float64{2: 0, 3: 0, 4: 0.001, 16: 0.025, 64: 0.225, 256: 0.639, 1024: 0.829, 4096: 0.932}},
		{numerics.BF16Dot, numerics.SplitK(4), map[int]float64{2: 0, 3: 0, 4: 0, 16: 0.018, 64: 0.172, 256: 0.597, 1024: 0.820, 4096: 0.940}},
		{numerics.Sq, numerics.Pairwise, map[int]float64{2: 0, 3: 0, 4: 0.004, 16: 0.102, 64: 0.499, 256: 0.963, 1024: 1, 4096: 1}},
	}
	for _, c := range columns {
		for n, want := range c.want {
			t.Run(c.kind.String()+"/"+c.order.String()+"/"+strconv.Itoa(n), func(t *testing.T) {
				seeds := 500
				if n > 1024 {
					seeds = 100
				}
				got := shareThatDiffers(c.kind, n, seeds, numerics.Sequential, c.order)
				slack := sigmas*math.Sqrt(want*(1-want)/float64(seeds)) + printed
				assert.InDelta(t, want, got, slack, "%d seeds", seeds)
			})
		}
	}
}

// TestPublishedSharesExactly counts two cells over all 2000 seeds, where the
// published number must come out to its last place.
func TestPublishedSharesExactly(t *testing.T) {
	if testing.Short() {
		t.Skip("counts 4000 rows")
	}
	assert.InDelta(t, 0.719, shareThatDiffers(numerics.U01, 64, 2000, numerics.Sequential, numerics.Pairwise), printed+1e-12)
	assert.InDelta(t, 0.597, shareThatDiffers(numerics.BF16Dot, 256, 2000, numerics.Sequential, numerics.SplitK(4)), printed+1e-12)
}

func shareThatDiffers(k numerics.Kind, n, seeds int, a, b numerics.Order) float64 {
	v, scratch := make([]float32, n), make([]float32, n)
	differ := 0
	for seed := 1; seed <= seeds; seed++ {
		numerics.Fill(k, uint32(seed), v)
		sa, _ := numerics.Sum(a, v, scratch)
		sb, _ := numerics.Sum(b, v, scratch)
		if sa != sb {
			differ++
		}
	}
	return float64(differ) / float64(seeds)
}

// TestPublishedErrors compares the RMS error in units of u * sum of absolute
// values with the published ones; they are averages over random rows, so 300
// rows agree to about a tenth.
func TestPublishedErrors(t *testing.T) {
	const rows, tolerance = 300, 0.15
	for _, c := range []struct {
		kind  numerics.Kind
		n     int
		order numerics.Order
		want  float64
	}{
		{numerics.U01, 1024, numerics.Sequential, 7.08},
		{numerics.U01, 1024, numerics.SplitK(4), 1.95},
		{numerics.U01, 1024, numerics.SplitK(16), 1.09},
		{numerics.U01, 1024, numerics.Pairwise, 0.72},
		{numerics.U01, 1024, numerics.Block(256), 0.82},
		{numerics.U01, 1024, numerics.Kahan, 0.45},
		{numerics.Sq, 1024, numerics.Sequential, 48.1},
		{numerics.Sq, 1024, numerics.SplitK(4), 6.1},
		{numerics.Sq, 1024, numerics.Pairwise, 0.70},
		{numerics.BF16Dot, 4096, numerics.Sequential, 0.184},
		{numerics.BF16Dot, 4096, numerics.Pairwise, 0.027},
	} {
		t.Run(c.kind.String()+"/"+strconv.Itoa(c.n)+"/"+c.order.String(), func(t *testing.T) {
			v, scratch := make([]float32, c.n), make([]float32, c.n)
			squares := 0.0
			for seed := uint32(1); seed <= rows; seed++ {
				numerics.Fill(c.kind, seed, v)
				s, _ := numerics.Sum(c.order, v, scratch)
				e := errorOf(s, v) / (unit * sumAbs(v))
				squares += e * e
			}
			assert.InEpsilon(t, c.want, math.Sqrt(squares/rows), tolerance)
		})
	}
}

// TestFlipsNeedANearTie counts how often two orders of one reduction pick
// another winner of a pair of logits that an exact gap of g sets apart, as the
// published table does: pairs of seeds (2i-1, 2i), and a flip if the sign of
// g + (error of b) - (error of a) changes between the orders.
func TestFlipsNeedANearTie(t *testing.T) {
	const pairs, n = 1000, 1024
	gaps := []struct{ gap, want float64 }{{0, 0.44}, {1e-6, 0.354}, {3e-6, 0.131}, {1e-5, 0.0095}, {3e-5, 0}, {1e-4, 0}, {1e-3, 0}}
	flips := make([]int, len(gaps))
	scratch := make([]float32, n)
	errors := func(seed uint32) (seq, split float64) {
		v := fill(numerics.BF16Dot, seed, n)
		a, _ := numerics.Sum(numerics.Sequential, v, scratch)
		b, _ := numerics.Sum(numerics.SplitK(4), v, scratch)
		return errorOf(a, v), errorOf(b, v)
	}
	for i := uint32(1); i <= pairs; i++ {
		aSeq, aSplit := errors(2*i - 1)
		bSeq, bSplit := errors(2 * i)
		for j, g := range gaps {
			if (g.gap+bSeq-aSeq > 0) != (g.gap+bSplit-aSplit > 0) {
				flips[j]++
			}
		}
	}
	for j, g := range gaps {
		slack := sigmas*math.Sqrt(max(g.want, 1.0/pairs)*(1-g.want)/pairs) + printed
		assert.InDelta(t, g.want, float64(flips[j])/pairs, slack, "gap %v", g.gap)
		if j > 0 {
			assert.LessOrEqual(t, flips[j], flips[j-1], "a wider gap flips less, gap %v", g.gap)
		}
	}
}
