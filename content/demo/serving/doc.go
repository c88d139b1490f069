// Package serving has the demos about queues, batches and plans: what a
// serving system does under load, and what it costs.
//
// A demo is one file with a function that returns its entry, and one line in
// all. Package demo says what an entry is.
package serving

import "openloop/content/demo"

// all is in the order of the guide.
var all = []*demo.Demo{
	openClosed(),
	closedLoop(),
	loopRatio(),
	throttled(),
	warmUp(),
	runLength(),
	fiveThings(),
	realTraces(),
}

// Demos returns the demos of this subject, in the order of the guide.
func Demos() []*demo.Demo { return append([]*demo.Demo(nil), all...) }
