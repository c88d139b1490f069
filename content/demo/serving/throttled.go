package serving

import (
	"math"
	"slices"

	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/content/demo/text"
	"openloop/sim"
)

// A rate with a cap on requests in flight: an open loop until the cap is
// reached, a closed one from then on, and a clock that does not notice.

func throttled() *demo.Demo {
	return &demo.Demo{
		ID: "throttled", Version: 1, Title: "A rate and a cap",
		Lead:   "A load generator with a rate and a cap on requests in flight, judged by two clocks. Raise the rate past what the cap lets through.",
		Limits: "Poisson arrivals, one server, no stall. Requests that the cap holds back wait in the client in order and are all sent in the end; a tool that drops them instead would show a lower rate.",
		Knobs: []demo.Knob{
			{Name: "rate", Label: "Rate asked for", Unit: "requests/s", Doc: "The rate that is marked.", Default: 28, Min: 2, Max: 44, Step: 1},
			{Name: "cap", Label: "Cap", Unit: "requests", Doc: "Requests in flight at most, as with --max-concurrency.", Default: 64, Min: 4, Max: replica.MaxSeqs, Step: 4, Whole: true},
			{Name: "seconds", Label: "Length of the plan", Unit: "s", Doc: "Requests are planned for so long; those held back are sent after it.", Default: 60, Min: 20, Max: 240, Step: 20, Whole: true},
		},
		Presets: []demo.Preset{
			{Name: "Below the cap", State: "rate=12", Says: "The cap is never reached: both clocks agree with the open loop."},
			{Name: "No cap in effect", State: "cap=256", Says: "The same rate with a cap that does not bind: the server can do it, and says so by both clocks."},
			{Name: "Twice as long", State: "seconds=120", Says: "The wait in the client grows with the length of the run; the reported latency does not move."},
			{Name: "Cap of 16", State: "cap=16&rate=10", Says: "A small cap makes even ten requests a second too many, on a server that could do four times as many."},
		},
		Bet: &demo.Bet{
			Question: "The same rate with a cap of 64, but the plan is 120 s long instead of 60 s. p99 time to first token, measured from the actual send, is then",
			Options:  []string{"about the same, below 0.1 s", "about twice as large", "over 10 s"},
			Reveal:   "seconds=120",
			By:       []string{"p99_send", "p99_schedule"},
			Answer: func(t demo.Task) int {
				switch p99 := t.(*throttledRun).now.capped.sent99; {
				case p99 < 0.06:
					return 0
				case p99 < 10:
					return 1
				}
				return 2
			},
			Feedback: []string{
				"What grows is the wait before the send, and this clock starts after it.",
				"The wait in the client doubles, but this clock starts when that wait is over.",
				"From the schedule it is. The clock that starts at the actual send sees a server with at most 64 requests, and that server is fine.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Hidden wait", TeX: `\bar w \approx \frac{n-1}{2}\left(\frac{1}{X} - \frac{1}{\lambda}\right)`, Says: "n requests planned at rate λ and sent at rate X: the last waits (n−1)(1/X − 1/λ), the mean one half of that"},
			{Name: "What the cap lets through", TeX: `X \le \frac{K}{R(K)}`, Says: "Little's law for a cap of K requests in flight with latency R: the closed loop that it has become"},
			replica.StepEquation(),
		},
		Start: startThrottled,
	}
}

// throttledRates are those of the curves.
func throttledRates() []float64 { return []float64{5, 10, 15, 20, 25, 30, 35, 40} }

// clocks is what one run says by both clocks.
type clocks struct {
	sent50, sent99       float64 // s, time to first token from the actual send
	planned50, planned99 float64 // from the schedule
	hidden               float64 // s, mean wait from the schedule to the send
	held                 float64 // share of requests that waited
	offered, through     float64 // requests/s, planned and sent
	requests             int
	uncompleted          int
}

// formula is the mean hidden wait that rates alone give.
func (c *clocks) formula() float64 {
	if c.through <= 0 || c.offered <= 0 {
		return 0
	}
	return max(0, float64(float64(c.requests-1)/2*(1/c.through-1/c.offered)))
}

type bothWays struct {
	rate         float64
	open, capped clocks
}

type throttledRun struct {
	replica.Queue
	seed      uint32
	cap       int
	seconds   float64
	sweep     []bothWays
	now       bothWays
	closedCap float64 // requests/s of a closed loop with as many clients as the cap
}

