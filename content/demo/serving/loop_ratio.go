package serving

import (
	"math"
	"slices"

	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/content/demo/text"
	"openloop/sim"
)

// How much a closed loop flatters, by metric and load: the p99 of an open loop
// over that of a closed loop with the same throughput.

const ratioWarmUp = 10 * sim.Second

// ratioLoads are shares of the server's bound, in percent.
func ratioLoads() []float64 { return []float64{20, 40, 60, 80, 90, 100, 110} }

func loopRatio() *demo.Demo {
	return &demo.Demo{
		ID: "loop-ratio", Version: 1, Title: "Which latency, at which load?",
		Lead:   "Open over closed, at equal throughput and without any stall: 1 means that the loop makes no difference. The bands span the seeds. Try a longer run, or bursts.",
		Limits: "Independent requests of mixed lengths on one server; a server whose latencies vary more would part the loops earlier. Clients and network take no time: a closed loop here never waits for the rest of a step, and below 80% of capacity that is most of the difference in the first token, nearly all of it in the p50.",
		Knobs: []demo.Knob{
			{Name: "seconds", Label: "Length of the run", Unit: "s", Doc: "Counted after a warm-up of 10 s.", Default: 40, Min: 20, Max: 200, Step: 20, Whole: true},
			{Name: "burstiness", Label: "Burstiness", Doc: "Shape of the open loop's gaps: 1 is Poisson, below 1 requests come in bursts.", Default: 1, Min: 0.1, Max: 4, Step: 1.25, Log: true},
			{Name: "seeds", Label: "Seeds", Unit: "seeds", Doc: "Runs for each load and loop.", Default: 5, Min: 3, Max: 15, Step: 2, Whole: true, More: true},
		},
		Presets: []demo.Preset{
			{Name: "A longer run", State: "seconds=120", Says: "Past capacity the open loop's p99 grows with the length of the run, so there the ratio says how long somebody measured."},
			{Name: "Bursts", State: "burstiness=0.25", Says: "With bursts the loops part from the first load on: a closed loop cannot be bursty."},
		},
		Equations: []demo.Equation{
			{Name: "Equal throughput", TeX: `N = \min(\lambda\,W,\ S)`, Says: "clients of the closed loop: what the open loop had in flight by Little's law, but no more than the seats S of the server, since more would only wait"},
			{Name: "Past capacity", TeX: `T_{\max} \approx t\left(1 - \frac{C}{\lambda}\right)`, Says: "wait of the last request of an open run of length t at a rate λ above the capacity C"},
			replica.StepEquation(),
		},
		Start: startRatio,
	}
}

// pair is one load and one seed, in both loops.
type pair struct {
	p50, p99     [2][2]float64 // s, by metric (TTFT, E2E) and loop (open, closed)
	throughput   [2]float64
	clients      int
	sent         [2]int
	uncompleted  [2]int
	openInFlight float64
}

type ratioRun struct {
	replica.Queue
	seed       uint32
	seconds    float64
	burstiness float64
	seeds      int
	capacity   float64
	pairs      [][]pair // by load, by seed
}

var ratioMetrics = [2]sim.Metric{sim.TTFT, sim.E2E}

func startRatio(v demo.Values, seed uint32) (demo.Task, error) {
	return newRatio(v, seed, &ratioRun{}), nil
}

// Reuse runs only what another burstiness or more seeds change: not the closed
// loops that get as many clients as before.
func (r *ratioRun) Reuse(v demo.Values, seed uint32) (demo.Task, bool) {
	if seed != r.seed || v.Num("seconds") != r.seconds {
		return nil, false
	}
	return newRatio(v, seed, r), true
}

// newRatio takes from a finished run what is the same in it.
func newRatio(v demo.Values, seed uint32, before *ratioRun) *ratioRun {
	r := &ratioRun{seed: seed, seconds: v.Num("seconds"), burstiness: v.Num("burstiness"), seeds: v.Int("seeds")}
	_, busy := requestCost(sampleLengths(seed), replica.Server())
	r.capacity = 1 / busy
	r.pairs = make([][]pair, len(ratioLoads()))
	r.Planned = 2 * r.seeds * len(r.pairs)
	for k := range r.pairs {
		r.pairs[k] = make([]pair, r.seeds)
		for i := range r.seeds {
			var had pair
			if before.pairs != nil && i < len(before.pairs[k]) {
				if had = before.pairs[k][i]; r.burstiness == before.burstiness {
					r.pairs[k][i] = had
					r.Planned -= 2
					continue
				}
			}
			r.measure(&r.pairs[k][i], had, ratioLoads()[k]/100*r.capacity, replica.Seeded(seed, i))
		}
	}
	return r
}

