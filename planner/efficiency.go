package planner

import "openloop/planner/profile"

// Efficiency is what an engine reaches of a GPU's peaks, and what it adds to
// them: everything of a deployment that no shape or data sheet says.
// PublishedEfficiency is the set that this guide plans with.
type Efficiency struct {
	// Share of peak FLOP/s in the matrices, by the type that they compute in.
	// Nothing was published for INT8, which is taken to be as good as FP8.
	BF16MFU, FP8MFU, FP4MFU float64

	MBU         float64 // share of peak bytes/s, weights
	MemoryFrac  float64 // of GPU memory that holds weights and KV
	MaxNumSeqs  int     // most sequences in a step of one replica
	ChunkTokens int     // prompt tokens in a step

	Engine EngineTerms

	// ExpandedExpertFrac takes the place of Engine.ExpertMFUFrac for experts
	// that are stored narrower than they compute, and so have to be expanded.
	ExpandedExpertFrac float64
}

// Set makes a deployment one with an engine of this efficiency. Its GPU, model,
// types, TP and levers stay, but for ChunkTokens and MaxNumSeqs, which the
// efficiency was found with; memory holds sequences at their mean length, as an
// engine under full load does.
func (e *Efficiency) Set(d *Deployment) {
	d.MBU, d.MemoryFrac = e.MBU, e.MemoryFrac
	d.MaxNumSeqs, d.ChunkTokens, d.ReserveMean = e.MaxNumSeqs, e.ChunkTokens, true
	d.Engine = e.Engine
	e.retype(d)
}

// retype sets what depends on the types of weights and arithmetic.
func (e *Efficiency) retype(d *Deployment) {
	d.MFU = e.mfu(d.Compute)
	d.Engine.ExpertMFUFrac = e.Engine.ExpertMFUFrac
	if d.Weights.Bytes() < d.Compute.Bytes() {
		d.Engine.ExpertMFUFrac = e.ExpandedExpertFrac
	}
}

func (e *Efficiency) mfu(compute profile.DType) float64 {
	switch compute {
	case profile.BF16:
		return e.BF16MFU
	case profile.FP4:
		return e.FP4MFU
	}
	return e.FP8MFU
}

// Where the parts of PublishedEfficiency are from that were not fitted. The error
// with other values is in the chapter "How wrong is it?".
const (
	ChosenBF16MFU      = "median of our composed fits of prefills of 8,192 tokens on one GPU (derived_fits)"
	ChosenMBU          = "the factor by which AIConfigurator scales the bandwidth of every system"
	ChosenAttentionMFU = "what FlashAttention-3 reaches in 16 bits on an H100 (arXiv 2407.08608)"
	ChosenStep         = "what TensorRT-LLM added to its kernels, Llama-3.1-8B on an H100 (derived_fits)"
	ChosenLatency      = "upper end of the floor of 4 to 8 microseconds in AIConfigurator's tables"
	ChosenMemoryFrac   = "the setting that the publisher names for many of the runs"
)

// EfficiencyFit says how an Efficiency was found and how far it is off. Errors
// are mean absolute relative errors of output tokens/s.
type EfficiencyFit struct {
	Free []string // parameters that were fitted; the others come from elsewhere

	DenseRows         int
	DenseMAPEFrac     float64
	DenseLeftOutFrac  float64 // each GPU predicted by a fit without it
	ExpertRows        int
	ExpertMAPEFrac    float64
	ExpertLeftOutFrac float64 // each model predicted by a fit without it

	Sources []string // ids of package dataset, or where the rows are from
}

// PublishedEfficiency is fitted to published throughput of engines under full
// load. How it was found, row by row, is the chapter "How wrong is it?".
func PublishedEfficiency() Efficiency { return published }

// PublishedFit is how well it meets those rows.
func PublishedFit() EfficiencyFit {
	f := publishedFit
	f.Free = append([]string(nil), f.Free...)
	f.Sources = append([]string(nil), f.Sources...)
	return f
}

// ReplicaTokensPerSec is the most output tokens/s that one replica gives to
// requests of one class that never cease, within the time per token of the
// objective: o/T, T being the replica-seconds of a request. The rate of the
// class, and how busy replicas may be, do not matter.
func ReplicaTokensPerSec(c Class, d Deployment, o Objective) (float64, error) {
	c.RequestsPerSec, c.PeakToMean = 1, 1
	p, err := Evaluate(Workload{Classes: []Class{c}}, d, Objective{TPOTSeconds: o.TPOTSeconds, TargetFrac: 1})
	if err != nil {
		return 0, err
	}
	return c.OutputTokens / p.ReplicaSeconds, nil
}
