package sizing

import (
	"math"
	"strings"

	"openloop/content/demo/text"
)

// Values of equations as people read them: with a unit whose size fits.

// quantity is a value in one of the planner's units with three digits: 141 GB,
// 53.2 ms, 989 TFLOP/s, $3.
func quantity(x float64, unit string) string {
	switch unit {
	case "bytes", "bytes/s":
		return prefixed(x, 1000, []string{" B", " kB", " MB", " GB", " TB", " PB"}) + strings.TrimPrefix(unit, "bytes")
	case "FLOP", "FLOP/s":
		return prefixed(x, 1000, []string{" FLOP", " kFLOP", " MFLOP", " GFLOP", " TFLOP", " PFLOP", " EFLOP"}) + strings.TrimPrefix(unit, "FLOP")
	case "s":
		return text.Seconds(x)
	case "USD":
		return text.USD(x)
	case "USD/h":
		return text.USD(x) + "/h"
	}
	return text.WithUnit(text.Num(x, 4), unit)
}

func prefixed(x, step float64, units []string) string {
	i := 0
	for ; math.Abs(x) >= step && i < len(units)-1; i++ {
		x /= step
	}
	return text.Num(x, 3) + units[i]
}

// spelled is a formula of the planner with every symbol replaced by says, and
// the signs of print for those of a keyboard.
func spelled(formula string, says func(symbol string) string) string {
	var b strings.Builder
	for i := 0; i < len(formula); {
		c := formula[i]
		if !letter(c) {
			switch c {
			case '*':
				b.WriteString(" × ")
			case '/':
				b.WriteString(" / ")
			case '-':
				b.WriteString(minusSign)
			default:
				b.WriteByte(c)
			}
			i++
			continue
		}
		end := i
		for end < len(formula) && (letter(formula[end]) || formula[end] >= '0' && formula[end] <= '9') {
			end++
		}
		b.WriteString(says(formula[i:end]))
		i = end
	}
	return strings.ReplaceAll(b.String(), "1000000", "1,000,000")
}

const minusSign = "−"

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
