// Package legal refuses values: it says where one stands, what it is, what it
// may be and, where there is one, the nearest that would do. The simulator and
// the planner check what they are given with it, so that a page can put all
// their refusals in the same words.
package legal

import "strconv"

// ValueError is a setting that cannot be used.
type ValueError struct {
	Field   string // path below the value that was checked, as Generator.Clients
	Value   string
	Legal   string
	Nearest string // "" where none is offered
}

// Error implements error.
func (e *ValueError) Error() string {
	s := e.Field + " is " + e.Value + "; legal: " + e.Legal
	if e.Nearest != "" {
		s += "; nearest: " + e.Nearest
	}
	return s
}

// Checker keeps the first thing that is wrong, so that checks read as a list.
type Checker struct{ Err *ValueError }

// Result is the error, or nil; never a nil *ValueError inside an error.
func (c *Checker) Result() error {
	if c.Err == nil {
		return nil
	}
	return c.Err
}

// Fail refuses a value, unless one was refused before.
func (c *Checker) Fail(field, value, legal, nearest string) {
	if c.Err == nil {
		c.Err = &ValueError{Field: field, Value: value, Legal: legal, Nearest: nearest}
	}
}

// Float wants lo <= v <= hi; NaN is neither.
func (c *Checker) Float(field string, v, lo, hi float64) {
	if !(lo <= v && v <= hi) {
		c.Fail(field, Text(v), Text(lo)+" to "+Text(hi), "")
	}
}

// Text is the shortest text that reads back as v.
func Text(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
