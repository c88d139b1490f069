package detmath

import "math"

// Log returns the natural logarithm of x, within 0.51 ULP.
//
// Special cases: Log(+Inf) = +Inf, Log(±0) = -Inf, Log(x < 0) = NaN,
// Log(NaN) = NaN.
func Log(x float64) float64 {
	switch {
	case x != x || x > math.MaxFloat64:
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	hi, _ := logDD(x)
	return hi
}

// Log1p returns log(1+x), within 0.51 ULP, also where x is tiny.
//
// Special cases: Log1p(+Inf) = +Inf, Log1p(±0) = ±0, Log1p(-1) = -Inf,
// Log1p(x < -1) = NaN, Log1p(NaN) = NaN.
func Log1p(x float64) float64 {
	switch {
	case x != x || x > math.MaxFloat64:
		return x
	case x < -1:
		return math.NaN()
	case x == -1:
		return math.Inf(-1)
	case math.Abs(x) < 0x1p-54:
		return x
	case math.Abs(x) < logSeries:
		hi, _ := log1pDD(0, 0, x, 0)
		return hi
	}
	// log(u+ul) = log(u) + ul/u, and ul/u is so small that its square is gone.
	u, ul := twoSum(1, x)
	hi, lo := logDD(u)
	return hi + (lo + ul/u)
}

const (
	logSeries = 0x1p-7             // the series of log1pDD is good for |r| up to here
	logOffset = 0x3fe6000000000000 // bits of 0.6875
	logSteps  = 128                // table entries to an octave
)

// logDD is log(x) = hi+lo for finite x > 0, with a relative error below 2^-65.
//
// x = 2^k * z with z in [0.6875, 1.375). The table gives c near 1/z of ten bits
// and -log(c) in two parts; then log(x) = k*ln 2 - log(c) + log(1+r) with
// r = z*c - 1, exact as a sum of two float64 because c is short. Around z = 1
// the table has c = 1, so nothing cancels there.
func logDD(x float64) (hi, lo float64) {
	b := math.Float64bits(x)
	k := 0
	if b < 1<<52 { // subnormal
		b = math.Float64bits(x * 0x1p52)
		k = -52
	}
	t := b - logOffset
	i := t >> 45 & (logSteps - 1)
	k += int(int64(t) >> 52)
	z := math.Float64frombits(b - t&^(1<<52-1))
	c := &logTable[i]

	zh, zl := split(z)
	r, rl := twoSum(float64(zh*c[0])-1, float64(zl*c[0]))
	kf := float64(k)
	h, l := twoSum(float64(kf*ln2Hi), c[1])
	l += float64(kf*ln2Lo) + c[2]
	return log1pDD(h, l, r, rl)
}

// log1pDD is (h+l) + log(1+r+rl) for |r| up to logSeries. The series is
// r - r^2/2 + r^3*(1/3 - r/4 + ...): the first two terms are kept in two parts,
// the rest is so small that one is enough. The first term left out is
// r^11/11, below 2^-73 of r.
func log1pDD(h, l, r, rl float64) (hi, lo float64) {
	sq, sql := twoProd(r, r)
	half := float64(0.5 * sq)
	halfl := float64(0.5*sql) + float64(r*rl)

	p := float64(r*(-1.0/10)) + 1.0/9
	p = float64(p*r) - 1.0/8
	p = float64(p*r) + 1.0/7
	p = float64(p*r) - 1.0/6
	p = float64(p*r) + 1.0/5
	p = float64(p*r) - 1.0/4
	p = float64(p*r) + 1.0/3
	cube := float64(p * float64(r*sq))

	a, ea := twoSum(h, r)
	b, eb := twoSum(a, -half)
	rest := (ea + eb) + l
	rest += rl - halfl
	return fastTwoSum(b, rest+cube)
}
