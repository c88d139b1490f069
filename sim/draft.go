package sim

// Speculative decoding: a decode is given its next token and k drafts, and
// keeps the drafts up to the first that the model would not have written.
// Whether a draft is kept is drawn from a hash of (seed, request, token), not
// from a stream, so that the order in which requests are scheduled does not
// change the draws.

// accepted is how many of the first n drafts are kept when request i has
// generated g tokens: draft j stands for generated token g+j. The seed is mixed
// already, once for all of them.
func accepted(accept []float64, mixedSeed uint64, i, g int32, n int) int {
	for j := range n {
		if uniform(mixedSeed, i, g+int32(j)) >= accept[j] {
			return j
		}
	}
	return n
}

// draw is uniform in [0, 1).
func draw(seed uint64, i, g int32) float64 {
	return uniform(mix(seed), i, g)
}

func uniform(mixedSeed uint64, i, g int32) float64 {
	x := mix(mixedSeed ^ uint64(uint32(i))<<32 ^ uint64(uint32(g)))
	return float64(x>>11) / (1 << 53)
}

// mix is the finalizer of SplitMix64, a bijection without visible structure.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
