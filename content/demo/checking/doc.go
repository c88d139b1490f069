// Package checking has the demo that simulates a plan: does the fleet hold what
// it promises, why do the numbers differ, and how small a fleet does.
//
// It is apart from package sizing, whose readers need no simulator. Package demo
// says what an entry is.
package checking

import "openloop/content/demo"

// Demos returns the demos of this subject, in the order of the guide. They are made
// when somebody asks, so that a module has only those that it asks for.
func Demos() []*demo.Demo { return []*demo.Demo{planCheck()} }

// Day returns the day that is played, which has a module of its own: with the check it
// does not fit into one.
func Day() []*demo.Demo { return []*demo.Demo{planDay()} }