func startThrottled(v demo.Values, seed uint32) (demo.Task, error) {
	r := &throttledRun{seed: seed, cap: v.Int("cap"), seconds: v.Num("seconds")}
	r.sweep = make([]bothWays, len(throttledRates()))
	for i, rate := range throttledRates() {
		r.measure(&r.sweep[i], rate)
	}
	r.measure(&r.now, v.Num("rate"))
	closed := sim.Workload{Generator: sim.ClosedLoop{Clients: r.cap}, Lengths: replica.Lengths(), Until: sim.Seconds(60)}
	r.Add(replica.Job{Config: replica.Server(), Load: closed, Seed: uint64(seed), Done: func(res *sim.Results) {
		r.closedCap = float64(len(sentIn(res, 10*sim.Second, 60*sim.Second))) / 50
	}})
	return r, nil
}

func (r *throttledRun) measure(b *bothWays, rate float64) {
	b.rate = rate
	poisson := sim.Poisson{RatePerSec: rate}
	for _, x := range []struct {
		g  sim.Generator
		to *clocks
	}{{sim.OpenLoop{Arrivals: poisson}, &b.open}, {sim.Throttled{Arrivals: poisson, MaxInFlight: r.cap}, &b.capped}} {
		load := sim.Workload{Generator: x.g, Lengths: replica.Lengths(), Until: sim.Seconds(r.seconds)}
		r.Add(replica.Job{Config: replica.Server(), Load: load, Seed: uint64(r.seed), Done: x.to.read})
	}
}

func (c *clocks) read(res *sim.Results) {
	n := len(res.SentAt)
	if n < 2 {
		return
	}
	all := sentIn(res, 0, sim.Never)
	sent := latencies(res, sim.TTFT, sim.FromSent, all).at(0.5, 0.99)
	planned := latencies(res, sim.TTFT, sim.FromIntended, all).at(0.5, 0.99)
	c.sent50, c.sent99, c.planned50, c.planned99 = sent[0], sent[1], planned[0], planned[1]
	late := 0
	for i, at := range res.SentAt {
		wait := at - res.IntendedAt[i]
		c.hidden += wait.Seconds()
		if wait > 0 {
			late++
		}
	}
	c.requests = n
	c.hidden /= float64(n)
	c.held = float64(late) / float64(n)
	c.offered = float64(n-1) / (res.IntendedAt[n-1] - res.IntendedAt[0]).Seconds()
	c.through = float64(n-1) / (res.SentAt[n-1] - res.SentAt[0]).Seconds()
	c.uncompleted = n - ended(res, all)[sim.Completed]
}

func (r *throttledRun) Summary() demo.Sentence {
	c := r.now.capped
	if c.held == 0 {
		return demo.Say("Asked for "+text.Num(r.now.rate, 3)+" requests/s, the cap of "+text.Whole(r.cap)+" is never reached. p99 time to first token is ", duration(c.sent99, 2)+" by both clocks", ".")
	}
	return demo.Say("Asked for "+text.Num(r.now.rate, 3)+" requests/s, the cap of "+text.Whole(r.cap)+" lets through "+text.Num(c.through, 3)+". p99 time to first token is ",
		duration(c.sent99, 2)+" from the actual send and "+duration(c.planned99, 2)+" from the schedule", ". Without the cap it is "+duration(r.now.open.sent99, 2)+". Requests wait "+duration(c.hidden, 2)+
			" in the client in the mean; the formula says "+duration(c.formula(), 2)+".")
}

