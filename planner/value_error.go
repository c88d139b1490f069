package planner

import (
	"strconv"

	"openloop/sim/legal"
)

// ValueError is an input that no plan can be made from. Field is the path of
// the input below Workload, Deployment or Objective, or the name of a function's
// argument; Nearest is the closest value that would do, "" where there is none.
type ValueError = legal.ValueError

// checker offers the nearest legal value.
type checker struct{ legal.Checker }

func (c *checker) fail(field, value, legal, nearest string) { c.Fail(field, value, legal, nearest) }

// within wants lo <= v <= hi. NaN is never within.
func (c *checker) within(field string, v, lo, hi float64) {
	if v >= lo && v <= hi {
		return
	}
	c.fail(field, number(v), number(lo)+" to "+number(hi), nearest(v, lo, hi))
}

// above wants lo < v <= hi; near is offered to a value that is too small.
func (c *checker) above(field string, v, lo, near, hi float64) {
	if v > lo && v <= hi {
		return
	}
	c.fail(field, number(v), "more than "+number(lo)+", up to "+number(hi), nearest(v, near, hi))
}

func (c *checker) count(field string, v, lo, hi int) {
	c.within(field, float64(v), float64(lo), float64(hi))
}

// nearest is the end of the range that v lies beyond; the lower one for NaN.
func nearest(v, lo, hi float64) string {
	if v > hi {
		return number(hi)
	}
	return number(lo)
}

// number is the shortest text that reads back as v.
func number(v float64) string { return legal.Text(v) }

// rounded is v to six digits: for suggestions, which need not be exact but must
// keep to their side. up says which side.
func rounded(v float64, up bool) float64 {
	text := strconv.FormatFloat(v, 'e', 5, 64)
	r, err := strconv.ParseFloat(text, 64)
	if err != nil || r == v {
		return v
	}
	step := float64(v * 1e-5)
	if step < 0 {
		step = -step
	}
	switch {
	case up && r < v:
		r, _ = strconv.ParseFloat(strconv.FormatFloat(r+step, 'e', 5, 64), 64)
	case !up && r > v:
		r, _ = strconv.ParseFloat(strconv.FormatFloat(r-step, 'e', 5, 64), 64)
	}
	return r
}
