package numerics

import "math"

// ULPs is a - b counted in representable float32 values: 1 if a is the next
// value above b. Values are taken in sign-magnitude order, so that +0 and -0
// are the same point and the count runs through subnormals; an infinity is one
// step past the largest finite value. NaN counts as its bit pattern says and
// has no useful distance: callers test for it first.
func ULPs(a, b float32) int64 { return rank(a) - rank(b) }

// rank numbers the float32 values in order, with both zeros at 0.
func rank(x float32) int64 {
	b := math.Float32bits(x)
	m := int64(b & 0x7fffffff)
	if b>>31 == 1 {
		return -m
	}
	return m
}

// Spacing is the distance from x to the next representable float32 away from
// zero, always a power of two: 2^-149 at 0 and in the subnormals, 2^-23 at 1,
// 2^104 at the largest finite value (where the next value would be). It is +Inf
// for infinities and NaN for NaN.
func Spacing(x float32) float32 {
	exp := math.Float32bits(x) >> 23 & 0xff
	switch {
	case exp == 0xff:
		return float32(math.Abs(float64(x)))
	case exp > 23:
		return math.Float32frombits((exp - 23) << 23)
	case exp == 0:
		exp = 1
	}
	return math.Float32frombits(1 << (exp - 1))
}
