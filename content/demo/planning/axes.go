package planning

import (
	"math"

	"openloop/content/demo"
	"openloop/planner/route"
)

// Ranges of axes that end on round numbers, and curves in money.

// spans are the lengths of an axis, and the step on which its bottom must lie,
// with which both ends are ticks: a wide chart is cut into about six parts and a
// narrow one into about four, whose size is rounded to 1, 2, 3, 5 or 10 times a
// power of ten. Any other end gets a tick of its own, close to the one before.
var spans = [...]struct{ length, step float64 }{{5, 1}, {6, 2}, {8, 2}, {12, 6}, {15, 3}, {25, 5}, {30, 10}, {40, 10}}

// tidy widens low..high to the shortest axis whose ends are ticks in both sizes
// of a chart. Equal ends are first moved apart.
func tidy(low, high float64) (bottom, top float64) {
	if span := 1e-3 * max(math.Abs(low), math.Abs(high), 1e-3); high-low < span {
		low, high = low-float64(span/2), high+float64(span/2)
	}
	// Units are whole powers of ten, or what they divide, so that products are exact.
	unit, part := 1.0, 1.0
	for float64(unit*spans[0].length) > float64(part*(high-low)) {
		part *= 10
	}
	for float64(unit*spans[len(spans)-1].length) < high-low {
		unit *= 10
	}
	for {
		for _, s := range spans {
			if s.length == 15 && part > 1 {
				continue // 15/6 lies between 2 and 3: of a fraction its last bit would decide
			}
			// A hair of room keeps an end that is a tick from becoming the next one.
			from := float64(s.step * math.Floor(float64(part*low)/float64(unit*s.step)+1e-9))
			if from+s.length >= float64(part*high)/unit-1e-9 {
				return float64(unit*from) / part, float64(unit*(from+s.length)) / part
			}
		}
		if part > 1 {
			part /= 10
		} else {
			unit *= 10
		}
	}
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
