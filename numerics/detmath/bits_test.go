package detmath_test

import (
	"hash/fnv"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/numerics/detmath"
)

// gridHash is the FNV-1a hash of the result bits, lowest byte first, at 4000
// points of [lo, hi] and at 1200 powers of two of both signs.
func gridHash(f func(float64) float64, lo, hi float64) uint64 {
	h := fnv.New64a()
	put := func(x float64) {
		b := math.Float64bits(f(x))
		if f(x) != f(x) {
			b = 0x7ff8000000000001 // which NaN is left to the machine
		}
		h.Write([]byte{byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24), byte(b >> 32), byte(b >> 40), byte(b >> 48), byte(b >> 56)})
	}
	for i := range 4000 {
		// A division and one product of small integers: the same points everywhere.
		put(lo + float64((hi-lo)*float64(i))/4000)
	}
	for k := range 600 {
		x := math.Float64frombits(uint64(3*k+100) << 52)
		put(x)
		put(-x)
	}
	return h.Sum64()
}

// TestSameBitsEverywhere compares with constants that amd64 and js/wasm both
// gave. A change here changes every result that was ever linked: raise
// EngineVersion with it.
func TestSameBitsEverywhere(t *testing.T) {
	for _, c := range []struct {
		name   string
		f      func(float64) float64
		lo, hi float64
		want   uint64
	}{
		{"Exp", detmath.Exp, -746, 711, 0x1e26179e4641b5d7},
		{"Log", detmath.Log, 0, 3, 0xba98a702c618196f},
		{"Log1p", detmath.Log1p, -1, 3, 0x9d4e8695a355232},
		{"Pow 2.5", func(x float64) float64 { return detmath.Pow(x, 2.5) }, 0, 40, 0xc01e460bf9e2a46b},
		{"Pow base 0.3", func(x float64) float64 { return detmath.Pow(0.3, x) }, -600, 620, 0xd50afc2c082154dc},
		{"Erf", detmath.Erf, -6.5, 6.5, 0xb71807e81447b0d4},
		{"Erfc", detmath.Erfc, -6.5, 28, 0x4cc7a59e813b68b9},
		{"NormCDF", detmath.NormCDF, -39, 9, 0xa6357cdbb65b254},
		{"NormQuantile", detmath.NormQuantile, 0, 1, 0x12075209838fde8d},
	} {
		assert.Equal(t, c.want, gridHash(c.f, c.lo, c.hi), "%s: hash %#x", c.name, gridHash(c.f, c.lo, c.hi))
	}
}
