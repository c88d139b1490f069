package tables

// DiagnosisRow is what the rules of package sim/diagnose said of each run of one
// known failure, or of one kind of run in which nothing is broken. A run is
// drawn from DiagnosisSeed and its number (package sim/diagnose/score): the
// cluster, its users, how hard the lever is pulled and when.
type DiagnosisRow struct {
	Truth string // a lever's ID, or what goes on while nothing is broken
	Right byte   // the letter of the right verdict

	// A letter for each run, first with the eight signals alone, then with the
	// context strip and the replicas beside them: 'a' is the first of
	// DiagnosisVerdicts, and so on. Seconds are the runners-up, '-' for none.
	Verdicts [2]string
	Seconds  [2]string
}

// SignalsAlone and WithStrip number the two ways in which runs are scored.
const (
	SignalsAlone = iota
	WithStrip
)

// What was drawn. A fresh seed is OPENLOOP_DIAG_SEED of the test that makes the
// table.
const (
	DiagnosisSeed  = 20_261_130
	DiagnosisRuns  = 200 // of each row
	DiagnosisPairs = 200 // runs with two levers that overlap
)

// DiagnosisRows are the levers, in their order, and then the healthy kinds.
func DiagnosisRows() []DiagnosisRow { return append([]DiagnosisRow(nil), diagnosisRows...) }

// DiagnosisVerdicts are what a letter stands for: the levers' IDs, healthy,
// undetermined.
func DiagnosisVerdicts() []string { return append([]string(nil), diagnosisVerdicts...) }

// Runs is how many runs the row has.
func (r *DiagnosisRow) Runs() int { return len(r.Verdicts[WithStrip]) }

// Top1 is how many verdicts are right.
func (r *DiagnosisRow) Top1(way int) int { return r.Count(way, r.Right) }

// Top2 is how many verdicts or runners-up are right.
func (r *DiagnosisRow) Top2(way int) int {
	n := 0
	for i := range r.Verdicts[way] {
		if r.Verdicts[way][i] == r.Right || r.Seconds[way][i] == r.Right {
			n++
		}
	}
	return n
}

// Count is how many runs of the row got this verdict.
func (r *DiagnosisRow) Count(way int, letter byte) int {
	n := 0
	for i := range r.Verdicts[way] {
		if r.Verdicts[way][i] == letter {
			n++
		}
	}
	return n
}

// PairNaming is what was said of a run with two failures.
type PairNaming uint8

// The ways, best first.
const (
	BothNamed  PairNaming = iota // one is the verdict, the other is said to be there too
	BothListed                   // both are among verdict, the other failure and the runner-up
	OneNamed                     // the verdict is one of them
	NoneNamed
	NumPairNamings
)

// DiagnosisOfPairs counts the runs with two levers, by the two ways of scoring.
func DiagnosisOfPairs() (counts [2][NumPairNamings]int) {
	for way, s := range diagnosisPairs {
		for i := range s {
			counts[way][s[i]-'a']++
		}
	}
	return counts
}
