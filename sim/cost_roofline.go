package sim

// Roofline is a machine and a model by their published numbers. A step takes
//
//	Overhead + max(FLOPs / (FLOPsPerSec*MFUFrac), bytes / (BytesPerSec*BandwidthFrac))
//
//	FLOPs = FLOPsPerToken*(prefill + decode tokens) + FLOPsPerSample*decode tokens
//	      + FLOPsPerPrefillPair*prefill pairs + FLOPsPerDecodePair*KV tokens*(tokens per decode)
//	bytes = WeightBytes + KVBytesPerToken*(KV tokens + prefill context)
//
// the roofline model of Williams, Waterman and Patterson, CACM 52(4), 2009, for
// one step as a whole. Prefill context is what the chunk attends to of what was
// computed before it, read once: (pairs - n(n+1)/2)/n for n prefill tokens,
// which is exact for one prompt and 0 where several prompts make it negative.
// Left out: writing KV, activations, the output head of a prompt's last token,
// and, for mixtures of experts, that more tokens touch more experts (give the
// WeightBytes of the batch that you expect).
type Roofline struct {
	// Of all GPUs of a replica together.
	FLOPsPerSec   float64 // peak at the precision used
	BytesPerSec   float64 // peak of the memory
	MFUFrac       float64 // share of FLOPsPerSec reached, in (0,1]
	BandwidthFrac float64 // share of BytesPerSec reached, in (0,1]

	FLOPsPerToken       float64 // 2 * parameters of the layers
	FLOPsPerSample      float64 // 2 * vocabulary * hidden size: the output head
	FLOPsPerPrefillPair float64 // 4 * layers * query heads * head size
	FLOPsPerDecodePair  float64 // the same, unless attention is compressed

	WeightBytes     float64 // read in each step
	KVBytesPerToken float64 // 2 * layers * KV heads * head size * bytes of an element

	Overhead Picos // host, launches, collectives: what each step pays besides
}

// RooflineCost is the StepCost of a Roofline.
type RooflineCost struct {
	r                Roofline
	perFLOP, perByte float64 // picoseconds
}

// NewRooflineCost checks the numbers. An error is a *ValueError.
func NewRooflineCost(r Roofline) (*RooflineCost, error) {
	c := &checker{}
	const huge = 1e24
	for _, x := range []struct {
		field     string
		v, lo, hi float64
	}{
		{"FLOPsPerSec", r.FLOPsPerSec, 1e6, huge},
		{"BytesPerSec", r.BytesPerSec, 1e6, huge},
		{"MFUFrac", r.MFUFrac, 1e-3, 1},
		{"BandwidthFrac", r.BandwidthFrac, 1e-3, 1},
		{"FLOPsPerToken", r.FLOPsPerToken, 1, huge},
		{"FLOPsPerSample", r.FLOPsPerSample, 0, huge},
		{"FLOPsPerPrefillPair", r.FLOPsPerPrefillPair, 0, huge},
		{"FLOPsPerDecodePair", r.FLOPsPerDecodePair, 0, huge},
		{"WeightBytes", r.WeightBytes, 0, huge},
		{"KVBytesPerToken", r.KVBytesPerToken, 0, huge},
	} {
		c.float(x.field, x.v, x.lo, x.hi)
	}
	c.int("Overhead", int64(r.Overhead), 0, int64(maxEntry))
	if c.Err != nil {
		return nil, c.Err
	}
	return &RooflineCost{
		r:       r,
		perFLOP: 1e12 / float64(r.FLOPsPerSec*r.MFUFrac),
		perByte: 1e12 / float64(r.BytesPerSec*r.BandwidthFrac),
	}, nil
}

// Picos implements StepCost.
func (c *RooflineCost) Picos(l Load) Picos {
	compute, memory := c.Bounds(l)
	return wholePicos(float64(c.r.Overhead) + max(compute, memory))
}

// Bounds are the two times of which a step takes the longer, in picoseconds:
// which one it is says what the step is bound by.
func (c *RooflineCost) Bounds(l Load) (compute, memory float64) {
	prefill, decode := float64(l.PrefillTokens), float64(l.DecodeTokens)
	pairs, kv := float64(l.PrefillPairs), float64(l.KVTokens)
	flops := float64(c.r.FLOPsPerToken*(prefill+decode)) +
		float64(c.r.FLOPsPerSample*decode) +
		float64(c.r.FLOPsPerPrefillPair*pairs)
	if l.Decodes > 0 {
		flops += float64(c.r.FLOPsPerDecodePair * kv * (decode / float64(l.Decodes)))
	}
	context := 0.0
	if l.PrefillTokens > 0 {
		context = max(pairs/prefill-float64(0.5*(prefill+1)), 0)
	}
	bytes := c.r.WeightBytes + float64(c.r.KVBytesPerToken*(kv+context))
	return float64(flops * c.perFLOP), float64(bytes * c.perByte)
}
