package route

import (
	"cmp"
	"math"
	"slices"
)

// Hull is the frontier in money: the corners of the most accurate mixes for
// each cost, dearer and more accurate from one to the next. Between two corners
// a coin that chooses one or the other gets every cost on the line (RouterBench,
// Hu and others, arXiv 2403.12031, calls that the zero router).
type Hull []Point

// HullOf is the frontier of some ways to serve the traffic, written into dst,
// whose capacity should be that of points to allocate nothing. Empty only if
// points is.
func HullOf(points []Point, dst Hull) Hull { return hullOf(append(dst[:0], points...)) }

// hullOf orders the points in place and keeps the corners, by the monotone chain
// of Andrew (Information Processing Letters 9, 1979).
func hullOf(h Hull) Hull {
	slices.SortFunc(h, func(a, b Point) int {
		if d := cmp.Compare(a.Cost, b.Cost); d != 0 {
			return d
		}
		return cmp.Compare(b.Accuracy, a.Accuracy)
	})
	n := 0
	for _, p := range h {
		if n > 0 && p.Accuracy <= h[n-1].Accuracy {
			continue
		}
		for n > 1 && !turnsDown(h[n-2], h[n-1], p) {
			n--
		}
		h[n] = p
		n++
	}
	return h[:n]
}

// turnsDown says whether b lies above the line from a to c.
func turnsDown(a, b, c Point) bool {
	return float64((b.Accuracy-a.Accuracy)*(c.Cost-a.Cost)) > float64((c.Accuracy-a.Accuracy)*(b.Cost-a.Cost))
}

// Accuracy is the most that a mean cost of at most this buys. Not ok below the
// cheapest corner.
func (h Hull) Accuracy(cost float64) (float64, bool) {
	if len(h) == 0 || cost < h[0].Cost {
		return 0, false
	}
	i := h.first(func(p Point) bool { return p.Cost > cost })
	if i == len(h) {
		return h[i-1].Accuracy, true
	}
	return between(h[i-1].Cost, h[i-1].Accuracy, h[i].Cost, h[i].Accuracy, cost), true
}

// Cost is the least for which the accuracy can be had. Not ok above the most
// accurate corner.
func (h Hull) Cost(accuracy float64) (float64, bool) {
	i := h.first(func(p Point) bool { return p.Accuracy >= accuracy })
	switch i {
	case len(h):
		return 0, false
	case 0:
		return h[0].Cost, true
	}
	return between(h[i-1].Accuracy, h[i-1].Cost, h[i].Accuracy, h[i].Cost, accuracy), true
}

// first is the first corner of which something is true; from there on it is.
func (h Hull) first(is func(Point) bool) int {
	lo, hi := 0, len(h)
	for lo < hi {
		if mid := (lo + hi) / 2; is(h[mid]) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// between is y at x on the line from (x0,y0) to (x1,y1), x0 < x1.
func between(x0, y0, x1, y1, x float64) float64 {
	return y0 + float64((y1-y0)*((x-x0)/(x1-x0)))
}

// AIQ is the mean accuracy of the frontier over money, from its cheapest corner
// to costMax, above its dearest corner flat: RouterBench's average improvement
// in quality, with the paper's division by the range of costs. Without a range
// it is the accuracy itself. costMax is not below the cheapest corner.
func (h Hull) AIQ(costMax float64) float64 {
	accuracy, _ := h.Accuracy(costMax)
	span := costMax - h[0].Cost
	if span <= 0 {
		return accuracy
	}
	return h.area(costMax) / span
}

// AIQOfMax is AIQ with the area divided by costMax itself, as RouterBench's code
// does: of two equal frontiers the dearer one scores less. 0 if all is free.
func (h Hull) AIQOfMax(costMax float64) float64 {
	if costMax <= 0 {
		return 0
	}
	return h.area(costMax) / costMax
}

func (h Hull) area(costMax float64) float64 {
	sum := 0.0
	last := h[0]
	for _, p := range h[1:] {
		if p.Cost >= costMax {
			break
		}
		sum += float64(float64(0.5*(p.Accuracy+last.Accuracy)) * (p.Cost - last.Cost))
		last = p
	}
	end, _ := h.Accuracy(costMax)
	return sum + float64(float64(0.5*(end+last.Accuracy))*(costMax-last.Cost))
}

// Regret is what a way to serve the traffic gives away against a frontier. It is
// negative where the frontier is beaten.
type Regret struct {
	Accuracy     float64 // more right answers for the same money, as a share of requests
	Money        float64 // less money for the same accuracy
	Affordable   bool    // the frontier has something for that money; else Accuracy is 0
	Attainable   bool    // the frontier has that accuracy; else Money is 0
	AccuracyUsed float64 // the frontier's accuracy for the money
	MoneyUsed    float64 // the frontier's cost for the accuracy
}

// Regret compares a point with the frontier: of the oracle, of chance, or of
// the point's own curve, where it is what mixing two thresholds would have won.
func (h Hull) Regret(p Point) Regret {
	var r Regret
	if r.AccuracyUsed, r.Affordable = h.Accuracy(p.Cost); r.Affordable {
		r.Accuracy = r.AccuracyUsed - p.Accuracy
	}
	if r.MoneyUsed, r.Attainable = h.Cost(p.Accuracy); r.Attainable {
		r.Money = p.Cost - r.MoneyUsed
	}
	return r
}

// Span is a stretch of shares sent to the strong model.
type Span struct{ From, To float64 }

// Gaps that are rounding and not a loss.
const (
	accuracySlack = 1e-12
	moneySlack    = 1e-9 // of the cost
)

// gap is how far a point lies below the frontier; above 0 it is dominated. An
// equally accurate point that costs more is, too: its gap is 1, so that the
// stretch reaches as far as can be.
func (h Hull) gap(p Point) float64 {
	best, ok := h.Accuracy(p.Cost)
	if !ok {
		return math.Inf(-1)
	}
	gap := best - p.Accuracy - accuracySlack
	if math.Abs(gap+accuracySlack) <= accuracySlack && p.Cost-h[len(h)-1].Cost > float64(moneySlack*p.Cost) {
		return 1
	}
	return gap
}

// Dominated lists the stretches of a curve, ordered by share, that lie below a
// frontier: something is more often right for no more, or as often for less. With the hull of
// the curve's own points these are settings that a mix of two others beats,
// with RandomHull those that a coin beats. Between points the curve is taken
// for straight. The spans are appended to dst[:0].
func (h Hull) Dominated(curve []Point, dst []Span) []Span {
	dst = dst[:0]
	below := false
	last := 0.0
	for i, p := range curve {
		gap := h.gap(p)
		if (gap > 0) != below {
			at := p.StrongFrac
			if i > 0 {
				at = crossing(curve[i-1].StrongFrac, last, p.StrongFrac, gap)
			}
			if below {
				dst[len(dst)-1].To = at
			} else {
				dst = append(dst, Span{From: at, To: at})
			}
			below = !below
		}
		last = gap
	}
	if below {
		dst[len(dst)-1].To = curve[len(curve)-1].StrongFrac
	}
	return dst
}

// crossing is where a gap passes 0 between two shares; an infinite one, where
// the frontier begins, is taken for the far end.
func crossing(x0, gap0, x1, gap1 float64) float64 {
	switch {
	case math.IsInf(gap0, 0):
		return x1
	case math.IsInf(gap1, 0):
		return x0
	}
	return between(gap0, x0, gap1, x1, 0)
}
