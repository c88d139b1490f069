package profile

// Arithmetic is counted as two FLOPs for each weight that a token meets, and
// two for each element of a query-key and of a weight-value product. Norms,
// activations, softmax and sampling are left out. The common rule of two FLOPs
// for each parameter and token counts the embedding, which is only looked up,
// and the LM head, which runs once for a prompt.

// PrefillFLOPs is the work of a prompt of which cachedTokens are known already
// and newTokens are not:
//
//	2*ParamsBody*new + 2*Vocab*Hidden + A*pairs
//
// A is prefillPairFLOPs over all layers, pairs are those of a new query and a
// key at or before it: new*cached + new*(new+1)/2 without a window.
func (m *Model) PrefillFLOPs(newTokens, cachedTokens float64) float64 {
	linear, head, attention := m.PrefillParts(newTokens, cachedTokens)
	return linear + head + attention
}

// PrefillParts is PrefillFLOPs in its three terms.
func (m *Model) PrefillParts(newTokens, cachedTokens float64) (linear, head, attention float64) {
	linear = float64(2 * float64(m.ParamsBody()) * newTokens)
	head = m.HeadFLOPs()
	pairs := float64(float64(m.GlobalLayers())*pairsOf(newTokens, cachedTokens, 0)) +
		float64(float64(m.LocalLayers)*pairsOf(newTokens, cachedTokens, float64(m.WindowTokens)))
	return linear, head, float64(m.prefillPairFLOPs() * pairs)
}

// HeadFLOPs is the LM head for one token: 2*Vocab*Hidden.
func (m *Model) HeadFLOPs() float64 { return float64(2 * float64(m.Vocab) * float64(m.Hidden)) }

// DecodeFLOPs is one token of one sequence with contextTokens before it:
// 2*(ParamsBody + Vocab*Hidden) + A*context, with A of decodePairFLOPs.
func (m *Model) DecodeFLOPs(contextTokens float64) float64 {
	return float64(2*float64(m.ParamsBody())) + m.HeadFLOPs() + float64(m.decodePairFLOPs()*m.layerTokens(contextTokens))
}

// prefillPairFLOPs is one query with one key in one layer: 2 for each element
// of the key and 2 for each of the value, of each head: 4*h*e, for MLA with
// keys and values expanded 2*h*((nope+rope) + value).
func (m *Model) prefillPairFLOPs() float64 {
	if m.Attention == MLA {
		return 2 * float64(m.Heads) * float64(m.NopeHeadDim+m.RopeHeadDim+m.ValueHeadDim)
	}
	return 4 * float64(m.Heads) * float64(m.HeadDim)
}

// decodePairFLOPs is the same for a decode step. MLA then works on the
// compressed vectors as they are: 2*h*((KVRank+rope) + KVRank).
func (m *Model) decodePairFLOPs() float64 {
	if m.Attention == MLA {
		return 2 * float64(m.Heads) * float64(2*m.KVRank+m.RopeHeadDim)
	}
	return 4 * float64(m.Heads) * float64(m.HeadDim)
}

// DecodeIntensity is the FLOPs of decode attention for each byte of KV that it
// reads: heads/KV heads for GQA at 2 bytes. Where it nears FLOP/s over bytes/s
// of the part, attention is no longer free beside the read.
func (m *Model) DecodeIntensity(bytesPerElement float64) float64 {
	return m.decodePairFLOPs() / (float64(m.kvElementsOfLayer()) * bytesPerElement)
}

// pairsOf is the sum over n queries after p tokens of how many keys each sees,
// itself included: the i-th sees p+i of them, at most window if that is not 0.
func pairsOf(n, p, window float64) float64 {
	if window == 0 {
		return float64(n*p) + float64(n*(n+1)/2)
	}
	if p >= window {
		return float64(n * window)
	}
	growing := min(n, window-p)
	return float64(growing*p) + float64(growing*(growing+1)/2) + float64((n-growing)*window)
}
