// Package demo is the contract that each of Openloop's interactive demos keeps,
// and what they have in common. The demos are below it by subject: float,
// planning and serving; package catalog lists them.
//
// Start reading at Demo (this is what a demo declares), then Task (one run of
// it), then Figure (what a picture says, not how it looks). State is the link
// that names a run: demo, seed and settings; the page, the command line and
// the embeds all read it here.
//
// The package is pure: it reads no clock, file, environment or network, it
// does not import fmt or encoding/json, and the same link gives the same bytes
// natively and as WebAssembly. It does not draw charts (site/internal/chart
// and the browser do) and it does not know that a browser exists.
package demo

// EngineVersion is raised by hand whenever a golden result of any engine
// package changes. It stands in every export and in links made for marking, so
// that an old answer can be told from a new engine.
const EngineVersion = 1
