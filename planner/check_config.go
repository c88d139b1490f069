package planner

import (
	"math"

	"openloop/sim"
)

// A plan as a configuration of the simulator and a workload for it.

// Ideal is a set of things that a simulation leaves out: each is a way in which
// the plan is simpler than what happens.
type Ideal uint8

// What can be left out.
const (
	EvenLengths   Ideal = 1 << iota // every request of a class is its mean
	EvenArrivals                    // gaps between requests are all the same
	EndlessMemory                   // no KV cache is ever full
	EndlessSeats                    // any number of sequences runs
	WholePrompts                    // a prompt is one chunk
	MeanExperts                     // a step reads the experts of a full batch
)

// SimOptions says how a plan is simulated; the zero value is the fleet of the
// plan, without spares, at the peak, with all that varies.
type SimOptions struct {
	Without Ideal

	Replicas                        int     // 0: as planned; for plans that are not apart
	PrefillReplicas, DecodeReplicas int     // 0: as planned
	RequestsPerSec                  float64 // of all classes; 0: the peak

	// Requests that are measured, at least; 0 is 1000. The run is as long as
	// they take, and at least eight times as long as a request stays; two
	// more such times before are not measured.
	Requests int

	// MostRequests refuses runs of more, unmeasured ones included; 0 is
	// 200,000.
	MostRequests int
}

// Limit is something that the simulation cannot tell, and the plan can.
type Limit uint8

// The limits.
const (
	LimitPrefix  Limit = iota // cached tokens cost no arithmetic; whether the cache holds them is not simulated
	LimitClasses              // one stream of requests: bursts of single classes mix
	LimitApart                // the pools are run one after the other: decode does not hold prefill up
	LimitWindows              // prefill with windowed attention is taken at the mean prompt
	LimitPeak                 // the peak lasts for the whole run
	LimitEngine               // step times are those of the plan
	numberOfLimit
)

// String is the name in links and tables.
func (l Limit) String() string {
	names := [numberOfLimit]string{"prefix_as_given", "classes_mixed", "pools_in_turn", "windows_at_mean", "peak_lasts", "step_times_as_planned"}
	if l < numberOfLimit {
		return names[l]
	}
	return "unknown"
}

// Setup is what the simulator is given: Config and Workload of one pool, and
// the window that counts.
type Setup struct {
	Config   sim.Config
	Workload sim.Workload
	From, To sim.Nanos // requests sent in [From, To) are measured
	Limits   []Limit
}

// warmStays and countedStays are how many times as long as a request stays the
// run goes on before it counts, and while it does.
const warmStays, countedStays = 2, 8

// SimConfig is the plan for the simulator. The plan comes from Evaluate, with
// the same workload. Prefill and decode apart take two pools: see Check.
func SimConfig(p *Plan, w Workload, o SimOptions) (Setup, error) {
	c := &checker{}
	c.simulated(p, &w, &o)
	if c.Err == nil && p.made.Disaggregated {
		c.fail("Deployment.Disaggregated", "true", "false for one pool; Check simulates both", "false")
	}
	if c.Err != nil {
		return Setup{}, c.Err
	}
	return p.setup(&w, &o)
}

func (c *checker) simulated(p *Plan, w *Workload, o *SimOptions) {
	if p.made.GPU == nil {
		c.fail("Plan", "empty", "a plan that Evaluate made", "")
		return
	}
	c.workload(w)
	c.count("SimOptions.Replicas", o.Replicas, 0, 4096)
	c.count("SimOptions.PrefillReplicas", o.PrefillReplicas, 0, 4096)
	c.count("SimOptions.DecodeReplicas", o.DecodeReplicas, 0, 4096)
	c.within("SimOptions.RequestsPerSec", o.RequestsPerSec, 0, mostRequests)
	c.count("SimOptions.Requests", o.Requests, 0, 1e6)
	c.count("SimOptions.MostRequests", o.MostRequests, 0, 1e7)
	c.count("Deployment.Spec.Drafts", p.made.Spec.Drafts, 0, 64)
	for i := range w.Classes {
		if cv2 := w.Classes[i].ArrivalCV2; cv2 != 0 && c.Err == nil {
			c.within("Workload.Classes["+number(float64(i))+"].ArrivalCV2", cv2, 1e-4, 100)
		}
	}
}

// stay is how long a request of the class with the longest answers is in the
// system when its replica is full, in seconds.
func (p *Plan) stay(w *Workload) float64 {
	output := 0.0
	for i := range w.Classes {
		output = max(output, w.Classes[i].OutputTokens)
	}
	return p.FirstSeconds + float64(output*p.TPOTSeconds)
}

