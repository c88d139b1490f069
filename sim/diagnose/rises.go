package diagnose

import (
	"math"

	"openloop/sim"
)

// Bit by bit or in a step: a day's rise and a surge, a leak and a load.

// dayRises says whether arrivals rose as on any day.
func (m *series) dayRises(came Sign) bool {
	margin := 1.05
	if m.found[came].Widths < 3.2 {
		margin = 1.2 // so little is more often a day's rise than a surge
	}
	return m.rises(came, shortRamp, margin)
}

// rises says whether a sign rose bit by bit, over so many windows at least: what
// a straight line up to its height leaves over is less than so many times what a
// step does.
func (m *series) rises(s Sign, shortest int, margin float64) bool {
	f := &m.found[s]
	if f.Move != sim.Up || m.how != WithNormal {
		return false
	}
	x := m.col[s]
	to := m.height(x, f)
	from := max(m.normal[0], f.From-shortest)
	if to-from < shortest {
		return false
	}
	steep, ramp := math.Inf(1), math.Inf(1)
	for begin := from; begin < to; begin++ {
		for long := range stepWindows + 1 {
			steep = min(steep, misfit(x[from:to], f.Before, begin-from, long))
		}
		for long := shortest; begin+long <= to; long++ {
			ramp = min(ramp, misfit(x[from:to], f.Before, begin-from, long))
		}
	}
	return ramp < margin*steep
}

const (
	stepWindows = 2 // windows that a step takes at most
	shortRamp   = 8 // and a day's rise at least
	shortLeak   = 4 // and a leak
)

// height is the end of the windows up to which arrivals rise: of those that are
// out, to where the mean of three is largest.
func (m *series) height(x []float64, f *Finding) int {
	best, at := 0.0, f.To
	for k := f.From; k+3 <= f.To; k++ {
		sum := 0.0
		for _, v := range x[k : k+3] {
			sum += v
		}
		if sum > best {
			best, at = sum, k+3
		}
	}
	return at
}

// misfit is the sum of squares that is left when x is base up to begin, rises
// evenly for so long, and then stays at the height that fits best.
func misfit(x []float64, base float64, begin, long int) float64 {
	shape := func(k int) float64 {
		switch {
		case k < begin:
			return 0
		case k >= begin+long:
			return 1
		}
		return (float64(k-begin) + 0.5) / float64(long)
	}
	up, all := 0.0, 0.0
	for k, v := range x {
		if g := shape(k); v == v {
			up, all = up+float64(g*(v-base)), all+float64(g*g)
		}
	}
	if all == 0 {
		return math.Inf(1)
	}
	up /= all
	left := 0.0
	for k, v := range x {
		if e := v - base - float64(up*shape(k)); v == v {
			left += float64(e * e)
		}
	}
	return left
}
