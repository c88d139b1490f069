package planner

import "openloop/planner/profile"

// How long a step of one replica takes, in seconds, as coefficients. The linear
// form and where each coefficient is from:
//
//	decode step of B sequences = fixed + weights(B) + B (per sequence + KV read)
//	prefill of a prompt        = FLOPs in matrices and attention + all-reduce
//
// A roofline divides what is read and computed by a share of the peaks. A
// Reference replaces those shares by what was measured on some model, type and
// TP: each coefficient is moved to this deployment in proportion to the bytes or
// FLOPs that it stands for, so that at the reference itself it is the measured
// one. A lever then changes the work and keeps the efficiency.

// Origin says how well the step times of a plan are founded.
type Origin uint8

// The origins, best first.
const (
	Roofline     Origin = iota // peaks times MFU and MBU
	Measured                   // fitted to measured step times of this GPU, model, type and TP
	Scaled                     // fitted to another type, TP or shape, moved in proportion to the work
	Interpolated               // between fits of two models of other sizes
)

// String is the name in links and tables.
func (o Origin) String() string {
	switch o {
	case Roofline:
		return "roofline"
	case Measured:
		return "measured"
	case Scaled:
		return "scaled"
	case Interpolated:
		return "interpolated"
	}
	return "unknown"
}

// Reference is a fit of measured step times of one replica, in seconds:
//
//	prefill = PrefillBase + PrefillPerToken n + PrefillPerTokenSquared n^2
//	decode  = DecodeBase + DecodePerSequence B + DecodePerKVToken (tokens in KV)
//
// with bf16 KV. The zero value means that there is none.
type Reference struct {
	Origin  Origin // Measured or Interpolated; 0 for none
	Name    string // what to call it beside a number
	GPU     *profile.GPU
	Model   *profile.Model // whose shape the coefficients are of
	Weights profile.DType  // also what it computes in
	TP      int

	PrefillBase, PrefillPerToken, PrefillPerTokenSquared float64
	DecodeBase, DecodePerSequence, DecodePerKVToken      float64

	// StepSeconds is what a real engine adds to a step; the coefficients may be
	// of kernels alone.
	StepSeconds float64
}

func (c *checker) reference(r *Reference) {
	if r.Origin == Roofline || c.Err != nil {
		return
	}
	const at = "Deployment.Reference."
	if r.Origin != Measured && r.Origin != Interpolated {
		c.fail(at+"Origin", r.Origin.String(), "measured or interpolated", Measured.String())
	}
	if r.GPU == nil || r.Model == nil {
		c.fail(at+"Model", "none", "the GPU and the model that were measured", "")
	}
	if c.Err != nil {
		return
	}
	c.gpu(at+"GPU.", r.GPU)
	c.under(at+"Model.", r.Model.CheckShape())
	c.count(at+"TP", r.TP, 1, mostTP)
	c.dtype(at+"Weights", r.Weights)
	if _, ok := r.GPU.PeakFLOPsPerSec(r.Weights); !ok {
		c.fail(at+"Weights", r.Weights.String(), "a type that "+r.GPU.Name+" computes in", profile.BF16.String())
	}
	c.within(at+"PrefillBase", r.PrefillBase, 0, 1e3)
	c.above(at+"PrefillPerToken", r.PrefillPerToken, 0, 1e-12, 1e3)
	c.within(at+"PrefillPerTokenSquared", r.PrefillPerTokenSquared, 0, 1e3)
	c.above(at+"DecodeBase", r.DecodeBase, 0, 1e-9, 1e3)
	c.within(at+"DecodePerSequence", r.DecodePerSequence, 0, 1e3)
	c.within(at+"DecodePerKVToken", r.DecodePerKVToken, 0, 1e3)
	c.within(at+"StepSeconds", r.StepSeconds, 0, 10)
}

