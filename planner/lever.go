package planner

import "openloop/planner/profile"

// A lever is one choice that changes how many GPUs a workload takes. Each has a
// file, lever_NAME.go, with its row: how to tell whether it is on, how to turn
// it on and off in a deployment, what it costs beside money, and what others
// claim for it, with the conditions under which they do.
//
// A lever that is on is shown by what it saves now, one that is off by what it
// would save. Both are the same number: GPUs without it less GPUs with it, the
// others as they stand.

// LeverID names a lever.
type LeverID uint8

// The levers, in the order in which they are listed.
const (
	GQA LeverID = iota
	MLA
	KVQuant
	WeightQuant
	PrefixCache
	ChunkedPrefill
	Disaggregation
	SpeculativeDecoding
	MoE
	Levers // how many there are
)

// Lever is one row. Its texts are what it costs, in words.
type Lever struct {
	ID    LeverID
	Slug  string // in links
	Name  string
	Price Price
	// BuiltIn levers belong to the model: to turn one is to serve another model.
	BuiltIn bool
	// Assumes is what the comparison takes for granted.
	Assumes string
	Claims  []Claim
	Sources []string

	on  func(Deployment, Workload) bool
	set func(Deployment, Workload, Targets, bool) Deployment
}

// Price is what a lever costs beside GPUs.
type Price struct{ Quality, Memory, Complexity string }

// Claim is what somebody states for a lever: a figure, what it is of, against
// what, under which conditions. Figures of which only one holds at a time share
// a non-zero Either.
type Claim struct {
	Figure     float64
	UpTo       bool
	Of         string
	Against    string
	Conditions string
	Source     string
	Either     int
}

// Targets is what a lever is turned on to, where there is a choice, and what a
// weight or cache without the lever is stored in.
type Targets struct {
	Weights, Compute profile.DType // WeightQuant
	WeightsReference Reference     // measured steps of those weights; zero: scale what the deployment has
	KV               profile.DType // KVQuant
	HitFrac          float64       // PrefixCache, where no class says
	ChunkTokens      int           // ChunkedPrefill
	OverlapFrac      float64
	Spec             Speculation // SpeculativeDecoding

	// Efficiency that the deployment has, if one was set: other weights then
	// reach other shares of the peaks. nil: they reach the same.
	Efficiency *Efficiency

	PlainWeights, PlainKV profile.DType // without the levers
	PlainReference        Reference     // measured steps of PlainWeights; zero: scale
}

// levers is the table, by LeverID. It points to its rows, so that it is made before
// the program starts, and a module that asks for no lever has none in it.
var levers = [Levers]*Lever{
	GQA: &leverGQA, MLA: &leverMLA, KVQuant: &leverKVQuant, WeightQuant: &leverWeightQuant, PrefixCache: &leverPrefixCache,
	ChunkedPrefill: &leverChunkedPrefill, Disaggregation: &leverDisaggregation, SpeculativeDecoding: &leverSpeculation, MoE: &leverMoE,
}

// AllLevers lists the table.
func AllLevers() []Lever {
	out := make([]Lever, 0, Levers)
	for _, l := range levers {
		out = append(out, *l)
	}
	return out
}

// FindLever returns the lever with this slug.
func FindLever(slug string) (Lever, bool) {
	for _, l := range levers {
		if l.Slug == slug {
			return *l, true
		}
	}
	return Lever{}, false
}

// Lever returns the row.
func (id LeverID) Lever() Lever { return *levers[id] }

// On says whether the deployment has the lever on.
func (l Lever) On(d Deployment, w Workload) bool { return l.on(d, w) }

// Apply turns the lever on or off; it changes nothing if it is so already.
func (l Lever) Apply(d Deployment, w Workload, t Targets, on bool) Deployment {
	if l.on(d, w) == on {
		return d
	}
	return l.set(d, w, t, on)
}

// DefaultTargets are targets for a deployment: 8-bit weights and arithmetic
// where the GPU has it, else 4-bit weights expanded to bf16; an 8-bit cache; a
// hit rate from what a replica's cache holds; chunks of 512 tokens; four drafts
// with the measured lengths of EAGLE-3, a draft step at a twentieth of the
// target's, a choice.
func DefaultTargets(d Deployment) Targets {
	t := Targets{
		Weights: profile.INT4, Compute: profile.BF16, KV: profile.FP8, ChunkTokens: 512,
		Spec: Speculation{Drafts: 4, Table: &acceptanceTables[0], DraftCost: 0.05},
	}
	if d.GPU != nil && d.GPU.FP8FLOPsPerSec > 0 {
		t.Weights, t.Compute = profile.FP8, profile.FP8
	}
	if d.GPU != nil && d.Model != nil {
		t.references(&d)
		var z sizes
		z.set(&d)
		free := float64(float64(d.TP)*float64(d.GPU.MemoryBytes)*d.MemoryFrac) - z.stored
		t.HitFrac = traceHits[0].HitFrac(max(free, 0) / z.kvBytes(&d, 1))
	}
	return t
}

func (c *checker) targets(t *Targets) {
	c.dtype("Targets.Weights", t.Weights)
	c.dtype("Targets.Compute", t.Compute)
	c.dtype("Targets.KV", t.KV)
	c.dtype("Targets.PlainWeights", t.PlainWeights)
	c.dtype("Targets.PlainKV", t.PlainKV)
	c.within("Targets.HitFrac", t.HitFrac, 0, 1-1e-9)
	c.count("Targets.ChunkTokens", t.ChunkTokens, 1, 1<<20)
	c.within("Targets.OverlapFrac", t.OverlapFrac, 0, 1)
	c.count("Targets.Spec.Drafts", t.Spec.Drafts, 1, 1024)
	c.speculation("Targets.Spec", &t.Spec)
}
