package tables

// QueueRun is what the simulator gave as a textbook queue (package
// content/queueing) at one load: the mean wait and the 99th percentile
// of each of QueueSeeds seeds from the case's FirstSeed up, in mean service
// times.
type QueueRun struct {
	Queue  string
	Load   float64
	Inputs string // hash of the settings and of what the first requests of the first seed get
	Mean   [QueueSeeds]float64
	P99    [QueueSeeds]float64
}

// LoopRun is the same for a closed loop: requests per service time, and mean
// time to the answer in service times.
type LoopRun struct {
	Clients  int
	Seats    int
	Inputs   string
	Rate     [QueueSeeds]float64
	Response [QueueSeeds]float64
}

// QueueSeeds is the number of runs behind each row.
const QueueSeeds = 20

// QueueRuns returns the rows in the order of queueing.Cases.
func QueueRuns() []QueueRun { return append([]QueueRun(nil), queueRuns...) }

// LoopRuns returns the rows in the order of queueing.ClosedCases.
func LoopRuns() []LoopRun { return append([]LoopRun(nil), loopRuns...) }
