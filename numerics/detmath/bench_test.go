package detmath_test

import (
	"math"
	"testing"

	"openloop/numerics/detmath"
)

// BenchmarkFunctions times one call each; package math stands beside as the
// yardstick.
func BenchmarkFunctions(b *testing.B) {
	r := source(30)
	xs := uniform(r, 1024, 0.01, 5)
	ps := uniform(r, 1024, 0.001, 0.999)
	for _, c := range []struct {
		name string
		f    func(float64) float64
		in   []float64
	}{
		{"Exp", detmath.Exp, xs}, {"Exp/math", math.Exp, xs},
		{"Log", detmath.Log, xs}, {"Log/math", math.Log, xs},
		{"Log1p", detmath.Log1p, xs},
		{"Pow", func(x float64) float64 { return detmath.Pow(x, 2.7) }, xs},
		{"Pow/math", func(x float64) float64 { return math.Pow(x, 2.7) }, xs},
		{"Erf", detmath.Erf, xs}, {"Erfc", detmath.Erfc, xs}, {"Erfc/math", math.Erfc, xs},
		{"NormCDF", detmath.NormCDF, xs}, {"NormQuantile", detmath.NormQuantile, ps},
	} {
		b.Run(c.name, func(b *testing.B) {
			var sink float64
			i := 0
			for b.Loop() {
				sink += c.f(c.in[i&1023])
				i++
			}
			_ = sink
		})
	}
}
