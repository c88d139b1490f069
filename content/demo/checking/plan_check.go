package checking

import (
	"openloop/content/demo"
	"openloop/content/demo/sizing"
	"openloop/planner"
)

// A plan against a simulation of it: does it hold what it promises, where do the
// two differ and why, and which is the smallest fleet that holds.

func planCheck() *demo.Demo {
	var presets []string
	for _, p := range planner.Presets() {
		presets = append(presets, p.ID, p.Title)
	}
	presets = append(presets, sizing.OwnFleet, "your plan")
	return &demo.Demo{
		ID: "plan-check", Version: 1, Title: "Does the plan hold?",
		Lead:   "The plan is a formula for means. Here the fleet that it asks for is simulated, request by request, several times. Take a replica away, or add load, and see which promise breaks first.",
		Limits: "The simulated steps take as long as the plan says: what is checked is everything but them, that is queues, bursts, lengths, memory and the scheduler. Cached tokens are spared as the plan says, whether or not a cache would hold them. Pools that are apart are simulated one after the other. The peak lasts for the whole run.",
		Knobs: []demo.Knob{
			demo.Choice("fleet", "Plan", "The presets of the planner, or a plan of yours by its link.", presets...),
			{Name: sizing.OwnKnob, Label: "Link of your plan", Doc: "Of the planner above: what its address or its share button says, from the # on. The planner's own link to here fills it in.", Writing: &demo.Writing{Max: 1800, Lines: 3}, Idle: demo.OnlyWith("fleet", sizing.OwnFleet)},
			{Name: "more", Label: "Replicas beyond the plan", Doc: "Take some away, or add some; of those that decode, if prefill has a pool of its own.", Min: -4, Max: 4, Step: 1, Whole: true},
			{Name: "load", Label: "Load", Unit: "% of the planned peak", Doc: "What comes in, whatever the fleet was planned for.", Default: 100, Min: 10, Max: 200, Step: 5},
			behind(demo.Choice("search", "Search the smallest fleet", "By simulation, fewest replicas that hold all promises; takes longer.", "off", "off", "on", "on")),
			{Name: "runs", Label: "Runs", Doc: "Of each kind, each with a seed of its own. With seed 1 and 5 runs these are the kept runs of the chapter.", Default: 3, Min: 2, Max: 20, Step: 1, Whole: true, More: true},
		},
		Presets: []demo.Preset{
			{Name: "Chat, 70B", State: "", Says: "As planned."},
			{Name: "One replica less", State: "more=-1", Says: "What breaks first?"},
			{Name: "Two replicas less", State: "more=-2", Says: "Half the fleet for the whole load."},
			{Name: "Smallest fleet", State: "search=on", Says: "Fewest replicas that hold, by simulation."},
			{Name: "Agents", State: "fleet=agents", Says: "A plan that simulation does not hold."},
			{Name: "Offline batch", State: "fleet=offline-batch", Says: "No limit on time: all it must do is keep up."},
		},
		Bet: &demo.Bet{
			Question: "The chat plan is made of means, for replicas that are busy seven tenths of the time at the peak. Take one replica away. What happens to the promises, a token every 50 ms and the first within a second?",
			Options:  []string{"both still hold", "the time per token breaks", "the time to first token breaks", "both break"},
			Reveal:   "more=-1",
			By:       []string{"tpot", "ttft"},
			Answer:   func(t demo.Task) int { return t.(*checkRun).broken() },
			Feedback: []string{
				"The target kept room for bursts, and a replica less uses some of it.",
				"Steps get longer as batches grow, but the target had kept room.",
				"Waits grow before steps do only if all seats are taken, and they are not.",
				"That takes two replicas less: then the load is near what they carry at all.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Verdict", TeX: `k = \sum_{i=1}^{n} [\,\bar x_i \le L\,]`, Says: "the runs whose mean is within the limit, of n with seeds of their own: the promise is held if k = n, broken if k < n/2, and unclear between. Keeping up is broken by one run that falls behind"},
			{Name: "Parts", TeX: `x_\text{simulated} - x_\text{plan} = \sum_i (x_{i} - x_{i-1})`, Says: "each run lets one thing more happen that the plan leaves out; in another order the parts would be others"},
		},
		Start: startCheck,
	}
}

