// Package failing has the demos about clusters in trouble: what a failure does
// to the signals of a dashboard, and what it takes to tell failures apart.
//
// bases.go has the clusters, dials.go what is read off them, incident.go a run
// of a cluster on which levers are pulled. A demo is one file or a few with its
// name. Package demo says what an entry is.
package failing

import "openloop/content/demo"

// all is in the order of the guide.
var all = []*demo.Demo{
	eightSignals(),
	nameTheFailure(),
	sameUtilization(),
	longPrompts(),
	retryStorm(),
}

// Demos returns the demos of this subject, in the order of the guide.
func Demos() []*demo.Demo { return append([]*demo.Demo(nil), all...) }
