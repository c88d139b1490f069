package planner

import "openloop/planner/profile"

// What the plan hangs on: each input is moved down and up by a share, the others
// as they are, and everything is planned anew, the target included. The plan is
// in closed form, so this costs some ten plans. Inputs that move many GPUs are
// worth measuring before others; those that change the limit that binds are
// worth a second look whatever they move.

// InputID names an input.
type InputID uint8

// The inputs, in the order in which equal ones are listed.
const (
	InputRate InputID = iota // of all classes
	InputPeak                // PeakToMean - 1 of all classes
	InputPrompt
	InputOutput
	InputHit // share of prompts that is cached
	InputArrivalCV2
	InputServiceCV2
	InputMFU
	InputMBU
	InputMemory // share of memory that is used
	InputStep   // seconds that the engine adds to a step
	InputTarget
	InputTPOT
	InputTTFT
	InputWait
	InputPrice
	Inputs
)

// String is the name in links and tables.
func (i InputID) String() string {
	names := [Inputs]string{"rate", "peak", "prompt", "output", "hit", "arrival_cv2", "service_cv2", "mfu", "mbu", "memory", "step", "target", "tpot", "ttft", "wait", "price"}
	if i < Inputs {
		return names[i]
	}
	return "unknown"
}

// Moved is the plan with one input moved.
type Moved struct {
	Factor float64 // that the input was multiplied by: 1 -+ share, or as far as is legal
	Capped bool    // the share would have left the legal range
	Err    error   // the plan is impossible then; the rest is 0

	GPUs           int
	GPUsFractional float64
	USDPerHour     float64
	PerMOutputAll  float64 // USD
	Bound          Bound
}

// Influence is one input: with less of it and with more.
type Influence struct {
	Input     InputID
	Value     float64 // of the first class, where classes differ
	Less      Moved
	More      Moved
	Span      float64 // GPUs as real numbers, the most less the least of Less, More and the plan
	USDSpan   float64 // the same of USD per hour
	Rebinds   bool    // one side is bound by something else than the plan, or impossible
	NoEffects bool    // nothing moves
}