// measure runs both loops, the closed one unless had is of as many clients.
func (r *ratioRun) measure(p *pair, had pair, rate float64, seed uint64) {
	open := sim.OpenLoop{Arrivals: sim.Gamma{RatePerSec: rate, Burstiness: r.burstiness}}
	r.run(open, seed, func(res *sim.Results) {
		p.read(res, 0, r.end())
		p.clients = min(max(1, int(p.openInFlight+0.5)), replica.MaxSeqs)
		if p.clients == had.clients {
			p.takeClosed(&had)
			r.Planned--
			return
		}
		closed := sim.ClosedLoop{Clients: p.clients, StartEvery: sim.Seconds(1 / rate)}
		r.run(closed, seed, func(res *sim.Results) { p.read(res, 1, r.end()) })
	})
}

// takeClosed takes the closed loop of another pair.
func (p *pair) takeClosed(from *pair) {
	const closed = 1
	for m := range ratioMetrics {
		p.p50[m][closed], p.p99[m][closed] = from.p50[m][closed], from.p99[m][closed]
	}
	p.throughput[closed], p.sent[closed], p.uncompleted[closed] = from.throughput[closed], from.sent[closed], from.uncompleted[closed]
}

func (r *ratioRun) end() sim.Nanos { return ratioWarmUp + sim.Seconds(r.seconds) }

func (r *ratioRun) run(g sim.Generator, seed uint64, done func(*sim.Results)) {
	load := sim.Workload{Generator: g, Lengths: replica.Lengths(), Until: r.end()}
	r.Add(replica.Job{Config: replica.Server(), Load: load, Seed: seed, Done: done})
}

// read keeps what a run of one loop says about the requests sent after the
// warm-up.
func (p *pair) read(res *sim.Results, loop int, end sim.Nanos) {
	counted := sentIn(res, ratioWarmUp, end)
	for m, of := range ratioMetrics {
		at := latencies(res, of, sim.FromSent, counted).at(0.5, 0.99)
		p.p50[m][loop], p.p99[m][loop] = at[0], at[1]
	}
	done, inside := 0, 0.0
	for i, at := range res.DoneAt {
		if at >= ratioWarmUp && at < end {
			done++
		}
		inside += max(0, (min(at, end) - max(res.SentAt[i], ratioWarmUp)).Seconds())
	}
	seconds := (end - ratioWarmUp).Seconds()
	p.throughput[loop] = float64(done) / seconds
	p.sent[loop] = len(counted)
	p.uncompleted[loop] = len(counted) - ended(res, counted)[sim.Completed]
	if loop == 0 {
		p.openInFlight = inside / seconds
	}
}

// middle is the median over seeds, with the least and the largest.
func (r *ratioRun) middle(load int, of func(*pair) float64) (mid, lo, hi float64) {
	var all []float64
	for i := range r.pairs[load] {
		all = append(all, of(&r.pairs[load][i]))
	}
	slices.Sort(all)
	return all[len(all)/2], all[0], last(all)
}

func ratio99(m int) func(*pair) float64 {
	return func(p *pair) float64 { return p.p99[m][0] / p.p99[m][1] }
}

func ratio50(m int) func(*pair) float64 {
	return func(p *pair) float64 { return p.p50[m][0] / p.p50[m][1] }
}

func (r *ratioRun) Summary() demo.Sentence {
	at := func(percent float64, m int) string {
		mid, _, _ := r.middle(slices.Index(ratioLoads(), percent), ratio99(m))
		return text.Num(mid, 2)
	}
	return demo.Say("p99 time to first token, open over closed: "+at(60, 0)+" at 60% of capacity, ", at(100, 0)+" at 100% and "+at(110, 0)+" at 110%",
		" after "+text.Num(r.seconds, 3)+" s. p99 end to end: "+at(60, 1)+", "+at(100, 1)+" and "+at(110, 1)+".")
}

