package detmath

import "math"

// Exp returns e to the power x, within 0.52 ULP; 0.51 ULP of 2^-1074 where the
// result is subnormal.
//
// Special cases: Exp(+Inf) = +Inf, Exp(-Inf) = 0, Exp(NaN) = NaN. It is +Inf
// above 709.782712893384 and 0 below -745.1332191019412.
func Exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > expMax:
		return math.Inf(1)
	case x < expMin:
		return 0
	}
	hi, lo, k := expDD(x, 0)
	return scale(hi, lo, k)
}

const (
	expMax = 709.79  // a little over log(MaxFloat64): scale rounds to +Inf there
	expMin = -745.14 // a little under log(2^-1075): scale rounds to 0 there

	expSteps  = 64               // table entries to an octave
	expPerLn2 = 92.3324826168936 // 64/ln 2; its error only widens r a little
)

// expDD is e^(x+xl) = (hi+lo) * 2^k for x in expMin..expMax and |xl| below
// 2^-40, with a relative error below 2^-59 and hi in 0.99..2.
//
// x = n*(ln 2)/64 + r with |r| <= 0.0055. The step is in two parts, the first so
// short that n times it is exact. Then e^x = 2^(n/64) * e^r: the first factor
// comes from the table in two parts, the second is the Taylor series, whose
// first term left out is r^7/5040 < 2^-64.
func expDD(x, xl float64) (hi, lo float64, k int) {
	n := math.Floor(float64(x*expPerLn2) + 0.5)
	r := x - float64(n*expStepHi)
	r = (r - float64(n*expStepLo)) + xl
	q := float64(r*(1.0/720)) + 1.0/120
	q = float64(q*r) + 1.0/24
	q = float64(q*r) + 1.0/6
	q = float64(q*r) + 0.5
	p := r + float64(q*float64(r*r))
	i := int(n)
	t := &expTable[i&(expSteps-1)]
	hi, lo = fastTwoSum(t[0], t[1]+float64(t[0]*p))
	return hi, lo, i >> 6
}
