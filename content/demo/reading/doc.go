// Package reading has the demo that reads what somebody pasted from a running
// server: scrapes of /metrics or lines of a log.
//
// sim/scrape reads the text, sim/diagnose the windows, package verdict has the
// words for a verdict. What is here is the page's half: which text counts
// (mine.go), how a value is written that is known only between bounds
// (values.go), the tables (signals.go, replicas.go), what is missing and where
// to get it (missing.go, get.go), and a sentence for every text that cannot be
// read (wrong.go). The texts of the examples are in examples.gen.go; they come
// from simulated servers.
//
// A pasted text is in no link and no message: its knobs are loose. Package demo
// says what an entry is.
package reading

import "openloop/content/demo"

var all = []*demo.Demo{
	diagnoseMine(),
}

// Demos returns the demos of this subject, in the order of the guide.
func Demos() []*demo.Demo { return append([]*demo.Demo(nil), all...) }
