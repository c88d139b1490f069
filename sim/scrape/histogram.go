package scrape

import "math"

// Histogram is the buckets of one or more series, added: At[i] observations
// were at most Bounds[i]. The last bound is +Inf.
type Histogram struct {
	Bounds []float64
	At     []float64 // cumulative
	Sum    float64   // NaN if it is not there
}

// Count is the number of observations.
func (h *Histogram) Count() float64 {
	if len(h.At) == 0 {
		return 0
	}
	return h.At[len(h.At)-1]
}

// Mean is NaN without observations or without a sum.
func (h *Histogram) Mean() float64 {
	if h.Count() <= 0 {
		return math.NaN()
	}
	return h.Sum / h.Count()
}

// sound says that the counts are those of one process: none negative, none
// falling.
func (h *Histogram) sound() bool {
	last := 0.0
	for _, c := range h.At {
		if !(c >= last) || math.IsInf(c, 0) {
			return false
		}
		last = c
	}
	return len(h.Bounds) > 0 && math.IsInf(h.Bounds[len(h.Bounds)-1], 1)
}

// Quantile gives the bounds of the bucket that holds quantile q, 0 < q <= 1,
// and the value between them if observations are spread evenly inside it:
//
//	low + (high - low)(q n - c0)/(c1 - c0)
//
// with c0 and c1 the counts up to its bounds (as Prometheus' histogram_quantile
// has it). The first bucket begins at 0. Beyond the last finite bound nothing
// but that bound is known: value is low, high is +Inf. ok is false if there is
// nothing to take it from.
func (h *Histogram) Quantile(q float64) (low, value, high float64, ok bool) {
	n := h.Count()
	if !h.sound() || !(n > 0) || !(0 < q && q <= 1) {
		return 0, 0, 0, false
	}
	rank := float64(q * n)
	for i, c1 := range h.At {
		if c1 < rank {
			continue
		}
		high = h.Bounds[i]
		c0 := 0.0
		if i > 0 {
			low, c0 = h.Bounds[i-1], h.At[i-1]
		}
		if math.IsInf(high, 1) || high <= low {
			return low, low, high, true
		}
		return low, low + float64((high-low)*((rank-c0)/(c1-c0))), high, true
	}
	return 0, 0, 0, false
}

// AtMost is how many observations were at most x: known only between two
// counts if x is not a bound.
func (h *Histogram) AtMost(x float64) (low, high float64, ok bool) {
	if !h.sound() {
		return 0, 0, false
	}
	for i, b := range h.Bounds {
		if b >= x {
			high = h.At[i]
			if b == x {
				low = high
			}
			return low, high, true
		}
		low = h.At[i]
	}
	return 0, 0, false
}

// BeyondLast is the share of observations above the last finite bound, and
// that bound: what the histogram cannot resolve.
func (h *Histogram) BeyondLast() (bound, share float64, ok bool) {
	n := len(h.At)
	if !h.sound() || n < 2 || h.Count() <= 0 {
		return 0, 0, false
	}
	return h.Bounds[n-2], (h.At[n-1] - h.At[n-2]) / h.At[n-1], true
}

// add pools another one: bounds that both have, counts added.
func (h *Histogram) add(o *Histogram) {
	if len(h.Bounds) == 0 {
		*h = Histogram{append([]float64(nil), o.Bounds...), append([]float64(nil), o.At...), o.Sum}
		return
	}
	n, j := 0, 0
	for i, b := range h.Bounds {
		for j < len(o.Bounds) && o.Bounds[j] < b {
			j++
		}
		if j < len(o.Bounds) && o.Bounds[j] == b {
			h.Bounds[n], h.At[n] = b, h.At[i]+o.At[j]
			n++
		}
	}
	h.Bounds, h.At = h.Bounds[:n], h.At[:n]
	h.Sum += o.Sum
}

// less takes away what was counted before.
func (h *Histogram) less(o *Histogram) {
	neg := Histogram{append([]float64(nil), o.Bounds...), make([]float64, len(o.At)), -o.Sum}
	for i, c := range o.At {
		neg.At[i] = -c
	}
	h.add(&neg)
}
