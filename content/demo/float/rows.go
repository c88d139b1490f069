package float

import "openloop/numerics"

// Rows of products of bf16 numbers: logits as a decoder would add them up. The
// products are whole multiples of 2^-46 below 1, so their exact sum fits an
// int64 for up to 65,536 of them, and so does every float32 sum of theirs.

const (
	unitsPerOne = 1 << 46
	bf16Kind    = numerics.BF16Dot
)

// units is a float32 sum of bf16 products in units of 2^-46, exactly.
func units(x float32) int64 { return int64(float32(x * unitsPerOne)) }

// exactUnits is the exact sum of a row of bf16 products in units of 2^-46.
func exactUnits(row []float32) int64 {
	var sum int64
	for _, x := range row {
		sum += units(x)
	}
	return sum
}

// fromUnits is the nearest float64 of a count of units.
func fromUnits(u int64) float64 { return float64(u) / unitsPerOne }

// scramble spreads seeds over all states of the generator, which starts slowly
// from small ones (the finalizer of MurmurHash3; it maps only 0 to 0, and 0 is
// not a legal seed).
func scramble(seed uint32) uint32 {
	seed ^= seed >> 16
	seed *= 0x85ebca6b
	seed ^= seed >> 13
	seed *= 0xc2b2ae35
	seed ^= seed >> 16
	return seed
}

// sumIn is Sum for an order that is defined for the row.
func sumIn(o numerics.Order, row, scratch []float32) float32 {
	s, ok := numerics.Sum(o, row, scratch)
	if !ok {
		panic("demo: order " + o.String() + " is undefined for this row")
	}
	return s
}
