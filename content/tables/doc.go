// Package tables holds results that take too long to compute while a reader
// waits: generated files, each with a hash of the inputs it was made from.
//
// To make them again: go test ./content/tables -run TestTables -update, and
// -run TestTheory for the comparison with queueing theory (two minutes on two
// cores). An ordinary test run recomputes a slice of each and fails on any
// difference; with OPENLOOP_LONG=1 it recomputes everything.
package tables
