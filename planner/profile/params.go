package profile

// Params is a model's parameters by what they are for. The counts follow from
// the shape alone; the tests compare them with what the makers publish.
type Params struct {
	Embedding int64 // looked up, never multiplied; with Tied the LM head too
	Head      int64 // 0 with Tied
	Attention int64 // projections, their biases, sinks, the norms inside
	MLP       int64 // of layers without experts
	Shared    int64 // experts that every token uses
	Router    int64
	Norms     int64 // between the parts, and the last one
	Expert    int64 // one routed expert of one layer
	Routed    int64 // all routed experts of all layers
}

// Params counts. Terms, with d Hidden, f the width of an MLP, h and g heads of
// queries and of keys and values, e HeadDim, V Vocab:
//
//   - embedding and head V*d each, once together if tied
//   - attention of one layer d*h*e + 2*d*g*e + h*e*d; for MLA see latent
//   - an MLP 3*d*f (gate, up, down), 2*d*f without a gate
//   - a router d*E; every routed expert is an MLP
//   - a norm d, two a layer and one at the end
func (m *Model) Params() Params {
	d, v := int64(m.Hidden), int64(m.Vocab)
	layers, moe := int64(m.Layers), int64(m.MoELayers)
	var p Params
	p.Embedding = v * d
	if !m.Tied {
		p.Head = v * d
	}
	if m.Small.HeadBias {
		p.Head += v
	}
	p.Attention = layers * m.attentionParams()
	p.MLP = (layers - moe) * m.mlpParams(int64(m.Intermediate))
	p.Expert = m.mlpParams(int64(m.ExpertIntermediate))
	p.Shared = moe * int64(m.ExpertsShared) * p.Expert
	p.Routed = moe * int64(m.ExpertsRouted) * p.Expert
	p.Router = moe * int64(m.ExpertsRouted) * d
	if m.Small.RouterBias {
		p.Router += moe * int64(m.ExpertsRouted)
	}
	p.Norms = (layers*m.norms() + 1) * m.normParams(d)
	if !m.MoE() {
		p.Expert = 0
	}
	return p
}

// Total is every parameter that is stored.
func (p Params) Total() int64 { return p.AlwaysOn() + p.Routed }

// AlwaysOn is what every token uses, the input embedding included.
func (p Params) AlwaysOn() int64 {
	return p.Embedding + p.Head + p.Attention + p.MLP + p.Shared + p.Router + p.Norms
}

// Active is what one token uses.
func (m *Model) Active() int64 {
	p := m.Params()
	return p.AlwaysOn() + int64(m.MoELayers)*int64(m.ExpertsActive)*p.Expert
}

// ParamsBody is what one token multiplies in each of the layers: active without
// the input embedding, which is looked up, and without the LM head, which runs
// only where a token is sampled. A tied matrix is the LM head.
func (m *Model) ParamsBody() int64 {
	p := m.Params()
	return m.Active() - p.Embedding - p.Head
}

// attentionParams is one layer.
func (m *Model) attentionParams() int64 {
	d, h, g, e := int64(m.Hidden), int64(m.Heads), int64(m.KVHeads), int64(m.HeadDim)
	if m.Attention == MLA {
		return m.latentParams()
	}
	n := d*h*e + 2*d*g*e + h*e*d
	if m.Small.QKVBias {
		n += h*e + 2*g*e
	}
	if m.Small.OutBias {
		n += d
	}
	if m.Small.QKNorm {
		n += 2 * m.normParams(e)
	}
	if m.Small.Sinks {
		n += h
	}
	return n
}

// latentParams is one layer of MLA: queries down to QueryRank and up again,
// keys and values down to KVRank with the part for the position beside it and
// up again, the projection of the values, and a norm at either rank (DeepSeek-V2
// technical report, section 2.1).
func (m *Model) latentParams() int64 {
	d, h := int64(m.Hidden), int64(m.Heads)
	rope, key, value := int64(m.RopeHeadDim), int64(m.NopeHeadDim+m.RopeHeadDim), int64(m.ValueHeadDim)
	q, kv := int64(m.QueryRank), int64(m.KVRank)
	queries := d * h * key
	if q > 0 {
		queries = d*q + m.normParams(q) + q*h*key
	}
	return queries + d*(kv+rope) + m.normParams(kv) + kv*h*(int64(m.NopeHeadDim)+value) + h*value*d
}

// mlpParams is one MLP, or one expert, of width f.
func (m *Model) mlpParams(f int64) int64 {
	d := int64(m.Hidden)
	matrices := int64(3)
	if m.Small.PlainMLP {
		matrices = 2
	}
	n := matrices * d * f
	if m.Small.MLPBias {
		n += (matrices-1)*f + d
	}
	return n
}

// norms of the width Hidden in one layer.
func (m *Model) norms() int64 {
	if m.Small.Norms == 0 {
		return 2
	}
	return int64(m.Small.Norms)
}

// normParams is one norm over that many numbers.
func (m *Model) normParams(width int64) int64 {
	if m.Small.LayerNorm {
		return 2 * width
	}
	return width
}
