package sim

import "math/bits"

// wide is an exact sum of products: 128 bits. A million requests that wait for
// an hour are more picoseconds than 64 bits hold.
type wide struct{ hi, lo uint64 }

// add adds a*b, both at least 0.
func (w *wide) add(a, b int64) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	var carry uint64
	w.lo, carry = bits.Add64(w.lo, lo, 0)
	w.hi, _ = bits.Add64(w.hi, hi, carry)
}

// float is the sum, rounded twice.
func (w wide) float() float64 { return float64(float64(w.hi)*(1<<64)) + float64(w.lo) }
