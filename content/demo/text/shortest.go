package text

import (
	"math"
	"strconv"
)

// Numbers for files and links. One form everywhere, so that bytes can be
// compared.

// Shortest writes the shortest decimal that reads back as the same float64.
// It is what JavaScript's String(x) gives: plain decimals for magnitudes in
// [1e-6, 1e21), such as 0.000001 and 123456789, and an exponent without
// padding beyond, such as 1e-7 and 1.5e+21. It differs in one case: negative
// zero keeps its sign, "-0". Not a number is "NaN", the infinities are
// "Infinity" and "-Infinity"; strconv.ParseFloat, JavaScript's Number and
// common table readers understand all three.
func Shortest(x float64) string { return string(AppendShortest(nil, x)) }

// AppendShortest appends Shortest(x) to dst.
func AppendShortest(dst []byte, x float64) []byte {
	switch {
	case math.IsNaN(x):
		return append(dst, "NaN"...)
	case math.IsInf(x, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(x, -1):
		return append(dst, "-Infinity"...)
	}
	abs := math.Abs(x)
	if abs == 0 || abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(dst, x, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, x, 'e', -1, 64)
	// strconv pads the exponent to two digits: 1e-07.
	if n := len(dst); dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// Hex32 writes the 32 bits of a pattern as 0x42f92bfb.
func Hex32(bits uint32) string {
	const digits = "0123456789abcdef"
	out := []byte("0x00000000")
	for i := range 8 {
		out[9-i] = digits[bits>>(4*i)&15]
	}
	return string(out)
}
