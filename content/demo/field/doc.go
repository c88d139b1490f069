// Package field has the demos about numbers from real servers: what percentiles
// of several replicas are worth, and cases that people reported. It is apart
// from package failing because one module would be too large.
//
// A demo is one file or a few with its name. Package demo says what an entry is.
package field

import "openloop/content/demo"

// all is in the order of the guide.
var all = []*demo.Demo{
	percentiles(),
	fieldCases(),
}

// Demos returns the demos of this subject, in the order of the guide.
func Demos() []*demo.Demo { return append([]*demo.Demo(nil), all...) }
