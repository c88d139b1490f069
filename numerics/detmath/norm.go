package detmath

import "math"

// NormCDF returns the probability that a standard normal variable is at most x,
// within 1 ULP, also in the far lower tail.
//
// Special cases: NormCDF(+Inf) = 1, NormCDF(-Inf) = 0, NormCDF(NaN) = NaN. It is
// 0 below -38.49.
func NormCDF(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 0:
		return 1 - lowerTail(x)
	}
	return lowerTail(-x)
}

const normZero = 38.6 // the tail is below 2^-1075 from here on

// lowerTail is NormCDF(-x) = erfc(x/sqrt 2)/2 for x >= 0. x*x/2 is exact in two
// parts, and so is what the division by sqrt 2 left over.
func lowerTail(x float64) float64 {
	if x > normZero {
		return 0
	}
	sq, sql := twoProd(x, x)
	z, zl := overSqrt2(x)
	return gaussTimes(float64(0.5*sq), float64(0.5*sql), z, zl, -1)
}

func overSqrt2(x float64) (z, zl float64) {
	z, zl = twoProd(x, invSqrt2Hi)
	return z, zl + float64(x*invSqrt2Lo)
}

// NormQuantile returns the x with NormCDF(x) = p, with a relative error below
// 1e-15. NormQuantile(1-p) = -NormQuantile(p) to the bit where 1-p is exact.
//
// Special cases: NormQuantile(0) = -Inf, NormQuantile(1) = +Inf, and NaN for p
// that is NaN or outside 0..1.
func NormQuantile(p float64) float64 {
	switch {
	case p != p || p < 0 || p > 1:
		return math.NaN()
	case p == 0:
		return math.Inf(-1)
	case p == 1:
		return math.Inf(1)
	case p < 0.25:
		return lowerQuantile(p)
	case p > 0.75:
		return -lowerQuantile(1 - p) // exact from 0.5 on
	}
	return middleQuantile(p - 0.5)
}

// middleQuantile solves NormCDF(x) - 1/2 = q for |q| <= 1/4. It starts from the
// series of the inverse error function and takes two steps of Halley's method:
// with f the residual over the density, a step is f/(1 + x*f/2).
func middleQuantile(q float64) float64 {
	w := float64(float64(twoPi*q) * q)
	x := float64(w*(127.0/5040)) + 7.0/120
	x = float64(x*w) + 1.0/6
	x = float64(x*w) + 1
	x = float64(x * float64(sqrtTwoPi*q))
	for range 2 {
		sq := float64(x * x)
		f := float64(x*horner(sq, normSeries[:])) - q
		f = float64(f * float64(sqrtTwoPi*Exp(float64(0.5*sq))))
		x -= f / (1 + float64(float64(0.5*f)*x))
	}
	return x
}

// lowerQuantile solves log NormCDF(x) = log p for p < 1/4, also by Halley's
// method. With erfcx this needs no exponential and stays accurate to the
// smallest p: log NormCDF(x) = log(erfcx(z)/2) - x*x/2 with z = -x/sqrt 2, and
// its derivative is 1/mills with mills = erfcx(z)*sqrt(pi/2).
func lowerQuantile(p float64) float64 {
	l := Log(p)
	t := math.Sqrt(-2 * l)
	x := horner(1/(1+t), quantileStart[:]) - t
	for range 2 {
		z, zl := overSqrt2(-x)
		e, el := erfcxDD(z, zl)
		e += el
		f := (-float64(float64(0.5*x)*x) - l) + Log(float64(0.5*e))
		mills := float64(e * sqrtHalfPi)
		f = float64(f * mills)
		x -= f / (1 + float64(float64(0.5*f)*(x+1/mills)))
	}
	return x
}
