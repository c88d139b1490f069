package tables

// FlatRow is how often each signal lies outside the middle 99% of healthy runs
// while a lever is pulled as the matrix has it: 0 to 1, the share of the windows
// of FlatSeeds runs in which the signal is known, on either side of the band.
type FlatRow struct {
	Lever   string
	Outside [8]float64 // in the order of sim.Signal
}

// FlatSeeds is how many runs are counted, with the seeds from FlatFirstSeed on:
// those that the matrix is tested with.
const (
	FlatSeeds     = 9
	FlatFirstSeed = 100
)

// FlatRows are the levers, in their order.
func FlatRows() []FlatRow { return append([]FlatRow(nil), flatRows...) }
