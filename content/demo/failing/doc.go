// Package failing has the demos about clusters in trouble: what a failure does
// to the signals of a dashboard, and what it takes to tell failures apart.
//
// bases.go has the clusters, dials.go what is read off them, incident.go a run
// of a cluster on which levers are pulled. A demo is one file or a few with its
// name. Package demo says what an entry is.
package failing

import (
	"sync"

	"openloop/content/demo"
)

// The lists are made when they are asked for: each is a module of its own, which
// must not carry the demos of the other.
var (
	demosOnce, trainingOnce sync.Once
	demos, training         []*demo.Demo
)

// Demos returns the demos in which the failure is known, in the order of the guide.
func Demos() []*demo.Demo {
	demosOnce.Do(func() { demos = []*demo.Demo{eightSignals(), sameUtilization(), longPrompts(), retryStorm()} })
	return append([]*demo.Demo(nil), demos...)
}

// Training returns the demos in which it is hidden.
func Training() []*demo.Demo {
	trainingOnce.Do(func() { training = []*demo.Demo{nameTheFailure()} })
	return append([]*demo.Demo(nil), training...)
}
