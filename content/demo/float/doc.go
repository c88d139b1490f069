// Package float has the demos about arithmetic: why the same prompt at
// temperature 0 can give another text. They show what numerics computes.
//
// A demo is one file with a function that returns its entry, and one line in
// all. Package demo says what an entry is.
package float

import "openloop/content/demo"

// all is in the order of the guide.
var all = []*demo.Demo{
	threeNumbers(),
	sumOrders(),
	kernelSplits(),
	batchInvariance(),
	nearTies(),
	logitDrift(),
	greedyDecoder(),
}

// Demos returns the demos of this subject, in the order of the guide.
func Demos() []*demo.Demo { return append([]*demo.Demo(nil), all...) }
