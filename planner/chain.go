package planner

import "math"

// The chain from a workload to a number of GPUs and its price. For one replica
// that shares its time between prefill and decode at r requests/s, with P
// seconds of prefill a request, o tokens to decode, a decode step of w + bB
// seconds for B sequences and f seconds of arithmetic a token:
//
//	TPOT = w/(1 - r(P + ob))     a step, stretched by the prefills between
//	B = r o TPOT                 Little's law
//
// so the seconds of a replica that a request takes at most, T = 1/r, are the
// longest of
//
//	memory   P + o(w/Bmax + b)
//	TPOT     (P + ob)/(1 - w/s)      with s the time allowed per token
//	compute  (P + of)/(1 - h/s)      with h the part of w that is not reading
//
// and GPUs = ceil(peak rate T/target) TP. With prefill in a pool of its own P no
// longer stretches the step: P + ob/(1 - w/s). Several classes enter by their
// sums, since TPOT only sees the sum of their b. Derived here; the simulator
// says how well it holds.

// Where arithmetic of prefill hides behind reading for decode, P of the first two
// limits shrinks by x min(P, D), with D = T - P the decode of that limit.

// seconds are the parts from which T is composed, and what they give.
type seconds struct {
	all    float64 // prefill, P
	hide   float64 // x
	o      float64 // tokens to decode
	ob, of float64 // o times b, o times f
	w, h   float64 // w at the batch that memory holds
	ws     float64 // w at the limit of the time per token; w, unless experts are counted at the batch
	most   float64 // largest batch
	slo    float64 // s, 0 for none
	apart  bool    // disaggregated

	atMemory, atTPOT      float64 // P that is not hidden, by limit
	memory, tpot, compute float64
}

// total fills what the parts give and returns the longest.
func (t *seconds) total() float64 {
	decode := float64(t.o*t.w/t.most) + t.ob
	t.atMemory = t.all - float64(t.hide*min(t.all, decode))
	t.memory = t.atMemory + decode
	t.compute = t.all + float64(t.o*t.h/t.most) + t.of
	t.tpot, t.atTPOT = 0, t.all
	if t.slo > 0 {
		t.limit()
		busy := 1 - t.h/t.slo
		if t.apart {
			t.compute = max(t.compute, t.all+t.of/busy)
		} else {
			t.compute = max(t.compute, (t.all+t.of)/busy)
		}
	}
	return max(t.memory, t.tpot, t.compute)
}

// limit fills the limit of the time per token.
func (t *seconds) limit() {
	late := 1 - t.ws/t.slo
	if t.apart {
		t.tpot = t.all + t.ob/late
		return
	}
	if t.hide > 0 {
		// P - xD with D = (P + ob)/late - P, unless all of x P hides.
		t.atTPOT = max(float64((1-t.hide)*t.all), (t.all-float64(t.hide*t.ob)/late)/(1+float64(t.hide*t.ws/t.slo)/late))
	}
	t.tpot = (t.atTPOT + t.ob) / late
}

// settle finds w at the limit of the time per token, where fewer sequences run
// than memory holds, and touch fewer experts: the batch that a w allows falls as
// w grows, and the w that a batch reads grows with it, so they meet once.
func (t *seconds) settle(s *step) {
	lo, hi := s.weights(0), t.w
	for range 50 {
		t.ws = float64((lo + hi) * 0.5)
		batch := 0.0
		if t.ws < t.slo {
			t.atTPOT = t.all
			t.limit()
			batch = float64(t.o*t.slo) / t.tpot
			if t.apart {
				batch = float64(t.o*t.slo) / (t.tpot - t.all)
			}
		}
		if s.weights(min(batch, t.most)) > t.ws {
			lo = t.ws
		} else {
			hi = t.ws
		}
	}
	t.ws = hi
}

// shown is the prefill of the longer of the two limits that it is hidden in.
func (t *seconds) shown() float64 {
	if t.tpot > t.memory {
		return t.atTPOT
	}
	return t.atMemory
}

// Evaluate plans a fleet. An error is a *ValueError that names the input which
// makes the plan impossible, and the nearest value that would do.
func Evaluate(w Workload, d Deployment, o Objective) (Plan, error) {
	var p Plan
	if err := p.evaluate(&w, &d, &o); err != nil {
		return Plan{}, err
	}
	p.finish(&w, &d)
	return p, nil
}

// evaluate is all but what only a finished plan shows. d and o are not kept.
func (p *Plan) evaluate(w *Workload, d *Deployment, o *Objective) error {
	c := &checker{}
	c.workload(w)
	c.deployment(d)
	c.objective(o)
	if c.Err != nil {
		return c.Err
	}
	return p.solve(w, d, o)
}

