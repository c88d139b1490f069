package decoder

import (
	"math/bits"

	"openloop/numerics"
)

// Streams of one seed: what is drawn from one never shifts another.
const (
	weightStream = 1 + iota
	promptStream
	companyStream
)

// stream starts the k-th generator of a seed. The seed is scrambled first (the
// finalizer of MurmurHash3), since xorshift32 starts slowly from small states.
func stream(seed, k uint32) numerics.Rand {
	x := seed + k*0x9e3779b9
	x ^= x >> 16
	x *= 0x85ebca6b
	x ^= x >> 13
	x *= 0xc2b2ae35
	x ^= x >> 16
	if x == 0 {
		x = k
	}
	return numerics.NewRand(x)
}

// below is a draw from 0..n-1, by the high half of a product; for the small n
// used here its bias is below n/2^32.
func below(r *numerics.Rand, n uint32) uint32 {
	hi, _ := bits.Mul32(r.Uint32(), n)
	return hi
}

// Company is how many requests share each step with ours, ours included:
// drawn anew for each step, evenly from 1 to most. It stands for neighbors that
// come and go; a real batch changes more slowly.
type Company struct {
	rand numerics.Rand
	most uint32
}

// NewCompany starts the batches of a seed (not 0); most is 1 or more, and 1
// means alone.
func NewCompany(seed uint32, most int) Company {
	return Company{rand: stream(seed, companyStream), most: uint32(most)}
}

// Batch is the size of the next step's batch.
func (c *Company) Batch() int { return 1 + int(below(&c.rand, c.most)) }
