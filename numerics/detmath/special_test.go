package detmath_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/numerics/detmath"
)

var (
	inf  = math.Inf(1)
	nan  = math.NaN()
	zero = 0.0
	neg0 = math.Copysign(0, -1)
	tiny = math.SmallestNonzeroFloat64
	huge = math.MaxFloat64
)

// same says whether two results are equal to the bit, all NaN being one.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || (a != a && b != b)
}

type special struct{ in, want float64 }

func checkSpecial(t *testing.T, name string, f func(float64) float64, cases []special) {
	t.Helper()
	for _, c := range cases {
		got := f(c.in)
		assert.True(t, same(got, c.want), "%s(%v) = %v, want %v", name, c.in, got, c.want)
	}
}

func TestSpecialValues(t *testing.T) {
	checkSpecial(t, "Exp", detmath.Exp, []special{
		{inf, inf}, {-inf, 0}, {nan, nan}, {0, 1}, {neg0, 1}, {tiny, 1}, {-tiny, 1}, {1e-17, 1}, {1, math.E},
		{709.782712893384, 1.7976931348622732e+308}, {709.7827128933841, inf}, {huge, inf}, {-huge, 0},
		{-745.1332191019411, tiny}, {-745.1332191019412, 0}, {-746, 0}, {-708.3964185322641, 2.2250738585072626e-308},
	})
	checkSpecial(t, "Log", detmath.Log, []special{
		{inf, inf}, {0, -inf}, {neg0, -inf}, {-1, nan}, {-tiny, nan}, {-inf, nan}, {nan, nan}, {1, 0},
		{2, math.Ln2}, {10, math.Ln10}, {0.5, -math.Ln2}, {tiny, -744.4400719213812}, {huge, 709.782712893384},
	})
	checkSpecial(t, "Log1p", detmath.Log1p, []special{
		{inf, inf}, {0, 0}, {neg0, neg0}, {-1, -inf}, {-1.0000000000000002, nan}, {-inf, nan}, {nan, nan},
		{tiny, tiny}, {-tiny, -tiny}, {1, math.Ln2}, {1e-20, 1e-20}, {huge, 709.782712893384}, {-0.5, -math.Ln2},
	})
	checkSpecial(t, "Erf", detmath.Erf, []special{
		{inf, 1}, {-inf, -1}, {nan, nan}, {0, 0}, {neg0, neg0}, {6, 1}, {-6, -1}, {huge, 1}, {-huge, -1}, {1, 0.8427007929497149},
	})
	checkSpecial(t, "Erfc", detmath.Erfc, []special{
		{inf, 0}, {-inf, 2}, {nan, nan}, {0, 1}, {neg0, 1}, {tiny, 1}, {-tiny, 1}, {-6, 2}, {huge, 0}, {-huge, 2},
		{28, 0}, {27.23, 0}, {27.226, tiny}, {1, 0.15729920705028513},
	})
	checkSpecial(t, "NormCDF", detmath.NormCDF, []special{
		{inf, 1}, {-inf, 0}, {nan, nan}, {0, 0.5}, {neg0, 0.5}, {tiny, 0.5}, {9, 1}, {huge, 1}, {-huge, 0}, {-39, 0}, {-38.5, 0},
		{1, 0.8413447460685429}, {-1, 0.15865525393145705},
	})
	checkSpecial(t, "NormQuantile", detmath.NormQuantile, []special{
		{0, -inf}, {neg0, -inf}, {1, inf}, {0.5, 0}, {nan, nan}, {-tiny, nan}, {1.0000000000000002, nan}, {-inf, nan}, {inf, nan},
	})
}

// TestPowSpecialValues takes package math as the definition: on these pairs the
// result is a special case or exact.
func TestPowSpecialValues(t *testing.T) {
	values := []float64{
		nan, inf, -inf, 0, neg0, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1.5, -1.5, huge, -huge, tiny, -tiny, 4, 1 << 53, -(1 << 53),
		1<<53 - 1, -(1<<53 - 1), 1 << 60, 1024, -1074, -1075, 1023.5,
	}
	checked := 0
	for _, x := range values {
		for _, y := range values {
			want := math.Pow(x, y)
			if !exactPower(x, y, want) {
				continue
			}
			checked++
			got := detmath.Pow(x, y)
			assert.True(t, same(got, want), "Pow(%v, %v) = %v, want %v", x, y, got, want)
		}
	}
	assert.Greater(t, checked, 680, "pairs that were compared")
}

// exactPower says whether want cannot depend on rounding.
func exactPower(x, y, want float64) bool {
	if want != want || want == 0 || math.Abs(want) == 1 || math.IsInf(want, 0) {
		return true
	}
	small := math.Abs(x) <= 4 && math.Abs(y) <= 4 && y == math.Floor(y) && y > 0 && x == math.Floor(x)
	return y == 1 || small
}

func TestPowExact(t *testing.T) {
	for base := 2; base <= 40; base++ {
		want := 1.0
		for n := 1; want*float64(base) < 0x1p53; n++ {
			want *= float64(base)
			assert.Equal(t, want, detmath.Pow(float64(base), float64(n)), "%d^%d", base, n)
			assert.Equal(t, want, detmath.Pow(want*want, 0.5), "root of the square of %v", want)
			odd := want
			if n&1 == 1 {
				odd = -want
			}
			assert.Equal(t, odd, detmath.Pow(float64(-base), float64(n)), "(-%d)^%d", base, n)
		}
	}
	for k := -1074; k <= 1023; k++ {
		assert.Equal(t, math.Ldexp(1, k), detmath.Pow(2, float64(k)), "2^%d", k)
	}
	for k := range 23 {
		assert.Equal(t, "1e+"+twoDigits(k), strconv.FormatFloat(detmath.Pow(10, float64(k)), 'e', -1, 64))
	}
}

func twoDigits(k int) string {
	if k < 10 {
		return "0" + strconv.Itoa(k)
	}
	return strconv.Itoa(k)
}
