package sim

import (
	"strconv"

	"openloop/sim/legal"
)

// ValueError is a setting that cannot be used: where it stands, what it is and
// what it may be.
type ValueError = legal.ValueError

// checker adds the kinds of settings of this package.
type checker struct{ legal.Checker }

func (c *checker) result() error                         { return c.Result() }
func (c *checker) fail(field, value, legal string)       { c.Fail(field, value, legal, "") }
func (c *checker) float(field string, v, lo, hi float64) { c.Float(field, v, lo, hi) }

func (c *checker) int(field string, v, lo, hi int64) {
	if v < lo || v > hi {
		c.fail(field, intText(v), intText(lo)+" to "+intText(hi))
	}
}

// span is int with nanoseconds said.
func (c *checker) span(field string, v, lo, hi Nanos) {
	if v < lo || v > hi {
		c.fail(field, intText(int64(v))+" ns", intText(int64(lo))+" to "+intText(int64(hi))+" ns")
	}
}

func floatText(v float64) string { return legal.Text(v) }
func intText(v int64) string     { return strconv.FormatInt(v, 10) }

// at names element i of a list.
func indexed(field string, i int) string { return field + "[" + strconv.Itoa(i) + "]" }
