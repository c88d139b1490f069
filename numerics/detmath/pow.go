package detmath

import "math"

// Pow returns x to the power y, within 0.75 ULP; results that a float64 holds
// exactly, such as Pow(3, 5), are exact.
//
// Special cases, in order:
//
//	Pow(x, ±0) = 1 for any x
//	Pow(1, y) = 1 for any y
//	Pow(x, 1) = x for any x
//	Pow(NaN, y) = NaN
//	Pow(x, NaN) = NaN
//	Pow(±0, y) = ±Inf for y an odd integer < 0, +Inf for other y < 0
//	Pow(±0, y) = ±0 for y an odd integer > 0, +0 for other y > 0
//	Pow(-1, ±Inf) = 1
//	Pow(x, +Inf) = +Inf for |x| > 1, +0 for |x| < 1
//	Pow(x, -Inf) = +0 for |x| > 1, +Inf for |x| < 1
//	Pow(+Inf, y) = +Inf for y > 0, +0 for y < 0
//	Pow(-Inf, y) = Pow(-0, -y)
//	Pow(x, y) = NaN for finite x < 0 and finite y that is no integer
func Pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case y == 1:
		return x
	case x != x || y != y:
		return math.NaN()
	}
	ax := math.Abs(x)
	if ax == 1 && math.IsInf(y, 0) {
		return 1
	}
	if ax == 0 || math.IsInf(x, 0) || math.IsInf(y, 0) {
		big := ax > 1 == (y > 0)
		return signed(powLimit(big), x, y)
	}
	if x < 0 && math.Floor(y) != y {
		return math.NaN()
	}
	return signed(powPositive(ax, y), x, y)
}

// powLimit is the size of a power whose base or exponent is at an end.
func powLimit(big bool) float64 {
	if big {
		return math.Inf(1)
	}
	return 0
}

// signed gives |x|^y the sign of x^y: negative for negative x, -0 included, and
// odd y.
func signed(v, x, y float64) float64 {
	if math.Float64bits(x)>>63 == 1 && odd(y) {
		return -v
	}
	return v
}

// odd says whether y is an odd integer; from 2^53 on all float64 are even.
func odd(y float64) bool {
	return math.Abs(y) < 0x1p53 && math.Floor(y) == y && int64(y)&1 == 1
}

// powPositive is x^y = e^(y*log(x)) for finite x > 0 and finite y. The exponent
// reaches 745, so an error of one unit there would be 745 in the result: both
// the logarithm and the product keep two parts.
func powPositive(x, y float64) float64 {
	lh, ll := logDD(x)
	switch p := float64(y * lh); {
	case p > expMax:
		return math.Inf(1)
	case p < expMin:
		return 0
	}
	ph, pl := twoProd(y, lh)
	hi, lo, k := expDD(ph, pl+float64(y*ll))
	return scale(hi, lo, k)
}
