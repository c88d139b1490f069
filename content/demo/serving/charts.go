package serving

import "openloop/content/demo"

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

// byPlace is a line over the names of a category axis.
func byPlace(id, name string, role demo.Role, y []float64) demo.Series {
	s := demo.Series{ID: id, Name: name, Role: role, Shape: demo.Line, Y: y}
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
