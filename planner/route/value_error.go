package route

import "strconv"

// ValueError is an input that cannot be used: where it stands, what it is and
// what it may be.
type ValueError struct {
	Field string // path below the value that was checked, as Rates.Pi
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

func (c *checker) share(field string, v float64) { c.float(field, v, 0, 1) }
func (c *checker) money(field string, v float64) { c.float(field, v, 0, maxMoney) }

// maxMoney keeps sums and squares of prices far from overflow.
const maxMoney = 1e12

func floatText(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
