package checking

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/sizing"
	"openloop/content/demo/text"
	"openloop/planner"
)

// A day of a plan: the reader says how many replicas, then the day is played, with the
// fleets beside it that averages and peaks ask for, and a replica that fails at noon.

func planDay() *demo.Demo {
	var presets []string
	for _, p := range planner.Presets() {
		presets = append(presets, p.ID, p.Title)
	}
	presets = append(presets, sizing.OwnFleet, "your plan")
	played := demo.OnlyWith("day", "played")
	return &demo.Demo{
		ID: "plan-day", Version: 1, Title: "Play the day",
		Lead:   "The load rises to its peak at noon and falls again, and a replica fails when you say, at noon at first. Say how many replicas you would pay for; then play the day, with the fleets beside yours that averages and peaks ask for.",
		Limits: "The step times are those of the plan. An hour is simulated in the time that a request stays three times over: what builds up in an overloaded hour is less than a real hour would build up, and is gone sooner. Arrivals are Poisson around the curve, without the bursts of the plan. Nobody retries, no replica starts early, and what a failed replica held is lost.",
		Knobs: []demo.Knob{
			{Name: "yours", Label: "Your fleet", Unit: "replicas", Doc: "How many will you pay for, all day? Say a number before you look. 0 is none.", Zero: "none yet", Max: 64, Step: 1, Whole: true},
			demo.Choice("day", "The day", "Say a number first.", "ahead", "not played yet", "played", "played"),
			demo.Choice("fleet", "Plan", "The presets of the planner, or a plan of yours by its link.", presets...),
			{Name: sizing.OwnKnob, Label: "Link of your plan", Doc: "Of the planner above: what its address or its share button says, from the # on.", Writing: &demo.Writing{Max: 1800, Lines: 3}, Idle: demo.OnlyWith("fleet", sizing.OwnFleet)},
			behind(demo.Knob{Name: "fails", Label: "Replicas that fail", Doc: "At once, and come back cold. As many as there are, at most.", Default: 1, Zero: "none", Max: 4, Step: 1, Whole: true, Idle: played}),
			behind(demo.Knob{Name: "when", Label: "They fail at", Unit: "h", Doc: "12 is noon, when the load is fullest.", Default: 12, Zero: "midnight", Max: 23, Step: 1, Whole: true, Idle: both(played, demo.NotAt("fails", 0))}),
			behind(demo.Knob{Name: "gone", Label: "Gone for", Unit: "h", Doc: "Until they are back; past midnight it is the next day, which is not played.", Default: 2, Min: 1, Max: 12, Step: 1, Whole: true, Idle: both(played, demo.NotAt("fails", 0))}),
			behind(demo.Knob{Name: "runs", Label: "Days", Doc: "Of each fleet, with seeds of their own: the bands are from the least to the most. 200 take a minute.", Default: 3, Min: 1, Max: 200, Step: 1, Whole: true, Idle: played}),
		},
		Presets: []demo.Preset{
			{Name: "Chat, 70B", State: "", Says: "How many would you pay for?"},
			{Name: "Played, four", State: "yours=4&day=played", Says: "What the peak asks for, and a failure at that peak."},
			{Name: "Nothing fails", State: "yours=4&day=played&fails=0", Says: "The same day without the failure: undo one decision."},
			{Name: "At night", State: "yours=4&day=played&when=2", Says: "The same failure, when nobody comes."},
			{Name: "Agents", State: "yours=4&day=played&fleet=agents", Says: "A plan that breaks at its peak: how much of the day does it keep?"},
		},
		Equations: []demo.Equation{
			{Name: "The day", TeX: `\lambda(h) = \lambda_\text{low} + (\lambda_\text{peak} - \lambda_\text{low})\,\tfrac{1 - \cos(2\pi h/24)}{2}`, Says: "requests a second at hour h; the mean and the peak are those of the plan, and a peak of more than twice the mean is made steeper by a power of the last factor"},
			{Name: "An hour is kept", TeX: `\overline{\text{TTFT}} \le L_1,\quad \overline{\text{TPOT}} \le L_2,\quad \text{lost} = 0`, Says: "for the requests that were sent in it: what the plan promises, hour by hour"},
			{Name: "The bill", TeX: `\$_\text{day} = 24 \times \text{replicas} \times \text{TP} \times \$_\text{GPU}`, Says: "whoever is paid for at noon is paid for at night"},
		},
		Start: startDay,
	}
}

