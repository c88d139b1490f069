package planner

import "openloop/planner/profile"

// What a deployment stores, reads and computes, from the shape of the model and
// from choices that the model did not make. Those keep the number of parameters:
//
//   - attention with another number of keys and values a token changes the KV
//     cache and the arithmetic of attention; the projections that would grow or
//     shrink are taken to be made up for elsewhere, as those who introduced
//     shared heads did by widening the MLP (Shazeer, Fast Transformer Decoding,
//     2019, section 3)
//   - a dense model in place of a mixture of experts has all of its parameters
//     active; a mixture in place of a dense model has the same parameters cut
//     into experts
//
// Such models need not be as good. That is said where they are shown.

// The latent vector of DeepSeek-V2 and -V3 (technical report, table 1 and
// section 2.1): what a model without one is given by LatentVector.
const (
	latentRank, latentRope, latentNope, latentValue = 512, 64, 128, 128
)

// Groups of GroupedQueries: most models with grouped queries have 8.
const queryGroups = 8

// RoutedExperts cuts an MLP as Qwen3-30B-A3B does: 8 of 128.
const routedExperts, routedActive = 128, 8

// sizes are numbers of one deployment that no batch changes.
type sizes struct {
	model *profile.Model

	body         float64 // parameters that a token meets in the layers
	routedActive float64 // of them in routed experts
	headFLOPs    float64

	stored       float64 // bytes of all weights
	alwaysRead   float64 // bytes that each step reads
	routedRead   float64 // bytes of routed experts, read as far as touched
	experts      profile.Model
	elements     float64 // KV elements against the model's own, a factor
	pairPrefill  float64 // FLOPs of attention in prefill against the model's own, a factor
	pairDecode   float64
	bytesElement float64 // of KV
}

func (z *sizes) set(d *Deployment) {
	m := d.Model
	p := m.Params()
	z.model = m
	z.headFLOPs = m.HeadFLOPs()
	z.bytesElement = float64(d.KV.Bytes() * d.kvScale())
	z.experts = profile.Model{}

	head := float64(p.Head) // read in each step
	if m.Tied {
		head = float64(p.Embedding)
	}
	table := float64(p.Embedding) + float64(p.Head)
	layers := float64(p.AlwaysOn()) - table
	routed := float64(p.Routed)
	active := 0.0
	switch {
	case d.Experts == AllActive && routed > 0:
		layers, routed = layers+routed, 0
	case d.Experts == RoutedExperts && routed == 0:
		routed = float64(p.MLP)
		layers -= routed
		z.experts.MoELayers, z.experts.ExpertsRouted, z.experts.ExpertsActive = 1, routedExperts, routedActive
		active = routed * routedActive / routedExperts
	case routed > 0:
		z.experts.MoELayers, z.experts.ExpertsRouted, z.experts.ExpertsActive = 1, m.ExpertsRouted, m.ExpertsActive
		active = float64(int64(m.MoELayers) * int64(m.ExpertsActive) * p.Expert)
	}
	z.body, z.routedActive = layers+active, active

	s := d.storage()
	headBytes := d.HeadBytesPerParam
	if headBytes == 0 {
		headBytes = s.AlwaysOn
	}
	z.routedRead = float64(routed * s.Routed)
	z.alwaysRead = float64(layers*s.AlwaysOn) + float64(head*headBytes)
	z.stored = float64(layers*s.AlwaysOn) + float64(table*headBytes) + z.routedRead
	z.attention(d.Attention)
}

// attention compares the chosen attention with the model's own, by token and
// layer: elements of KV, and elements that a query meets twice, in a product
// with the key and in one with the value.
func (z *sizes) attention(choice AttentionChoice) {
	m := z.model
	z.elements, z.pairPrefill, z.pairDecode = 1, 1, 1
	if choice == AttentionAsBuilt {
		return
	}
	heads := float64(m.Heads)
	key, value := float64(m.HeadDim), float64(m.HeadDim)
	if m.Attention == profile.MLA {
		key, value = float64(m.NopeHeadDim+m.RopeHeadDim), float64(m.ValueHeadDim)
	}
	ownElements := float64(m.KVElementsPerToken()) / float64(m.Layers)
	own, ownDecode := key+value, key+value
	if m.Attention == profile.MLA {
		ownDecode = float64(2*m.KVRank + m.RopeHeadDim)
	}
	groups := heads
	switch choice {
	case GroupedQueries:
		groups = min(heads, queryGroups)
		if m.Attention == profile.GQA || m.Attention == profile.MQA {
			groups = float64(m.KVHeads)
		}
	case LatentVector:
		if m.Attention == profile.MLA {
			return
		}
		z.elements = (latentRank + latentRope) / ownElements
		z.pairPrefill = (latentNope + latentRope + latentValue) / own
		z.pairDecode = (2*latentRank + latentRope) / ownDecode
		return
	}
	z.elements = float64(groups*(key+value)) / ownElements
	z.pairDecode = (key + value) / ownDecode
}

// kvBytes is the cache of one sequence of so many tokens.
func (z *sizes) kvBytes(d *Deployment, tokens float64) float64 {
	return float64(z.model.KVBytes(tokens, z.bytesElement) * z.elements)
}

// weightBytes is what a step of so many sequences reads, expected.
func (z *sizes) weightBytes(batch float64) float64 {
	if z.routedRead == 0 {
		return z.alwaysRead
	}
	return z.alwaysRead + float64(z.routedRead*z.experts.ExpertsTouchedFrac(batch))
}

// prefillFLOPs of n new tokens after cached ones: in matrices that every token
// uses, in routed experts, in the LM head (once) and in attention.
func (z *sizes) prefillFLOPs(n, cached float64) (always, routed, head, attention float64) {
	_, head, attention = z.model.PrefillParts(n, cached)
	always = 2 * float64((z.body-z.routedActive)*n)
	routed = 2 * float64(z.routedActive*n)
	return always, routed, head, float64(attention * z.pairPrefill)
}

// decodeFLOPs of one token: as above.
func (z *sizes) decodeFLOPs(context float64) (always, routed, head, attention float64) {
	own := z.model.DecodeFLOPs(context) - z.model.DecodeFLOPs(0)
	return 2 * (z.body - z.routedActive), 2 * z.routedActive, z.headFLOPs, float64(own * z.pairDecode)
}
