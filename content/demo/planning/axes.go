package planning

import (
	"math"

	"openloop/content/demo"
	"openloop/planner/route"
)

// Ranges of axes that end on round numbers, and curves in money.

// tidy widens low..high to whole steps of 1, 2 or 5 times a power of ten, of
// which it takes five to ten. Equal ends are first moved apart.
func tidy(low, high float64) (bottom, top float64) {
	if span := 1e-3 * max(math.Abs(low), math.Abs(high), 1e-3); high-low < span {
		low, high = low-float64(span/2), high+float64(span/2)
	}
	step := 1.0
	for step > (high-low)/5 {
		step /= 10
	}
	for step*10 <= (high-low)/5 {
		step *= 10
	}
	for _, more := range []float64{5, 2} {
		if step*more <= (high-low)/5 {
			step *= more
			break
		}
	}
	// A hair of room keeps an end that is a tick from becoming the next one.
	return round(step*math.Floor(low/step+1e-9), step), round(step*math.Ceil(high/step-1e-9), step)
}

// round takes the rounding of a multiple of a step away: 0.30000000000000004.
func round(x, step float64) float64 {
	if step >= 1 {
		return math.Floor(float64(x) + 0.5)
	}
	inverse := math.Floor(1/step + 0.5)
	return math.Floor(float64(x*inverse)+0.5) / inverse
}

// inMoney is a curve in money.
func inMoney(id, name string, role demo.Role, curve []route.Point) demo.Series {
	s := none(id, name, role, demo.Line)
	for _, p := range curve {
		s.X, s.Y = append(s.X, p.Cost), append(s.Y, 100*p.Accuracy)
	}
	return s
}

// dot is one point in money.
func dot(id, name string, role demo.Role, p route.Point) demo.Series {
	s := inMoney(id, name, role, []route.Point{p})
	s.Shape = demo.Points
	return s
}

// none is a slot with nothing in it.
func none(id, name string, role demo.Role, shape demo.Shape) demo.Series {
	return demo.Series{ID: id, Name: name, Role: role, Shape: shape}
}

// moneyAxes are those of accuracy against the bill: the bill from nothing, so
// that lengths can be compared, and room for all that can appear whatever the
// knobs of the router say, so that the picture stands still while they move.
func moneyAxes(points ...route.Point) (x, y demo.Axis) {
	cost, low, high := 0.0, points[0].Accuracy, points[0].Accuracy
	for _, p := range points {
		cost, low, high = max(cost, p.Cost), min(low, p.Accuracy), max(high, p.Accuracy)
	}
	x = demo.Axis{Label: "Bill", Unit: perThousand, Max: demo.Top(1.02 * cost), Digits: 3}
	y = demo.Axis{Label: "Right answers", Unit: "%", Digits: 3}
	y.Min, y.Max = tidy(float64(100*low)-0.5, float64(100*high)+0.5)
	return x, y
}

// ofHundred are the shares 0, 1/n, ... 1 in percent.
func ofHundred(n int) []float64 {
	x := make([]float64, n+1)
	for i := range x {
		x[i] = 100 * float64(i) / float64(n)
	}
	return x
}