// both are two reasons for which a setting may count for nothing.
func both(a, b func(demo.Values) string) func(demo.Values) string {
	return func(v demo.Values) string {
		if says := a(v); says != "" {
			return says
		}
		return b(v)
	}
}

// The fleets that are played, in the order of the table and of the series.
const (
	ofAverages = iota
	ofPeak
	ofSpare
	yours
	dayFleets
)

var fleetNames = [dayFleets]string{"for the averages", "for the peak", "for the peak, and one more", "yours"}
var fleetIDs = [dayFleets]string{"averages", "peak", "spare", "yours"}

type dayRun struct {
	demo.Quiet
	fleet    fleet
	replicas [dayFleets]int // 0 is none
	played   bool
	fails    int
	at, gone int
	runs     int
	seed     uint32
	day      *planner.Day
	done     bool
	result   planner.DayResult
	wrong    string

	price     float64 // of an hour of a GPU; 0 is none
	priceFrom string
}

func startDay(v demo.Values, seed uint32) (demo.Task, error) {
	r := &dayRun{played: v.Option("day") == "played", fails: v.Int("fails"), at: v.Int("when"), gone: v.Int("gone"), runs: v.Int("runs"), seed: seed}
	r.replicas[yours] = v.Int("yours")
	if r.fleet, r.wrong = fleetOf(v); r.wrong == "" {
		r.wrong = r.begin()
	}
	r.done = r.wrong != "" || !r.played
	return r, nil
}

// begin plans three fleets and makes the day; it says why it cannot.
func (r *dayRun) begin() string {
	f := &r.fleet
	p, err := planner.Evaluate(f.workload, f.deployment, f.objective)
	if err != nil {
		return f.refusal(err)
	}
	flat := planner.Workload{Classes: append([]planner.Class(nil), f.workload.Classes...)}
	for i := range flat.Classes {
		flat.Classes[i].PeakToMean = 1
	}
	mean, err := planner.Evaluate(flat, f.deployment, f.objective)
	if err != nil {
		return f.refusal(err)
	}
	r.replicas[ofAverages], r.replicas[ofPeak], r.replicas[ofSpare] = mean.Replicas, p.Replicas, p.Replicas+1
	var sizes []int
	for _, n := range r.replicas {
		if n > 0 && r.fleetAt(sizes, n) < 0 {
			sizes = append(sizes, n)
		}
	}
	r.day, err = planner.NewDay(f.workload, f.deployment, f.objective, planner.DayOptions{Replicas: sizes, Seeds: r.runs, FirstSeed: uint64(r.seed), Failed: r.fails, FailHour: r.at, GoneHours: r.gone})
	if err != nil {
		return unplayed(err)
	}
	if f.asked != nil {
		r.price, r.priceFrom, _ = f.asked.Price()
	} else {
		r.price, r.priceFrom, _ = sizing.ListPrice(f.deployment.GPU)
	}
	r.result, _ = r.day.Result() // rates and plan are known before anything is simulated
	return ""
}

func (r *dayRun) fleetAt(sizes []int, n int) int {
	for i, x := range sizes {
		if x == n {
			return i
		}
	}
	return -1
}

// Step is that of Task.
func (r *dayRun) Step(budget int) bool {
	if r.done {
		return true
	}
	if r.done = r.day.Work(budget); r.done {
		var err error
		if r.result, err = r.day.Result(); err != nil {
			r.wrong = unplayed(err)
		}
	}
	return r.done
}

// Progress is that of Task.
func (r *dayRun) Progress() float64 {
	if r.done {
		return 1
	}
	return min(0.99, float64(r.day.Runs())/float64(r.runs*dayFleets))
}

// of is the days of a fleet; nil if it is not there or nothing was played.
func (r *dayRun) of(which int) *planner.DayFleet {
	if !r.played || r.wrong != "" {
		return nil
	}
	for i := range r.result.Fleets {
		if f := &r.result.Fleets[i]; f.Replicas == r.replicas[which] && len(f.Runs) > 0 {
			return f
		}
	}
	return nil
}

// overDays is a number of every day: its mean, least and most.
func overDays(f *planner.DayFleet, of func(*planner.DayRun) float64) (x planner.Over) {
	x.Least, x.Most = math.Inf(1), math.Inf(-1)
	for i := range f.Runs {
		v := of(&f.Runs[i])
		x.Mean += v / float64(len(f.Runs))
		x.Least, x.Most = min(x.Least, v), max(x.Most, v)
	}
	return x
}

