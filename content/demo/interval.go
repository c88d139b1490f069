package demo

import "math"

// Wilson is the 95% interval of a share when hits of n trials were hits
// (Wilson 1927, with z = 1.96). It stays within [0,1] and has a width even for
// no hits. n is at least 1.
func Wilson(hits, n int) (lo, hi float64) {
	const z = 1.96
	const zz = z * z
	trials := float64(n)
	p := float64(hits) / trials
	center := p + zz/(2*trials)
	spread := float64(p*(1-p))/trials + zz/float64(4*trials*trials)
	half := float64(z * math.Sqrt(spread))
	scale := 1 + zz/trials
	lo, hi = max(0, (center-half)/scale), min(1, (center+half)/scale)
	if hits == 0 {
		lo = 0 // exactly so, but for rounding
	}
	if hits == n {
		hi = 1
	}
	return lo, hi
}

// RMS is the root of the mean of n squares whose sum is given; 0 for none.
func RMS(squares float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return math.Sqrt(squares / float64(n))
}
