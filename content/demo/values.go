package demo

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"openloop/content/demo/text"
)

// A knob's value as text: how it is read, how it is written, and what is
// legal. Links, typed settings and sweeps all come through read.

// Index returns the position of the named knob in d.Knobs, or -1.
func (d *Demo) Index(name string) int {
	return slices.IndexFunc(d.Knobs, func(k Knob) bool { return k.Name == name })
}

// Text is the value as it stands in links and number boxes: the name of the
// option, or the shortest number. It reads back as the same value.
func (k Knob) Text(x float64) string {
	if k.Choice() {
		return k.Options[int(x)].Name
	}
	return text.Shortest(x)
}

// Says is the value as a person would say it, in full: "8 requests", or the
// label of the option.
func (k Knob) Says(x float64) string {
	if k.Choice() {
		return k.Options[int(x)].Label
	}
	if x == 0 && k.Zero != "" {
		return k.Zero
	}
	return text.WithUnit(text.Exact(x), k.Unit)
}

// Legal says in words what the knob accepts, with numbers that can be typed.
func (k Knob) Legal() string {
	if k.Writing != nil {
		return "text of at most " + strconv.Itoa(k.Writing.Max) + " bytes"
	}
	if k.Choice() {
		names := make([]string, len(k.Options))
		for i, o := range k.Options {
			names[i] = o.Name
		}
		return text.List(names, "or")
	}
	s := text.Shortest(k.Min) + " to " + text.WithUnit(text.Shortest(k.Max), k.Unit)
	if k.Whole {
		return "a whole number, " + s
	}
	return s
}

// read parses the text of one value. The problem is nil if the value is
// legal.
func (k Knob) read(s string) (float64, *text.Problem) {
	fail := func(kind text.ProblemKind) (float64, *text.Problem) {
		return 0, k.problem(kind, s)
	}
	near := func(kind text.ProblemKind, x float64) (float64, *text.Problem) {
		p := k.problem(kind, s)
		p.Legal += "; the nearest is " + text.WithUnit(text.Shortest(x), k.Unit) // as the range has it, so that it can be typed
		return 0, p
	}
	if k.Choice() {
		i := slices.IndexFunc(k.Options, func(o Option) bool { return o.Name == s })
		if i < 0 {
			return fail(text.NotOption)
		}
		return float64(i), nil
	}
	x, ok := readNumber(s)
	switch {
	case !ok:
		return fail(text.NotNumber)
	case !(x >= k.Min && x <= k.Max): // also true for NaN
		return near(text.OutOfRange, min(max(x, k.Min), k.Max))
	case k.Whole && x != math.Trunc(x):
		return near(text.NotWhole, math.Floor(x+0.5))
	}
	return x, nil
}

// problem says that a text is no value of the knob.
func (k Knob) problem(kind text.ProblemKind, got string) *text.Problem {
	return &text.Problem{Kind: kind, Key: k.Name, Name: k.Label, Got: got, Legal: k.Legal()}
}

// readNumber reads a decimal number such as 8, -0.5 or 1.5e-3, and nothing
// else that strconv understands (no hexadecimal, no underscores, no words). A
// number too large for float64 is an infinity, which no range contains.
func readNumber(s string) (float64, bool) {
	if strings.Trim(s, "0123456789+-.eE") != "" || len(s) > 400 {
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(x, 0) {
		return 0, false
	}
	if x == 0 {
		x = 0 // the same zero for 0 and -0
	}
	return x, true
}

// typed prepares what somebody typed or pasted: blanks around it do not
// count, and the minus sign of our own prose is a minus sign.
func typed(s string) string {
	return strings.ReplaceAll(strings.TrimSpace(s), "−", "-")
}

// with returns a copy in which knob i has value x.
func (v Values) with(i int, x float64) Values {
	v.nums = slices.Clone(v.nums)
	v.nums[i] = x
	return v
}

// At is the value of the i-th knob of the catalog entry.
func (v Values) At(i int) float64 { return v.nums[i] }

// Equal says whether both are settings of the same knobs with the same
// values.
func (v Values) Equal(w Values) bool {
	return slices.Equal(v.nums, w.nums) && slices.Equal(v.texts, w.texts) && slices.EqualFunc(v.knobs, w.knobs, func(a, b Knob) bool { return a.Name == b.Name })
}
