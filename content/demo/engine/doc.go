// Package engine has the demos that look into one engine: what its scheduler
// does with each request, step by step.
package engine

import "openloop/content/demo"

// all is in the order of the guide.
var all = []*demo.Demo{
	stepTrace(),
}

// Demos returns the demos of this subject, in the order of the guide.
func Demos() []*demo.Demo { return append([]*demo.Demo(nil), all...) }
