package numerics

import "strconv"

// DotOrder is the dot product of a and b: each product is rounded to float32,
// then the products are added in order o, as Sum does. scratch holds the
// products, len(a) values or more; nil allocates. a and b are not changed
// unless one of them is given as scratch.
//
// It panics on rows of different lengths, on scratch that is too short, and
// where the order is undefined (ask Order.Defined first).
func DotOrder(o Order, a, b, scratch []float32) float32 {
	if len(a) != len(b) {
		panic("numerics: DotOrder got rows of " + strconv.Itoa(len(a)) + " and " + strconv.Itoa(len(b)) + " values")
	}
	p := room(scratch, len(a))
	b = b[:len(a)]
	for i, x := range a {
		p[i] = float32(x * b[i])
	}
	sum, ok := Sum(o, p, p) // the products may be used up
	if !ok {
		panic("numerics: order " + o.String() + " is undefined for " + strconv.Itoa(len(a)) + " values")
	}
	return sum
}
