package detmath_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/numerics/detmath"
)

// TestMonotone walks a coarse grid and then neighbors, where a jump between two
// cells of a table would show.
func TestMonotone(t *testing.T) {
	for _, c := range []struct {
		name   string
		f      func(float64) float64
		lo, hi float64
		down   bool
	}{
		{"Exp", detmath.Exp, -746, 710, false},
		{"Exp near 0", detmath.Exp, -1, 1, false},
		{"Log", detmath.Log, 0, 3, false},
		{"Log1p", detmath.Log1p, -1, 3, false},
		{"Erf", detmath.Erf, -6, 6, false},
		{"Erfc", detmath.Erfc, -6, 27.3, true},
		{"NormCDF", detmath.NormCDF, -38.6, 8.5, false},
		{"NormQuantile", detmath.NormQuantile, 0, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			const cells = 20000
			prev := c.f(c.lo)
			bad := 0
			for i := 1; i <= cells && bad < 5; i++ {
				x := c.lo + (c.hi-c.lo)*(float64(i)/cells)
				y := c.f(x)
				if (y < prev) != c.down && y != prev {
					bad++
					t.Errorf("%s turns back at %v: %v after %v", c.name, x, y, prev)
				}
				prev = y
			}
		})
	}
}

// TestMonotoneNeighbors goes through runs of consecutive float64 across the
// places where the computation changes. Log and Exp are within 0.51 ULP and may
// not turn back; the others may by their error bound only.
func TestMonotoneNeighbors(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(float64) float64
		at   []float64
		sign float64
		ulps float64
	}{
		{"Exp", detmath.Exp, []float64{math.Ln2 / 128, -math.Ln2 / 128, 1, 64.5 * math.Ln2 / 64}, 1, 0},
		{"Log", detmath.Log, []float64{1, 0.6875, 1.375, 1.0078125, 0.99609375, 0.75}, 1, 0},
		{"Log1p", detmath.Log1p, []float64{0x1p-7, -0x1p-7, 0x1p-54}, 1, 0},
		{"Erf", detmath.Erf, []float64{0.5, 1, 1.5, 2}, 1, 1},
		{"Erfc", detmath.Erfc, []float64{0, 0.5, -0.5, 1, 3.5, 6, 8}, -1, 1},
		{"NormCDF", detmath.NormCDF, []float64{0, -math.Sqrt2 / 2, -3, -6 * math.Sqrt2, -20}, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, at := range c.at {
				x := at
				for range 200 {
					x = math.Nextafter(x, math.Inf(-1))
				}
				prev := c.f(x)
				for range 400 {
					x = math.Nextafter(x, math.Inf(1))
					y := c.f(x)
					back := (prev - y) * c.sign / (math.Nextafter(math.Abs(y), math.Inf(1)) - math.Abs(y))
					require.LessOrEqual(t, back, c.ulps, "%s turns back at %v: %v after %v", c.name, x, y, prev)
					prev = y
				}
			}
		})
	}
}

func TestErfIsOdd(t *testing.T) {
	r := source(20)
	for _, x := range concat(uniform(r, 3000, 0, 7), spread(r, 500, -1074, 3)) {
		assert.True(t, same(detmath.Erf(-x), -detmath.Erf(x)), "Erf(%v)", x)
	}
}

func TestErfAndErfcAddToOne(t *testing.T) {
	r := source(21)
	for _, x := range uniform(r, 5000, -7, 7) {
		// Both are within 1 ULP; the larger is below 2.
		assert.InDelta(t, 1, detmath.Erf(x)+detmath.Erfc(x), 0x1p-51, "x = %v", x)
	}
}

func TestNormalSymmetry(t *testing.T) {
	r := source(22)
	for _, x := range uniform(r, 3000, 0, 9) {
		// The upper half is made from the lower one with a single rounding.
		assert.Equal(t, 1-detmath.NormCDF(-x), detmath.NormCDF(x), "x = %v", x)
	}
	for _, p := range uniform(r, 3000, 0, 1) {
		q := 1 - p
		if 1-q == p { // 1-p is exact
			assert.Equal(t, -detmath.NormQuantile(p), detmath.NormQuantile(q), "p = %v", p)
		}
	}
}

func TestNormCDFIsErfc(t *testing.T) {
	r := source(23)
	for _, x := range uniform(r, 2000, -10, 10) {
		// z = -x/sqrt 2 is rounded here, which the tail multiplies by 2*z*z.
		want := detmath.Erfc(-x/math.Sqrt2) / 2
		assert.InEpsilon(t, want, detmath.NormCDF(x), (4+float64(x*x))*0x1p-52, "x = %v", x)
	}
}

func TestQuantileInvertsCDF(t *testing.T) {
	r := source(24)
	for _, x := range uniform(r, 3000, -37.5, 5) {
		p := detmath.NormCDF(x)
		// Rounding p moves x by at most half an ULP of p over the density.
		slack := 0.0
		if x > 0 {
			slack = 0x1p-53 * math.Sqrt(2*math.Pi) * math.Exp(x*x/2)
		}
		assert.InDelta(t, x, detmath.NormQuantile(p), 2e-15*math.Abs(x)+1e-16+slack, "x = %v", x)
	}
}

func TestLogInvertsExp(t *testing.T) {
	r := source(25)
	for _, x := range uniform(r, 5000, -708, 709) {
		// exp is off by 0.52 ULP, that is a relative 2^-53, so x by as much.
		assert.InDelta(t, x, detmath.Log(detmath.Exp(x)), 0x1.2p-53+math.Abs(x)*0x1p-53, "x = %v", x)
	}
}

func TestExpAdds(t *testing.T) {
	r := source(26)
	for range 3000 {
		a, b := math.Floor(r.Float64()*64)/4, math.Floor(r.Float64()*64)/4-8 // the sum is exact
		assert.InEpsilon(t, detmath.Exp(a+b), detmath.Exp(a)*detmath.Exp(b), 4*0x1p-53, "%v + %v", a, b)
	}
}

func TestLogOfProducts(t *testing.T) {
	r := source(27)
	for range 3000 {
		x := 1 + r.Float64()
		k := r.IntN(2000) - 1000
		got := detmath.Log(math.Ldexp(x, k))
		want := detmath.Log(x) + float64(float64(k)*math.Ln2)
		assert.InDelta(t, want, got, 1e-13+math.Abs(got)*0x1p-51, "%v * 2^%d", x, k)
	}
}

// TestAgainstPackageMath is a rough check from another hand: package math is
// good to a few ULP.
func TestAgainstPackageMath(t *testing.T) {
	r := source(28)
	for range 5000 {
		x := r.Float64()*20 - 10
		for _, c := range []struct {
			name      string
			got, want float64
		}{
			{"Exp", detmath.Exp(x), math.Exp(x)},
			{"Log", detmath.Log(math.Abs(x)), math.Log(math.Abs(x))},
			{"Log1p", detmath.Log1p(math.Abs(x)), math.Log1p(math.Abs(x))},
			{"Pow", detmath.Pow(math.Abs(x), x), math.Pow(math.Abs(x), x)},
			{"Erf", detmath.Erf(x), math.Erf(x)},
			{"Erfc", detmath.Erfc(x), math.Erfc(x)},
		} {
			assert.InEpsilon(t, c.want, c.got, 2e-15, "%s at %v", c.name, x)
		}
	}
}
