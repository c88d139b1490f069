package numerics

// Rand is the state of Marsaglia's xorshift32 generator (shifts 13, 17, 5). It
// is small enough to write in any language in three lines, so a reader can
// rebuild every row of numbers here from its seed. Its period is 2^32-1; it is
// for test data, not for statistics that need independent streams.
type Rand uint32

// NewRand starts a generator. The state 0 never leaves 0, so NewRand panics on
// it: callers check seeds where they are read.
func NewRand(seed uint32) Rand {
	if seed == 0 {
		panic("numerics: seed 0 gives only zeros; legal seeds are 1..4294967295")
	}
	return Rand(seed)
}

// Uint32 makes one step and returns the new state, in 1..2^32-1.
func (r *Rand) Uint32() uint32 {
	x := uint32(*r)
	x ^= x << 13
	x ^= x >> 17
	x ^= x << 5
	*r = Rand(x)
	return x
}