// Sensitivities is every input that the plan has, the largest span first. share
// is 0.2 for 20%, in (0, 0.9].
func Sensitivities(w Workload, d Deployment, o Objective, share float64) ([]Influence, error) {
	p, err := Evaluate(w, d, o)
	if err != nil {
		return nil, err
	}
	c := &checker{}
	c.above("share", share, 0, 0.2, 0.9)
	if c.Err != nil {
		return nil, c.Err
	}
	var out []Influence
	inputs := inputTable()
	for id := range Inputs {
		value, most := inputs[id].get(&w, &d, &o)
		if value == 0 {
			continue // the plan does without it
		}
		x := Influence{Input: id, Value: value}
		x.Less = moved(&inputs[id], &w, &d, &o, 1-share, false)
		up := 1 + share
		x.More = moved(&inputs[id], &w, &d, &o, min(up, most), up > most)
		x.span(&p)
		out = append(out, x)
	}
	for i := 1; i < len(out); i++ {
		for j := i; j > 0 && out[j].before(&out[j-1]); j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out, nil
}

// before puts what moves more GPUs first, then more money; else the order of the
// inputs.
func (x *Influence) before(y *Influence) bool {
	if x.Span != y.Span {
		return x.Span > y.Span
	}
	if x.USDSpan != y.USDSpan {
		return x.USDSpan > y.USDSpan
	}
	return x.Input < y.Input
}

func (x *Influence) span(p *Plan) {
	lo, hi := p.GPUsFractional, p.GPUsFractional
	usdLo, usdHi := p.Cost.PerHour, p.Cost.PerHour
	for _, m := range [2]*Moved{&x.Less, &x.More} {
		if m.Err != nil {
			x.Rebinds = true
			continue
		}
		lo, hi = min(lo, m.GPUsFractional), max(hi, m.GPUsFractional)
		usdLo, usdHi = min(usdLo, m.USDPerHour), max(usdHi, m.USDPerHour)
		x.Rebinds = x.Rebinds || m.Bound != p.Bound
	}
	x.Span, x.USDSpan = hi-lo, usdHi-usdLo
	x.NoEffects = x.Span <= unchanged*p.GPUsFractional && x.USDSpan == 0 && !x.Rebinds
}

func moved(in *input, w *Workload, d *Deployment, o *Objective, factor float64, capped bool) Moved {
	own, deployment, objective := w.own(), *d, *o
	in.scale(&own, &deployment, &objective, factor)
	m := Moved{Factor: factor, Capped: capped}
	p, err := Evaluate(own, deployment, objective)
	if err != nil {
		m.Err = err
		return m
	}
	m.GPUs, m.GPUsFractional, m.Bound = p.GPUs, p.GPUsFractional, p.Bound
	m.USDPerHour, m.PerMOutputAll = p.Cost.PerHour, p.Cost.PerMOutputAll
	return m
}

// input reads a value, the largest legal factor on it, and multiplies it.
type input struct {
	get   func(*Workload, *Deployment, *Objective) (value, most float64)
	scale func(*Workload, *Deployment, *Objective, float64)
}

// endless is a factor beyond any share.
const endless = 1e9

// ofClasses is an input that every class has.
func ofClasses(field func(*Class) *float64) input {
	return input{
		func(w *Workload, _ *Deployment, _ *Objective) (float64, float64) {
			for i := range w.Classes {
				if v := *field(&w.Classes[i]); v != 0 {
					return v, endless
				}
			}
			return 0, endless
		},
		func(w *Workload, _ *Deployment, _ *Objective, f float64) {
			for i := range w.Classes {
				v := field(&w.Classes[i])
				*v = float64(*v * f)
			}
		},
	}
}

// single is an input of the deployment or the objective, at most a number.
func single(field func(*Deployment, *Objective) *float64, most float64) input {
	return input{
		func(_ *Workload, d *Deployment, o *Objective) (float64, float64) {
			v := *field(d, o)
			if v == 0 {
				return 0, endless
			}
			return v, most / v
		},
		func(_ *Workload, d *Deployment, o *Objective, f float64) {
			v := field(d, o)
			*v = min(float64(*v*f), most)
		},
	}
}

func inputTable() *[Inputs]input {
	return &[Inputs]input{
		InputRate:       ofClasses(func(l *Class) *float64 { return &l.RequestsPerSec }),
		InputPeak:       {peakOf, scalePeak},
		InputPrompt:     {promptOf, scalePrompt},
		InputOutput:     {outputOf, scaleOutput},
		InputHit:        {hitOf, scaleHit},
		InputArrivalCV2: ofClasses(func(l *Class) *float64 { return &l.ArrivalCV2 }),
		InputServiceCV2: ofClasses(func(l *Class) *float64 { return &l.ServiceCV2 }),
		InputMFU:        single(func(d *Deployment, _ *Objective) *float64 { return &d.MFU }, 1),
		InputMBU:        single(func(d *Deployment, _ *Objective) *float64 { return &d.MBU }, 1),
		InputMemory:     single(func(d *Deployment, _ *Objective) *float64 { return &d.MemoryFrac }, 1),
		InputStep:       single(func(d *Deployment, _ *Objective) *float64 { return &d.Engine.StepSeconds }, 10),
		InputTarget:     single(func(_ *Deployment, o *Objective) *float64 { return &o.TargetFrac }, 1),
		InputTPOT:       single(func(_ *Deployment, o *Objective) *float64 { return &o.TPOTSeconds }, longestSeconds),
		InputTTFT:       single(func(_ *Deployment, o *Objective) *float64 { return &o.TTFTSeconds }, longestSeconds),
		InputWait:       single(func(_ *Deployment, o *Objective) *float64 { return &o.WaitSeconds }, longestSeconds),
		InputPrice:      single(func(d *Deployment, _ *Objective) *float64 { return &d.USDPerGPUHour }, profile.MaxUSDPerGPUHour),
	}
}

// peakOf moves how far the peak lies above the mean: a workload without one has
// nothing to move.
func peakOf(w *Workload, _ *Deployment, _ *Objective) (float64, float64) {
	for i := range w.Classes {
		if v := w.Classes[i].PeakToMean; v > 1 {
			return v, endless
		}
	}
	return 0, endless
}

func scalePeak(w *Workload, _ *Deployment, _ *Objective, f float64) {
	for i := range w.Classes {
		v := &w.Classes[i].PeakToMean
		*v = 1 + float64((*v-1)*f)
	}
}

func promptOf(w *Workload, _ *Deployment, _ *Objective) (float64, float64) {
	return w.Classes[0].PromptTokens, endless
}

// scalePrompt keeps the share that is cached.
func scalePrompt(w *Workload, _ *Deployment, _ *Objective, f float64) {
	for i := range w.Classes {
		l := &w.Classes[i]
		l.PromptTokens = max(float64(l.PromptTokens*f), 1)
		l.CachedTokens = min(float64(l.CachedTokens*f), l.PromptTokens-1)
	}
}

func outputOf(w *Workload, _ *Deployment, _ *Objective) (float64, float64) {
	return w.Classes[0].OutputTokens, endless
}

// scaleOutput keeps the share that is thinking.
func scaleOutput(w *Workload, _ *Deployment, _ *Objective, f float64) {
	for i := range w.Classes {
		l := &w.Classes[i]
		l.OutputTokens = max(float64(l.OutputTokens*f), 1)
		l.ThinkingTokens = min(float64(l.ThinkingTokens*f), l.OutputTokens)
	}
}

// hitOf is the share of the first class that has one, and how far all can grow.
func hitOf(w *Workload, d *Deployment, _ *Objective) (float64, float64) {
	switch d.Cache {
	case CacheOff:
		return 0, endless
	case CacheHits:
		if d.CacheHitFrac == 0 {
			return 0, endless
		}
		return d.CacheHitFrac, (1 - 1e-9) / d.CacheHitFrac
	}
	value, most := 0.0, endless
	for i := range w.Classes {
		l := &w.Classes[i]
		cached := l.cached(d)
		if cached == 0 {
			continue
		}
		if value == 0 {
			value = cached / l.PromptTokens
		}
		most = min(most, float64((l.PromptTokens-1)*(1-1e-12))/cached)
	}
	return value, most
}

func scaleHit(w *Workload, d *Deployment, _ *Objective, f float64) {
	d.CacheHitFrac = float64(d.CacheHitFrac * f)
	if d.Cache == CacheHits {
		return
	}
	for i := range w.Classes {
		l := &w.Classes[i]
		l.CachedTokens, l.HitFrac = float64(l.CachedTokens*f), float64(l.HitFrac*f)
	}
}
