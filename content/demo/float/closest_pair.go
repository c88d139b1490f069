package float

import (
	"cmp"
	"slices"

	"openloop/numerics"
)

// The search for two near-tied candidates: a vocabulary of random rows, added
// exactly, and the two rows whose exact sums are closest without being equal.

// logitRow is one candidate: the generator's state before its row, which is a
// seed of its own, and the exact sum of the row.
type logitRow struct {
	seed  uint32
	index int
	units int64 // exact sum in units of 2^-46
}

// pairSearch makes rows until it has them all.
type pairSearch struct {
	rand numerics.Rand
	row  []float32
	rows []logitRow
	want int
}

// newPairSearch starts the rows of a seed (not 0).
func newPairSearch(seed uint32, rows, length int) *pairSearch {
	return &pairSearch{rand: numerics.NewRand(scramble(seed)), row: make([]float32, length), want: rows}
}

// step makes rows for about budget µs of native time.
func (s *pairSearch) step(budget int) (done bool) {
	const perMicrosecond = 150 // values
	for n := 0; len(s.rows) < s.want && n <= budget*perMicrosecond; n += len(s.row) {
		next := logitRow{seed: uint32(s.rand), index: len(s.rows)}
		s.rand.Fill(bf16Kind, s.row)
		next.units = exactUnits(s.row)
		s.rows = append(s.rows, next)
	}
	return len(s.rows) == s.want
}

func (s *pairSearch) progress() float64 { return float64(len(s.rows)) / float64(s.want) }

// closest returns the two rows, the one with the lower index first: that is
// the one that wins a tie. Equal sums do not count, unless all are equal; there
// are two rows or more.
func (s *pairSearch) closest() (a, b logitRow) {
	slices.SortFunc(s.rows, func(x, y logitRow) int {
		return cmp.Or(cmp.Compare(x.units, y.units), cmp.Compare(x.index, y.index))
	})
	a, b = s.rows[0], s.rows[1]
	for i := 1; i < len(s.rows); i++ {
		gap := s.rows[i].units - s.rows[i-1].units
		if best := b.units - a.units; gap > 0 && (best == 0 || gap < best) {
			a, b = s.rows[i-1], s.rows[i]
		}
	}
	if a.index > b.index {
		a, b = b, a
	}
	return a, b
}
