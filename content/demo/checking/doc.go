// Package checking has the demo that simulates a plan: does the fleet hold what
// it promises, why do the numbers differ, and how small a fleet does.
//
// It is apart from package sizing, whose readers need no simulator. Package demo
// says what an entry is.
package checking

import "openloop/content/demo"

var all = []*demo.Demo{
	planCheck(),
}

// Demos returns the demos of this subject, in the order of the guide.
func Demos() []*demo.Demo { return append([]*demo.Demo(nil), all...) }
