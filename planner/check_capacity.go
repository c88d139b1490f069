package planner

// What a fleet carries, by simulation: the largest rate at which every seed keeps
// up and holds the limits, found by halving, for a fleet of as many replicas as
// the plan has. It makes fleets of a simulation comparable as real numbers, as
// the plan's are: GPUs = peak TP replicas/rate, and for pools apart the sum over
// both, each found with plenty of the other. Without limits on time the rate is
// what comes out of replicas that are asked for more.

// CapacityOptions say how closely to look.
type CapacityOptions struct {
	Seeds     int     // 0 is 2
	FirstSeed uint64  // 0 is 1
	Requests  int     // measured in each run, at least; 0 is 600
	Tolerance float64 // the rate is found to this share; 0 is 0.02

	// MostReplicas bounds the fleet, which takes time in proportion; 0 is 8. A
	// smaller fleet carries less for each replica: it evens out less.
	MostReplicas int
	Without      Ideal
}

func (o *CapacityOptions) fill() {
	if o.Seeds == 0 {
		o.Seeds = 2
	}
	if o.FirstSeed == 0 {
		o.FirstSeed = 1
	}
	if o.Requests == 0 {
		o.Requests = 600
	}
	if o.Tolerance == 0 {
		o.Tolerance = 0.02
	}
	if o.MostReplicas == 0 {
		o.MostReplicas = 8
	}
}

func (c *checker) capacity(o *CapacityOptions) {
	c.count("CapacityOptions.Seeds", o.Seeds, 0, 1000)
	c.count("CapacityOptions.Requests", o.Requests, 0, 1e6)
	c.count("CapacityOptions.MostReplicas", o.MostReplicas, 0, 4096)
	if o.Tolerance != 0 {
		c.within("CapacityOptions.Tolerance", o.Tolerance, 1e-3, 0.5)
	}
}

// CapacityResult is what a fleet carries.
type CapacityResult struct {
	Plan     Plan
	Replicas int // simulated
	Decode   int // replicas for decode if the pools are apart; Replicas then prefill

	// Requests per second of one replica, planned at full load and simulated;
	// of one that prefills and one that decodes if the pools are apart. 0 if
	// limits that hold in the plan do not in simulation, however little is
	// asked: Never, and SimulatedGPUs is +Inf.
	Planned, Simulated             float64
	PlannedDecode, SimulatedDecode float64 // 0 unless apart

	// GPUs for the peak as a real number, without headroom: what the plan says
	// times its target, and what the simulation says.
	PlannedGPUs, SimulatedGPUs float64

	// Limited is false if a pool carries more than ten times what was planned:
	// the search gave up and the rate is a lower bound.
	Limited bool
	Never   bool
}

// Capacity is such a search in progress.
type Capacity struct {
	work
	result CapacityResult
}

// NewCapacity plans and makes the search, to be worked. An error is a
// *ValueError.
func NewCapacity(w Workload, d Deployment, o Objective, opts CapacityOptions) (*Capacity, error) {
	p, err := Evaluate(w, d, o)
	if err != nil {
		return nil, err
	}
	c := &checker{}
	c.capacity(&opts)
	c.simulated(&p, &w, &SimOptions{})
	if c.Err != nil {
		return nil, c.Err
	}
	opts.fill()
	k := &Capacity{}
	w = w.own()
	k.start(func(t *turns) { k.result, _ = t.capacity(p, &w, &o, &opts) })
	return k, nil
}

// Result is complete when Work has said so.
func (k *Capacity) Result() (CapacityResult, error) { return k.result, k.turns.err }

// plenty is how many replicas of the other pool stand by, times what is needed.
const plenty = 4

