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
