package sim

import "math/bits"

// Hist counts spans in bins whose width is at most 1/128 of their value
// (0.8%), so that millions of inter-token gaps take 60 KB and a quantile is
// known to within its bin. Spans below 256 ps have bins of 1 ps.
type Hist struct {
	bins  [histBins]int64
	count int64
	sum   wide // exact
	max   Picos
}

const (
	histSub  = 128
	histBins = (63-7)*histSub + histSub
)

func histBin(p Picos) int {
	u := uint64(p)
	if u < 2*histSub {
		return int(u)
	}
	e := bits.Len64(u) - 8 // u>>e is in [128, 256)
	return e*histSub + int(u>>e)
}

// histEdge is the smallest span of bin i.
func histEdge(i int) Picos {
	if i < 2*histSub {
		return Picos(i)
	}
	e := i/histSub - 1
	return Picos(histSub+i%histSub) << e
}

// Add counts n spans of length p >= 0.
func (h *Hist) Add(p Picos, n int64) {
	h.bins[histBin(p)] += n
	h.count += n
	h.sum.add(int64(p), n)
	if p > h.max {
		h.max = p
	}
}

// AddRamp counts n spans each of first, first+slope, ..., k >= 1 lengths in all;
// slope >= 0. Its time is that of the bins crossed.
func (h *Hist) AddRamp(first, slope Picos, k, n int64) {
	addRamp(&h.bins, first, slope, k, n)
	last := first + slope*Picos(k-1)
	h.max = max(h.max, last)
	h.count += k * n
	h.sum.add(int64(first), k*n)
	if k%2 == 0 { // the rest of the ramp: slope * k*(k-1)/2
		h.sum.add(int64(last-first), k/2*n)
	} else {
		h.sum.add(int64(slope)*((k-1)/2), k*n)
	}
}

func addRamp(bins *[histBins]int64, first, slope Picos, k, n int64) {
	for k > 0 {
		bin := histBin(first)
		m := k // lengths that fall in this bin
		if slope > 0 {
			m = min(k, int64((histEdge(bin+1)-1-first)/slope)+1)
		}
		bins[bin] += m * n
		first += slope * Picos(m)
		k -= m
	}
}

// Count is the number of spans.
func (h *Hist) Count() int64 { return h.count }

// Mean is the exact mean span in seconds; 0 if there is none.
func (h *Hist) Mean() float64 {
	if h.count == 0 {
		return 0
	}
	return h.sum.float() / float64(h.count) / 1e12
}

// Max is the longest span.
func (h *Hist) Max() Picos { return h.max }

// Quantile is the bin [lo, hi) that holds the nearest-rank q-quantile, the
// ceil(q*Count)-th smallest span, q in [0,1]. Both are 0 if there is no span.
func (h *Hist) Quantile(q float64) (lo, hi Picos) {
	if h.count == 0 {
		return 0, 0
	}
	left := rank(q, h.count)
	for i, n := range h.bins {
		if left <= n {
			return histEdge(i), histEdge(i + 1)
		}
		left -= n
	}
	return h.max, h.max + 1
}

// rank is ceil(q*n) kept within [1, n]: the nearest-rank rule. A product that is
// above a whole number by rounding only (0.07*100) counts as that number.
func rank(q float64, n int64) int64 {
	x := float64(q * float64(n))
	r := int64(x)
	if x-float64(r) > float64(x*1e-14) {
		r++
	}
	return min(max(r, 1), n)
}
