package planner

import "math"

// How often is the ranking right? Each lever is turned in the simulator too, and
// what it saves there ranked beside what the plan says. Two savings that differ
// by less than the simulation can tell are a tie: Kendall's tau-b counts pairs of
// levers that both put in the same order, less those that they do not, over the
// geometric mean of the pairs that each puts in an order.

// RankOptions are those of each capacity.
type RankOptions struct {
	CapacityOptions

	// Resolution is the difference of two savings, as a share of the GPUs of
	// the deployment as it is, that counts as a tie; 0 is twice Tolerance.
	Resolution float64
}

// LeverCheck is one lever, planned and simulated.
type LeverCheck struct {
	Lever LeverID
	On    bool

	// Compared is false if one side is impossible in the plan, or if Err says
	// why the simulation of it was. Such levers are left out of Tau and Top.
	Compared bool
	Err      error

	// Share of the GPUs without the lever that it saves, and GPUs saved,
	// without headroom. In simulation +Inf and 1 if the limits never hold
	// without it, -Inf both if they never do with it.
	PlannedFrac, SimulatedFrac   float64
	PlannedSaved, SimulatedSaved float64 // GPUs without headroom
	Other                        CapacityResult
}

// RankResult compares the rankings of one plan.
type RankResult struct {
	Ablation   Ablation
	Base       CapacityResult
	Levers     [Levers]LeverCheck // by LeverID
	Resolution float64            // GPUs

	All     RankAgreement
	Choices RankAgreement // without levers that are built into the model
}

// RankAgreement is how far two rankings are one.
type RankAgreement struct {
	Compared                 int     // levers
	PlannedTop, SimulatedTop LeverID // Levers if there is none
	TopAgrees                bool    // the same lever
	TopWithin                bool    // or one that saves as much, within the resolution
	Tau                      float64 // tau-b; NaN if either has nothing but ties
}

// Ranking is such a comparison in progress.
type Ranking struct {
	work
	result RankResult
}

// NewRanking plans, ablates and makes the comparison, to be worked. An error is a
// *ValueError.
func NewRanking(w Workload, d Deployment, o Objective, targets Targets, opts RankOptions) (*Ranking, error) {
	a, err := Ablate(w, d, o, targets)
	if err != nil {
		return nil, err
	}
	c := &checker{}
	c.capacity(&opts.CapacityOptions)
	c.within("RankOptions.Resolution", opts.Resolution, 0, 1)
	c.simulated(&a.Plan, &w, &SimOptions{})
	if c.Err != nil {
		return nil, c.Err
	}
	opts.fill()
	if opts.Resolution == 0 {
		opts.Resolution = 2 * opts.Tolerance
	}
	k := &Ranking{result: RankResult{Ablation: a}}
	w = w.own()
	k.start(func(t *turns) { k.do(t, &w, &d, &o, &targets, &opts) })
	return k, nil
}

// Result is complete when Work has said so.
func (k *Ranking) Result() (RankResult, error) { return k.result, k.turns.err }

func (k *Ranking) do(t *turns, w *Workload, d *Deployment, o *Objective, targets *Targets, opts *RankOptions) {
	r := &k.result
	var ok bool
	if r.Base, ok = t.capacity(r.Ablation.Plan, w, o, &opts.CapacityOptions); !ok {
		return
	}
	if r.Base.Never {
		t.err = &ValueError{Field: "Objective", Value: "limits that hold in the plan", Legal: "limits that hold in the simulation at some load"}
		return
	}
	r.Resolution = float64(opts.Resolution * r.Base.SimulatedGPUs)
	for id := range Levers {
		s := &r.Ablation.Savings[id]
		c := &r.Levers[id]
		c.Lever, c.On = id, s.On
		if s.Needed || s.Harmful {
			continue
		}
		own := *o
		own.TargetFrac, own.WaitSeconds, own.TTFTSeconds = r.Ablation.Plan.TargetFrac, 0, 0
		other := levers[id].set(*d, *w, *targets, !s.On)
		other.TP = s.WithTP
		if s.On {
			other.TP = s.WithoutTP
		}
		p, err := Evaluate(*w, other, own)
		if err == nil {
			if c.Other, ok = t.capacity(p, w, o, &opts.CapacityOptions); !ok && t.err == nil {
				return // stopped
			}
			err, t.err = t.err, nil
		}
		if c.Err = err; err != nil {
			continue
		}
		c.Compared = true
		without, with := &r.Base, &c.Other
		if s.On {
			without, with = with, without
		}
		c.PlannedSaved, c.SimulatedSaved = without.PlannedGPUs-with.PlannedGPUs, without.SimulatedGPUs-with.SimulatedGPUs
		c.PlannedFrac, c.SimulatedFrac = c.PlannedSaved/without.PlannedGPUs, c.SimulatedSaved/without.SimulatedGPUs
		if without.Never {
			c.SimulatedFrac = 1
		}
	}
	r.All, r.Choices = r.agree(false), r.agree(true)
}

// agree compares the two orders.
func (r *RankResult) agree(choices bool) RankAgreement {
	a := RankAgreement{PlannedTop: Levers, SimulatedTop: Levers}
	var planned, simulated []float64
	for _, id := range r.Ablation.Ranked { // the plan's order decides between equal ones
		c := &r.Levers[id]
		if !c.Compared || choices && levers[id].BuiltIn {
			continue
		}
		a.Compared++
		planned, simulated = append(planned, c.PlannedSaved), append(simulated, c.SimulatedSaved)
		if a.PlannedTop == Levers {
			a.PlannedTop = id
		}
		if a.SimulatedTop == Levers || c.SimulatedSaved > r.Levers[a.SimulatedTop].SimulatedSaved {
			a.SimulatedTop = id
		}
	}
	if a.Compared > 0 {
		a.TopAgrees = a.PlannedTop == a.SimulatedTop
		a.TopWithin = a.TopAgrees || r.Levers[a.SimulatedTop].SimulatedSaved-r.Levers[a.PlannedTop].SimulatedSaved <= r.Resolution
	}
	a.Tau = KendallTau(planned, simulated, r.Resolution)
	return a
}

// KendallTau is tau-b of two lists of equal length (Kendall, Biometrika 33, 1945),
// where values that differ by no more than tie are equal: concordant pairs less
// discordant ones, over the root of the pairs untied in the one times those
// untied in the other. NaN if either has no untied pair.
func KendallTau(x, y []float64, tie float64) float64 {
	sign := func(d float64) float64 {
		switch {
		case d > tie:
			return 1
		case d < -tie:
			return -1
		}
		return 0
	}
	sum, ofX, ofY := 0.0, 0.0, 0.0
	for i := range x {
		for j := range i {
			a, b := sign(x[i]-x[j]), sign(y[i]-y[j])
			sum += float64(a * b)
			ofX += float64(a * a)
			ofY += float64(b * b)
		}
	}
	if ofX == 0 || ofY == 0 {
		return math.NaN()
	}
	return sum / math.Sqrt(float64(ofX*ofY))
}