// step is the coefficients for one deployment.
type step struct {
	sizes  sizes
	origin Origin
	raised bool // a measured coefficient beat the peak and was raised to it

	perFLOP     float64 // matrices that every token uses
	perExpert   float64 // routed experts
	perPrefill  float64 // FLOP of attention in prefill
	perDecode   float64 // FLOP of attention in decode
	perByte     float64 // weights
	perKVByte   float64
	perSequence float64 // measured, beyond KV
	perToken    float64 // all-reduce of one token's activations
	fixed       float64 // each step, whatever is in it
	base        float64 // each prompt that is a step of its own, measured
	headOnce    bool    // the LM head of a prompt is not in base

	read, work float64 // factors of speculation
	verified   float64 // tokens of a sequence in a step: 1 and its drafts
}

func (s *step) set(d *Deployment) {
	s.sizes.set(d)
	tp := float64(d.TP)
	peak, _ := d.GPU.PeakFLOPsPerSec(d.Compute)
	peak *= tp
	half := float64(d.GPU.BF16FLOPsPerSec * tp)
	bytes := float64(d.GPU.HBMBytesPerSec * tp)
	s.origin, s.headOnce = Roofline, true
	s.perFLOP = 1 / float64(peak*d.MFU)
	s.perByte = 1 / float64(bytes*d.MBU)
	s.perKVByte = s.perByte
	s.perPrefill, s.perDecode = s.perFLOP, s.perFLOP
	if e := &d.Engine; e.AttentionMFU > 0 {
		s.perPrefill = 1 / float64(half*e.AttentionMFU)
		s.perDecode = s.perPrefill
	}
	if d.Engine.AttentionMBU > 0 {
		s.perKVByte = 1 / float64(bytes*d.Engine.AttentionMBU)
	}
	s.perSequence, s.base, s.raised = 0, 0, false
	s.fixed = d.Engine.StepSeconds
	s.collectives(d)
	if d.Reference.Origin != Roofline {
		s.measured(d, peak, half, bytes)
	}
	s.perExpert = s.perFLOP
	if d.Engine.ExpertMFUFrac > 0 {
		s.perExpert = s.perFLOP / d.Engine.ExpertMFUFrac
	}
	s.read, s.work = d.Spec.readFactor(), d.Spec.workFactor()
	s.verified = 1 + float64(d.Spec.Drafts)
}

// collectives adds the all-reduces; see AllReduceSeconds.
func (s *step) collectives(d *Deployment) {
	s.perToken = 0
	if d.TP == 1 {
		return
	}
	twice := 2 * float64(d.Model.Layers)
	s.fixed += float64(twice * d.Engine.LatencySeconds)
	if d.Engine.LinkFrac > 0 && d.GPU.LinkBytesPerSec > 0 {
		s.perToken = float64(twice*sentBytes(d.TP, float64(d.Model.Hidden), activationBytes)) / float64(d.GPU.LinkBytesPerSec*d.Engine.LinkFrac)
	}
}

// measured replaces shares of peaks by those that the reference implies.
func (s *step) measured(d *Deployment, peak, half, bytes float64) {
	r := &d.Reference
	var was sizes
	was.set(&Deployment{Model: r.Model, Weights: r.Weights})
	rtp := float64(r.TP)
	rpeak, _ := r.GPU.PeakFLOPsPerSec(r.Weights)
	rpeak *= rtp
	rhalf := float64(r.GPU.BF16FLOPsPerSec * rtp)
	rbytes := float64(r.GPU.HBMBytesPerSec * rtp)
	_, _, pair := r.Model.PrefillParts(1, 0)
	token := 2 * was.body

	atPeak := func(x, peak float64) float64 {
		if x < peak {
			s.raised = true
			return peak
		}
		return x
	}
	s.perFLOP = atPeak(r.PrefillPerToken/token*rpeak/peak, 1/peak)
	s.perPrefill = atPeak(r.PrefillPerTokenSquared*2/pair*rhalf/half, 1/half)
	s.perByte = atPeak(r.DecodeBase/was.weightBytes(1)*rbytes/bytes, 1/bytes)
	s.perKVByte = atPeak(r.DecodePerKVToken/float64(r.Model.KVBytes(1, 2))*rbytes/bytes, 1/bytes)
	s.perSequence = r.DecodePerSequence * (float64(2*s.sizes.body) / peak) / (token / rpeak)
	s.base, s.headOnce = r.PrefillBase, false
	s.perToken = 0 // measured with its all-reduces
	s.fixed = r.StepSeconds + d.Engine.StepSeconds
	s.origin = r.Origin
	if r.Origin == Measured && !r.of(d) {
		s.origin = Scaled
	}
}

