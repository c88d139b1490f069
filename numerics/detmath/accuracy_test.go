package detmath_test

import (
	"flag"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/numerics/detmath"
)

// The bounds that the doc comments state, in ULPs of the true result.
const (
	ulpExp     = 0.52
	ulpLog     = 0.51
	ulpLog1p   = 0.51
	ulpPow     = 0.75
	ulpErf     = 1.0
	ulpErfc    = 1.0
	ulpNorm    = 1.0
	relInverse = 1e-15
)

var more = flag.Int("more", 1, "times as many random points")

// points is how many random arguments a test takes; the reference is slow in a
// browser's engine.
func points(native int) int {
	if runtime.GOOS == "js" || testing.Short() {
		return native / 20
	}
	return native * *more
}

func source(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(7, stream)) }

// ulpError is |got - want| in units of the last place of want as a float64.
func ulpError(got float64, want *big.Float) float64 {
	w, _ := want.Float64()
	if math.IsInf(w, 0) || math.IsInf(got, 0) {
		if got == w {
			return 0
		}
		return math.Inf(1)
	}
	exp := want.MantExp(nil) - 53
	exp = max(exp, -1074)
	diff := sub(flt(got), want)
	f, _ := diff.SetMantExp(diff, -exp).Float64()
	return math.Abs(f)
}

// checkULP holds f to its bound over points and logs the worst.
func checkULP(t *testing.T, name string, bound float64, xs []float64, f func(float64) float64, ref func(*big.Float) *big.Float) {
	t.Helper()
	require.NotEmpty(t, xs)
	worst, at := 0.0, 0.0
	for _, x := range xs {
		got := f(x)
		if e := ulpError(got, ref(flt(x))); e > worst || e != e {
			worst, at = e, x
			if e > bound || e != e {
				want, _ := ref(flt(x)).Float64()
				t.Errorf("%s(%v) = %v, want %v: %.3f ULP, bound %v", name, x, got, want, e, bound)
			}
		}
	}
	t.Logf("%s: worst of %d points is %.4f ULP at %v (bound %v)", name, len(xs), worst, at, bound)
}

func uniform(r *rand.Rand, n int, lo, hi float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = lo + float64((hi-lo)*r.Float64())
	}
	return x
}

// spread draws sizes evenly in the exponent, lo..hi in powers of two, with
// random mantissas.
func spread(r *rand.Rand, n, lo, hi int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Ldexp(1+r.Float64(), lo+r.IntN(hi-lo))
	}
	return x
}

func both(x []float64) []float64 {
	for _, v := range x[:len(x):len(x)] {
		x = append(x, -v)
	}
	return x
}

// around returns the float64 next to each x, some steps to each side.
func around(steps int, xs ...float64) []float64 {
	var out []float64
	for _, x := range xs {
		lo, hi := x, x
		out = append(out, x)
		for range steps {
			lo, hi = math.Nextafter(lo, math.Inf(-1)), math.Nextafter(hi, math.Inf(1))
			out = append(out, lo, hi)
		}
	}
	return out
}

