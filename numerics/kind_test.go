package numerics_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/numerics"
)

func TestKindNames(t *testing.T) {
	for _, k := range allKinds {
		got, ok := numerics.ParseKind(k.String())
		assert.True(t, ok, "%s", k)
		assert.Equal(t, k, got)
	}
	for _, name := range []string{"", "U01", "normal", "sym "} {
		_, ok := numerics.ParseKind(name)
		assert.False(t, ok, "ParseKind(%q)", name)
	}
	bad := numerics.Kind(len(allKinds))
	assert.Empty(t, bad.String())
	assert.Panics(t, func() { numerics.Fill(bad, 1, nil) })
	assert.Panics(t, func() { numerics.Fill(numerics.U01, 0, nil) }, "seed 0")
	assert.Panics(t, func() { numerics.NewRand(0) })
}

// TestKindRanges holds each kind to the range that its comment states, and its
// values to what the definition gives in exact arithmetic.
func TestKindRanges(t *testing.T) {
	for _, c := range []struct {
		kind   numerics.Kind
		lo, hi float32
		open   bool // hi itself does not occur
	}{
		{numerics.U01, 0, 1, true},
		{numerics.Sym, -1, 1, true},
		{numerics.Wide, -128, 128, true},
		{numerics.Dot, -1, 1, false},
		{numerics.BF16Dot, -1, 1, false},
		{numerics.Sq, 0, 1, false},
	} {
		t.Run(c.kind.String(), func(t *testing.T) {
			v := fill(c.kind, 123, 20000)
			r := numerics.NewRand(123)
			low, high := v[0], v[0]
			for i, x := range v {
				require.Equal(t, defined(c.kind, &r), x, "value %d", i)
				low, high = min(low, x), max(high, x)
			}
			assert.GreaterOrEqual(t, low, c.lo)
			assert.LessOrEqual(t, high, c.hi)
			assert.False(t, c.open && high == c.hi)
			assert.Less(t, low, c.lo+(c.hi-c.lo)*0.1, "the range is used")
			assert.Greater(t, high, c.hi-(c.hi-c.lo)*0.1, "the range is used")
		})
	}
}

// defined is the text of the golden file in float64, where every operation but
// the last is exact.
func defined(k numerics.Kind, r *numerics.Rand) float32 {
	sym := func() float64 { return (float64(r.Uint32()>>8) - 1<<23) / (1 << 23) }
	bf16 := func(x float64) float64 {
		f, _ := new(big.Float).SetPrec(8).SetFloat64(x).Float64() // 8 significant bits, ties to even
		return f
	}
	switch k {
	case numerics.U01:
		return float32(float64(r.Uint32()>>8) / (1 << 24))
	case numerics.Sym:
		return float32(sym())
	case numerics.Wide:
		a := sym()
		return float32(math.Ldexp(a, int(r.Uint32()&15)-8))
	case numerics.Dot:
		a := sym()
		return float32(a * sym())
	case numerics.BF16Dot:
		a := bf16(sym())
		return float32(a * bf16(sym()))
	default:
		a := bf16(sym())
		return float32(a * a)
	}
}

// TestFillInPieces: a generator goes on where it stopped.
func TestFillInPieces(t *testing.T) {
	for _, k := range allKinds {
		want := fill(k, 77, 100)
		got := make([]float32, 100)
		r := numerics.NewRand(77)
		r.Fill(k, got[:13])
		r.Fill(k, got[13:13])
		r.Fill(k, got[13:])
		assert.Equal(t, want, got, "%s", k)
	}
}

func TestRoundBF16(t *testing.T) {
	for _, c := range []struct{ in, want float32 }{
		{0, 0}, {1, 1}, {-1, -1}, {0x1.01p0, 0x1p0}, {0x1.03p0, 0x1.04p0}, {0x1.010002p0, 0x1.02p0}, {-0x1.01p0, -0x1p0},
		{0x1.fep0, 0x1.fep0}, {0x1.ffp0, 0x1p1}, {max32, inf32}, {-max32, -inf32}, {inf32, inf32}, {-inf32, -inf32},
		{0x1.fep127, 0x1.fep127}, {tiny32, 0}, {0x1p-133, 0x1p-133}, {0x1p-134, 0}, {0x1.8p-133, 0x1p-132},
	} {
		assert.Equal(t, c.want, numerics.RoundBF16(c.in), "RoundBF16(%v)", c.in)
	}
	got := numerics.RoundBF16(nan32)
	assert.True(t, got != got)
	odd := numerics.RoundBF16(math.Float32frombits(0x7f800001)) // a NaN whose high bits are clear
	assert.True(t, odd != odd)
}

func TestULPs(t *testing.T) {
	for _, c := range []struct {
		a, b float32
		want int64
	}{
		{1, 1, 0}, {0x1.000002p0, 1, 1}, {1, 0x1.000002p0, -1}, {2, 1, 1 << 23}, {-1, -2, 1 << 23},
		{0, float32(math.Copysign(0, -1)), 0}, {tiny32, 0, 1}, {tiny32, -tiny32, 2}, {-tiny32, 0, -1},
		{0x1p-126, 0x1.fffffcp-127, 1}, {inf32, max32, 1}, {-max32, -inf32, 1}, {inf32, -inf32, 2 * 0x7f800000},
	} {
		assert.Equal(t, c.want, numerics.ULPs(c.a, c.b), "ULPs(%v, %v)", c.a, c.b)
		assert.Equal(t, -c.want, numerics.ULPs(c.b, c.a), "ULPs(%v, %v)", c.b, c.a)
	}
}

// TestSpacing compares with the next float32 as package math finds it.
func TestSpacing(t *testing.T) {
	r := numerics.NewRand(9)
	for range 20000 {
		x := math.Float32frombits(r.Uint32())
		if x-x != 0 || x == max32 || x == -max32 {
			continue
		}
		next := math.Nextafter32(x, inf32)
		if x < 0 {
			next = math.Nextafter32(x, -inf32)
		}
		require.Equal(t, math.Abs(float64(next)-float64(x)), float64(numerics.Spacing(x)), "Spacing(%v)", x)
	}
	for _, c := range []struct{ in, want float32 }{
		{0, tiny32}, {tiny32, tiny32}, {0x1p-126, tiny32}, {0x1p-125, 2 * tiny32}, {0x1p-104, 0x1p-127}, {0x1p-103, 0x1p-126},
		{1, 0x1p-23}, {-1, 0x1p-23}, {0x1.fffffep0, 0x1p-23}, {20, 0x1p-19}, {max32, 0x1p104}, {inf32, inf32}, {-inf32, inf32},
	} {
		assert.Equal(t, c.want, numerics.Spacing(c.in), "Spacing(%v)", c.in)
	}
	got := numerics.Spacing(nan32)
	assert.True(t, got != got)
}