func (r *throttledRun) Metrics() []demo.Metric {
	c := r.now.capped
	return []demo.Metric{
		{Name: "p99_send", Label: "p99 time to first token from the actual send", Unit: "s", Value: c.sent99, Digits: 2, Spread: true},
		{Name: "p99_schedule", Label: "p99 time to first token from the schedule", Unit: "s", Value: c.planned99, Digits: 2, Spread: true},
		{Name: "p99_open", Label: "p99 time to first token without the cap", Unit: "s", Value: r.now.open.sent99, Digits: 2, Spread: true},
		{Name: "p50_send", Label: "p50 time to first token from the actual send", Unit: "s", Value: c.sent50, Digits: 2},
		{Name: "p50_schedule", Label: "p50 time to first token from the schedule", Unit: "s", Value: c.planned50, Digits: 2},
		{Name: "hidden", Label: "Mean wait in the client", Unit: "s", Value: c.hidden, Digits: 2, Spread: true},
		{Name: "formula", Label: "The same by the formula", Unit: "s", Value: c.formula(), Digits: 2},
		{Name: "held", Label: "Requests held back", Unit: "%", Value: 100 * c.held, Digits: 2},
		{Name: "offered", Label: "Rate planned", Unit: "requests/s", Value: c.offered, Digits: 3},
		{Name: "through", Label: "Rate sent", Unit: "requests/s", Value: c.through, Digits: 3, Spread: true},
		{Name: "closed_rate", Label: "Rate of a closed loop with as many clients", Unit: "requests/s", Value: r.closedCap, Digits: 3},
		{Name: "requests", Label: "Requests", Unit: "requests", Value: float64(c.requests)},
	}
}

func (r *throttledRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{
		{Name: "rate", Unit: "requests/s", Digits: 4}, {Name: "planned", Unit: "requests/s", Digits: 4}, {Name: "sent", Unit: "requests/s", Digits: 4},
		{Name: "ttft_p50_send", Unit: "s", Digits: 4}, {Name: "ttft_p99_send", Unit: "s", Digits: 4}, {Name: "ttft_p50_schedule", Unit: "s", Digits: 4}, {Name: "ttft_p99_schedule", Unit: "s", Digits: 4},
		{Name: "ttft_p99_open", Unit: "s", Digits: 4}, {Name: "hidden_wait", Unit: "s", Digits: 4}, {Name: "formula", Unit: "s", Digits: 4}, {Name: "held_back", Unit: "%", Digits: 4}, {Name: "requests"}, {Name: "not_completed"},
	}}
	for _, b := range append(r.sweep, r.now) {
		c := b.capped
		t.Rows = append(t.Rows, []demo.Cell{demo.N(b.rate), demo.N(c.offered), demo.N(c.through), demo.N(c.sent50), demo.N(c.sent99), demo.N(c.planned50), demo.N(c.planned99),
			demo.N(b.open.sent99), demo.N(c.hidden), demo.N(c.formula()), demo.N(100 * c.held), demo.N(float64(c.requests)), demo.N(float64(c.uncompleted))})
	}
	return t
}

func (r *throttledRun) Events() []demo.Event {
	out := []demo.Event{{At: math.NaN(), Says: demo.Say("A closed loop with " + text.Count(r.cap, "client", "clients") + " gets " + text.Num(r.closedCap, 3) +
		" requests/s from this server. A rate above that cannot be kept, and the schedule slips.")}}
	if r.now.capped.held > 0 {
		out = append(out, demo.Event{At: math.NaN(), Says: demo.Say("At " + text.Num(r.now.rate, 3) + " requests/s " + text.Percent(r.now.capped.held, 2) + " of the requests are held back by the cap.")})
	}
	return out
}

func (r *throttledRun) Figures() []demo.Figure {
	return []demo.Figure{r.clockFigure(), r.waitFigure()}
}

func (r *throttledRun) over(id, name string, role demo.Role, shape demo.Shape, y func(*bothWays) float64) demo.Series {
	s := demo.Series{ID: id, Name: name, Role: role, Shape: shape}
	for i := range r.sweep {
		s.X, s.Y = append(s.X, r.sweep[i].rate), append(s.Y, y(&r.sweep[i]))
	}
	return s
}

// marked are dots for the run at the knob's rate.
func (r *throttledRun) marked(y ...float64) demo.Series {
	s := demo.Series{ID: "now", Name: "now", Role: demo.Ink, Shape: demo.Points, Y: y}
	for range y {
		s.X = append(s.X, r.now.rate)
	}
	return s
}

// rows has the sweep and the marked run.
func (r *throttledRun) rows(of func(bothWays) []demo.Cell) [][]demo.Cell {
	var at []float64
	var cells [][]demo.Cell
	for _, b := range append(r.sweep, r.now) {
		at, cells = append(at, b.rate), append(cells, of(b))
	}
	return withNow(at, cells)
}

