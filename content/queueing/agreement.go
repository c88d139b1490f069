package queueing

import (
	"slices"
	"sync"

	"openloop/content/tables"
	"openloop/sim"
)

// Level is the confidence of every interval of the comparison.
const Level = 0.99

// Row is one queue at one load: what theory says, and what the kept runs gave,
// as t intervals over their seeds.
type Row struct {
	Case
	Theory, Textbook Waits
	Mean, P99        sim.Interval
}

// Rows are all of Cases.
func Rows() []Row { return slices.Clone(rows()) }

// rows are computed once: while somebody writes, pages are built again and again.
var rows = sync.OnceValue(func() []Row {
	runs := tables.QueueRuns()
	out := make([]Row, len(runs))
	for i, c := range Cases()[:len(runs)] {
		out[i] = Row{
			Case: c, Theory: c.Theory(), Textbook: c.Textbook(),
			Mean: sim.OverSeeds(runs[i].Mean[:], Level), P99: sim.OverSeeds(runs[i].P99[:], Level),
		}
	}
	return out
})

// LoopRow is one closed loop.
type LoopRow struct {
	ClosedCase
	Theory, Textbook Loop
	Rate, Response   sim.Interval
}

// LoopRows are all of ClosedCases.
func LoopRows() []LoopRow {
	runs := tables.LoopRuns()
	out := make([]LoopRow, len(runs))
	for i, c := range ClosedCases()[:len(runs)] {
		out[i] = LoopRow{
			ClosedCase: c, Theory: c.Theory(), Textbook: c.Textbook(),
			Rate: sim.OverSeeds(runs[i].Rate[:], Level), Response: sim.OverSeeds(runs[i].Response[:], Level),
		}
	}
	return out
}

// Beyond is how far a value is outside of an interval around the mean of n
// seeds: its distance from the mean over half the interval's width. At most 1
// is within.
func Beyond(in sim.Interval, value float64) float64 {
	far := (value - in.Mean) / (in.Hi - in.Mean)
	return max(far, -far)
}
