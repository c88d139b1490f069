package profile

// KVElementsPerToken is how many numbers the cache keeps for one token while
// all layers see it: 2*layers*kv heads*head dim (keys and values), for MLA
// layers*(KVRank + RopeHeadDim), since one compressed vector and the part for
// the position stand for all heads (DeepSeek-V2 technical report, Table 1).
func (m *Model) KVElementsPerToken() int64 { return int64(m.Layers) * m.kvElementsOfLayer() }

// KVElementsIfMHA is the same if every query head had keys and values of its
// own: what sharing or compressing saves is the ratio.
func (m *Model) KVElementsIfMHA() int64 {
	if m.Attention == MLA {
		return int64(m.Layers) * int64(m.Heads) * int64(m.NopeHeadDim+m.RopeHeadDim+m.ValueHeadDim)
	}
	return 2 * int64(m.Layers) * int64(m.Heads) * int64(m.HeadDim)
}

func (m *Model) kvElementsOfLayer() int64 {
	if m.Attention == MLA {
		return int64(m.KVRank + m.RopeHeadDim)
	}
	return 2 * int64(m.KVHeads) * int64(m.HeadDim)
}

// KVBytes is what the cache keeps for one sequence of contextTokens: layers
// with a window keep at most the window. Scales of a quantized cache are not
// counted.
func (m *Model) KVBytes(contextTokens, bytesPerElement float64) float64 {
	return float64(float64(m.kvElementsOfLayer()) * m.layerTokens(contextTokens) * bytesPerElement)
}

// layerTokens is how many tokens each layer sees, summed over the layers. It
// is not inlined: where it was, the compiler fused its products.
//
//go:noinline
func (m *Model) layerTokens(contextTokens float64) float64 {
	global := float64(float64(m.GlobalLayers()) * contextTokens)
	local := float64(float64(m.LocalLayers) * min(contextTokens, float64(m.WindowTokens)))
	return global + local
}

// WeightBytes is what must be stored if all weights take bytesPerParam.
func (m *Model) WeightBytes(bytesPerParam float64) float64 {
	return m.StoredBytes(Uniform(bytesPerParam))
}

// StoredBytes is WeightBytes with routed experts stored in another type.
func (m *Model) StoredBytes(s Storage) float64 {
	p := m.Params()
	return float64(float64(p.AlwaysOn())*s.AlwaysOn) + float64(float64(p.Routed)*s.Routed)
}

// StepWeightBytes is what one decode step of so many sequences reads: all
// weights but the input embedding, and of the routed experts those that at
// least one token wants. A batch may be a mean.
func (m *Model) StepWeightBytes(batch, bytesPerParam float64) float64 {
	return m.StepBytes(batch, Uniform(bytesPerParam))
}

// StepBytes is StepWeightBytes with routed experts stored in another type.
func (m *Model) StepBytes(batch float64, s Storage) float64 {
	p := m.Params()
	always := p.AlwaysOn()
	if !m.Tied {
		always -= p.Embedding
	}
	bytes := float64(float64(always) * s.AlwaysOn)
	if p.Routed > 0 {
		bytes += float64(float64(p.Routed) * m.ExpertsTouchedFrac(batch) * s.Routed)
	}
	return bytes
}

// ExpertsTouchedFrac is the expected share of the routed experts of a layer
// that a step reads, in [0,1]: 1 - (1-k/E)^batch, since one token leaves an
// expert out with 1-k/E if experts are drawn evenly and independently. Real
// routing is skewed and reads fewer. A batch between two whole numbers is taken
// as steps of either size in that proportion. 1 for a dense model.
func (m *Model) ExpertsTouchedFrac(batch float64) float64 {
	if !m.MoE() || m.ExpertsRouted == 0 {
		return 1
	}
	out := 1 - float64(m.ExpertsActive)/float64(m.ExpertsRouted)
	if !(batch > 0) {
		return 0
	}
	if batch >= 1<<20 {
		batch = 1 << 20 // even 1 of 16,384 experts is certain by then, to 1e-27
	}
	whole := uint64(batch)
	missed := power(out, whole)
	return 1 - float64(missed*(1-float64((batch-float64(whole))*(1-out))))
}

// power is x^n by squaring: the same bits everywhere, which math.Pow is not.
func power(x float64, n uint64) float64 {
	y := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			y *= x
		}
		x *= x
	}
	return y
}
