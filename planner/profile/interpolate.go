package profile

import "openloop/numerics/detmath"

// A dense model of another size takes time for the same reasons, in other
// amounts. Each coefficient has one reason, its driver:
//
//	prefill  A  weights read     B  weights multiplied  C  layers*heads*head dim
//	decode   A  weights read     B  layers*hidden       C  KV elements of a token
//
// Coefficient over driver, the time for one unit of work, differs by size
// since small shards use a part badly. Between two measured sizes it is taken
// as linear in the logarithm of the weights read, and multiplied by the
// model's own driver. (Decode B is both arithmetic and all-reduce; both rules
// were tried, layers*hidden is a little closer.)

// InterpolationError is the error of that rule, found by leaving the middle of
// three measured sizes (8, 32, 70 billion) out and predicting it from the other
// two: relative, absolute, over the Groups of GPU and TP that have all three
// and no row that Usable refuses.
type InterpolationError struct {
	Groups                            int
	PrefillMeanFrac, PrefillMaxFrac   float64 // a prompt of 2,048 tokens
	Decode1MeanFrac, Decode1MaxFrac   float64 // 1 sequence of 1,024 tokens
	Decode64MeanFrac, Decode64MaxFrac float64 // 64 sequences of 2,048 tokens
}

// InterpolationErrorOf a type of weights; zero for a type that was not measured.
// The large errors of fp8 at batch 1 are Blackwell's, where the planes
// themselves are that far off. TestInterpolationError computes the numbers.
func InterpolationErrorOf(w DType) InterpolationError {
	switch w {
	case BF16:
		return InterpolationError{8, 0.105, 0.186, 0.028, 0.053, 0.024, 0.076}
	case FP8:
		return InterpolationError{11, 0.039, 0.118, 0.119, 0.374, 0.074, 0.220}
	}
	return InterpolationError{}
}

// sizes are the dense models that were measured, the smallest first.
var sizes = [...]string{"llama-3.1-8b", "qwen3-32b", "llama-3.1-70b"}

// Interpolate gives step times of any model on any GPU, and says in Origin what
// they are. Without a measured part and two measured sizes around the model's
// it is Roofline, with no coefficients and the reason in Why. A row of the
// tables counts only for the GPU and the model that were measured, not for an
// edited one of the same id. How good the fit of a measured row is, only Calibrated
// says.
func Interpolate(g *GPU, m *Model, w DType, tp int) Calibration {
	none := Calibration{GPUID: g.ID, ModelID: m.ID, Weights: w, TP: tp, Origin: Roofline}
	if !g.known() {
		none.Why = "this GPU was not measured"
		return none
	}
	if m.known() {
		if c, ok := calibrated(g.ID, m.ID, w, tp); ok {
			if c.Usable() {
				return c
			}
			none.Why, none.Caveats = c.refused(), c.Caveats
			return none
		}
	}
	switch {
	case m.MoE():
		none.Why = "only dense models were measured whole"
	case m.Attention == MLA:
		none.Why = "only attention with keys and values for each head was measured"
	case m.LocalLayers > 0:
		none.Why = "only attention to the whole context was measured"
	default:
		return between(g, m, none, "")
	}
	return none
}

// between looks for the nearest measured size on either side, leaving one out.
func between(g *GPU, m *Model, none Calibration, without string) Calibration {
	var lower, higher Calibration
	var below, above *Model
	size := m.StepWeightBytes(1, 1)
	for _, id := range sizes {
		row, ok := calibrated(g.ID, id, none.Weights, none.TP)
		model := lookupModel(id)
		if id == without || !ok || !row.Usable() {
			continue
		}
		if model.StepWeightBytes(1, 1) <= size {
			lower, below = row, model
		} else if above == nil {
			higher, above = row, model
		}
	}
	switch {
	case below == nil && above == nil:
		none.Why = "no model was measured on this GPU with this type and this many GPUs"
		return none
	case below == nil:
		none.Why = "smaller than the smallest model measured here"
		return none
	case above == nil:
		none.Why = "larger than the largest model measured here"
		return none
	}
	return mixed(g, m, none, &lower, &higher, below, above)
}

func mixed(g *GPU, m *Model, c Calibration, lower, higher *Calibration, below, above *Model) Calibration {
	lo, hi := below.StepWeightBytes(1, 1), above.StepWeightBytes(1, 1)
	x := detmath.Log(m.StepWeightBytes(1, 1)/lo) / detmath.Log(hi/lo)
	d, d0, d1 := m.drivers(), below.drivers(), above.drivers()
	p, q := lower.coefficients(), higher.coefficients()
	var k [6]float64
	for i := range k {
		k[i] = float64(d[i] * (float64((1-x)*p[i]/d0[i]) + float64(x*q[i]/d1[i])))
	}
	c.Prefill = Fit{A: k[0], B: k[1], C: k[2]}
	c.Decode = Fit{A: k[3], B: k[4], C: k[5]}
	c.Origin, c.Lower, c.Higher = Interpolated, lower.ModelID, higher.ModelID
	c.Dataset, c.Engine, c.Caveats = lower.Dataset, lower.Engine, lower.Caveats|higher.Caveats
	free := float64(float64(c.TP)*float64(g.MemoryBytes)*0.9) - m.WeightBytes(c.Weights.Bytes())
	c.KVCapacityTokens = max(0, int(free/(BF16.Bytes()*float64(m.KVElementsPerToken()))))
	return c
}

func (c *Calibration) coefficients() [6]float64 {
	return [6]float64{c.Prefill.A, c.Prefill.B, c.Prefill.C, c.Decode.A, c.Decode.B, c.Decode.C}
}

func (m *Model) drivers() [6]float64 {
	read, pairs := m.StepWeightBytes(1, 1), float64(m.Layers)*m.prefillPairFLOPs()
	return [6]float64{read, float64(m.ParamsBody()), pairs, read, float64(m.Layers) * float64(m.Hidden), float64(m.KVElementsPerToken())}
}

// known says whether this is a GPU of the tables, peaks and all.
func (g *GPU) known() bool {
	t := lookupGPU(g.ID)
	return t != nil && g.MemoryBytes == t.MemoryBytes && g.HBMBytesPerSec == t.HBMBytesPerSec && g.LinkBytesPerSec == t.LinkBytesPerSec &&
		g.BF16FLOPsPerSec == t.BF16FLOPsPerSec && g.FP8FLOPsPerSec == t.FP8FLOPsPerSec
}

// known says whether this is a model of the tables, shape and all.
func (m *Model) known() bool {
	t := lookupModel(m.ID)
	if t == nil {
		return false
	}
	return m.Attention == t.Attention && m.Layers == t.Layers && m.Hidden == t.Hidden && m.Heads == t.Heads && m.KVHeads == t.KVHeads &&
		m.HeadDim == t.HeadDim && m.LocalLayers == t.LocalLayers && m.Params() == t.Params()
}
