package sim

import "math"

// ramp is when the steps of a run end. The cost of each step is that of the one
// before plus slope or, if the cost model is not linear, in a table.
type ramp struct {
	start Picos // of the step in progress
	steps int   // from there on
	cost  Picos // of the step in progress
	slope Picos
	table []Picos // ends of the steps, the step in progress first; nil if linear
	space []Picos // memory for table
}

// set makes it a single step.
func (a *ramp) set(start, cost Picos) {
	a.start, a.cost, a.slope, a.steps, a.table = start, cost, 0, 1, nil
}

// end is when step k ends, counted from 1.
func (a *ramp) end(k int) Picos {
	if a.table != nil {
		return a.table[k-1]
	}
	n := Picos(k)
	return a.start + n*a.cost + n*(n-1)/2*a.slope
}

// ended is how many steps end at or before t.
func (a *ramp) ended(t Picos) int {
	if t < a.end(1) {
		return 0
	}
	lo := 1 // ends at or before t
	hi := a.steps + 1
	if a.table == nil {
		// slope/2 k^2 + b k = d, solved in floats; then the search below has
		// little left to do.
		guess := float64(t-a.start) / float64(a.cost)
		if a.slope > 0 {
			b, d, m := float64(a.cost)-float64(float64(a.slope)/2), float64(t-a.start), float64(a.slope)
			guess = (math.Sqrt(float64(b*b)+2*float64(m*d)) - b) / m
		}
		k := int(min(guess, float64(a.steps)))
		if k > 2 && a.end(k-1) <= t {
			lo = k - 1
		}
		if k+2 < hi && a.end(k+2) > t {
			hi = k + 2
		}
	}
	for hi-lo > 1 {
		if mid := int(uint(lo+hi) / 2); a.end(mid) <= t {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// skip moves past the first m steps.
func (a *ramp) skip(m int) {
	a.start = a.end(m)
	a.steps -= m
	if a.steps == 0 {
		return
	}
	if a.table != nil {
		a.table = a.table[m:]
		a.cost = a.table[0] - a.start
	} else {
		a.cost += Picos(m) * a.slope
	}
}

// rise makes a ramp of up to so many steps; one that ends after the run is
// enough.
func (a *ramp) rise(slope Picos, steps int, end Picos) {
	most := int64((end-a.start)/a.cost) + 1
	if slope > 0 { // keep k*k/2*slope within 63 bits
		most = min(most, int64(math.Sqrt(4e18/float64(slope))))
	}
	a.slope = slope
	a.steps = int(max(1, min(int64(steps), most)))
}
