package detmath

import "math"

// Erf returns the error function 2/sqrt(pi) * integral of e^(-t*t) from 0 to x,
// within 1 ULP. Erf(-x) = -Erf(x) to the bit.
//
// Special cases: Erf(±Inf) = ±1, Erf(±0) = ±0, Erf(NaN) = NaN.
func Erf(x float64) float64 {
	ax := math.Abs(x)
	switch {
	case x != x:
		return x
	case ax < 0.5:
		// x*(1 + (2/sqrt(pi)-1) + ...): the 1 is added last and without error.
		return x + float64(x*horner(float64(x*x), erfSeries[:]))
	case x > 0:
		return 1 - erfcPositive(ax)
	}
	return erfcPositive(ax) - 1
}

// Erfc returns 1 - Erf(x), within 1 ULP for x < 6 and 2 ULP (relative error
// 4e-16) beyond, also where the result is as small as 1e-300.
//
// Special cases: Erfc(+Inf) = 0, Erfc(-Inf) = 2, Erfc(NaN) = NaN. It is 0 above
// 27.2265.
func Erfc(x float64) float64 {
	switch {
	case x != x:
		return x
	case x >= 0:
		return erfcPositive(x)
	case x > -0.5:
		return 1 - Erf(x)
	}
	return 2 - erfcPositive(-x)
}

const erfcZero = 27.3 // erfc is below 2^-1075 from here on

// erfcPositive is Erfc for x >= 0.
func erfcPositive(x float64) float64 {
	if x > erfcZero {
		return 0
	}
	sq, sql := twoProd(x, x)
	return gaussTimes(sq, sql, x, 0, 0)
}

// gaussTimes is e^-(sq+sql) * erfcx(z+zl) * 2^k rounded once, for sq up to
// 745.3. Erfc and NormCDF share it; they differ in how z comes from x, and the
// exponent must not come through z, whose rounding it would multiply by 2*z*z.
func gaussTimes(sq, sql, z, zl float64, k int) float64 {
	eh, el, n := expDD(-sq, -sql)
	ph, pl := erfcxDD(z, zl)
	hi, lo := twoProd(eh, ph)
	lo += float64(eh*pl) + float64(el*ph)
	hi, lo = fastTwoSum(hi, lo)
	return scale(hi, lo, n+k)
}

// erfcxDD is e^(z*z) * erfc(z) for z+zl in 0..27.4, |zl| below an ULP of z. It
// falls slowly from 1 to 0.02. lo may be as large as hi/16.
//
// Below 6 it is one polynomial on each half unit, about the middle, that meets
// the function in Chebyshev points. Beyond it is 1/(z*sqrt(pi)) times a
// polynomial in 1/(z*z) made in the same way. The first entry of each table is
// the low part of the constant term.
func erfcxDD(z, zl float64) (hi, lo float64) {
	if z < erfcxFar {
		i := int(z * 2)
		u := (z - (float64(0.5*float64(i)) + 0.25)) + zl
		c := &erfcxTable[i]
		// The linear term is up to a third of the result, so it has two parts.
		p, pl := twoProd(u, c[2])
		rest := float64(float64(u*u) * horner(u, c[3:]))
		hi, lo = fastTwoSum(c[1], p)
		return hi, (lo + rest) + (pl + c[0])
	}
	// The quotient n/(z+zl) in two parts: lo is what hi leaves over.
	c := &erfcxFarSeries
	w := float64(1/z) / z
	n, nl := fastTwoSum(c[1], float64(w*horner(w, c[2:])))
	hi = n / z
	back, backl := twoProd(hi, z)
	rest := (n - back) - backl
	rest += (nl + c[0]) - float64(hi*zl)
	return hi, rest / z
}

const erfcxFar = 6.0