func concat(parts ...[]float64) []float64 {
	var out []float64
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

func TestExpAccuracy(t *testing.T) {
	r := source(1)
	var edges []float64 // between the cells of the table
	for j := -64; j <= 64; j++ {
		edges = append(edges, (float64(j)+0.5)*math.Ln2/64)
	}
	xs := concat(
		uniform(r, points(2000), -745.2, 709.9), uniform(r, points(1000), -1, 1),
		both(spread(r, points(1000), -60, -5)), both(spread(r, points(100), -1074, -60)),
		uniform(r, points(2000), -745.2, -708), // subnormal results
		around(2, edges...), around(4, 709.782712893384, -708.3964185322641, -745.1332191019412, 1, -1, math.Ln2))
	checkULP(t, "Exp", ulpExp, xs, detmath.Exp, refExp)
}

func TestLogAccuracy(t *testing.T) {
	r := source(2)
	var edges []float64
	for j := 88; j <= 176; j++ {
		edges = append(edges, float64(j)/128)
	}
	xs := concat(
		uniform(r, points(2000), 0.5, 2), spread(r, points(2000), -1074, 1024),
		spread(r, points(300), -1074, -1022), around(20, 1), uniform(r, points(2000), 0.98, 1.02),
		around(2, edges...), around(2, math.SmallestNonzeroFloat64*3, 0x1p-1022, 2, math.E, 10))
	xs = append(xs, math.SmallestNonzeroFloat64, math.MaxFloat64)
	for i := range 52 { // 1 plus and minus a power of two
		xs = append(xs, 1+math.Ldexp(1, -i), 1-math.Ldexp(1, -i-1))
	}
	checkULP(t, "Log", ulpLog, xs, detmath.Log, refLog)
}

func TestLog1pAccuracy(t *testing.T) {
	r := source(3)
	xs := concat(
		uniform(r, points(2000), -1, 3), both(spread(r, points(1500), -60, -1)), both(spread(r, points(100), -1074, -60)),
		spread(r, points(1000), 0, 1024), around(4, 0x1p-7, -0x1p-7, 0x1p-54, -0x1p-54))
	ref := func(x *big.Float) *big.Float {
		// 1+x in full: x reaches down to 2^-1074 and up to 2^1024
		one := new(big.Float).SetPrec(2600).SetInt64(1)
		f, _ := x.Float64()
		if math.Abs(f) < 0x1p-200 {
			return sub(x, pow2(mul(x, x), -1))
		}
		return refLog(new(big.Float).SetPrec(refBits + 240).Set(one.Add(one, x)))
	}
	checkULP(t, "Log1p", ulpLog1p, xs, detmath.Log1p, ref)
}

func TestPowAccuracy(t *testing.T) {
	r := source(4)
	worst := 0.0
	check := func(x, y float64) {
		t.Helper()
		got := detmath.Pow(x, y)
		e := ulpError(got, refPow(x, y))
		worst = max(worst, e)
		if !(e <= ulpPow) {
			t.Errorf("Pow(%v, %v) = %v: %.3f ULP, bound %v", x, y, got, e, ulpPow)
		}
	}
	for range points(1500) {
		x := math.Ldexp(1+r.Float64(), r.IntN(2098)-1074)
		lg := math.Log(x)
		check(x, (r.Float64()*1456-746)/lg) // results over the whole range
		check(x, r.Float64()*4-2)
	}
	for range points(1500) {
		x := 1 + float64((r.Float64()-0.5)*math.Ldexp(1, -r.IntN(50))) // next to 1, large powers
		if x != 1 {
			check(x, (r.Float64()*1456-746)/math.Log(x))
		}
		check(0.2+r.Float64()*3, r.Float64()*20-10)
		check(float64(1+r.IntN(1000)), float64(r.IntN(60)-30)/4)
	}
	for range points(500) { // subnormal results
		x := 0.5 + r.Float64()*20
		check(x, -(708+37*r.Float64())/math.Abs(math.Log(x)))
	}
	t.Logf("Pow: worst %.4f ULP (bound %v)", worst, ulpPow)
}

func TestErfAccuracy(t *testing.T) {
	r := source(5)
	xs := concat(
		both(uniform(r, points(1500), 0, 1)), uniform(r, points(1500), 1, 6.2),
		spread(r, points(300), -200, -1), around(4, 0.5, 1, 1.5, 5.9))
	checkULP(t, "Erf", ulpErf, xs, detmath.Erf, refErf)
}

func TestErfcAccuracy(t *testing.T) {
	r := source(6)
	xs := concat(
		uniform(r, points(1500), -1, 1), uniform(r, points(1000), -6, 6), both(spread(r, points(300), -60, -1)),
		around(4, 0.5, -0.5, 1, 2.5, 5.5, math.Nextafter(6, 0)-1e-14))
	checkULP(t, "Erfc", ulpErfc, xs, detmath.Erfc, refErfc)
	far := concat(uniform(r, points(300), 6, 26.6), uniform(r, points(60), 26.5, 27.25), around(2, 6, 27.2, 27.22))
	checkULP(t, "Erfc far", ulpErfc, far, detmath.Erfc, refErfc)
}

func TestNormCDFAccuracy(t *testing.T) {
	r := source(7)
	xs := concat(
		uniform(r, points(1500), -8.4, 8.4), uniform(r, points(1000), -1, 1), both(spread(r, points(200), -60, -1)),
		around(4, math.Sqrt2/2, -math.Sqrt2/2, -math.Sqrt2, -1.96, 1.96))
	checkULP(t, "NormCDF", ulpNorm, xs, detmath.NormCDF, refNormCDF)
	far := concat(uniform(r, points(300), -37.6, -8.5), uniform(r, points(60), -38.5, -37.5), around(2, -8.5, -38.4))
	checkULP(t, "NormCDF far", ulpNorm, far, detmath.NormCDF, refNormCDF)
}

// TestNormQuantileAccuracy measures the error of x through the equation it
// solves: (CDF(x) - p) / density(x).
func TestNormQuantileAccuracy(t *testing.T) {
	r := source(8)
	ps := concat(
		uniform(r, points(2000), 0, 1), spread(r, points(200), -1074, -2), around(4, 0.25, 0.75, 0.5, 0.025, 0.975))
	for i := 2; i < 53; i++ {
		ps = append(ps, 0.5+math.Ldexp(1, -i), 0.5-math.Ldexp(1, -i), 1-math.Ldexp(1, -i), math.Ldexp(1, -i))
	}
	worst, at := 0.0, 0.0
	for _, p := range ps {
		x := detmath.NormQuantile(p)
		if p == 0.5 {
			assert.Zero(t, x)
			continue
		}
		bx := flt(x)
		diff := quo(sub(refNormCDF(bx), flt(p)), mul(refDensity(bx), bx))
		rel, _ := diff.Abs(diff).Float64()
		if !(rel <= relInverse) {
			t.Errorf("NormQuantile(%v) = %v: relative error %.2g, bound %v", p, x, rel, relInverse)
		}
		if rel > worst {
			worst, at = rel, p
		}
	}
	t.Logf("NormQuantile: worst relative error %.3g at %v", worst, at)
}

// TestReference holds the reference to digits printed in tables of constants.
func TestReference(t *testing.T) {
	for _, c := range []struct {
		name string
		got  *big.Float
		want string
	}{
		{"ln 2", valLn2, "0.6931471805599453094172321214581765680755001343602552"},
		{"pi", valPi, "3.1415926535897932384626433832795028841971693993751058"},
		{"e", refExp(flt(1)), "2.7182818284590452353602874713526624977572470936999595"},
		{"ln 10", refLog(flt(10)), "2.3025850929940456840179914546843642076011014886287729"},
		{"sqrt 2", refPow(2, 0.5), "1.4142135623730950488016887242096980785696718753769480"},
		{"erf 1", refErf(flt(1)), "0.8427007929497148693412206350826092592960669979663028"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want, _, err := big.ParseFloat(c.want, 10, refBits, big.ToNearestEven)
			require.NoError(t, err)
			diff := sub(c.got, want)
			f, _ := diff.Abs(diff).Float64()
			assert.Less(t, f, 1e-51, "got %s", c.got.Text('f', 60))
		})
	}
	t.Run("erfc far", func(t *testing.T) {
		// erfc(x) lies between the partial sums of its asymptotic series.
		x := flt(20)
		one := quo(refExp(flt(-400)), mul(x, sqrt(valPi)))
		two := mul(one, sub(flt(1), quo(flt(1), flt(800))))
		got := refErfc(x)
		assert.Equal(t, -1, got.Cmp(one))
		assert.Equal(t, 1, got.Cmp(two))
	})
}
