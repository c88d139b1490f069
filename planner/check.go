package planner

// A plan is a first order; its check is a simulation of the same fleet under the
// same load: does it hold what it promises, and where do the two differ, by how
// much and why. check_config.go makes the configuration, check_cost.go the step
// times, check_run.go runs it, check_causes.go explains; check_search.go looks
// for the smallest fleet, check_capacity.go and check_rank.go for what a lever
// saves.

// CheckOptions say how thoroughly to check.
type CheckOptions struct {
	Seeds     int    // runs of each kind; 0 is 5
	FirstSeed uint64 // 0 is 1
	Explain   bool   // run what the causes take, too: up to six times as many runs
	Sim       SimOptions
}

func (o *CheckOptions) fill() {
	if o.Seeds == 0 {
		o.Seeds = 5
	}
	if o.FirstSeed == 0 {
		o.FirstSeed = 1
	}
}

func (c *checker) checks(o *CheckOptions) {
	c.count("CheckOptions.Seeds", o.Seeds, 0, 1000)
}

// Outcome is what a check says about a promise. A promise about a mean is held
// if the mean of every run is within its limit, and broken if that of more than
// half of the runs is not. Keeping up is held if every run keeps up and broken
// otherwise: one run that falls behind shows that such a fleet can.
type Outcome uint8

// The outcomes.
const (
	Unclear Outcome = iota // some runs keep it and some do not
	Held
	Broken
)

func outcome(m Metric, kept, runs int) Outcome {
	switch {
	case kept == runs:
		return Held
	case m == MetricKeeps || 2*kept < runs:
		return Broken
	}
	return Unclear
}

// Over is a number over runs: the mean, and the least and the most that a run
// gave. It is no interval of confidence. There are few runs, and of a run that
// falls behind the times grow as long as it lasts: the t interval of such values
// reaches below zero.
type Over struct{ Mean, Least, Most float64 }

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
	Limit     float64 // s; 1 for MetricKeeps
	Simulated Over    // of the mean; of MetricKeeps 1 for a run that does, else 0
	P95, P99  Over    // of the 95th and 99th percentile, which nobody promised
	Kept      int     // runs that keep it
	Outcome   Outcome
}

// CheckResult is what a check found.
type CheckResult struct {
	Plan     Plan
	Runs     []Numbers // by seed, with all that varies
	Promises []Promise
	Kept     int     // runs that keep all promises
	Outcome  Outcome // Held if all runs keep all; Broken if a promise is, or more than half of the runs break one

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
			r.judge(o)
			r.compare(opts)
		}
	}
	if opts.Explain {
		r.explain(steps, runs, opts)
	}
}

// over is a number over runs, of which there is at least one.
func over(runs []Numbers, of func(*Numbers) float64) Over {
	values := make([]float64, len(runs))
	for i := range runs {
		values[i] = of(&runs[i])
	}
	return overOf(values)
}

func overOf(values []float64) Over {
	out := Over{Least: values[0], Most: values[0]}
	for _, x := range values {
		out.Mean += x
		out.Least, out.Most = min(out.Least, x), max(out.Most, x)
	}
	out.Mean /= float64(len(values))
	return out
}

// judge decides about every promise, and about the fleet.
func (r *CheckResult) judge(o *Objective) {
	r.Promises = r.Promises[:0]
	n := len(r.Runs)
	add := func(m Metric, limit float64, p95, p99 func(*Numbers) float64) {
		if limit == 0 {
			return
		}
		p := Promise{Metric: m, Limit: limit, Simulated: over(r.Runs, m.of)}
		if p99 != nil {
			p.P95, p.P99 = over(r.Runs, p95), over(r.Runs, p99)
		}
		for i := range r.Runs {
			if x := m.of(&r.Runs[i]); m == MetricKeeps && x == 1 || m != MetricKeeps && x <= limit {
				p.Kept++
			}
		}
		p.Outcome = outcome(m, p.Kept, n)
		r.Promises = append(r.Promises, p)
	}
	add(MetricTPOT, o.TPOTSeconds, func(n *Numbers) float64 { return n.TPOTp95Seconds }, func(n *Numbers) float64 { return n.TPOTp99Seconds })
	add(MetricTTFT, o.TTFTSeconds, func(n *Numbers) float64 { return n.TTFTp95Seconds }, func(n *Numbers) float64 { return n.TTFTp99Seconds })
	add(MetricWait, o.WaitSeconds, nil, nil)
	add(MetricKeeps, 1, nil, nil)
	r.Kept = 0
	for i := range r.Runs {
		if r.Runs[i].Within(*o) {
			r.Kept++
		}
	}
	r.Outcome = outcome(MetricTPOT, r.Kept, n)
	for _, p := range r.Promises {
		if p.Outcome == Broken {
			r.Outcome = Broken
		}
	}
}
