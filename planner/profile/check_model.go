package profile

// CheckShape refuses a shape that no model can have; an error is a *ValueError.
func (m *Model) CheckShape() error {
	c := &checker{}
	c.int("Attention", int(m.Attention), 0, int(MLA))
	c.int("Layers", m.Layers, 1, maxLayers)
	c.int("Hidden", m.Hidden, 1, maxWidth)
	c.int("Heads", m.Heads, 1, maxHeads)
	c.int("Vocab", m.Vocab, 1, maxVocab)
	c.int("ContextTokens", m.ContextTokens, 1, maxContext)
	if c.Err == nil {
		m.checkAttention(c)
	}
	c.int("LocalLayers", m.LocalLayers, 0, m.Layers)
	if m.LocalLayers > 0 {
		c.int("WindowTokens", m.WindowTokens, 1, maxContext)
	}
	c.int("MoELayers", m.MoELayers, 0, m.Layers)
	if m.MoELayers < m.Layers {
		c.int("Intermediate", m.Intermediate, 1, maxWidth)
	}
	if m.MoE() {
		c.int("ExpertIntermediate", m.ExpertIntermediate, 1, maxWidth)
		c.int("ExpertsRouted", m.ExpertsRouted, 1, maxExperts)
		c.int("ExpertsActive", m.ExpertsActive, 1, m.ExpertsRouted)
		c.int("ExpertsShared", m.ExpertsShared, 0, maxExperts)
	}
	c.int("Small.Norms", m.Small.Norms, 0, 8)
	if c.Err == nil && float64(m.Params().Total()) > maxParams {
		c.fail("Params", floatText(float64(m.Params().Total())), "at most "+floatText(maxParams), "")
	}
	return c.result()
}

// checkAttention looks at the heads, whose numbers depend on each other.
func (m *Model) checkAttention(c *checker) {
	if m.Attention == MLA {
		c.int("NopeHeadDim", m.NopeHeadDim, 1, maxHeadDim)
		c.int("RopeHeadDim", m.RopeHeadDim, 0, maxHeadDim)
		c.int("ValueHeadDim", m.ValueHeadDim, 1, maxHeadDim)
		c.int("QueryRank", m.QueryRank, 0, maxRank)
		c.int("KVRank", m.KVRank, 1, maxRank)
		return
	}
	c.int("HeadDim", m.HeadDim, 1, maxHeadDim)
	switch m.Attention {
	case MHA:
		c.int("KVHeads", m.KVHeads, m.Heads, m.Heads)
	case MQA:
		c.int("KVHeads", m.KVHeads, 1, 1)
	default:
		c.int("KVHeads", m.KVHeads, 1, m.Heads)
		if m.KVHeads > 0 && m.Heads%m.KVHeads != 0 {
			c.fail("KVHeads", intText(m.KVHeads), "a divisor of Heads, "+intText(m.Heads), intText(divisorNear(m.Heads, m.KVHeads)))
		}
	}
}

// divisorNear is the divisor of n nearest to v, the larger of two.
func divisorNear(n, v int) int {
	for step := 0; ; step++ {
		if v+step <= n && n%(v+step) == 0 {
			return v + step
		}
		if v-step >= 1 && n%(v-step) == 0 {
			return v - step
		}
	}
}