func (p *Plan) setup(w *Workload, o *SimOptions) (Setup, error) {
	var out Setup
	d, m := &p.made, &p.mix
	t, err := p.tabulate(w, o.Without&EvenLengths != 0)
	if err != nil {
		return out, err
	}
	rate := o.RequestsPerSec
	if rate == 0 {
		rate = m.peak
	}
	requests := o.Requests
	if requests == 0 {
		requests = 1000
	}
	stay := p.stay(w)
	warm := float64(warmStays * stay)
	end := warm + max(float64(countedStays*stay), float64(requests)/rate)
	most := o.MostRequests
	if most == 0 {
		most = 200_000
	}
	if float64(rate*end) > float64(most) {
		return out, &ValueError{Field: "SimOptions.MostRequests", Value: number(float64(most)),
			Legal:   "at least the requests of " + number(rounded(end, true)) + " s at " + number(rounded(rate, true)) + " requests/s",
			Nearest: number(math.Ceil(float64(rate * end)))}
	}
	if !(end < sim.MaxSeconds/2) {
		return out, &ValueError{Field: "Workload.Classes[0].RequestsPerSec", Value: number(rate), Legal: "enough for a run of less than " + number(sim.MaxSeconds/2) + " s", Nearest: number(float64(requests) / (sim.MaxSeconds / 4))}
	}
	out.From, out.To = sim.Seconds(warm), sim.Seconds(end)
	out.Workload = sim.Workload{
		Generator: sim.OpenLoop{Arrivals: p.arrivals(rate, o.Without&EvenArrivals != 0)},
		Lengths:   sim.Joint{Prompt: t.prompt, Output: t.output},
		Until:     out.To,
	}
	out.Config = sim.Config{Engine: p.engine(&t, o, int(float64(rate*end))+1), Replicas: p.Replicas, Routing: sim.LeastRequests}
	if o.Replicas > 0 {
		out.Config.Replicas = o.Replicas
	}
	out.Limits = p.limits(w, d)
	return out, nil
}

func (p *Plan) limits(w *Workload, d *Deployment) []Limit {
	l := []Limit{LimitEngine}
	if p.mix.cached > 0 {
		l = append(l, LimitPrefix)
	}
	if len(w.Classes) > 1 {
		l = append(l, LimitClasses)
	}
	if d.Disaggregated {
		l = append(l, LimitApart)
	}
	if !newStepCost(p, 1, true).straight {
		l = append(l, LimitWindows)
	}
	if p.mix.peak > p.mix.mean {
		l = append(l, LimitPeak)
	}
	return l
}

// arrivals is one stream for all classes, with the mean variation by rate.
func (p *Plan) arrivals(rate float64, even bool) sim.Arrivals {
	if even || p.mix.ca2 == 0 {
		return sim.Constant{RatePerSec: rate}
	}
	return sim.Gamma{RatePerSec: rate, Burstiness: 1 / max(p.mix.ca2, 1e-4)}
}

// blockTokens is vLLM's default; a cache of more blocks than the simulator takes
// gets larger ones.
const blockTokens, mostBlocks = 16, 1 << 24

// engine is one replica.
func (p *Plan) engine(t *lengths, o *SimOptions, requests int) sim.Engine {
	d, m := &p.made, &p.mix
	e := sim.Engine{
		MaxNumSeqs:  min(p.BatchLimit, 1<<20),
		BlockTokens: blockTokens,
		Cost:        newStepCost(p, t.pairs, o.Without&MeanExperts != 0),
		Draft:       sim.Draft{Accept: d.Spec.accepts()},
	}
	if o.Without&EndlessSeats != 0 {
		e.MaxNumSeqs = min(max(requests, e.MaxNumSeqs), 1<<20)
	}
	kv := p.KVTokens
	if o.Without&EndlessMemory != 0 {
		kv = float64(e.MaxNumSeqs) * float64(t.largest+blockTokens+int64(d.Spec.Drafts))
	}
	for kv/float64(e.BlockTokens) > mostBlocks {
		e.BlockTokens *= 2
	}
	e.KVBlocks = max(int(kv/float64(e.BlockTokens)), 1)

	// A step holds one whole prompt, or a chunk, beside the usual batch.
	usual := int(math.Ceil(p.Batch)) * (1 + d.Spec.Drafts)
	e.MaxBatchedTokens = max(int(t.longest)+usual, e.MaxNumSeqs)
	if d.ChunkTokens > 0 && o.Without&WholePrompts == 0 {
		// Cached tokens count as prompt here: a chunk is as many more.
		chunk := float64(d.ChunkTokens) * m.prompt / m.prompts.tokens
		e.PrefillChunkTokens = max(int(min(chunk, 1<<29)), 1)
		e.MaxBatchedTokens = max(min(e.PrefillChunkTokens+usual, e.MaxBatchedTokens), e.MaxNumSeqs)
	}
	return e
}

// accepts is the chance of each draft to be accepted if those before it were: as
// the measured lengths grow from draft to draft, or, where they do not fall
// evenly, one chance that gives the same mean.
func (s *Speculation) accepts() []float64 {
	if s.Drafts == 0 {
		return nil
	}
	out := make([]float64, s.Drafts)
	if s.Table == nil {
		for i := range out {
			out[i] = s.Acceptance
		}
		return out
	}
	before, survive := 1.0, 1.0
	for i := range out {
		more := s.Table.Lengths[i] - before
		if !(more > 0 && more <= survive) {
			same, _ := ImpliedAcceptance(s.tokens(), s.Drafts)
			for j := range out {
				out[j] = same
			}
			return out
		}
		out[i] = more / survive
		before, survive = s.Table.Lengths[i], more
	}
	return out
}
