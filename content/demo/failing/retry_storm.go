package failing

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/content/demo/room"
	"openloop/content/demo/text"
	"openloop/sim"
)

// A retry storm: a stall that ends, and a cluster that does not come back,
// because it works on answers that nobody waits for any more.

const stormAt = 40 * sim.Second

func retryStorm() *demo.Demo {
	return &demo.Demo{
		ID: "retry-storm", Version: 1, Title: "The stall is over, the storm is not",
		Lead:   "Four replicas serve 30 requests a second. At 40 s no step starts for a while. Users who get no answer within 8 s ask again, up to four times. Give their retries a budget, or shorten the stall.",
		Limits: "A simulated cluster of the kind that the lever matrix uses. All clients share one budget; real ones have one each. An attempt that is given up is aborted at once, which real engines do only if the proxy in front tells them.",
		Knobs: []demo.Knob{
			{Name: "stall", Label: "Stall", Unit: "s", Doc: "How long no replica starts a step, from 40 s on.", Default: 8, Max: 20, Step: 0.5},
			demo.Choice("budget", "Retry budget", "Most retries for each hundred first attempts; ten can be saved up.",
				"none", "no limit", "5", "5 in a hundred", "10", "10 in a hundred", "20", "20 in a hundred", "50", "50 in a hundred"),
			{Name: "load", Label: "Load", Unit: "requests/s", Doc: "First attempts.", Default: 30, Min: 16, Max: 36, Step: 1},
			{Name: "attempts", Label: "Attempts", Doc: "Most attempts at a request, the first included.", Default: 4, Min: 1, Max: 10, Step: 1, Whole: true},
			{Name: "patience", Label: "Patience", Unit: "s", Doc: "After how long a client gives an attempt up.", Default: 8, Min: 4, Max: 20, Step: 1, Group: groupClients},
			{Name: "backoff", Label: "Backoff", Unit: "s", Doc: "Pause before the second attempt; each further one is twice as long, and half of a pause is drawn.", Max: 10, Step: 0.5, Group: groupClients},
			{Name: "limit", Label: "Admission limit", Unit: "waiting", Doc: "A replica with as many waiting refuses more; 100 is as good as none.", Default: 100, Min: 2, Max: 100, Step: 2, Whole: true, Group: groupClients},
		},
		Groups: []demo.Group{{Title: groupClients}},
		Presets: []demo.Preset{
			{Name: "No budget", State: "", Says: "The stall ends at 48 s; goodput does not come back."},
			{Name: "A budget of 10", State: "budget=10", Says: "The same stall passes."},
			{Name: "Half the load", State: "load=16", Says: "With room to spare the pile is worked off."},
			{Name: "Backoff alone", State: "backoff=5", Says: "Spreads the storm out. Does it end it?"},
			{Name: "Refuse at the door", State: "limit=8", Says: "A short queue holds only attempts that somebody still waits for."},
		},
		Bet: &demo.Bet{
			Question: "After 8 s of stall the storm stays. With a stall of 2 s, at the same load and with the same clients?",
			Options:  []string{"it stays too, a little weaker", "it takes until the end of the run", "the cluster is back within 20 s"},
			Reveal:   "stall=2",
			By:       []string{"before", "later"},
			Answer: func(t demo.Task) int {
				switch r := t.(*stormRun); {
				case r.late() > 0.9*r.before():
					return 2
				case r.late() > 0.5*r.before():
					return 1
				}
				return 0
			},
			Feedback: []string{
				"A storm needs more attempts to die in the queue than are answered. After 2 s hardly anybody has given up.",
				"There is hardly a middle: either attempts die in the queue and come again, or they do not.",
				"Hardly anybody has given up after 2 s, so there is a pile of 60 requests and no storm. A trigger has to be long enough to tip it over.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Load", TeX: `\lambda_\text{sent} = \lambda\,(1 + f + f^2 + \dots + f^{\,a-1})`, Says: "attempts a second, if a share f of attempts is given up and a is the most attempts: with f near 1 it is a times the load"},
			{Name: "Budget", TeX: `\lambda_\text{sent} \le \lambda\,(1 + b)`, Says: "with b retries for each first attempt, whatever f is, but for the ten that are saved up"},
		},
		Start: startStorm,
	}
}

const groupClients = "Clients and door"

type stormRun struct {
	replica.Queue
	*room.Replay
	scenario sim.Scenario
	stall    float64
	load     float64
	budget   float64
	run      watched
	user     []float64 // goodput by the user's clock, 1/s
	retries  int
	requests int
	answered int
	at       float64
}