func (r *ratioRun) Metrics() (out []demo.Metric) {
	add := func(name, label string, load int, of func(*pair) float64) {
		mid, _, _ := r.middle(load, of)
		out = append(out, demo.Metric{Name: name, Label: label, Value: mid, Digits: 2, Spread: true})
	}
	for _, percent := range []float64{20, 40, 60, 80, 90, 100, 110} {
		k := slices.Index(ratioLoads(), percent)
		p := text.Whole(int(percent))
		add("ttft_"+p, "p99 time to first token at "+p+"%, open / closed", k, ratio99(0))
		add("e2e_"+p, "p99 end to end at "+p+"%, open / closed", k, ratio99(1))
		add("ttft50_"+p, "p50 time to first token at "+p+"%, open / closed", k, ratio50(0))
	}
	top := len(ratioLoads()) - 1
	worst, _, _ := r.middle(top, func(p *pair) float64 { return p.p99[0][0] })
	worstClosed, _, _ := r.middle(top, func(p *pair) float64 { return p.p99[0][1] })
	apart := 0.0
	for k := range r.pairs {
		for i := range r.pairs[k] {
			t := r.pairs[k][i].throughput
			apart = max(apart, t[0]/t[1]-1, t[1]/t[0]-1)
		}
	}
	return append(out,
		demo.Metric{Name: "open_110", Label: "p99 time to first token at 110%, open loop", Unit: "s", Value: worst, Digits: 2, Spread: true},
		demo.Metric{Name: "closed_110", Label: "p99 time to first token at 110%, closed loop", Unit: "s", Value: worstClosed, Digits: 2, Spread: true},
		demo.Metric{Name: "capacity", Label: "Bound of the server", Unit: "requests/s", Value: r.capacity, Digits: 3},
		demo.Metric{Name: "apart", Label: "Largest difference in throughput of a pair", Unit: "%", Value: 100 * apart, Digits: 2},
	)
}

func (r *ratioRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{
		{Name: "load", Unit: "%", Digits: 3}, {Name: "run"}, {Name: "clients", Unit: "clients"}, {Name: "throughput_open", Unit: "requests/s", Digits: 4}, {Name: "throughput_closed", Unit: "requests/s", Digits: 4},
		{Name: "ttft_p50_open", Unit: "s", Digits: 4}, {Name: "ttft_p50_closed", Unit: "s", Digits: 4}, {Name: "ttft_p99_open", Unit: "s", Digits: 4}, {Name: "ttft_p99_closed", Unit: "s", Digits: 4},
		{Name: "e2e_p50_open", Unit: "s", Digits: 4}, {Name: "e2e_p50_closed", Unit: "s", Digits: 4}, {Name: "e2e_p99_open", Unit: "s", Digits: 4}, {Name: "e2e_p99_closed", Unit: "s", Digits: 4},
		{Name: "sent_open"}, {Name: "sent_closed"}, {Name: "not_completed_open"}, {Name: "not_completed_closed"},
	}}
	n := func(x int) demo.Cell { return demo.N(float64(x)) }
	for k, load := range ratioLoads() {
		for i, p := range r.pairs[k] {
			row := []demo.Cell{demo.N(load), n(i + 1), n(p.clients), demo.N(p.throughput[0]), demo.N(p.throughput[1])}
			for m := range ratioMetrics {
				row = append(row, demo.N(p.p50[m][0]), demo.N(p.p50[m][1]), demo.N(p.p99[m][0]), demo.N(p.p99[m][1]))
			}
			t.Rows = append(t.Rows, append(row, n(p.sent[0]), n(p.sent[1]), n(p.uncompleted[0]), n(p.uncompleted[1])))
		}
	}
	return t
}

func (r *ratioRun) Events() []demo.Event {
	at := func(k int) string {
		mid, _, _ := r.middle(k, func(p *pair) float64 { return float64(p.clients) })
		return text.Count(int(mid), "client", "clients")
	}
	return []demo.Event{
		{At: math.NaN(), Says: demo.Say("At 20% the closed loop takes " + at(0) + " for the same throughput.")},
		{At: math.NaN(), Says: demo.Say("At 100% the open loop's queue begins to grow. The closed loop has " + at(5) + ", no more than the server's seats, and no queue.")},
	}
}

func (r *ratioRun) Figures() []demo.Figure {
	return []demo.Figure{r.ratioFigure(), r.tailFigure()}
}

func (r *ratioRun) overLoads(id, name string, role demo.Role, of func(*pair) float64) demo.Series {
	s := demo.Series{ID: id, Name: name, Role: role, Shape: demo.Line}
	for k, load := range ratioLoads() {
		mid, lo, hi := r.middle(k, of)
		s.X, s.Y = append(s.X, load), append(s.Y, mid)
		s.Lo, s.Hi = append(s.Lo, lo), append(s.Hi, hi)
	}
	return s
}

