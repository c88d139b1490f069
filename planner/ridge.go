package planner

import "openloop/planner/profile"

// Where arithmetic takes over from reading.

// Ridge is the FLOPs that a GPU computes while it reads a byte, at its peaks:
// work with fewer FLOPs for each byte is bound by reading (Williams, Waterman
// and Patterson, CACM 52(4), 2009).
func Ridge(g *profile.GPU, compute profile.DType) (float64, error) {
	c := &checker{}
	c.gpu("GPU.", g)
	peak, ok := g.PeakFLOPsPerSec(compute)
	if !ok {
		c.fail("compute", compute.String(), "a type that "+g.Name+" computes in", profile.BF16.String())
	}
	if c.Err != nil {
		return 0, c.Err
	}
	return peak / g.HBMBytesPerSec, nil
}

// CriticalBatch is the batch at which multiplying weights takes as long as
// reading them, KV and attention left out: each weight is read once, and takes
// two FLOPs for each sequence.
func CriticalBatch(g *profile.GPU, compute profile.DType, bytesPerParam float64) (float64, error) {
	ridge, err := Ridge(g, compute)
	if err != nil {
		return 0, err
	}
	c := &checker{}
	c.above("bytesPerParam", bytesPerParam, 0, 0.5, 8)
	if c.Err != nil {
		return 0, c.Err
	}
	return float64(ridge * bytesPerParam * 0.5), nil
}

// AttentionCrossover is the length of a prompt, nothing cached and no windows, at
// which attention takes as much arithmetic as the matrices: 2 body n = A n(n+1)/2.
func AttentionCrossover(m *profile.Model) (float64, error) {
	c := &checker{}
	c.under("Model.", m.CheckShape())
	if c.Err != nil {
		return 0, c.Err
	}
	_, _, pair := m.PrefillParts(1, 0)
	return 4*float64(m.ParamsBody())/pair - 1, nil
}

// ReuseBytesPerSec is how fast a cached prefix of p tokens must be loaded to come
// sooner than it would be computed, at computeFLOPsPerSec: 2ds/(g(apd + bd^2))
// times the FLOP/s, for a model of width d whose KV is g times narrower, stored in
// s bytes, with a and b the quadratic and the linear coefficient of a layer's
// arithmetic (Mooncake, FAST 2025, equations 1 and 2: a 4, b 22 for Llama-3-70B).
func ReuseBytesPerSec(prefixTokens, width, groups, bytesPerElement, a, b, computeFLOPsPerSec float64) (float64, error) {
	c := &checker{}
	c.within("prefixTokens", prefixTokens, 0, mostTokens)
	c.within("width", width, 1, 1e7)
	c.within("groups", groups, 1, 1e5)
	c.above("bytesPerElement", bytesPerElement, 0, 0.5, 8)
	c.within("a", a, 0, 1e3)
	c.above("b", b, 0, 1, 1e3)
	c.above("computeFLOPsPerSec", computeFLOPsPerSec, 0, 1e12, 1e24)
	if c.Err != nil {
		return 0, c.Err
	}
	work := float64(a*prefixTokens*width) + float64(b*width*width)
	return 2 * float64(width*bytesPerElement) / float64(groups*work) * computeFLOPsPerSec, nil
}
