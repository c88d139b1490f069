package detmath_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/numerics/detmath"
)

// FuzzFunctions holds every function to its error bound at arbitrary arguments,
// and where there is no finite result to package math's special case.
func FuzzFunctions(f *testing.F) {
	for _, x := range []float64{0, 1, -1, 0.5, math.Ln2, 1e-300, 709.7, -745, 5e-324, math.MaxFloat64, math.Inf(1), math.NaN()} {
		f.Add(x, 0.5)
		f.Add(x, -3.0)
		f.Add(1+x, 1e15)
	}
	f.Fuzz(func(t *testing.T, x, y float64) {
		check := func(name string, got, rough, bound float64, ref func() *big.Float) {
			t.Helper()
			switch {
			case rough != rough || math.IsInf(rough, 0) && math.IsInf(got, 0) || rough == 0 && got == 0:
				assert.True(t, same(got, rough), "%s(%v, %v) = %v, want %v", name, x, y, got, rough)
			default:
				e := ulpError(got, ref())
				assert.LessOrEqual(t, e, bound, "%s(%v, %v) = %v", name, x, y, got)
			}
		}
		check("Exp", detmath.Exp(x), math.Exp(x), ulpExp, func() *big.Float { return refExp(flt(x)) })
		check("Log", detmath.Log(x), math.Log(x), ulpLog, func() *big.Float { return refLog(flt(x)) })
		check("Pow", detmath.Pow(x, y), math.Pow(x, y), ulpPow, func() *big.Float {
			if x == 0 || x-x != 0 || y-y != 0 { // not for series
				return flt(math.Pow(x, y))
			}
			p := refPow(math.Abs(x), y)
			if math.Pow(x, y) < 0 {
				p.Neg(p)
			}
			return p
		})
		if x > -1 && math.Abs(x) > 0x1p-200 && math.Abs(x) < 0x1p200 {
			sum := new(big.Float).SetPrec(refBits+420).Add(big.NewFloat(1).SetPrec(refBits+420), flt(x))
			check("Log1p", detmath.Log1p(x), math.Log1p(x), ulpLog1p, func() *big.Float { return refLog(sum) })
		}
		if math.Abs(x) > 0x1p-200 && math.Abs(x) < 12 {
			check("Erf", detmath.Erf(x), math.Erf(x), ulpErf, func() *big.Float { return refErf(flt(x)) })
			check("Erfc", detmath.Erfc(x), math.Erfc(x), ulpErfc, func() *big.Float { return refErfc(flt(x)) })
			check("NormCDF", detmath.NormCDF(x), math.Erfc(-x)/2, ulpNorm, func() *big.Float { return refNormCDF(flt(x)) })
		}
	})
}
