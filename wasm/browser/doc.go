// Package browser tests the built site where readers meet it: in Chromium and
// in Firefox, at the root of a host, under a sub-path, from file:// and in
// sandboxed iframes. It holds no code that is shipped.
//
// Start reading at chrome_test.go (one browser for the package), pool_test.go
// (three tabs, with which parallel tests take turns), tab_test.go (the tab of a
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
// # Hostile use
//
// What a demo is exposed to, and the tests that hold it to words and a page that
// works:
//
//   - addresses: TestBadLinks, TestHugeLink, TestUnknownDemo, TestUnknownKnob here;
//     FuzzParse and FuzzSet in content/demo, wasm/glue/test/hash.test.mjs
//   - calls of the module's exports: FuzzCalls, TestFailures and TestInput in
//     wasm/internal/protocol, the same bytes in node in wasm/internal/exports,
//     wasm/glue/test/loop.test.mjs
//   - messages of a page around: TestHostileMessages, TestHostileState, TestResumes;
//     of anybody to the picture of the engine room: TestDamagedClockAndRoom
//   - an engine that dies: TestEngineDies, TestEngineDiesForAll (two demos of a page),
//     TestTwoEmbeds (in the middle of thirty runs, two frames of a page),
//     wasm/glue/test/client.test.mjs and flow.test.mjs
//   - a hundred changes at once: TestNewestChangeWins
//   - no storage: TestHosting in a sandboxed frame, which is refused it
//   - files that are missing or cut in half: TestDamagedFiles (engine, charts,
//     the script of demos), TestDamagedClockAndRoom (the bar, the picture)
//   - text in a box: FuzzPaste, FuzzHarness, FuzzRead, FuzzWriting in content/demo
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
