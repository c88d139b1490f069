// Package dataset knows what was measured, by whom and when, and what is wrong
// with it. Pages that show where numbers come from use it at build time; nothing
// that runs in a browser should import it.
//
// Start at registry.go for what an entry says; the entries are in profiles.go
// (hardware), traces.go (requests) and results.go (engines, prices, routing).
// fits.go holds coefficients that are shown but not planned with.
package dataset
