// Package harness has the demos about the tools that measure: what MLPerf's
// scenarios make of one server, and which harness a command line is. Package
// command reads the command lines.
//
// A demo is one file with a function that returns its entry, and one line in
// all. Package demo says what an entry is.
package harness

import "openloop/content/demo"

// all is in the order of the guide.
var all = []*demo.Demo{
	mlperfScenarios(),
	whichHarness(),
}

// Demos returns the demos of this subject, in the order of the guide.
func Demos() []*demo.Demo { return append([]*demo.Demo(nil), all...) }