func (t *turns) capacity(p Plan, w *Workload, o *Objective, opts *CapacityOptions) (r CapacityResult, ok bool) {
	r.Plan = p
	tp := float64(p.TP)
	r.PlannedGPUs = float64(p.GPUsFractional * p.TargetFrac)
	r.Limited = true
	f := finder{t: t, p: &r.Plan, w: w, o: o, opts: opts}
	r.Replicas = min(p.Replicas, opts.MostReplicas)
	if !p.made.Disaggregated {
		r.Planned = 1 / p.ReplicaSeconds
		f.replicas = r.Replicas
		f.set = func(s *SimOptions) { s.Replicas = f.replicas }
		if r.Simulated, ok = f.find(r.Planned); !ok {
			return r, false
		}
		r.Limited, r.Never = f.limited, r.Simulated == 0
		r.SimulatedGPUs = float64(p.mix.peak*tp) / r.Simulated
		return r, true
	}
	r.Planned, r.PlannedDecode = 1/p.PrefillShownSeconds, 1/p.DecodeSeconds
	others := func(rate, seconds float64) int { return int(float64(plenty*rate*seconds)) + 2 }
	r.Replicas, r.Decode = min(p.PrefillReplicas, opts.MostReplicas), min(p.DecodeReplicas, opts.MostReplicas)
	f.replicas = r.Replicas
	f.set = func(s *SimOptions) {
		s.PrefillReplicas, s.DecodeReplicas = f.replicas, others(s.RequestsPerSec, p.DecodeSeconds)
	}
	if r.Simulated, ok = f.find(r.Planned); !ok {
		return r, false
	}
	r.Limited = f.limited
	f.replicas = r.Decode
	f.set = func(s *SimOptions) {
		s.PrefillReplicas, s.DecodeReplicas = others(s.RequestsPerSec, p.PrefillShownSeconds), f.replicas
	}
	if r.SimulatedDecode, ok = f.find(r.PlannedDecode); !ok {
		return r, false
	}
	r.Limited, r.Never = r.Limited && f.limited, r.Simulated == 0 || r.SimulatedDecode == 0
	r.SimulatedGPUs = float64(p.mix.peak*tp) * (1/r.Simulated + 1/r.SimulatedDecode)
	return r, true
}

// finder finds one rate.
type finder struct {
	t        *turns
	p        *Plan
	w        *Workload
	o        *Objective
	opts     *CapacityOptions
	set      func(*SimOptions)
	replicas int
	limited  bool
	stopped  bool
}

// stride is the factor of the first steps away from the planned rate, mostTimes
// how far they go.
const stride, mostTimes = 1.25, 10

// find is requests/s of one replica; 0 if no rate holds.
func (f *finder) find(planned float64) (rate float64, ok bool) {
	f.limited = true
	if f.o.TPOTSeconds == 0 && f.o.TTFTSeconds == 0 && f.o.WaitSeconds == 0 {
		return f.saturate(planned)
	}
	lo, hi := planned, planned
	if f.holds(planned) {
		for hi = float64(lo * stride); f.holds(hi); hi = float64(hi * stride) {
			if lo = hi; hi > float64(planned*mostTimes) {
				f.limited = false
				return lo, !f.stopped
			}
		}
	} else {
		for lo = hi / stride; !f.holds(lo) && !f.stopped; lo /= stride {
			if hi = lo; lo < planned/100 {
				return 0, true // nothing holds, however little is asked
			}
		}
	}
	for hi/lo > 1+f.opts.Tolerance && !f.stopped {
		if mid := float64((lo + hi) * 0.5); f.holds(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return float64((lo + hi) * 0.5), !f.stopped
}

// holds says whether every seed holds at this rate.
func (f *finder) holds(rate float64) bool {
	for s := range f.opts.Seeds {
		n, ok := f.run(rate, s)
		if !ok || !n.Within(*f.o) {
			return false
		}
	}
	return true
}

func (f *finder) run(rate float64, seed int) (Numbers, bool) {
	so := SimOptions{Without: f.opts.Without, RequestsPerSec: float64(rate * float64(f.replicas)), Requests: f.opts.Requests}
	f.set(&so)
	n, ok := f.t.simulate(f.p, f.w, &so, f.opts.FirstSeed+uint64(seed))
	f.stopped = f.stopped || !ok
	return n, ok
}

// saturate asks for more and more until no more comes out.
func (f *finder) saturate(planned float64) (rate float64, ok bool) {
	for ask := float64(1.5 * planned); ask < float64(mostTimes*planned); ask = float64(ask * 1.5) {
		sum := 0.0
		for s := range f.opts.Seeds {
			n, ok := f.run(ask, s)
			if !ok {
				return 0, false
			}
			sum += n.RequestsPerSec / float64(f.replicas)
		}
		if rate = sum / float64(f.opts.Seeds); rate < float64(0.9*ask) {
			return rate, true
		}
	}
	f.limited = false
	return rate, true
}
