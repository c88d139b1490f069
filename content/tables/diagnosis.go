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

	// Besides is what is said beside the verdict, and Hidden how many failures
	// could be hidden behind it: 'a' is none, 'b' one, and so on.
	Besides [2]string
	Hidden  [2]string
}

// What is said beside a verdict, as a letter of DiagnosisRow.Besides.
const (
	NothingBeside = 'a' + iota
	NameBeside    // a second failure
	SignBeside    // a sign that what is named does not explain
)

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

// Beside is how many runs of the row have this said beside the verdict.
func (r *DiagnosisRow) Beside(way int, letter byte) (n int) {
	for i := range r.Besides[way] {
		if r.Besides[way][i] == letter {
			n++
		}
	}
	return n
}

// Listing is in how many runs of the row some failure could be hidden, and how
// many failures that are in all.
func (r *DiagnosisRow) Listing(way int) (runs, failures int) {
	for i := range r.Hidden[way] {
		if n := int(r.Hidden[way][i] - 'a'); n > 0 {
			runs, failures = runs+1, failures+n
		}
	}
	return runs, failures
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
	OneAndSign                   // one is named, and a sign that what is named does not explain
	OneAndList                   // one is named, and the other is among those that could be hidden behind it
	OneNamed                     // one is named, and nothing said of the other
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
