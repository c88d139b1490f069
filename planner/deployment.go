package planner

import "openloop/planner/profile"

// Deployment is one way to serve the workload: a model on replicas of TP equal
// GPUs, and every lever that is a choice. The zero value of a field is the plain
// choice; the zero value of what an engine adds to the arithmetic of the shapes
// (Engine, Reference) leaves it out.
type Deployment struct {
	GPU   *profile.GPU
	Model *profile.Model
	TP    int // GPUs of a replica; the work is split evenly over them

	Weights, KV, Compute profile.DType
	Storage              profile.Storage // bytes a parameter if not those of Weights; of all copies in a replica
	HeadBytesPerParam    float64         // of embeddings and LM head; 0: as the rest

	MFU, MBU   float64 // share of peak FLOP/s and of peak bytes/s that is reached, in (0, 1]
	MemoryFrac float64 // share of GPU memory for weights and KV, in (0, 1]
	KVScale    float64 // multiplies KV bytes, for a cache that no field describes; 0 is 1

	ReserveMean bool // memory holds sequences at their mean length, not at full length
	MaxNumSeqs  int  // most sequences in a step; 0: as memory allows

	// ExpertsAtBatch reads the experts that the batch of each limit touches;
	// without it the time per token is held against those of the largest batch.
	ExpertsAtBatch bool

	USDPerGPUHour float64
	SpareReplicas int // beyond what the load needs: 1 is N+1

	Spec          Speculation
	Disaggregated bool    // prefill and decode in pools of their own
	ChunkTokens   int     // prompt tokens in a mixed step; 0: a prompt is a step of its own
	OverlapFrac   float64 // x in [0, 1], see chunked.go; only with ChunkTokens

	Cache        CacheChoice
	CacheHitFrac float64 // for CacheHits

	// What the model is not, but could be; see sizes.go.
	Attention AttentionChoice
	Experts   ExpertChoice

	Engine    EngineTerms
	Reference Reference // measured step times; the zero value is the roofline
}

// EngineTerms are what an engine does beside reading weights and KV and
// multiplying. Each zero leaves its term out.
type EngineTerms struct {
	StepSeconds float64 // of each step: host, launches, sampling

	// All-reduce, two a layer: each GPU sends 2(tp-1)/tp of the activations,
	// in 2 bytes, at LinkFrac of the link's bandwidth. 0 leaves the transfer
	// out, and a zero latency the latency.
	LinkFrac       float64
	LatencySeconds float64

	AttentionMFU  float64 // of prefill attention, at the bf16 peak; 0: MFU at the peak of Compute
	AttentionMBU  float64 // of reading KV; 0: MBU
	ExpertMFUFrac float64 // multiplies MFU in routed experts; 0: 1

	// AddCompute adds the linear arithmetic of decode to what is read, rather
	// than hiding the smaller behind the larger: what published rows show.
	AddCompute bool
}

// CacheChoice says what the prefix cache does.
type CacheChoice uint8

// The choices.
const (
	CacheAsGiven CacheChoice = iota // what the classes of the workload say
	CacheOff
	CacheHits // CacheHitFrac of every prompt
)

// AttentionChoice replaces the attention of the model.
type AttentionChoice uint8

// The choices. GroupedQueries keeps 8 groups where the model has more.
const (
	AttentionAsBuilt AttentionChoice = iota
	EveryHead
	GroupedQueries
	LatentVector
)

// ExpertChoice replaces the MLPs of the model.
type ExpertChoice uint8

// The choices.
const (
	ExpertsAsBuilt ExpertChoice = iota
	AllActive                   // a dense model of as many parameters
	RoutedExperts               // the MLP cut into routedExperts, of which routedActive are used
)

// mostParamBytes bounds the bytes of a parameter: 8, on each of 64 GPUs. What is
// kept once for each GPU of a replica, as attention is where requests are spread
// over its GPUs rather than heads, is given as its bytes times the GPUs.
const mostParamBytes = 8 * 64

// mostTP is the largest replica; rack-scale domains have 72 GPUs.
const mostTP = 1024

func (c *checker) deployment(d *Deployment) {
	if d.GPU == nil {
		c.fail("Deployment.GPU", "none", "a GPU", "")
	}
	if d.Model == nil {
		c.fail("Deployment.Model", "none", "a model", "")
	}
	if c.Err != nil {
		return
	}
	c.gpu("Deployment.GPU.", d.GPU)
	c.under("Deployment.Model.", d.Model.CheckShape())
	c.count("Deployment.TP", d.TP, 1, mostTP)
	c.dtype("Deployment.Weights", d.Weights)
	c.dtype("Deployment.KV", d.KV)
	c.dtype("Deployment.Compute", d.Compute)
	c.computes(d)
	c.within("Deployment.Storage.AlwaysOn", d.Storage.AlwaysOn, 0, mostParamBytes)
	c.within("Deployment.Storage.Routed", d.Storage.Routed, 0, mostParamBytes)
	c.within("Deployment.HeadBytesPerParam", d.HeadBytesPerParam, 0, mostParamBytes)
	c.above("Deployment.MFU", d.MFU, 0, 1e-3, 1)
	c.above("Deployment.MBU", d.MBU, 0, 1e-3, 1)
	c.above("Deployment.MemoryFrac", d.MemoryFrac, 0, 0.9, 1)
	c.within("Deployment.KVScale", d.KVScale, 0, 1e3)
	c.count("Deployment.MaxNumSeqs", d.MaxNumSeqs, 0, 1<<20)
	c.within("Deployment.USDPerGPUHour", d.USDPerGPUHour, 0, profile.MaxUSDPerGPUHour)
	c.count("Deployment.SpareReplicas", d.SpareReplicas, 0, 1<<10)
	c.speculation("Deployment.Spec", &d.Spec)
	c.count("Deployment.ChunkTokens", d.ChunkTokens, 0, 1<<20)
	c.within("Deployment.OverlapFrac", d.OverlapFrac, 0, 1)
	c.within("Deployment.CacheHitFrac", d.CacheHitFrac, 0, 1-1e-9)
	c.count("Deployment.Cache", int(d.Cache), 0, int(CacheHits))
	c.count("Deployment.Attention", int(d.Attention), 0, int(LatentVector))
	c.count("Deployment.Experts", int(d.Experts), 0, int(RoutedExperts))
	c.agree(d)
	c.engine(&d.Engine)
	c.reference(&d.Reference)
}