// solve is evaluate without the checks of single inputs.
func (p *Plan) solve(w *Workload, d *Deployment, o *Objective) error {
	var s step
	s.set(d)
	m := blend(w, d, &s)
	if err := p.fit(d, &s, &m); err != nil {
		return err
	}
	t := &p.seconds
	*t = seconds{all: m.prefill, hide: d.OverlapFrac, o: m.output, ob: m.kv, of: m.compute, slo: o.TPOTSeconds, apart: d.Disaggregated}
	t.most = float64(p.BatchLimit)
	t.w, t.h = s.weights(t.most), s.idle()
	t.ws = t.w
	least := t.w
	if d.ExpertsAtBatch && t.slo > 0 {
		least = s.weights(1)
	}
	if err := p.reach(t, least, &m); err != nil {
		return err
	}
	if least < t.w {
		t.settle(&s)
	}
	T := t.total()
	p.WeightSeconds = t.w
	switch T {
	case t.memory:
		p.Bound = BoundMemory
		if d.MaxNumSeqs > 0 && p.BatchLimit < p.BatchMemory {
			p.Bound = BoundSeats
		}
	case t.tpot:
		p.Bound = BoundTPOT
		p.WeightSeconds = t.ws
	default:
		p.Bound = BoundCompute
	}
	p.Binds = p.Bound
	p.PrefillSeconds = m.prefill
	p.KVSeconds, p.ComputeSeconds = m.kv/m.output, m.compute/m.output
	p.PrefillShownSeconds = t.shown()
	p.ReplicaSeconds, p.DecodeSeconds = T, T-p.PrefillShownSeconds
	if d.Disaggregated {
		p.TPOTSeconds = p.WeightSeconds / (1 - m.kv/p.DecodeSeconds)
		p.Batch = float64(m.output * p.TPOTSeconds / p.DecodeSeconds)
	} else {
		p.TPOTSeconds = p.WeightSeconds / (1 - (p.PrefillShownSeconds+m.kv)/T)
		p.Batch = float64(m.output * p.TPOTSeconds / T)
	}
	p.mix, p.step = m, s
	p.TP = d.TP
	p.latency(d)
	return p.size(d, o)
}

// fit says how many sequences memory holds.
func (p *Plan) fit(d *Deployment, s *step, m *mix) error {
	all := float64(float64(d.TP) * float64(d.GPU.MemoryBytes) * d.MemoryFrac)
	p.FreeBytes = all - s.sizes.stored
	if !(p.FreeBytes >= m.largestKV && p.FreeBytes >= m.fullKV) {
		if p.fixed {
			return errSide
		}
		return tooLarge(d, s.sizes.stored+max(m.largestKV, m.fullKV))
	}
	p.BatchMemory = int(min(p.FreeBytes/m.fullKV, 1<<40))
	p.BatchLimit = p.BatchMemory
	if d.MaxNumSeqs > 0 {
		p.BatchLimit = min(p.BatchLimit, d.MaxNumSeqs)
	}
	p.KVTokens = math.Floor(p.FreeBytes / m.fullKV * m.fullTokens)
	return nil
}

// tooLarge is the error of weights and one sequence that do not fit.
func tooLarge(d *Deployment, need float64) error {
	tp := 1
	for tp <= mostTP && float64(float64(tp)*float64(d.GPU.MemoryBytes)*d.MemoryFrac) < need {
		tp *= 2
	}
	e := &ValueError{
		Field: "Deployment.TP",
		Value: number(float64(d.TP)),
		Legal: "as many " + d.GPU.Name + " as hold the weights of " + d.Model.Name + " and the KV of one sequence: " + number(rounded(need, true)) + " bytes",
	}
	if tp <= mostTP {
		e.Nearest = number(float64(tp))
	}
	return e
}

// reach refuses a time per token that not even one sequence alone reaches. w is
// the least that a step takes whatever its batch.
func (p *Plan) reach(t *seconds, w float64, m *mix) error {
	if t.slo == 0 {
		return nil
	}
	least := max(w+m.slowestToken, t.h+float64(t.of/t.o))
	if t.slo >= least {
		return nil
	}
	if p.fixed {
		return errSide
	}
	near := rounded(least, true)
	return &ValueError{Field: "Objective.TPOTSeconds", Value: number(t.slo), Legal: "at least one step of one sequence, " + number(near) + " s", Nearest: number(near)}
}

