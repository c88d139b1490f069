package planner

import "openloop/sim"

// A plan is a first order; its check is a simulation of the same fleet under the
// same load: does it hold what it promises, and where do the two differ, by how
// much and why. check_config.go makes the configuration, check_cost.go the step
// times, check_run.go runs it, check_causes.go explains; check_search.go looks
// for the smallest fleet, check_capacity.go and check_rank.go for what a lever
// saves.

// CheckOptions say how thoroughly to check.
type CheckOptions struct {
	Seeds     int     // runs of each kind; 0 is 5
	FirstSeed uint64  // 0 is 1
	Level     float64 // of intervals over seeds, in (0,1); 0 is 0.95
	Explain   bool    // run what the causes take, too: up to six times as many runs
	Sim       SimOptions
}

func (o *CheckOptions) fill() {
	if o.Seeds == 0 {
		o.Seeds = 5
	}
	if o.FirstSeed == 0 {
		o.FirstSeed = 1
	}
	if o.Level == 0 {
		o.Level = 0.95
	}
}

func (c *checker) checks(o *CheckOptions) {
	c.count("CheckOptions.Seeds", o.Seeds, 0, 1000)
	if o.Level != 0 {
		c.within("CheckOptions.Level", o.Level, 1e-3, 1-1e-6)
	}
}

// Outcome is what a check says about a promise.
type Outcome uint8

// The outcomes.
const (
	Unclear Outcome = iota // the interval has the limit in it, or runs disagree
	Held
	Broken
)

// String is the name in links and tables.
func (o Outcome) String() string {
	switch o {
	case Held:
		return "held"
	case Broken:
		return "broken"
	}
	return "unclear"
}

// Metric is a number that a plan and a simulation both have.
type Metric uint8

// The metrics.
const (
	MetricTPOT  Metric = iota // mean time per output token, s
	MetricTTFT                // mean time to the first token, s
	MetricWait                // mean wait for admission, s
	MetricBatch               // sequences that decode on a replica
	MetricKeeps               // share of runs that keep up
	Metrics
)

// String is the name in links and tables.
func (m Metric) String() string {
	names := [Metrics]string{"tpot", "ttft", "wait", "batch", "keeps_up"}
	if m < Metrics {
		return names[m]
	}
	return "unknown"
}

func (m Metric) of(n *Numbers) float64 {
	switch m {
	case MetricTPOT:
		return n.TPOTSeconds
	case MetricTTFT:
		return n.TTFTSeconds
	case MetricWait:
		return n.WaitSeconds
	case MetricBatch:
		return n.Batch
	}
	if n.KeepsUp() {
		return 1
	}
	return 0
}

// Promise is one thing that the plan promises: a limit on a mean, or to keep up.
type Promise struct {
	Metric    Metric
	Limit     float64      // s; 1 for MetricKeeps
	Simulated sim.Interval // of the mean, over seeds
	P99       sim.Interval // of the 99th percentile, which nobody promised
	Outcome   Outcome
}

// CheckResult is what a check found.
type CheckResult struct {
	Plan     Plan
	Runs     []Numbers // by seed, with all that varies
	Promises []Promise
	Outcome  Outcome // Broken if any promise is, Held if all are

	// Plan against simulation. The parts are there if CheckOptions.Explain.
	Rows   []Row
	Limits []Limit
}

// Check is a check in progress.
type Check struct {
	work
	result CheckResult
}

// NewCheck plans and makes a check of the plan, to be worked. An error is a
// *ValueError.
func NewCheck(w Workload, d Deployment, o Objective, opts CheckOptions) (*Check, error) {
	p, err := Evaluate(w, d, o)
	if err != nil {
		return nil, err
	}
	c := &checker{}
	c.checks(&opts)
	c.simulated(&p, &w, &opts.Sim)
	if c.Err != nil {
		return nil, c.Err
	}
	opts.fill()
	s, err := p.setup(&w, &opts.Sim)
	if err != nil {
		return nil, err
	}
	k := &Check{result: CheckResult{Plan: p, Limits: s.Limits}}
	w = w.own()
	k.start(func(t *turns) { k.do(t, &w, &o, &opts) })
	return k, nil
}

// own is a copy that nobody else changes.
func (w Workload) own() Workload {
	return Workload{Classes: append([]Class(nil), w.Classes...)}
}

// Result is complete when Work has said so. An error is what the simulator
// refused.
func (k *Check) Result() (CheckResult, error) { return k.result, k.turns.err }

func (k *Check) do(t *turns, w *Workload, o *Objective, opts *CheckOptions) {
	r := &k.result
	steps := []idealStep{{CauseFormula, 0}}
	if opts.Explain {
		steps = r.Plan.idealSteps(w)
	}
	runs := make([][]Numbers, len(steps))
	// What happens first: it is what a reader waits for.
	for i := len(steps) - 1; i >= 0; i-- {
		so := opts.Sim
		so.Without |= steps[i].without
		for s := range opts.Seeds {
			n, ok := t.simulate(&r.Plan, w, &so, opts.FirstSeed+uint64(s))
			if !ok {
				return
			}
			runs[i] = append(runs[i], n)
		}
		if i == len(steps)-1 {
			r.Runs = runs[i]
			r.judge(o, opts.Level)
			r.compare(opts)
		}
	}
	if opts.Explain {
		r.explain(steps, runs, opts)
	}
}

// over is a number over seeds.
func over(runs []Numbers, level float64, of func(*Numbers) float64) sim.Interval {
	values := make([]float64, len(runs))
	for i := range runs {
		values[i] = of(&runs[i])
	}
	return sim.OverSeeds(values, level)
}

// judge decides about every promise.
func (r *CheckResult) judge(o *Objective, level float64) {
	r.Promises = r.Promises[:0]
	add := func(m Metric, limit float64, p99 func(*Numbers) float64) {
		if limit == 0 {
			return
		}
		x := over(r.Runs, level, m.of)
		p := Promise{Metric: m, Limit: limit, Simulated: x}
		if p99 != nil {
			p.P99 = over(r.Runs, level, p99)
		}
		switch {
		case len(r.Runs) < 2 && x.Mean <= limit, x.Hi <= limit:
			p.Outcome = Held
		case len(r.Runs) < 2 || x.Lo > limit:
			p.Outcome = Broken
		}
		r.Promises = append(r.Promises, p)
	}
	add(MetricTPOT, o.TPOTSeconds, func(n *Numbers) float64 { return n.TPOTp99Seconds })
	add(MetricTTFT, o.TTFTSeconds, func(n *Numbers) float64 { return n.TTFTp99Seconds })
	add(MetricWait, o.WaitSeconds, nil)
	keeps := Promise{Metric: MetricKeeps, Limit: 1, Simulated: over(r.Runs, level, MetricKeeps.of)}
	switch keeps.Simulated.Mean {
	case 1:
		keeps.Outcome = Held
	case 0:
		keeps.Outcome = Broken
	}
	r.Promises = append(r.Promises, keeps)
	r.Outcome = Held
	for _, p := range r.Promises {
		switch {
		case p.Outcome == Broken:
			r.Outcome = Broken
		case p.Outcome == Unclear && r.Outcome == Held:
			r.Outcome = Unclear
		}
	}
}
