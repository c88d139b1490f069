package demo

import "math"

// RoundRange is the range of an axis of counts that shows low..high with room
// at both ends, in whole steps of 1, 2 or 5 times a power of ten, so that its
// ends are ticks. low is at most high.
func RoundRange(low, high float64) (bottom, top float64) {
	const steps = 8 // at most, before the room
	step := 1.0
	for float64(step*steps) < high-low {
		switch {
		case float64(step*2*steps) >= high-low:
			step *= 2
		case float64(step*5*steps) >= high-low:
			step *= 5
		default:
			step *= 10
		}
	}
	return float64(step * (math.Floor(low/step) - 1)), float64(step * (math.Ceil(high/step) + 1))
}

// tops are ends of an axis from 0 that give ticks of 1, 2 or 5 times a power
// of ten, or four steps of 3, in both sizes of a chart.
var tops = [...]float64{5, 6, 12, 25, 30, 50}

// Top is the end of an axis that begins at 0 and shows up to high.
func Top(high float64) float64 {
	if !(high > 0) {
		return 1
	}
	unit := 1.0
	for unit*tops[len(tops)-1] < high {
		unit *= 10
	}
	for unit/10*tops[len(tops)-1] >= high {
		unit /= 10
	}
	for _, t := range tops {
		if unit*t >= high {
			return unit * t
		}
	}
	return unit * tops[len(tops)-1]
}