func startStorm(v demo.Values, seed uint32) (demo.Task, error) {
	s := sim.Healthy("retry_storm")
	r := &stormRun{stall: v.Num("stall"), load: v.Num("load"), at: sim.HealthySpan.Seconds()}
	r.budget = [...]float64{0, 0.05, 0.1, 0.2, 0.5}[v.Int("budget")]
	s.Workload.Generator = sim.OpenLoop{Arrivals: sim.Poisson{RatePerSec: r.load}}
	s.Workload.Retry = sim.Retry{Attempts: v.Int("attempts"), Budget: r.budget, Backoff: sim.Seconds(v.Num("backoff")), Factor: 2, Jitter: 0.5}
	s.Config.Timeout = sim.Seconds(v.Num("patience"))
	if n := v.Int("limit"); n < 100 {
		s.Config.MaxWaiting = n
	}
	if r.stall > 0 {
		s.Config.Pauses = []sim.Span{{From: stormAt, To: stormAt + sim.Seconds(r.stall)}}
	}
	if _, err := s.New(uint64(seed)); err != nil {
		return nil, err
	}
	r.scenario, r.Replay = s, replayOf(s, seed)
	r.Add(replica.Job{Config: s.Config, Load: s.Workload, Seed: uint64(seed), Done: r.read})
	return r, nil
}

func (r *stormRun) read(res *sim.Results) {
	r.run = watchRun(res, r.scenario, sim.HealthySLO, sim.FromSent)
	// A user has the answer in time if the first attempt was 10 s ago at most.
	r.user = sim.NewSeries(res, sim.SeriesOptions{SLO: sim.SLO{E2E: 10 * sim.Second}, Clock: sim.FromIntended}).Goodput
	r.requests, r.retries, r.answered = attempts(res)
}

// Clock is that of demo.Timed.
func (r *stormRun) Clock() demo.Clock {
	return demo.Clock{To: sim.HealthySpan.Seconds(), Step: r.scenario.Config.SampleEvery.Seconds(), Unit: "s"}
}

// Seek is that of demo.Timed.
func (r *stormRun) Seek(at float64) {
	r.at = at
	r.Stand(sim.Seconds(at))
}

