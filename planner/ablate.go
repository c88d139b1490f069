package planner

import "errors"

// What each lever saves, and where the next one would be best spent. GPUs are
// compared as real numbers: whole ones tie and jump. The target is solved once,
// for the deployment as it is, and kept.

// Saving is one lever.
type Saving struct {
	Lever LeverID
	On    bool // in the deployment as it is
	Rank  int  // 1 saves most by itself now

	// GPUs, fractional and without spares, with the others as they stand.
	Without, With float64
	Alone         float64 // Without - With; negative if the lever costs GPUs

	// LastIn is what it saves when all others are on: LastWithout - LastWith.
	LastIn, LastWithout, LastWith float64

	// A side that does not fit, or does not reach the time per token, on
	// replicas of the deployment's size is given the next larger ones that do:
	// TP of either side. Needed: nothing does without the lever; Harmful:
	// nothing does with it. Alone is then 0. LastInKnown is false if either side
	// of LastIn is impossible.
	WithoutTP, WithTP int
	Needed, Harmful   bool
	LastInKnown       bool

	// LongestGapWithout and -With are the longest gaps between two tokens, s.
	LongestGapWithout, LongestGapWith float64

	Reason Reason

	// What the times of either side are made of; empty for one that is impossible.
	WithoutParts, WithParts Parts
}

// Parts are what the replica-seconds of a request are made of: seconds of prefill,
// of a step whatever its batch, of what a sequence adds to it, and of the
// arithmetic of a decoded token; sequences that may run; and the seconds themselves,
// of which GPUs are peak rate x T x TP / target.
type Parts struct {
	PrefillSeconds, WeightSeconds, KVSeconds, ComputeSeconds, Batch float64
	ReplicaSeconds                                                  float64
}

func (s *side) parts() Parts {
	t := &s.t
	if !s.ok {
		return Parts{}
	}
	return Parts{t.all, t.w, t.ob / t.o, t.of / t.o, t.most, max(t.memory, t.tpot, t.compute)}
}

// Ablation is all levers of one plan.
type Ablation struct {
	Plan    Plan
	Savings [Levers]Saving  // by LeverID
	Ranked  [Levers]LeverID // the one that saves most first

	// None and All are the GPUs with every lever off and on, as real numbers;
	// AloneSum the sum of what each saves by itself. Savings do not add: where
	// they overlap, Interaction = AloneSum - (None - All) is more than 0.
	// Known is false if None or All is impossible.
	None, All, AloneSum, Interaction float64
	Known                            bool
}

// mostRaisedTP bounds the search for replicas that fit.
const mostRaisedTP = 64

// side is a deployment with some levers on, as it was solved.
type side struct {
	ok   bool
	gpus float64
	tp   int
	gap  float64
	t    seconds
	b    Bound
}

// ablator is what all sides share.
type ablator struct {
	w Workload
	d Deployment
	o Objective
	t Targets
}

// errSide is why one side of an ablation is impossible: nobody reads it, so its
// text takes no memory.
var errSide = errors.New("planner: one side of an ablation is impossible")

// Ablate plans, then turns every lever. No memory is allocated, unless the plan
// itself is impossible.
func Ablate(w Workload, d Deployment, o Objective, t Targets) (Ablation, error) {
	var out Ablation
	c := &checker{}
	c.targets(&t)
	if c.Err != nil {
		return out, c.Err
	}
	if err := out.Plan.evaluate(&w, &d, &o); err != nil {
		return Ablation{}, err
	}
	out.Plan.finish(&w, &d)
	o.TargetFrac, o.WaitSeconds = out.Plan.TargetFrac, 0
	a := ablator{w: w, d: d, o: o, t: t}

	base := sideOf(&out.Plan, d.TP)
	all := a.side(a.with(Levers, true))
	none := a.side(a.with(Levers, false))
	for id := range Levers {
		l := levers[id]
		s := Saving{Lever: id, On: l.on(d, w)}
		without, with := base, base
		other := a.side(l.set(d, w, t, !s.On))
		if s.On {
			without = other
		} else {
			with = other
		}
		s.compare(&without, &with)
		last := a.side(a.with(id, true))
		s.LastInKnown = all.ok && last.ok
		if s.LastInKnown {
			s.LastWithout, s.LastWith = last.gpus, all.gpus
			s.LastIn = last.gpus - all.gpus
		}
		out.Savings[id] = s
		out.AloneSum += s.Alone
	}
	if out.Known = all.ok && none.ok; out.Known {
		out.None, out.All = none.gpus, all.gpus
		out.Interaction = out.AloneSum - (none.gpus - all.gpus)
	}
	out.rank()
	return out, nil
}

// with is the deployment with every lever on, or off, but one. What is off is
// turned off first, since grouped queries only matter without a latent vector.
func (a *ablator) with(but LeverID, on bool) Deployment {
	d := a.d
	for _, turn := range [2]bool{false, true} {
		for id := range Levers {
			if want := on != (id == but); want == turn {
				d = levers[id].Apply(d, a.w, a.t, want)
			}
		}
	}
	return d
}

// side solves a deployment, with larger replicas if it must.
func (a *ablator) side(d Deployment) side {
	var p Plan
	p.fixed = true
	for {
		if !d.agrees() || !d.feeds() {
			return side{}
		}
		if p.solve(&a.w, &d, &a.o) == nil {
			return sideOf(&p, d.TP)
		}
		if 2*d.TP > mostRaisedTP {
			return side{}
		}
		d.TP *= 2
	}
}

func sideOf(p *Plan, tp int) side {
	return side{ok: true, gpus: p.GPUsFractional, tp: tp, gap: p.LongestGapSeconds, t: p.seconds, b: p.Binds}
}

func (s *Saving) compare(without, with *side) {
	s.Needed, s.Harmful = !without.ok, !with.ok
	s.Without, s.With = without.gpus, with.gpus
	s.WithoutTP, s.WithTP = without.tp, with.tp
	s.LongestGapWithout, s.LongestGapWith = without.gap, with.gap
	if without.ok && with.ok {
		s.Alone = without.gpus - with.gpus
	}
	s.Reason = reasonOf(s, without, with)
	s.WithoutParts, s.WithParts = without.parts(), with.parts()
}

// rank orders by what is needed, then by what is saved; equal savings by what is
// saved last, then by the order of the table.
func (a *Ablation) rank() {
	for id := range Levers {
		a.Ranked[id] = id
	}
	before := func(x, y *Saving) bool {
		switch {
		case x.Needed != y.Needed:
			return x.Needed
		case x.Harmful != y.Harmful:
			return y.Harmful
		case x.Alone != y.Alone:
			return x.Alone > y.Alone
		case x.LastIn != y.LastIn:
			return x.LastIn > y.LastIn
		}
		return x.Lever < y.Lever
	}
	for i := 1; i < len(a.Ranked); i++ {
		for j := i; j > 0 && before(&a.Savings[a.Ranked[j]], &a.Savings[a.Ranked[j-1]]); j-- {
			a.Ranked[j], a.Ranked[j-1] = a.Ranked[j-1], a.Ranked[j]
		}
	}
	for i, id := range a.Ranked {
		a.Savings[id].Rank = i + 1
	}
}