// latency is what a request sees beside the time per token.
func (p *Plan) latency(d *Deployment) {
	m := &p.mix
	single := p.WeightSeconds + float64(p.Batch*p.KVSeconds) // a decode step at full load
	p.FirstSeconds, p.LongestGapSeconds = m.slowest, single
	p.TransferSeconds = 0
	switch {
	case d.Disaggregated:
		if d.GPU.LinkBytesPerSec > 0 {
			p.TransferSeconds = m.moved / float64(d.GPU.LinkBytesPerSec*float64(d.TP))
		}
		p.FirstSeconds += p.TransferSeconds
	case d.ChunkTokens > 0:
		chunks := p.chunks(d)
		p.FirstSeconds += float64(chunks * single)
		p.LongestGapSeconds += m.slowest / chunks
	default:
		p.LongestGapSeconds += m.slowest
	}
}

// chunks is how many steps the longest prompt takes.
func (p *Plan) chunks(d *Deployment) float64 {
	return math.Ceil(p.mix.longest / float64(d.ChunkTokens))
}

// size is how many replicas the peak needs, and how busy they are.
func (p *Plan) size(d *Deployment, o *Objective) error {
	m := &p.mix
	wait := o.WaitSeconds
	p.TargetFrom = TargetGiven
	if wait > 0 {
		p.TargetFrom = TargetWait
	}
	if o.TTFTSeconds > 0 {
		room := o.TTFTSeconds - p.FirstSeconds
		if room <= 0 {
			if p.fixed {
				return errSide
			}
			near := rounded(float64(p.FirstSeconds*1.01), true)
			return &ValueError{Field: "Objective.TTFTSeconds", Value: number(o.TTFTSeconds),
				Legal: "more than the time to the first token of a request that does not wait, " + number(rounded(p.FirstSeconds, true)) + " s", Nearest: number(near)}
		}
		if wait == 0 || room < wait {
			wait, p.TargetFrom = room, TargetTTFT
		}
	}
	p.WaitLimitSeconds = wait
	load := float64(m.peak * p.ReplicaSeconds)
	replicas := 0.0 // by the target
	if o.TargetFrac > 0 {
		replicas = load / o.TargetFrac
	}
	if wait > 0 && !p.fixed {
		if load/solveServers > maxServers {
			return tooMany(m)
		}
		waits := p.waiting(d, wait)
		if waits <= replicas {
			p.TargetFrom = TargetGiven
		}
		replicas = max(replicas, waits)
	} else if o.TargetFrac > 0 {
		p.TargetFrom = TargetGiven
	}
	if p.TargetFrom == TargetTTFT {
		p.Bound = BoundTTFT
	}
	if !(replicas <= maxServers) {
		if p.fixed {
			return errSide
		}
		return tooMany(m)
	}
	p.TargetFrac = load / replicas
	tp := float64(d.TP)
	p.GPUsFractional = float64(replicas * tp)
	p.MeanGPUsFractional = float64(p.GPUsFractional * m.mean / m.peak)
	if d.Disaggregated {
		p.PrefillReplicas = whole(float64(replicas * p.PrefillShownSeconds / p.ReplicaSeconds))
		p.DecodeReplicas = whole(float64(replicas * p.DecodeSeconds / p.ReplicaSeconds))
		p.Replicas = p.PrefillReplicas + p.DecodeReplicas
	} else {
		p.Replicas = whole(replicas)
	}
	p.SpareReplicas = d.SpareReplicas
	if d.Disaggregated {
		p.SpareReplicas *= 2 // one of either kind
	}
	p.GPUs = (p.Replicas + p.SpareReplicas) * d.TP
	return nil
}

// waiting is the replicas, a real number, at which the mean wait is the limit.
// Apart, requests wait for the prefill pool; the decode pool is as busy.
func (p *Plan) waiting(d *Deployment, wait float64) float64 {
	m := &p.mix
	if !d.Disaggregated {
		return fleet(float64(m.peak*p.ReplicaSeconds), wait, p.ReplicaSeconds, m.ca2, m.cs2)
	}
	return fleet(float64(m.peak*p.PrefillShownSeconds), wait, p.PrefillShownSeconds, m.ca2, m.cs2) * p.ReplicaSeconds / p.PrefillShownSeconds
}

func tooMany(m *mix) error {
	return &ValueError{Field: "Workload.Classes[0].RequestsPerSec", Value: number(m.peak), Legal: "in all, what " + number(maxServers) + " replicas serve"}
}

// whole is the next whole number; a fleet has at least one replica.
func whole(x float64) int { return max(int(math.Ceil(x)), 1) }
