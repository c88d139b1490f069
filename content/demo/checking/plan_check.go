package checking

import (
	"errors"

	"openloop/content/demo"
	"openloop/content/demo/refusal"
	"openloop/planner"
)

// A plan against a simulation of it: does it hold what it promises, where do the
// two differ and why, and which is the smallest fleet that holds.

func planCheck() *demo.Demo {
	var presets []string
	for _, p := range planner.Presets() {
		presets = append(presets, p.ID, p.Title)
	}
	return &demo.Demo{
		ID: "plan-check", Version: 1, Title: "Does the plan hold?",
		Lead:   "The plan is a formula for means. Here the fleet that it asks for is simulated, request by request, several times. Take a replica away, or add load, and see which promise breaks first.",
		Limits: "The simulated steps take as long as the plan says: what is checked is everything but them, that is queues, bursts, lengths, memory and the scheduler. Cached tokens are spared as the plan says, whether or not a cache would hold them. Pools that are apart are simulated one after the other. The peak lasts for the whole run.",
		Knobs: []demo.Knob{
			demo.Choice("fleet", "Plan", "The presets of the planner.", presets...),
			{Name: "more", Label: "Replicas beyond the plan", Doc: "Take some away, or add some.", Min: -4, Max: 4, Step: 1, Whole: true},
			{Name: "load", Label: "Load", Unit: "% of the planned peak", Doc: "What comes in, whatever the fleet was planned for.", Default: 100, Min: 10, Max: 200, Step: 5},
			demo.Choice("search", "Search the smallest fleet", "By simulation, fewest replicas that hold all promises; takes longer.", "off", "off", "on", "on"),
			{Name: "runs", Label: "Runs", Doc: "Of each kind; intervals are over them.", Default: 3, Min: 2, Max: 20, Step: 1, Whole: true, More: true},
		},
		Presets: []demo.Preset{
			{Name: "Chat, 70B", State: "", Says: "As planned."},
			{Name: "One replica less", State: "more=-1", Says: "What breaks first?"},
			{Name: "Two replicas less", State: "more=-2", Says: "Half the fleet for the whole load."},
			{Name: "Smallest fleet", State: "search=on", Says: "Fewest replicas that hold, by simulation."},
			{Name: "Offline batch", State: "fleet=offline-batch", Says: "No limit on time: all it must do is keep up."},
		},
		Bet: &demo.Bet{
			Question: "The chat plan is made of means, for replicas that are busy seven tenths of the time at the peak. Take one replica away. What happens to the promises, a token every 50 ms and the first within a second?",
			Options:  []string{"both still hold", "the time per token breaks", "the time to first token breaks", "both break"},
			Reveal:   "more=-1",
			Answer:   func(t demo.Task) int { return t.(*checkRun).broken() },
			Feedback: []string{
				"The target kept room for bursts, and a replica less uses some of it.",
				"Steps get longer as batches grow, but the target had kept room.",
				"Waits grow before steps do only if all seats are taken, and they are not.",
				"That takes two replicas less: then the load is near what they carry at all.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Interval", TeX: `\bar x \pm t_{0.975,\,n-1}\,\frac{s}{\sqrt n}`, Says: "over n runs with seeds of their own, s their standard deviation"},
			{Name: "Parts", TeX: `x_\text{simulated} - x_\text{plan} = \sum_i (x_{i} - x_{i-1})`, Says: "each run lets one thing more happen that the plan leaves out; in another order the parts would be others"},
		},
		Start: startCheck,
	}
}

type checkRun struct {
	demo.Quiet
	preset   planner.Preset
	more     int
	load     float64
	runs     int
	check    *planner.Check
	search   *planner.Search
	searched bool
	checked  bool
	done     bool

	result planner.CheckResult
	found  planner.SearchResult
	wrong  string
}

func startCheck(v demo.Values, seed uint32) (demo.Task, error) {
	r := &checkRun{preset: planner.Presets()[v.Int("fleet")], more: v.Int("more"), load: v.Num("load") / 100, runs: v.Int("runs"), searched: v.On("search")}
	p := &r.preset
	plan, err := planner.Evaluate(p.Workload, p.Deployment, p.Objective)
	if err != nil {
		return nil, err
	}
	opts := planner.CheckOptions{Seeds: r.runs, FirstSeed: uint64(seed), Explain: true, Sim: planner.SimOptions{Requests: 600}}
	opts.Sim.Replicas = max(1, plan.Replicas+r.more)
	opts.Sim.RequestsPerSec = float64(r.load * r.peak())
	if r.check, err = planner.NewCheck(p.Workload, p.Deployment, p.Objective, opts); err != nil {
		return nil, errors.New(wording(err))
	}
	if !r.searched {
		return r, nil
	}
	opts.Explain, opts.Sim.Replicas = false, 0
	w := p.Workload
	w.Classes = append([]planner.Class(nil), w.Classes...)
	w.Classes[0].RequestsPerSec *= r.load
	opts.Sim.RequestsPerSec = 0
	r.search, err = planner.NewSearch(w, p.Deployment, p.Objective, planner.SearchOptions{CheckOptions: opts})
	return r, err
}

// peak is the planned load in requests/s.
func (r *checkRun) peak() float64 {
	c := &r.preset.Workload.Classes[0]
	return float64(c.RequestsPerSec * c.PeakToMean)
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
			r.wrong = wording(err)
		}
		r.done = !r.searched
		return r.done
	}
	if r.done = r.search.Work(budget); r.done {
		var err error
		if r.found, err = r.search.Result(); err != nil {
			r.wrong = wording(err)
		}
	}
	return r.done
}

// wording says in the reader's words why there is no answer.
func wording(err error) string {
	var e *planner.ValueError
	if errors.As(err, &e) {
		return refusal.Say(e)
	}
	return err.Error()
}

// kinds is how many kinds of run a check makes at most.
const kinds = 7

// Progress is that of Task; how many runs a search takes is not known before.
func (r *checkRun) Progress() float64 {
	if r.done {
		return 1
	}
	share := min(float64(r.check.Runs())/float64(kinds*r.runs), 1)
	if !r.searched {
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
