// Package scrape reads what a reader pastes from a running vLLM or SGLang
// server, one or two texts of /metrics or lines of its log, and gives the eight
// signals and the context strip of package sim: each value with its bounds, the
// metric it came from and the span it covers, or the reason why it is missing.
//
//	text -> Parse -> Paste -> Read -> Report -> sim.Window
//
// To follow it: paste.go (what a line can be), exposition.go (one line of
// /metrics), logvllm.go and logsglang.go (one line of a log), page.go (the
// series of one scrape, repeated ranks dropped), delta.go (pairs of series,
// restarts), histogram.go (percentiles as intervals), quantity.go (what is
// read, and why it may be missing), fill.go and strip.go (from series to
// quantities), process.go (whose lines a log holds), fromlog.go (from lines to
// quantities), windows.go (for the rules of the diagnosis). table.go is the
// table of signals and metric names that the guide prints; names.go is where
// each name comes from.
//
// Three rules hold throughout. Nothing is guessed: a series that is not there
// is unknown, not 0. Percentiles are never averaged: the buckets of replicas
// are added. Nothing is hidden: every line is counted as something, and what
// was not understood is listed with its number.
//
// The package does not say what is wrong with the server. It is pure: no
// clock, no network, no file; the time between two scrapes is an argument.
package scrape
