package route

import "openloop/sim/legal"

// ValueError is an input that cannot be used: where it stands, what it is and
// what it may be.
type ValueError = legal.ValueError

// checker adds the kinds of inputs of this package.
type checker struct{ legal.Checker }

func (c *checker) result() error                         { return c.Result() }
func (c *checker) fail(field, value, legal string)       { c.Fail(field, value, legal, "") }
func (c *checker) float(field string, v, lo, hi float64) { c.Float(field, v, lo, hi) }
func (c *checker) share(field string, v float64)         { c.float(field, v, 0, 1) }
func (c *checker) money(field string, v float64)         { c.float(field, v, 0, maxMoney) }

// maxMoney keeps sums and squares of prices far from overflow.
const maxMoney = 1e12

func floatText(v float64) string { return legal.Text(v) }