// axis is the rate, with marks where the cap begins to bind and at the knob.
func (r *throttledRun) axis() (demo.Axis, []demo.Mark) {
	marks := []demo.Mark{{At: r.now.rate, Label: text.Num(r.now.rate, 3) + "/s", Knob: "rate"}}
	return demo.Axis{Label: "Rate asked for", Unit: "requests/s", Max: 50, Digits: 3}, marks
}

func (r *throttledRun) clockFigure() demo.Figure {
	f := demo.Figure{
		ID: "clocks", Title: "p99 time to first token by two clocks", Kind: demo.Chart,
		Y: demo.Axis{Label: "p99 time to first token", Unit: "s", Log: true, Digits: 2},
		Series: []demo.Series{
			r.over("schedule", "cap, from the schedule", demo.Bad, demo.Line, func(b *bothWays) float64 { return b.capped.planned99 }),
			r.over("open", "open loop, no cap", demo.Open, demo.Line, func(b *bothWays) float64 { return b.open.sent99 }),
			r.over("send", "cap, from the send", demo.Closed, demo.Line, func(b *bothWays) float64 { return b.capped.sent99 }),
			r.marked(r.now.capped.planned99, r.now.open.sent99, r.now.capped.sent99),
		},
		Table: demo.Table{Caption: "p99 time to first token", Columns: []demo.Column{{Name: "Rate asked for", Unit: "requests/s", Digits: 3}, {Name: "Sent", Unit: "requests/s", Digits: 3}, {Name: "From the actual send", Unit: "s", Digits: 2}, {Name: "From the schedule", Unit: "s", Digits: 2}, {Name: "Open loop", Unit: "s", Digits: 2}}},
		Notes: []string{"A closed loop with " + text.Count(r.cap, "client", "clients") + " gets " + text.Num(r.closedCap, 3) + " requests/s. All " + text.Whole(r.now.capped.requests-r.now.capped.uncompleted) + " requests of the marked run completed; none failed, timed out or was dropped."},
	}
	f.X, f.Marks = r.axis()
	f.Y.Min, f.Y.Max = logRange(f.Series[0].Y, f.Series[1].Y, f.Series[2].Y, f.Series[3].Y)
	f.Table.Rows = r.rows(func(b bothWays) []demo.Cell {
		return []demo.Cell{demo.N(b.capped.through), demo.N(b.capped.sent99), demo.N(b.capped.planned99), demo.N(b.open.sent99)}
	})
	f.Alt = "With the rate, p99 from the actual send stays between " + duration(least(f.Series[2].Y), 2) + " and " + duration(largest(f.Series[2].Y), 2) + "; from the schedule it rises to " +
		duration(last(f.Series[0].Y), 2) + "; without a cap it is " + duration(last(f.Series[1].Y), 2) + " at the highest rate."
	return f
}

func (r *throttledRun) waitFigure() demo.Figure {
	f := demo.Figure{
		ID: "wait", Title: "Mean wait in the client before the send", Kind: demo.Chart,
		Y: demo.Axis{Label: "Mean wait", Unit: "s", Min: 0, Digits: 3},
		Series: []demo.Series{
			r.over("formula", "formula from two rates", demo.Soft, demo.Line, func(b *bothWays) float64 { return b.capped.formula() }),
			r.over("hidden", "runs", demo.Bad, demo.Points, func(b *bothWays) float64 { return b.capped.hidden }),
			r.marked(r.now.capped.hidden),
		},
		Table: demo.Table{Caption: "Mean wait before the send", Columns: []demo.Column{{Name: "Rate asked for", Unit: "requests/s", Digits: 3}, {Name: "Measured", Unit: "s", Digits: 3}, {Name: "Formula", Unit: "s", Digits: 3}, {Name: "Held back", Unit: "%", Digits: 2}}},
	}
	f.Y.Max = demo.Top(max(slices.Max(f.Series[0].Y), slices.Max(f.Series[1].Y), r.now.capped.hidden))
	f.X, f.Marks = r.axis()
	f.Table.Rows = r.rows(func(b bothWays) []demo.Cell {
		return []demo.Cell{demo.N(b.capped.hidden), demo.N(b.capped.formula()), demo.N(100 * b.capped.held)}
	})
	f.Alt = "The mean wait in the client is " + duration(f.Series[1].Y[0], 2) + " at the lowest rate and " + duration(last(f.Series[1].Y), 2) + " at the highest; the formula gives " + duration(last(f.Series[0].Y), 2) + " there."
	return f
}
