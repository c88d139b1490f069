package text

import "math"

// USD is an amount with three digits: $5.68, $0.012, −$3.
func USD(x float64) string {
	if x < 0 {
		return minus + "$" + Num(-x, 3)
	}
	return "$" + Num(x, 3)
}

// Seconds is a time with three digits, in nanoseconds up to seconds: 53.2 ms.
func Seconds(x float64) string {
	switch abs := math.Abs(x); {
	case abs >= 1 || abs == 0:
		return Num(x, 3) + " s"
	case abs >= 1e-3:
		return Num(1e3*x, 3) + " ms"
	case abs >= 1e-6:
		return Num(1e6*x, 3) + " µs"
	}
	return Num(1e9*x, 3) + " ns"
}
