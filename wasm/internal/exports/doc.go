// Package exports is what the modules wasm/NAME have in common: it hands the
// functions of internal/protocol to WebAssembly. How to talk to a module is
// written there.
//
// A module is a main of one line, Serve with the demos of its subject, and a
// size.budget; package catalog lists them, and the test here looks after each.
package exports
