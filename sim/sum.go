package sim

import "math/bits"

// total adds spans exactly. A million requests of a day each pass 2^63 ns, and
// float sums would depend on the order of the requests.
type total struct{ hi, lo uint64 }

// add counts a span; it is not negative.
func (t *total) add(x int64) {
	var carry uint64
	t.lo, carry = bits.Add64(t.lo, uint64(x), 0)
	t.hi += carry
}

// over is the total divided by d > 0.
func (t total) over(d float64) float64 {
	return (float64(float64(t.hi)*(1<<64)) + float64(t.lo)) / d
}

// portion is parts*part/whole, rounded down, without overflow; part <= whole.
func portion(parts, part, whole int64) int64 {
	hi, lo := bits.Mul64(uint64(parts), uint64(part))
	q, _ := bits.Div64(hi, lo, uint64(whole))
	return int64(q)
}