// behind puts a knob behind "more settings"; a preset has it on.
func behind(k demo.Knob) demo.Knob {
	k.More = true
	return k
}

type checkRun struct {
	demo.Quiet
	fleet    fleet
	plan     planner.Plan
	more     int
	load     float64
	runs     int
	seed     uint32
	check    *planner.Check
	search   *planner.Search // nil if none was asked for, or none can be
	searched bool
	checked  bool
	done     bool
	explains bool // what causes take is simulated too

	result planner.CheckResult
	found  planner.SearchResult
	wrong  string // why there is nothing to show
}

// requests are measured in a run, at least: as many as in the kept runs of the
// chapter, which the demo repeats with seed 1 and five runs.
const requests = 1000

// How large a run may be, in requests: with all the runs that the causes take, and
// without them. Either is a few seconds.
const mostExplained, mostSimulated = 10_000, 30_000

func startCheck(v demo.Values, seed uint32) (demo.Task, error) {
	r := &checkRun{more: v.Int("more"), load: v.Num("load") / 100, runs: v.Int("runs"), seed: seed, searched: v.On("search")}
	if r.fleet, r.wrong = fleetOf(v); r.wrong == "" {
		r.wrong = r.begin(seed)
	}
	r.done = r.wrong != ""
	return r, nil
}

// begin plans and makes the check and the search; it says why it cannot.
func (r *checkRun) begin(seed uint32) string {
	f := &r.fleet
	var err error
	if r.plan, err = planner.Evaluate(f.workload, f.deployment, f.objective); err != nil {
		return f.refusal(err)
	}
	opts := planner.CheckOptions{Seeds: r.runs, FirstSeed: uint64(seed), Sim: planner.SimOptions{Requests: requests}}
	for _, opts.Sim.MostRequests = range [...]int{mostExplained, mostSimulated} {
		opts.Explain = opts.Sim.MostRequests == mostExplained
		o := opts
		o.Sim.RequestsPerSec = float64(r.load * f.peak())
		if f.deployment.Disaggregated {
			o.Sim.DecodeReplicas = max(1, r.plan.DecodeReplicas+r.more)
		} else {
			o.Sim.Replicas = max(1, r.plan.Replicas+r.more)
		}
		if r.check, err = planner.NewCheck(f.workload, f.deployment, f.objective, o); err == nil {
			break
		}
	}
	if err != nil {
		return unsimulated(err)
	}
	if r.explains = opts.Explain; !r.searched || f.deployment.Disaggregated {
		return ""
	}
	opts.Explain = false
	w := planner.Workload{Classes: append([]planner.Class(nil), f.workload.Classes...)}
	for i := range w.Classes {
		w.Classes[i].RequestsPerSec *= r.load
	}
	if r.search, err = planner.NewSearch(w, f.deployment, f.objective, planner.SearchOptions{CheckOptions: opts}); err != nil {
		return unsimulated(err)
	}
	return ""
}

// Step is that of Task.
func (r *checkRun) Step(budget int) bool {
	switch {
	case r.done:
		return true
	case !r.checked:
		r.checked = r.check.Work(budget)
		if !r.checked {
			return false
		}
		var err error
		if r.result, err = r.check.Result(); err != nil {
			r.wrong = unsimulated(err)
		}
		r.done = r.search == nil || r.wrong != ""
		return r.done
	}
	if r.done = r.search.Work(budget); r.done {
		var err error
		if r.found, err = r.search.Result(); err != nil {
			r.wrong = unsimulated(err)
		}
	}
	return r.done
}

// kinds is how many kinds of run a check makes at most.
const kinds = 7

// Progress is that of Task; how many runs a search takes is not known before.
func (r *checkRun) Progress() float64 {
	if r.done {
		return 1
	}
	share := min(float64(r.check.Runs())/float64(kinds*r.runs), 1)
	if r.search == nil {
		return 0.99 * share
	}
	n := float64(r.search.Runs())
	return float64(0.5*share) + float64(0.49*n)/(n+10)
}

// broken is the option of the bet.
func (r *checkRun) broken() int {
	n := 0
	for _, p := range r.result.Promises {
		if p.Outcome == planner.Broken {
			switch p.Metric {
			case planner.MetricTPOT:
				n |= 1
			case planner.MetricTTFT, planner.MetricKeeps:
				n |= 2
			}
		}
	}
	return n
}
