package numerics

import "strconv"

// Order names one tree of additions. It is a plain comparable value: the low
// four bits hold the shape, the rest the number of parts or threads. The zero
// value is Sequential.
type Order uint32

// The orders without a parameter; SplitK and Block make the others.
const (
	// Sequential adds from left to right, starting from 0: one thread.
	Sequential Order = iota
	// Pairwise adds neighbors, level by level, until one value is left; an odd
	// last value moves up unchanged.
	Pairwise
	// Halving cuts the row at floor(n/2) and adds the sums of both halves. It
	// is Pairwise when n is a power of two.
	Halving
	// Strided adds the upper half onto the lower half until one value is left,
	// as a warp shuffle does. It is defined for powers of two only.
	Strided
	// Kahan adds from left to right and carries what each addition lost.
	Kahan

	splitShape
	blockShape

	shapeBits = 4
	shapeMask = 1<<shapeBits - 1
)

const (
	// MaxParts is the largest argument of SplitK and Block.
	MaxParts = 1 << 20
	// Warp is the number of threads that Block reduces as one tree.
	Warp = 32
)

// SplitK cuts a row into k runs of ceil(n/k) values, adds each run from left to
// right and then the k results from left to right: what a GEMM does when it
// splits its inner dimension. k is in 1..MaxParts or SplitK panics.
func SplitK(k int) Order {
	if k < 1 || k > MaxParts {
		panic("numerics: SplitK(" + strconv.Itoa(k) + "): legal parts are 1.." + strconv.Itoa(MaxParts))
	}
	return splitShape | Order(k)<<shapeBits
}

// Block gives value i to thread i mod t; each thread adds its values from left
// to right, each run of 32 threads is reduced Pairwise, and the t/32 results
// are added from left to right: a block reduction such as RMSNorm's. t is a
// multiple of 32 in 32..MaxParts or Block panics.
func Block(t int) Order {
	if t < Warp || t > MaxParts || t%Warp != 0 {
		panic("numerics: Block(" + strconv.Itoa(t) + "): legal thread counts are multiples of 32 up to " + strconv.Itoa(MaxParts))
	}
	return blockShape | Order(t)<<shapeBits
}

func (o Order) shape() Order { return o & shapeMask }

// Parts is the number of runs of SplitK or threads of Block, 0 for the others.
func (o Order) Parts() int { return int(o >> shapeBits) }

// Defined says whether the order has a meaning for n values; only Strided
// refuses some.
func (o Order) Defined(n int) bool {
	return o != Strided || n&(n-1) == 0
}

// String is the name that ParseOrder reads, such as "seq" or "splitk4"; "" for
// a value that no constructor makes.
func (o Order) String() string {
	switch o {
	case Sequential:
		return "seq"
	case Pairwise:
		return "pairwise"
	case Halving:
		return "halving"
	case Strided:
		return "strided"
	case Kahan:
		return "kahan"
	}
	switch o.shape() {
	case splitShape:
		return splitName + strconv.Itoa(o.Parts())
	case blockShape:
		return blockName + strconv.Itoa(o.Parts())
	}
	return ""
}

const (
	splitName = "splitk"
	blockName = "block"
)

// ParseOrder reads a name: seq, pairwise, halving, strided, kahan, splitkK or
// blockT with legal K and T written without sign or leading zero.
func ParseOrder(name string) (Order, bool) {
	for o := Sequential; o <= Kahan; o++ {
		if o.String() == name {
			return o, true
		}
	}
	if k, ok := parts(name, splitName); ok {
		return SplitK(k), true
	}
	if t, ok := parts(name, blockName); ok && t%Warp == 0 {
		return Block(t), true
	}
	return 0, false
}

// parts reads the number after prefix when it is a legal count.
func parts(name, prefix string) (int, bool) {
	if len(name) <= len(prefix) || name[:len(prefix)] != prefix {
		return 0, false
	}
	digits := name[len(prefix):]
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > MaxParts || strconv.Itoa(n) != digits {
		return 0, false
	}
	return n, true
}
