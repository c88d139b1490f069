// Package stepping has the demos that go through a run of an engine step by step,
// and show the engine room while they do.
//
// Package demo says what an entry is, package room what a room is.
package stepping

import "openloop/content/demo"

// all is in the order of the guide.
var all = []*demo.Demo{
	stepTrace(),
}

// Demos returns the demos of this subject, in the order of the guide.
func Demos() []*demo.Demo { return append([]*demo.Demo(nil), all...) }
