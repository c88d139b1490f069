package text

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Words around numbers, and other people's words quoted in ours.

// Count writes a number with its noun: Count(1, "seed", "seeds") is "1 seed".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Whole(n) + " " + many
}

// Verb is the form of a verb after a count.
func Verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// WithUnit joins a number that is already text with its unit: "8 requests",
// "1 request", "42%", "16/s" for a unit of 1/s, and the number alone if the unit is empty or the number is "n/a". A unit of at
// least four letters that ends in s loses the s after exactly "1".
func WithUnit(number, unit string) string {
	switch {
	case unit == "" || number == notANumber:
		return number
	case unit == "%":
		return number + unit
	case strings.HasPrefix(unit, "1/"):
		return number + unit[1:]
	case number == "1" && len(unit) >= 4 && strings.HasSuffix(unit, "s") && !strings.ContainsAny(unit, "/ "):
		unit = unit[:len(unit)-1]
	}
	return number + " " + unit
}

// List joins names for prose: "a", "a or b", "a, b or c".
func List(names []string, conjunction string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " " + conjunction + " " + names[last]
}

// Quote puts double quotes around text that came from outside, cut to limit
// runes (the cut is shown as …). What cannot be seen is escaped as in Go:
// control characters, invisible and formatting characters (they could turn
// the line around), bytes that are not UTF-8, and quotes themselves.
func Quote(s string, limit int) string {
	out := []byte{'"'}
	for n := 0; len(s) > 0; n++ {
		r, size := utf8.DecodeRuneInString(s)
		if n == limit {
			out = append(out, "…"...)
			break
		}
		switch {
		case r == utf8.RuneError && size == 1:
			out = append(out, `\x`...)
			out = append(out, Hex32(uint32(s[0]))[8:]...)
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case strconv.IsPrint(r):
			out = utf8.AppendRune(out, r)
		default:
			q := strconv.QuoteRune(r)
			out = append(out, q[1:len(q)-1]...)
		}
		s = s[size:]
	}
	return string(append(out, '"'))
}