// meanUser is the mean goodput by the user's clock over windows that end in (from, to].
func (r *stormRun) meanUser(from, to float64) float64 {
	sum, n := 0.0, 0
	for k, w := range r.run.windows {
		if w.End > from && w.End <= to {
			sum, n = sum+r.user[k], n+1
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}

func (r *stormRun) before() float64 { return r.meanUser(20, stormAt.Seconds()) }

// late is from 20 s after the end of the stall.
func (r *stormRun) late() float64 {
	return r.meanUser(stormAt.Seconds()+r.stall+20, sim.HealthySpan.Seconds())
}

func stormDials() []dialID {
	return []dialID{dialOffered, dialRetries, dialID(sim.QueueDepth), dialCompleted, dialShed, dialUtilization}
}

func (r *stormRun) Figures() []demo.Figure {
	n := r.run.upTo(r.at)
	f := demo.Figure{ID: "storm", Title: "Before, during and after the stall, in windows of 4 s", Kind: demo.Traces, X: demo.Axis{Label: "Time", Unit: "s", Max: sim.HealthySpan.Seconds()}}
	if r.stall > 0 {
		f.Bands = []demo.Band{{From: stormAt.Seconds(), To: stormAt.Seconds() + r.stall, Label: "stall"}}
	}
	if r.at < sim.HealthySpan.Seconds() {
		f.Cursor = r.at
	}
	good := demo.Trace{ID: "user", Name: "answered within 10 s", Unit: "1/s", Digits: 3, Top: demo.TraceTop(r.user...)}
	for k := range n {
		good.X, good.Y = append(good.X, r.run.windows[k].End), append(good.Y, r.user[k])
	}
	f.Traces = []demo.Trace{good}
	for _, d := range stormDials() {
		f.Traces = append(f.Traces, d.trace(&r.run, nil, n))
	}
	f.Traces = append(f.Traces, dialID(sim.RunningBatch).trace(&r.run, nil, n))
	f.Alt = "Answered within 10 s: " + number(r.before(), 3) + " requests/s before the stall, " + number(r.late(), 3) + " from 20 s after it on."
	f.Notes = []string{"Answered within 10 s counts from the user's first attempt. Offered counts every attempt."}
	showAsked(&f, r.Replay)
	f.Table = r.table()
	return []demo.Figure{f}
}

func (r *stormRun) table() demo.Table {
	end := stormAt.Seconds() + r.stall
	t := demo.Table{Caption: "Means before the stall, from its beginning to 20 s after its end, and later", Columns: []demo.Column{{Name: "Mean"}, {Name: "Before"}, {Name: "Meanwhile"}, {Name: "Later"}}}
	spans := [3][2]float64{{20, 40}, {40, end + 20}, {end + 20, sim.HealthySpan.Seconds()}}
	row := []demo.Cell{demo.W("answered within 10 s (1/s)")}
	for _, s := range spans {
		row = append(row, demo.W(number(r.meanUser(s[0], s[1]), 3)))
	}
	t.Rows = append(t.Rows, row)
	for _, d := range stormDials() {
		row := []demo.Cell{demo.W(d.words().title())}
		for _, s := range spans {
			row = append(row, demo.W(number(r.run.mean(d, s[0], s[1]), 3)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (r *stormRun) Summary() demo.Sentence {
	out := demo.Say("No stall. ")
	if r.stall > 0 {
		out = demo.Say("A stall of " + text.Num(r.stall, 3) + " s. ")
	}
	if r.at < sim.HealthySpan.Seconds() {
		n := r.run.upTo(r.at)
		if n == 0 {
			return append(out, demo.Say("Nothing is known yet.")...)
		}
		return append(demo.Say("At "+text.Num(r.at, 4)+" s: ", number(r.user[n-1], 3)+" requests/s", " answered within 10 s of the first attempt; "+
			number(r.run.dials[dialOffered][n-1], 3)+" attempts/s come, "), demo.Say(number(r.run.dials[sim.QueueDepth][n-1], 3)+" wait.")...)
	}
	share := r.late() / r.before()
	out = append(out, demo.Say("Within 10 s of the first attempt ", number(r.before(), 3)+" requests/s", " are answered before it, ", number(r.late(), 3)+" from 20 s after its end on", ".")...)
	switch {
	case math.IsNaN(share):
	case share < 0.5:
		out = append(out, demo.Say(" The trigger is gone and the failure is not: ", text.Whole(r.retries)+" retries", " for "+text.Count(r.requests, "request", "requests")+" keep the replicas at work on answers that nobody waits for.")...)
	case share < 0.9:
		out = append(out, demo.Say(" It has not come back in full, with "+text.Count(r.retries, "retry", "retries")+" for "+text.Count(r.requests, "request", "requests")+".")...)
	case r.stall > 0:
		out = append(out, demo.Say(" It is back, after "+text.Count(r.retries, "retry", "retries")+" for "+text.Count(r.requests, "request", "requests")+".")...)
	}
	return out
}

func (r *stormRun) Metrics() []demo.Metric {
	later := func(d dialID) float64 { return r.run.mean(d, stormAt.Seconds()+r.stall+20, sim.HealthySpan.Seconds()) }
	return []demo.Metric{
		{Name: "before", Label: "Answered within 10 s, before", Unit: "requests/s", Value: r.before(), Digits: 3},
		{Name: "later", Label: "Answered within 10 s, from 20 s after the stall on", Unit: "requests/s", Value: r.late(), Digits: 3, Spread: true},
		{Name: "kept", Label: "Later over before", Unit: "%", Value: 100 * r.late() / r.before(), Digits: 3, Spread: true},
		{Name: "offered_later", Label: "Attempts that come later", Unit: "requests/s", Value: later(dialOffered), Digits: 3},
		{Name: "busy_later", Label: "GPU utilization later", Unit: "%", Value: 100 * later(dialUtilization), Digits: 3},
		{Name: "requests", Label: "Requests", Value: float64(r.requests)},
		{Name: "retries", Label: "Retries", Value: float64(r.retries), Spread: true},
		{Name: "answered", Label: "Requests answered", Value: float64(r.answered)},
	}
}

func (r *stormRun) Records() demo.Table {
	t := recordsOf([]string{"run"}, []*watched{&r.run})
	t.Columns = append(t.Columns, demo.Column{Name: "answered_within_10_s", Unit: "1/s", Digits: 6})
	for k := range t.Rows {
		t.Rows[k] = append(t.Rows[k], demo.N(r.user[k]))
	}
	return t
}

// Events is that of Task.
func (r *stormRun) Events() []demo.Event {
	var out []demo.Event
	at := func(s float64, says demo.Sentence) {
		if s <= r.at {
			out = append(out, demo.Event{At: s, Says: says})
		}
	}
	if r.stall == 0 {
		return nil
	}
	at(stormAt.Seconds(), demo.Say("No step starts any more. Requests go on coming, "+text.Num(r.load, 3)+" a second."))
	patience := r.scenario.Config.Timeout.Seconds()
	for k, w := range r.run.windows {
		if r.run.dials[dialRetries][k] > 0 && w.End > stormAt.Seconds() {
			at(w.End, demo.Say("The first who waited "+text.Num(patience, 3)+" s give up and ask again: "+number(r.run.dials[dialRetries][k], 3)+" retries a second. What the replicas did for the first attempt is lost."))
			break
		}
	}
	end := stormAt.Seconds() + r.stall
	at(end, demo.Say("", "The stall is over.", " Steps start again, at full speed."))
	if r.late() < 0.5*r.before() {
		at(end+20, demo.Say("The queue is longer than "+text.Num(patience, 3)+" s of work, so whoever is served next has given up, or is about to. Each gives up as many times as it may, so more attempts come than the replicas can answer: ", "this holds itself up", "."))
	} else {
		at(end+20, demo.Say("What was piled up is worked off, and those who come are answered before they give up."))
	}
	return out
}
