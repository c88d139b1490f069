package planner

import "openloop/planner/profile"

// ReferenceOf is the measured step times for a GPU, a model, a type of weights
// and a TP: of exactly that, or between two measured sizes. engine, "vLLM" or
// "TensorRT-LLM", adds what that engine was seen to add to a step, where it was
// measured for exactly this; "" leaves it out. Without a measurement the
// reference is the zero value, and why says so.
func ReferenceOf(g *profile.GPU, m *profile.Model, w profile.DType, tp int, engine string) (r Reference, why string) {
	c := profile.Interpolate(g, m, w, tp)
	switch c.Origin {
	case profile.Measured:
		r.Origin = Measured
		r.Name = c.Dataset + ", " + c.Engine
	case profile.Interpolated:
		r.Origin = Interpolated
		r.Name = c.Dataset + ", " + c.Engine + ", between " + c.Lower + " and " + c.Higher
	default:
		return Reference{}, c.Why
	}
	r.GPU, r.Model, r.Weights, r.TP = g, m, w, tp
	r.PrefillBase, r.PrefillPerToken, r.PrefillPerTokenSquared = c.Prefill.A, c.Prefill.B, c.Prefill.C
	r.DecodeBase, r.DecodePerSequence, r.DecodePerKVToken = c.Decode.A, c.Decode.B, c.Decode.C
	if o, ok := profile.Overhead(g.ID, m.ID, engine, tp); ok {
		r.StepSeconds = o.StepSeconds
	}
	return r, ""
}

// references fills what was measured for the weights with and without the lever,
// so that a deployment with measured steps is compared with measured ones. The
// engine's overhead is kept: it was measured for one type only.
func (t *Targets) references(d *Deployment) {
	if d.Reference.Origin == Roofline {
		return
	}
	t.WeightsReference, _ = ReferenceOf(d.GPU, d.Model, t.Weights, d.TP, "")
	t.PlainReference, _ = ReferenceOf(d.GPU, d.Model, t.PlainWeights, d.TP, "")
	t.WeightsReference.StepSeconds = d.Reference.StepSeconds
	t.PlainReference.StepSeconds = d.Reference.StepSeconds
}
