package serving

import (
	"slices"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

// logRange is the range of a logarithmic axis that shows all positive values:
// whole decades, at least two.
func logRange(values ...[]float64) (bottom, top float64) {
	lo, hi := 0.0, 0.0
	for _, list := range values {
		for _, x := range list {
			if x > 0 {
				if lo == 0 || x < lo {
					lo = x
				}
				hi = max(hi, x)
			}
		}
	}
	if lo == 0 {
		return 0.1, 10
	}
	for bottom = 1; bottom > lo; {
		bottom /= 10
	}
	for bottom*10 <= lo {
		bottom *= 10
	}
	for top = bottom * 100; top < hi; {
		top *= 10
	}
	return bottom, top
}

// withNow are the rows of a table by their first column, x. The last is what
// the knob says: it goes to its place and is named, instead of a row for the
// same x.
func withNow(x []float64, cells [][]demo.Cell) (rows [][]demo.Cell) {
	now, place := len(x)-1, 0
	for i := range now {
		if x[i] != x[now] {
			rows = append(rows, append([]demo.Cell{demo.N(x[i])}, cells[i]...))
		}
		if x[i] < x[now] {
			place = len(rows)
		}
	}
	return slices.Insert(rows, place, append([]demo.Cell{demo.W(text.Num(x[now], 4) + ", now")}, cells[now]...))
}

// byPlace are dots over the names of a category axis.
func byPlace(id, name string, role demo.Role, y []float64) demo.Series {
	s := demo.Series{ID: id, Name: name, Role: role, Shape: demo.Points, Y: y}
	for i := range y {
		s.X = append(s.X, float64(i))
	}
	return s
}

func last[T any](x []T) T { return x[len(x)-1] }

func least(x []float64) float64 {
	out := x[0]
	for _, y := range x {
		out = min(out, y)
	}
	return out
}

func largest(x []float64) float64 {
	out := x[0]
	for _, y := range x {
		out = max(out, y)
	}
	return out
}
