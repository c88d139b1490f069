package detmath

import "math"

// Double-double arithmetic: a pair (hi, lo) stands for hi + lo with lo no larger
// than half the last place of hi. The sums and products here are error-free
// transformations (Dekker 1971, Knuth): hi is the rounded result, lo what the
// rounding lost.

// twoSum is a+b exactly, for any a and b.
func twoSum(a, b float64) (hi, lo float64) {
	hi = a + b
	bb := hi - a
	return hi, (a - (hi - bb)) + (b - bb)
}

// fastTwoSum is twoSum where |a| >= |b| or a is 0.
func fastTwoSum(a, b float64) (hi, lo float64) {
	hi = a + b
	return hi, b - (hi - a)
}

// lowHalf covers the 27 bits of a float64 that split cuts off; 26 stay.
const lowHalf = 1<<27 - 1

// split cuts a into 26 leading bits and the rest.
func split(a float64) (hi, lo float64) {
	hi = math.Float64frombits(math.Float64bits(a) &^ lowHalf)
	return hi, a - hi
}

// twoProd is a*b as a sum of two float64. The halves' products are exact but
// for the last one, whose rounding is below 2^-106 of the result.
func twoProd(a, b float64) (hi, lo float64) {
	hi = float64(a * b)
	ah, al := split(a)
	bh, bl := split(b)
	lo = float64(ah*bh) - hi
	lo += float64(ah * bl)
	lo += float64(al * bh)
	lo += float64(al * bl)
	return hi, lo
}

// horner is c[0] + c[1]*x + c[2]*x^2 + ...
func horner(x float64, c []float64) float64 {
	acc := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		acc = float64(acc*x) + c[i]
	}
	return acc
}

// pow2 is 2^k for k in -1022..1023.
func pow2(k int) float64 { return math.Float64frombits(uint64(k+1023) << 52) }

// scale is (hi+lo) * 2^k rounded once, for 0 < hi <= 2 and k in -1100..1024.
func scale(hi, lo float64, k int) float64 {
	exp := int(math.Float64bits(hi)>>52) - 1023 + k // of the result
	switch {
	case k > 1023:
		return float64(float64(hi*0x1p1023) * pow2(k-1023))
	case exp >= -1022:
		return float64(hi * pow2(k))
	}
	// The result is subnormal. Adding a number whose last place is the one of
	// the result rounds there, with lo still in hand.
	b := pow2(-1022 - k)
	s, e := twoSum(b, hi)
	s += e + lo
	return math.Float64frombits(uint64((s - b) * pow2(k+1074)))
}
