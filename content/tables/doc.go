// Package tables holds results that take too long to compute while a reader
// waits: generated files, each with a hash of the inputs it was made from.
//
// To make them again: go test ./content/tables -run TestTables -update, and
// -run TestTheory for the comparison with queueing theory (two minutes on two
// cores), -run TestPlans for the planner's presets (one minute). An ordinary test run recomputes a slice of each and fails on any
// difference; with OPENLOOP_LONG=1 it recomputes everything.
//
// It also holds what the guide needs of published traces, derived from files
// that are not kept here, and what fits of ours miss of published times: go test
// ./content/tables -run 'TestTraces|TestResiduals' -update. The tests compare where the files are at hand and say so where they are not.
package tables