// gpu checks what a plan uses; the prices of the table are examples.
func (c *checker) gpu(path string, g *profile.GPU) {
	own := *g
	own.Prices = nil
	c.under(path, own.Check())
}

// agrees says that no choice makes another do nothing.
func (d *Deployment) agrees() bool {
	return (d.CacheHitFrac == 0 || d.Cache == CacheHits) && (d.OverlapFrac == 0 || d.ChunkTokens > 0 && !d.Disaggregated) && (d.Spec.Drafts > 0 || d.Spec.Acceptance == 0 && d.Spec.Table == nil)
}

// feeds says that the GPU has the arithmetic, and the weights can feed it.
func (d *Deployment) feeds() bool {
	_, ok := d.GPU.PeakFLOPsPerSec(d.Compute)
	return ok && d.Compute.Bytes() >= d.Weights.Bytes()
}

// agree refuses choices of which one says that the other does nothing.
func (c *checker) agree(d *Deployment) {
	if d.agrees() {
		return
	}
	if d.CacheHitFrac != 0 && d.Cache != CacheHits {
		c.fail("Deployment.CacheHitFrac", number(d.CacheHitFrac), "0 unless Cache is CacheHits", "0")
	}
	if d.OverlapFrac != 0 && d.ChunkTokens == 0 {
		c.fail("Deployment.OverlapFrac", number(d.OverlapFrac), "0 without ChunkTokens: whole prompts do not share a step", "0")
	}
	if d.OverlapFrac != 0 && d.Disaggregated {
		c.fail("Deployment.OverlapFrac", number(d.OverlapFrac), "0 when Disaggregated: prefill and decode do not share a step", "0")
	}
	if d.Spec.Drafts == 0 && (d.Spec.Acceptance != 0 || d.Spec.Table != nil) {
		c.fail("Deployment.Spec.Drafts", "0", "more than 0, since an acceptance is given", "1")
	}
}

func (c *checker) engine(e *EngineTerms) {
	c.within("Deployment.Engine.StepSeconds", e.StepSeconds, 0, 10)
	c.within("Deployment.Engine.LinkFrac", e.LinkFrac, 0, 1)
	c.within("Deployment.Engine.LatencySeconds", e.LatencySeconds, 0, 1)
	c.within("Deployment.Engine.AttentionMFU", e.AttentionMFU, 0, 1)
	c.within("Deployment.Engine.AttentionMBU", e.AttentionMBU, 0, 1)
	c.within("Deployment.Engine.ExpertMFUFrac", e.ExpertMFUFrac, 0, 1)
}

func (c *checker) dtype(field string, t profile.DType) {
	if t.Bytes() == 0 {
		c.fail(field, number(float64(t)), "a type that exists", profile.BF16.String())
	}
}

// computes wants arithmetic that the GPU has and that the weights can feed:
// narrow weights may be expanded, wide ones are not cut.
func (c *checker) computes(d *Deployment) {
	if c.Err != nil || d.feeds() {
		return
	}
	if _, ok := d.GPU.PeakFLOPsPerSec(d.Compute); !ok {
		c.fail("Deployment.Compute", d.Compute.String(), "a type that "+d.GPU.Name+" computes in", profile.BF16.String())
		return
	}
	c.fail("Deployment.Compute", d.Compute.String(), "at least as wide as the weights, which are "+d.Weights.String(), profile.BF16.String())
}

// under repeats an error of a part with the path of the part before it.
func (c *checker) under(path string, err error) {
	if e, ok := err.(*ValueError); ok && c.Err == nil {
		own := *e
		own.Field = path + own.Field
		c.Err = &own
	}
}

// storage is bytes a parameter of what every token uses and of routed experts.
func (d *Deployment) storage() profile.Storage {
	s := d.Storage
	if s.AlwaysOn == 0 {
		s.AlwaysOn = d.Weights.Bytes()
	}
	if s.Routed == 0 {
		s.Routed = d.Weights.Bytes()
	}
	return s
}

func (d *Deployment) kvScale() float64 {
	if d.KVScale == 0 {
		return 1
	}
	return d.KVScale
}
