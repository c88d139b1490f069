package sim

import "strconv"

// ValueError is a setting that cannot be used: where it stands, what it is and
// what it may be.
type ValueError struct {
	Field string // path below the value that was checked, as Generator.Clients
	Value string
	Legal string
}

// Error implements error.
func (e *ValueError) Error() string {
	return e.Field + " is " + e.Value + "; legal: " + e.Legal
}

// checker keeps the first thing that is wrong, so that checks read as a list.
type checker struct{ err *ValueError }

// result is the error, or nil; never a nil *ValueError inside an error.
func (c *checker) result() error {
	if c.err == nil {
		return nil
	}
	return c.err
}

func (c *checker) fail(field, value, legal string) {
	if c.err == nil {
		c.err = &ValueError{Field: field, Value: value, Legal: legal}
	}
}

// float wants lo <= v <= hi; NaN is neither.
func (c *checker) float(field string, v, lo, hi float64) {
	if !(lo <= v && v <= hi) {
		c.fail(field, floatText(v), floatText(lo)+" to "+floatText(hi))
	}
}

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

func floatText(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
func intText(v int64) string     { return strconv.FormatInt(v, 10) }

// at names element i of a list.
func indexed(field string, i int) string { return field + "[" + strconv.Itoa(i) + "]" }
