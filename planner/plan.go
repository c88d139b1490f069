package planner

// TargetFrom says what set how busy the replicas may be.
type TargetFrom uint8

// Where the target comes from.
const (
	TargetGiven TargetFrom = iota // Objective.TargetFrac
	TargetWait                    // solved from WaitSeconds
	TargetTTFT                    // solved from TTFTSeconds
)

// Plan is a fleet and every number on the way to it. Times are in seconds; "of a
// replica" means of all its GPUs at once. Links prints the equations.
type Plan struct {
	Origin        Origin // of the step times
	RaisedToPeak  bool   // a measured coefficient beat the GPU's peak and was raised to it
	ReferenceName string

	// One request of the mix, and one replica.
	PrefillSeconds      float64 // P, of a replica
	PrefillShownSeconds float64 // P less what is hidden behind decode; equal unless OverlapFrac is given
	WeightSeconds       float64 // w, what a step takes whatever its batch, a token, at the limit that binds
	KVSeconds           float64 // b, what one sequence adds to a step, a token
	ComputeSeconds      float64 // f, arithmetic of one token of one sequence
	FreeBytes           float64 // memory of a replica left for KV
	BatchMemory         int     // sequences that it holds
	BatchLimit          int     // and that may run: MaxNumSeqs counts too
	KVTokens            float64 // tokens that it holds
	ReplicaSeconds      float64 // T
	DecodeSeconds       float64 // D = T - P
	TPOTSeconds         float64 // at full load of a replica
	Batch               float64 // at full load of a replica
	Binds               Bound   // what sets T
	Bound               Bound   // what sets the fleet: Binds, or BoundTTFT if the wait for the first token does

	// Before the first token, and between two.
	FirstSeconds      float64 // time to the first token of the longest prompt without a wait
	TransferSeconds   float64 // of it, moving KV between pools
	LongestGapSeconds float64 // longest time between two tokens of a running sequence
	WaitLimitSeconds  float64 // mean wait that is allowed; 0: none
	MeanWaitSeconds   float64 // at the peak, with the replicas of this plan

	// The fleet.
	TargetFrac                      float64
	TargetFrom                      TargetFrom
	TP                              int
	Replicas                        int // without spares; both pools
	PrefillReplicas, DecodeReplicas int // 0 unless apart
	SpareReplicas                   int
	GPUs                            int     // with spares
	GPUsFractional                  float64 // peak rate * T * TP / target: what levers are compared by
	MeanGPUsFractional              float64 // the same at the mean rate: a fleet that follows the load
	PrefillGPUSecondsPerSec         float64 // at the mean rate
	DecodeGPUSecondsPerSec          float64
	InputTokensPerSec               float64 // mean, cached ones included
	OutputTokensPerSec              float64 // mean
	ThinkingTokensPerSec            float64 // of them thinking

	Cost Cost
	// Step is the plan for a simulator.
	Step StepCoefficients

	seconds seconds
	mix     mix
	step    step
	fixed   bool // one side of an ablation: another plan gives the target, so no wait is solved, and nobody reads why it is impossible
	made    Deployment
}

// finish fills what only a finished plan shows.
func (p *Plan) finish(w *Workload, d *Deployment) {
	m := &p.mix
	tp := float64(d.TP)
	p.Origin, p.RaisedToPeak, p.ReferenceName = p.step.origin, p.step.raised, d.Reference.Name
	p.PrefillGPUSecondsPerSec = float64(m.mean * p.PrefillShownSeconds * tp)
	p.DecodeGPUSecondsPerSec = float64(m.mean * p.DecodeSeconds * tp)
	if d.Disaggregated {
		load := float64(m.peak * p.PrefillShownSeconds)
		p.MeanWaitSeconds = meanWait(p.PrefillReplicas, min(load/float64(p.PrefillReplicas), mostBusy), p.PrefillShownSeconds, m.ca2, m.cs2)
	} else {
		load := float64(m.peak * p.ReplicaSeconds)
		p.MeanWaitSeconds = meanWait(p.Replicas, min(load/float64(p.Replicas), mostBusy), p.ReplicaSeconds, m.ca2, m.cs2)
	}
	p.Cost = costOf(w, d, p)
	p.Step = p.coefficients(d)
	p.made = *d
}

// mostBusy keeps the wait of a fleet without any headroom finite: it is then a
// lower bound.
const mostBusy = 1 - 1e-9

// StepCoefficients are a plan's step times in the linear form that a simulator
// takes, at the mix of the plan: a prefill of n tokens after c cached ones is
// PrefillToken n + PrefillPair (nc + n(n+1)/2), a decode step of B sequences
// with K tokens of KV is Base + Sequence B + KVToken K; drafts add DraftToken
// for each draft that is verified. Seconds of one replica.
type StepCoefficients struct {
	Base, Sequence, KVToken, DraftToken float64
	Fixed                               float64 // of Base, what is not reading weights
	PrefillBase                         float64 // of a prompt that is a step of its own: the plan counts it and Fixed, not Base
	PrefillToken, PrefillPair           float64
	ComputeToken                        float64 // arithmetic of one decoded token: the floor of a step is this times its tokens
	KVTokens                            float64 // that memory holds
	MaxNumSeqs                          int
	ChunkTokens                         int
}

// coefficients linearizes: KV of windowed layers at the context of the mix,
// experts touched at the batch of the plan.
func (p *Plan) coefficients(d *Deployment) StepCoefficients {
	s, m := &p.step, &p.mix
	always, routed, head, _ := s.sizes.decodeFLOPs(m.context)
	linear := float64((always+head)*s.perFLOP) + float64(routed*s.perExpert)
	out := StepCoefficients{
		Fixed:       s.fixed,
		Base:        s.fixed + float64(s.sizes.weightBytes(float64(p.Batch*s.verified))*s.perByte),
		KVToken:     float64(s.sizes.kvBytes(d, m.context)*s.perKVByte) / m.context,
		Sequence:    s.perToken + s.perSequence,
		DraftToken:  s.perToken,
		PrefillBase: s.base,
		KVTokens:    p.KVTokens,
		MaxNumSeqs:  p.BatchLimit,
		ChunkTokens: d.ChunkTokens,
	}
	if d.Engine.AddCompute {
		out.Sequence += linear
		out.DraftToken += linear
	}
	n := m.prompt - m.cached
	always, routed, _, attention := s.sizes.prefillFLOPs(n, m.cached)
	out.PrefillToken = (float64(always*s.perFLOP)+float64(routed*s.perExpert))/n + s.perToken
	out.PrefillPair = float64(attention*s.perPrefill) / (float64(n*m.cached) + float64(n*(n+1)*0.5))
	out.ComputeToken = p.ComputeSeconds / s.work
	return out
}
