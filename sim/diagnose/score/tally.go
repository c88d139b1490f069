package score

import (
	"openloop/sim"
	"openloop/sim/diagnose"
)

// Verdicts are the columns of a confusion matrix: the levers in their order,
// healthy, undetermined.
func Verdicts() []string {
	var out []string
	for _, l := range sim.Levers() {
		out = append(out, l.ID)
	}
	return append(out, diagnose.Healthy, diagnose.Undetermined)
}

// Truths are its rows: the levers, then the kinds of healthy runs.
func Truths() []string {
	out := Verdicts()[:len(sim.Levers())]
	for f := range NumFine {
		out = append(out, f.String())
	}
	return out
}

// Tally counts verdicts.
type Tally struct {
	Count [][]int // by truth and verdict
	Top2  []int   // by truth: verdict or runner-up is right
}

// NewTally has only zeros.
func NewTally() *Tally {
	t := &Tally{Count: make([][]int, len(Truths())), Top2: make([]int, len(Truths()))}
	for i := range t.Count {
		t.Count[i] = make([]int, len(Verdicts()))
	}
	return t
}

// RowOf is the row of a case.
func RowOf(c *Case) int {
	if c.Lever == "" {
		return len(sim.Levers()) + int(c.Fine)
	}
	return column(c.Lever)
}

func column(verdict string) int {
	for i, v := range Verdicts() {
		if v == verdict {
			return i
		}
	}
	panic("score: no verdict " + verdict)
}

// Right is the column that a row should have.
func Right(row int) int { return min(row, len(sim.Levers())) }

// Add counts a reading of a case in this row.
func (t *Tally) Add(row int, r *diagnose.Reading) {
	got := column(r.Verdict)
	t.Count[row][got]++
	if right := Right(row); got == right || r.Second != "" && column(r.Second) == right {
		t.Top2[row]++
	}
}

// Runs is how many there were in a row, and Top1 how many of them were right.
func (t *Tally) Runs(row int) (n int) {
	for _, c := range t.Count[row] {
		n += c
	}
	return n
}

// Top1 is how many readings of a row have the right verdict.
func (t *Tally) Top1(row int) int { return t.Count[row][Right(row)] }