// usd is a day's bill; not a number without a price.
func (r *dayRun) usd(gpus int) float64 {
	if r.price > 0 {
		return float64(planner.DayHours * float64(gpus) * r.price)
	}
	return math.NaN()
}

// Metrics are those of Task.
func (r *dayRun) Metrics() []demo.Metric {
	m := []demo.Metric{{Name: "hour", Label: "Simulated seconds of an hour", Unit: "s", Value: r.result.HourSeconds, Digits: 3}}
	for i, id := range fleetIDs {
		kept, within, lost, usd := math.NaN(), math.NaN(), math.NaN(), math.NaN()
		if f := r.of(i); f != nil {
			kept = overDays(f, keptHours).Mean
			within = 100 * overDays(f, withinShare).Mean
			lost = overDays(f, lostRequests).Mean
			usd = r.usd(f.GPUs)
		}
		m = append(m,
			demo.Metric{Name: "kept_" + id, Label: "Hours kept, " + fleetNames[i], Unit: "h", Value: kept, Digits: 3},
			demo.Metric{Name: "within_" + id, Label: "Requests within both limits, " + fleetNames[i], Unit: "%", Value: within, Digits: 3},
			demo.Metric{Name: "lost_" + id, Label: "Requests lost, " + fleetNames[i], Value: lost, Digits: 3},
			demo.Metric{Name: "usd_" + id, Label: "A day, " + fleetNames[i], Unit: "$", Value: usd, Digits: 3})
	}
	if r.wrong != "" {
		for i := range m {
			m[i].Value = math.NaN()
		}
	}
	return m
}

func keptHours(d *planner.DayRun) float64    { return float64(d.Kept) }
func lostRequests(d *planner.DayRun) float64 { return float64(d.Lost) }
func withinShare(d *planner.DayRun) float64  { return float64(d.Within) / max(float64(d.Sent), 1) }

// worstP99 is the 99th percentile of the first token in the hour where it is largest.
func worstP99(d *planner.DayRun) (most float64) {
	for i := range d.Hours {
		most = max(most, d.Hours[i].TTFTp99Seconds)
	}
	return most
}

// Records is every hour of every day.
func (r *dayRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "fleet"}, {Name: "replicas"}, {Name: "day"}, {Name: "hour"}, {Name: "sent"}, {Name: "lost"}, {Name: "within"}, {Name: "ttft", Unit: "s", Digits: 4}, {Name: "ttft_p99", Unit: "s", Digits: 4}, {Name: "tpot", Unit: "s", Digits: 4}, {Name: "kept"}}}
	for i := range dayFleets {
		f := r.of(i)
		if f == nil {
			continue
		}
		for k := range f.Runs {
			for h := range f.Runs[k].Hours {
				x := &f.Runs[k].Hours[h]
				kept := "no"
				if x.Kept {
					kept = "yes"
				}
				t.Rows = append(t.Rows, []demo.Cell{demo.W(fleetIDs[i]), demo.N(float64(f.Replicas)), demo.N(float64(k + 1)), demo.N(float64(h)), demo.N(float64(x.Sent)), demo.N(float64(x.Lost)), demo.N(float64(x.Within)), demo.N(x.TTFTSeconds), demo.N(x.TTFTp99Seconds), demo.N(x.TPOTSeconds), demo.W(kept)})
			}
		}
	}
	if len(t.Rows) == 0 {
		says := r.wrong
		if says == "" {
			says = "not played yet"
		}
		t.Rows = append(t.Rows, []demo.Cell{demo.W("none"), demo.N(0), demo.N(0), demo.N(0), demo.N(0), demo.N(0), demo.N(0), demo.N(0), demo.N(0), demo.N(0), demo.W(says)})
	}
	return t
}

// unplayed says why a day cannot be played that a plan can be made of.
func unplayed(err error) string {
	e, ok := err.(*planner.ValueError)
	switch {
	case ok && e.Field == "DayOptions.MostRequests":
		n, _ := demoNumber(e.Nearest)
		return "This plan is too large to be played here: its day has " + text.Whole(int(n)) + " requests. Play a tenth of the requests on a tenth of the replicas."
	case ok && e.Field == "Deployment.Disaggregated":
		return "Prefill and decode in pools of their own are simulated one after the other, and a replica of one that fails would change the other: no day is played of them. Play the plan with both on the same replicas."
	}
	return unsimulated(err)
}
