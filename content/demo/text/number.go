package text

import (
	"math"
	"strconv"
)

// Numbers for people. The decimal digits come from strconv, which rounds the
// exact binary value half to even; this file only decides where they go.

const (
	minus       = "−" // U+2212, as wide as a digit
	infinity    = "∞"
	notANumber  = "n/a"
	smallestExp = -4 // 0.0001 is still written out, 0.00001 is 1×10⁻⁵
	largestExp  = 12 // 100,000,000,000 is still written out
	maxDigits   = 17 // more says nothing about a float64
)

// Num writes x for prose: digits significant digits (1 to 17; more counts as
// 17) without trailing zeros after the point, a true minus sign, a comma
// between groups of three. Below 0.0001 and from 10¹² on it is scientific,
// 1.2×10⁻⁶. With digits 0 or less it is the nearest whole number in full. A
// value that is not a number is "n/a", an infinite one "∞".
func Num(x float64, digits int) string {
	if s, ok := special(x); ok {
		return s
	}
	if digits <= 0 {
		return whole(x)
	}
	return scaled(x, digits)
}

// Exact is Num with as many digits as it takes to read back the same number.
func Exact(x float64) string {
	if s, ok := special(x); ok {
		return s
	}
	return scaled(x, 0)
}

func scaled(x float64, digits int) string {
	d, exp := decimal(math.Abs(x), digits)
	out := appendSign(nil, x < 0)
	if exp < smallestExp || exp >= largestExp {
		out = appendPlain(out, d, 0)
		return string(appendPower(out, exp))
	}
	return string(appendPlain(out, d, exp))
}

// Whole writes a count for prose: 12,345, with a true minus sign.
func Whole(n int) string {
	return string(appendWhole(nil, int64(n)))
}

// Signed writes a distance for prose, with its sign: +3, −3, 0.
func Signed(n int64) string {
	var out []byte
	if n > 0 {
		out = append(out, '+')
	}
	return string(appendWhole(out, n))
}

// Percent writes a share, such as 0.42, as "42%" with digits significant
// digits; 0 digits means whole percents.
func Percent(share float64, digits int) string {
	return Num(share*100, digits) + "%"
}

func special(x float64) (string, bool) {
	switch {
	case math.IsNaN(x):
		return notANumber, true
	case math.IsInf(x, 1):
		return infinity, true
	case math.IsInf(x, -1):
		return minus + infinity, true
	}
	return "", false
}

// whole rounds to the nearest whole number, ties to even, and writes it in
// full however long it is.
func whole(x float64) string {
	b := strconv.AppendFloat(nil, math.Abs(x), 'f', 0, 64)
	negative := x < 0 && string(b) != "0"
	return string(appendGrouped(appendSign(nil, negative), b))
}

func appendWhole(out []byte, n int64) []byte {
	u := uint64(n)
	if n < 0 {
		out = append(out, minus...)
		u = -u
	}
	return appendGrouped(out, strconv.AppendUint(nil, u, 10))
}

func appendSign(out []byte, negative bool) []byte {
	if negative {
		return append(out, minus...)
	}
	return out
}

// decimal returns the significant digits of x >= 0, without trailing zeros,
// and the power of ten of the first one; with digits 0 as many as x has.
func decimal(x float64, digits int) (d []byte, exp int) {
	b := strconv.AppendFloat(nil, x, 'e', min(digits, maxDigits)-1, 64)
	for i, c := range b {
		if c == 'e' {
			exp, _ = strconv.Atoi(string(b[i+1:])) // strconv wrote it
			break
		}
		if c != '.' {
			d = append(d, c)
		}
	}
	for len(d) > 1 && d[len(d)-1] == '0' {
		d = d[:len(d)-1]
	}
	return d, exp
}

// appendPlain writes the digits with the point where exp says, commas
// included.
func appendPlain(out, d []byte, exp int) []byte {
	if exp < 0 {
		out = append(out, "0."...)
		for range -exp - 1 {
			out = append(out, '0')
		}
		return append(out, d...)
	}
	before := append([]byte(nil), d[:min(exp+1, len(d))]...)
	for len(before) < exp+1 {
		before = append(before, '0')
	}
	out = appendGrouped(out, before)
	if len(d) > exp+1 {
		out = append(out, '.')
		out = append(out, d[exp+1:]...)
	}
	return out
}

func appendGrouped(out, digits []byte) []byte {
	for i, c := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out = append(out, ',')
		}
		out = append(out, c)
	}
	return out
}

func appendPower(out []byte, exp int) []byte {
	superscripts := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	out = append(out, "×10"...)
	for _, c := range strconv.Itoa(exp) {
		if c == '-' {
			out = append(out, "⁻"...)
			continue
		}
		out = append(out, string(superscripts[c-'0'])...)
	}
	return out
}
