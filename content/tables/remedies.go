package tables

// RemedyRow is what each remedy keeps of the goodput under one failure: the
// mean over RemedySeeds runs, with the seeds 1, 2, ..., of goodput over first
// attempts, from when the failure begins to the end of the run. The remedies
// are in the order of package content/demo/failing.
type RemedyRow struct {
	Lever  string
	Inputs string // hash of the ids and of the runs without a remedy
	Kept   []float64
}

// RemedySeeds is how many runs a number is the mean of.
const RemedySeeds = 3

// RemedyRows are all rows, in the order of the levers.
func RemedyRows() []RemedyRow { return append([]RemedyRow(nil), remedyRows...) }