func (r *ratioRun) ratioFigure() demo.Figure {
	ttft, e2e := r.overLoads("ttft", "first token", demo.Ink, ratio99(0)), r.overLoads("e2e", "end to end", demo.Soft, ratio99(1))
	median := r.overLoads("ttft50", "first token, p50", demo.Bad, ratio50(0))
	f := demo.Figure{
		ID: "ratio", Title: "p99 of the open loop over p99 of the closed loop", Kind: demo.Chart,
		X:      demo.Axis{Label: "Load, of the server's bound", Unit: "%", Max: 120, Digits: 3},
		Y:      demo.Axis{Label: "Open / closed, 1 is equal", Log: true, Digits: 2},
		Series: []demo.Series{ttft, e2e},
		Marks:  []demo.Mark{{At: 1, Level: true}},
		Alt: "The ratio of p99 time to first token is " + text.Num(ttft.Y[0], 2) + " at 20% of capacity, " + text.Num(ttft.Y[3], 2) + " at 80% and " + text.Num(last(ttft.Y), 2) +
			" at 110%. End to end it is " + text.Num(e2e.Y[0], 2) + ", " + text.Num(e2e.Y[3], 2) + " and " + text.Num(last(e2e.Y), 2) + ".",
		Table: demo.Table{Caption: "Open over closed, median of the seeds", Columns: []demo.Column{{Name: "Load", Unit: "%"}, {Name: "First token, p99", Digits: 2}, {Name: "from", Digits: 2}, {Name: "to", Digits: 2}, {Name: "First token, p50", Digits: 2}, {Name: "End to end, p99", Digits: 3}, {Name: "from", Digits: 3}, {Name: "to", Digits: 3}}},
		Notes: []string{"Lines are the median of " + text.Count(r.seeds, "seed", "seeds") + ", bands the least and the largest. No stall, no failure: every request completed."},
	}
	f.Y.Min, f.Y.Max = logRange([]float64{1}, ttft.Hi, e2e.Hi)
	f.Y.Min = min(0.5, least(e2e.Lo), least(ttft.Lo)) // room below equal
	for k, load := range ratioLoads() {
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.N(load), demo.N(ttft.Y[k]), demo.N(ttft.Lo[k]), demo.N(ttft.Hi[k]), demo.N(median.Y[k]), demo.N(e2e.Y[k]), demo.N(e2e.Lo[k]), demo.N(e2e.Hi[k])})
	}
	return f
}

func (r *ratioRun) tailFigure() demo.Figure {
	open := r.overLoads("open", "open loop", demo.Open, func(p *pair) float64 { return p.p99[0][0] })
	closed := r.overLoads("closed", "closed loop", demo.Closed, func(p *pair) float64 { return p.p99[0][1] })
	f := demo.Figure{
		ID: "tail", Title: "p99 time to first token in both loops", Kind: demo.Chart,
		X:      demo.Axis{Label: "Load, of the server's bound", Unit: "%", Max: 120, Digits: 3},
		Y:      demo.Axis{Label: "p99 time to first token", Unit: "s", Log: true, Digits: 2},
		Series: []demo.Series{open, closed},
		Alt: "At 20% of capacity p99 time to first token is " + duration(open.Y[0], 2) + " in the open loop and " + duration(closed.Y[0], 2) + " in the closed one; at 110% " +
			duration(last(open.Y), 2) + " and " + duration(last(closed.Y), 2) + ".",
		Table: demo.Table{Caption: "p99 time to first token, median of the seeds", Columns: []demo.Column{{Name: "Load", Unit: "%"}, {Name: "Open loop", Unit: "s", Digits: 3}, {Name: "Closed loop", Unit: "s", Digits: 3}, {Name: "Clients"}, {Name: "Throughput, open", Unit: "requests/s", Digits: 3}, {Name: "Throughput, closed", Unit: "requests/s", Digits: 3}}},
	}
	f.Y.Min, f.Y.Max = logRange(open.Lo, open.Hi, closed.Lo, closed.Hi)
	for k, load := range ratioLoads() {
		clients, _, _ := r.middle(k, func(p *pair) float64 { return float64(p.clients) })
		x0, _, _ := r.middle(k, func(p *pair) float64 { return p.throughput[0] })
		x1, _, _ := r.middle(k, func(p *pair) float64 { return p.throughput[1] })
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.N(load), demo.N(open.Y[k]), demo.N(closed.Y[k]), demo.N(clients), demo.N(x0), demo.N(x1)})
	}
	return f
}
