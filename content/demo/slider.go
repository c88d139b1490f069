package demo

import (
	"math"
	"slices"
	"strconv"
)

// A slider has positions 0, 1, ... Positions(k); each one is a legal value
// and moves the value, the first is Min and the last is Max, exactly.
//
// A linear knob moves by Step (one hundredth of the range if Step is 0; the
// last step may be shorter). A logarithmic knob with Step > 1 is multiplied by
// Step; otherwise it walks the preferred numbers of ISO 3, series R20: twenty
// equal ratios a decade, rounded to three digits or fewer, so that it stops at
// 1, 2, 5 and 10 and not at 1.995. Its Default is a position too, and so is a 0
// that stands for no amount, below 1.

// r20 is one decade of series R20 of ISO 3, in hundredths.
var r20 = [...]int{100, 112, 125, 140, 160, 180, 200, 224, 250, 280, 315, 355, 400, 450, 500, 560, 630, 710, 800, 900}

// Positions is the highest slider position of the knob; the lowest is 0.
func Positions(k Knob) int {
	switch {
	case k.Choice():
		return len(k.Options) - 1
	case k.Log:
		return len(k.ladder()) - 1
	case k.Max <= k.Min:
		return 0
	}
	// A last step shorter than a millionth is rounding, not a step.
	return int(math.Ceil((k.Max-k.Min)/k.step() - 1e-6))
}

// ValueAt is the value at a slider position; ok is false if there is no such
// position.
func ValueAt(k Knob, pos int) (x float64, ok bool) {
	last := Positions(k)
	switch {
	case pos < 0 || pos > last:
		return 0, false
	case k.Choice():
		return float64(pos), true
	case k.Log:
		return k.ladder()[pos], true
	case pos == last && last > 0:
		return k.Max, true
	}
	return round(k.Min+float64(float64(pos)*k.step()), 12), true
}

// PositionOf is the slider position nearest to a legal value: by difference,
// or by ratio for a logarithmic knob. Of two at the same distance it is the
// lower.
func PositionOf(k Knob, x float64) int {
	switch {
	case k.Choice():
		return int(x)
	case k.Log:
		l := k.ladder()
		i, exact := slices.BinarySearch(l, x)
		if exact || i == 0 {
			return i
		}
		if i == len(l) || x/l[i-1] <= l[i]/x {
			return i - 1
		}
		return i
	}
	last := Positions(k)
	pos := min(max(int(math.Floor((x-k.Min)/k.step())), 0), last)
	here, _ := ValueAt(k, pos)
	next, ok := ValueAt(k, pos+1)
	if ok && next-x < x-here {
		return pos + 1
	}
	return pos
}

// step is the distance of two positions of a linear knob, > 0.
func (k Knob) step() float64 {
	s := k.Step
	if !(s > 0) {
		s = (k.Max - k.Min) / 100
	}
	if k.Whole {
		s = max(1, math.Trunc(s))
	}
	return s
}

// ladder is every position of a logarithmic knob, rising.
func (k Knob) ladder() []float64 {
	l := []float64{k.Min, k.Max, k.Default}
	least := k.Min // of the amounts
	if least == 0 {
		least = 1
		l = append(l, least)
	}
	if k.Step > 1 {
		for x := least; x < k.Max; x = float64(x * k.Step) {
			l = append(l, k.rung(x))
		}
	} else {
		for exp := decade(least); exp <= decade(k.Max); exp++ {
			for _, m := range r20 {
				// strconv rounds each to the nearest float64, as a typed value is.
				x, _ := strconv.ParseFloat(strconv.Itoa(m)+"e"+strconv.Itoa(exp-2), 64)
				l = append(l, k.rung(x))
			}
		}
	}
	slices.Sort(l)
	l = slices.Compact(l)
	return slices.DeleteFunc(l, func(x float64) bool { return x < k.Min || x > k.Max })
}

// rung rounds a value of the ladder to what a person would type.
func (k Knob) rung(x float64) float64 {
	switch {
	case x == math.Trunc(x) && x < 1e6:
		return x
	case k.Whole:
		return math.Trunc(x + 0.5)
	}
	return round(x, 3)
}

// decade is the power of ten of the first digit of x > 0.
func decade(x float64) int {
	s := strconv.FormatFloat(x, 'e', 0, 64)
	exp, _ := strconv.Atoi(s[slices.Index([]byte(s), 'e')+1:])
	if f, _ := strconv.ParseFloat("1e"+strconv.Itoa(exp), 64); f > x {
		exp-- // 9.7 was rounded up to 1e1
	}
	return exp
}

// round keeps the given number of significant decimal digits, so that steps of
// 0.1 give 0.3 and not 0.30000000000000004.
func round(x float64, digits int) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
	return r
}
