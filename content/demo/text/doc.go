// Package text makes everything that a reader or a file gets to see as
// characters: numbers, problems, HTML escapes, CSV and JSON.
//
// Start reading at Num (how a number looks in prose) and Shortest (how the
// same number looks in a file). JSON and CSV are append-style writers; Problem
// is the one kind of message about input that cannot be used.
//
// Page, command line and exports call the same functions, so they print the
// same bytes. The package uses strconv and neither fmt nor encoding/json: it
// is part of the WebAssembly module, where those two cost 240 KB.
//
// Why two looks? Prose has "−1,234.5" with a true minus and separators; a file
// has "-1234.5", which every tool reads back as the same float64. Nothing is
// ever parsed from prose, so the two cannot be confused.
package text
