package sim

// Little checks Little's law: requests in the system = rate * time in it. Over
// a run that starts and ends empty it is exact. Over any window it is exact
// with what the ends cut off:
//
//	InFlight = PerSec*Seconds - CarriedIn + LeftOver
type Little struct {
	InFlight  float64 // L: mean number of requests in the system, over the window
	PerSec    float64 // X: requests that ended in the window, per second
	Seconds   float64 // W: their mean time in the system; 0 if there are none
	CarriedIn float64 // time that they had spent before the window, per second of the window
	LeftOver  float64 // time spent in the window by those that ended later, per second of the window
}

func littleOf(r *Results, w reportWindow, c Clock) Little {
	var inside, ended, carried, left total
	var n int64
	for i := range r.Status {
		start, end := r.StartAt(i, c), min(r.DoneAt[i], r.EndAt)
		within := int64(w.overlap(start, end))
		inside.add(within)
		switch {
		case w.has(r.DoneAt[i]):
			n++
			ended.add(int64(end - start))
			carried.add(int64(max(0, w.from-start)))
		case r.DoneAt[i] >= w.past():
			left.add(within)
		}
	}
	out := Little{PerSec: w.perSec(n)}
	if n > 0 {
		out.Seconds = ended.over(float64(n)) / 1e9
	}
	if length := float64(w.to - w.from); length > 0 {
		out.InFlight, out.CarriedIn, out.LeftOver = inside.over(length), carried.over(length), left.over(length)
	}
	return out
}