// of says whether the deployment is what was measured.
func (r *Reference) of(d *Deployment) bool {
	return r.GPU.ID == d.GPU.ID && r.Model.ID == d.Model.ID && r.TP == d.TP && r.Weights == d.Weights && r.Weights == d.Compute &&
		d.KV == profile.BF16 && d.kvScale() == 1 && d.Attention == AttentionAsBuilt && d.Experts == ExpertsAsBuilt &&
		d.Storage == (profile.Storage{}) && d.HeadBytesPerParam == 0
}

// decodes is the work of one decoded token of one sequence: FLOPs as in prompts,
// bytes of KV, and the part of its seconds that the longer of reading KV and
// attention takes.
type decodes struct{ always, routed, attention, kv, seen float64 }

// weights is what a decode step of so many sequences takes that does not depend
// on how many tokens are in its KV, in seconds a token: with drafts a step yields
// several. Each draft that is verified touches experts of its own.
func (s *step) weights(batch float64) float64 {
	return float64((s.fixed + float64(s.sizes.weightBytes(float64(batch*s.verified))*s.perByte)) * s.read)
}

// idle is the part of it that arithmetic does not hide.
func (s *step) idle() float64 { return float64(s.fixed * s.read) }

func (s *step) tokenOf(d *Deployment, context float64) decodes {
	always, routed, head, attention := s.sizes.decodeFLOPs(context)
	t := decodes{always: always + head, routed: routed, attention: attention, kv: s.sizes.kvBytes(d, context)}
	t.seen = float64(t.kv * s.perKVByte * s.read)
	if d.Engine.AddCompute {
		t.seen = max(t.seen, float64(attention*s.perDecode*s.work))
	}
	return t
}

// token is what one token of one sequence adds to a step that is bound by
// reading, and what it takes in one that is bound by arithmetic.
func (s *step) token(d *Deployment, t decodes) (reading, computing float64) {
	linear := float64((float64(t.always*s.perFLOP) + float64(t.routed*s.perExpert)) * s.work)
	reading = t.seen + s.sent()
	if d.Engine.AddCompute {
		reading += linear
	}
	return reading, linear + float64(t.attention*s.perDecode*s.work) + s.sent()
}

// sent is what a sequence adds to a step by being there: all-reduce, and what was
// measured.
func (s *step) sent() float64 { return float64((s.perToken + s.perSequence) * s.work) }

// prompts is the work of prefill: FLOPs in matrices that every token uses, in
// routed experts and in attention, tokens, and bytes of KV that chunks read again.
type prompts struct{ always, routed, attention, tokens, reread float64 }

func (s *step) promptOf(d *Deployment, n, cached float64) prompts {
	always, routed, head, attention := s.sizes.prefillFLOPs(n, cached)
	if s.headOnce {
		always += head
	}
	return prompts{always, routed, attention, n, s.reread(d, n, cached)}
}

// prefill is one prompt, in seconds of a replica.
func (s *step) prefill(d *Deployment, p prompts) float64 {
	t := float64(p.always*s.perFLOP) + float64(p.routed*s.perExpert) + float64(p.attention*s.perPrefill) + float64(p.tokens*s.perToken)
	return t + float64(p.reread*s.perKVByte) + s.alone(d)
}

// alone is what a prompt pays for being a step of its own.
func (s *step) alone(d *Deployment) float64 {
	if d.ChunkTokens == 0 {
		return s.base + s.fixed
	}
	return 0
}

// reread is the bytes of KV that the chunks after the first read once more.
func (s *step) reread(d *Deployment, n, cached float64) float64 {
	tokens := ExtraReads(n, cached, d.ChunkTokens)
	if tokens == 0 {
		return 0
	}
	return float64(tokens * s.sizes.kvBytes(d, n+cached) / (n + cached))
}
