// Package browser tests the built site where readers meet it: in Chromium and
// in Firefox, at the root of a host, under a sub-path, from file:// and in
// sandboxed iframes. It holds no code that is shipped.
//
// Start reading at chrome_test.go (one browser for the package), pool_test.go
// (two tabs, with which parallel tests take turns), tab_test.go (the tab of a
// test, which fails on any console error, exception, policy violation or
// foreign request), page_test.go (the words of a demo's markup: knob, box,
// sentence, table) and look_test.go (the tests of single pages, each of which
// is loaded once for all of them; a new check of a page belongs there). What a page should say comes from the Go
// engine run natively (expect_test.go), never from a copied number.
//
// The tests read the repository's dist folder, which ./build.sh build writes,
// or the folder that OPENLOOP_DIST names. Without it, or without a browser,
// they skip and say so; with CI set or OPENLOOP_BROWSER=require they fail.
//
// # Why is nothing timed?
//
// A busy machine is not a defect. A test waits for a condition until a
// deadline that is far away, and looks at what happened and in what order; it
// never asks how long it took. Speed has its own benchmarks.
//
// # Pictures for people
//
//	go test ./wasm/browser -run TestScreenshots -screens /tmp/screens
//
// writes every page, wide and narrow, light, dark and projector, and as PDF.
package browser
