// Package planning has the demos about money: which model answers which
// request, what need not be answered again, what can wait, and what a fleet
// costs.
//
// A demo is one file with a function that returns its entry, and one line in
// all. The mathematics is in planner and its packages; a demo asks it, draws
// and finds the words. Package demo says what an entry is.
package planning

import "openloop/content/demo"

// all is in the order of the guide.
var all = []*demo.Demo{
	routerFrontier(),
	movingMix(),
	cascade(),
	semanticCache(),
	cacheClasses(),
	batchTier(),
	stacked(),
}

// Demos returns the demos of this subject, in the order of the guide.
func Demos() []*demo.Demo { return append([]*demo.Demo(nil), all...) }
