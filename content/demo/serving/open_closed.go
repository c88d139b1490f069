package serving

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/content/demo/text"
	"openloop/sim"
)

// One server, one stall, two load generators at the same mean rate: what each
// of them sees.

const (
	stallWarmUp = 10 * sim.Second // neither counted nor drawn: the server fills
	stallSpan   = 60 * sim.Second // counted
	stallAt     = stallWarmUp + stallSpan/2
)

func openClosed() *demo.Demo {
	return &demo.Demo{
		ID: "open-closed", Version: 1, Title: "One stall, two load generators",
		Lead:   "The same server under the same mean load, and in the middle of the minute it stops for a moment. Each dot is a request. Move the stall and the rate.",
		Limits: "One simulated server and one stall. Clients and network take no time, so a closed loop here sends at the very end of a step and never waits for the rest of one; that is why its first token comes a little sooner even when nothing stalls. Real stalls (garbage collection, a lost link, a neighbor on the same GPU) have other shapes.",
		Knobs: []demo.Knob{
			{Name: "rate", Label: "Rate", Unit: "requests/s", Doc: "Mean rate of the open loop. The closed loop gets the clients that Little's law asks for.", Default: 10, Min: 1, Max: 40, Step: 1},
			{Name: "stall", Label: "Stall", Unit: "s", Doc: "How long the server starts no step.", Default: 2, Max: 15, Step: 0.5},
			metricKnob(),
			{Name: "seats", Label: "Seats", Unit: "requests", Doc: "Requests that the server runs at once, at most (max-num-seqs).", Default: replica.MaxSeqs, Min: 8, Max: replica.MaxSeqs, Step: 8, Whole: true, More: true},
			{Name: "prompt", Label: "Mean prompt", Unit: "tokens", Doc: "Prompts are normal around it, with half of it as deviation.", Default: replica.MeanPrompt, Min: 64, Max: 2048, Step: 64, Whole: true, More: true},
			{Name: "output", Label: "Mean output", Unit: "tokens", Doc: "Answers are normal around it, with half of it as deviation.", Default: replica.MeanOutput, Min: 16, Max: 512, Step: 16, Whole: true, More: true},
		},
		Presets: []demo.Preset{
			{Name: "No stall", State: "stall=0", Says: "Without a stall the two loops nearly agree."},
			{Name: "End to end", State: "metric=e2e", Says: "The same runs, judged by the whole latency: the closed loop's own requests were in flight when the server stopped, so it sees the stall too."},
			{Name: "A busy server", State: "rate=36", Says: "At four fifths of capacity the backlog of the stall takes seconds to clear, and only the open loop has it."},
			{Name: "10 s", State: "stall=10", Says: "Five times the stall: the open loop's p99 follows it, the closed loop's stays where it was."},
		},
		Bet: &demo.Bet{
			Question: "The stall lasts 5 s instead of 2 s. Where is the closed loop's p99 time to first token now?",
			Options:  []string{"near 5 s, like the open loop's", "1 to 3 s", "0.1 to 1 s", "below 0.1 s, where it was"},
			Reveal:   "stall=5",
			By:       []string{"p99_open", "p99_closed"},
			Answer: func(t demo.Task) int {
				p99 := t.(*stallRun).closed.ttft99
				switch {
				case p99 > 3:
					return 0
				case p99 > 1:
					return 1
				case p99 > 0.1:
					return 2
				}
				return 3
			},
			Feedback: []string{
				"The open loop's is. The closed loop's clients were all waiting for answers when the server stopped, so hardly one of them sent anything into the stall.",
				"It would take seven requests of the 600 to move p99. During the stall the closed loop sends none, or one, however long it lasts.",
				"A longer stall does not give the closed loop more bad samples: it sends none into it, or one, however long it lasts.",
				"All its clients wait for the stalled server, so hardly one sends. A longer stall makes more missing requests, not more bad ones.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Little", TeX: `N = \lambda\,W`, Says: "clients that make the closed loop as fast as the open one: the rate times the mean end-to-end latency W of the open loop without the stall"},
			replica.StepEquation(),
		},
		Start: startOpenClosed,
	}
}

// side is one generator's run.
type side struct {
	results *sim.Results
	counted []int // requests sent in the minute that counts
	stalled int   // of those, sent while the server stood still
	points  []requestPoint
	at      []float64 // quantiles of the picked metric, by stallQuantiles
	p99     [3]float64
	ttft99  float64
	meanE2E float64
	planned float64 // p99 of the picked metric from the schedule
}

// requestPoint is a request in the figure.
type requestPoint struct {
	sent    float64 // s, from the start of the minute
	latency float64 // s
	stalled bool
}

// stallQuantiles are those that notes give. The last is the maximum.
func stallQuantiles() ([]float64, []string) {
	return []float64{0.5, 0.9, 0.95, 0.99, 1}, []string{"p50", "p90", "p95", "p99", "largest"}
}

const stallP99 = 3 // in stallQuantiles

type stallRun struct {
	replica.Queue
	seed                     uint32
	rate, stall              float64
	metric                   metric
	config                   sim.Config
	lengths                  sim.Lengths
	clients                  int
	calm, open, closed       side
	missing                  []requestPoint
	inFlightOpen, inFlightCl int // when the server stops
}

func startOpenClosed(v demo.Values, seed uint32) (demo.Task, error) {
	r := &stallRun{seed: seed, rate: v.Num("rate"), stall: v.Num("stall"), metric: pickedMetric(v)}
	r.config = replica.Server()
	r.config.Engine.MaxNumSeqs = v.Int("seats")
	r.lengths = replica.LengthsAround(v.Num("prompt"), v.Num("output"))
	r.Planned = 3
	r.run(openAt(r.rate), 0, func(res *sim.Results) {
		r.calm = r.read(res)
		r.clients = max(1, int(float64(r.rate*r.calm.meanE2E)+0.5))
		r.run(openAt(r.rate), r.stall, func(res *sim.Results) { r.open = r.read(res) })
		closed := sim.ClosedLoop{Clients: r.clients, StartEvery: sim.Seconds(1 / r.rate)}
		r.run(closed, r.stall, func(res *sim.Results) {
			r.closed = r.read(res)
			r.compare()
		})
	})
	return r, nil
}

func openAt(rate float64) sim.Generator {
	return sim.OpenLoop{Arrivals: sim.Poisson{RatePerSec: rate}}
}

func (r *stallRun) run(g sim.Generator, stall float64, done func(*sim.Results)) {
	c := r.config
	if stall > 0 {
		c.Pauses = []sim.Span{{From: stallAt, To: stallAt + sim.Seconds(stall)}}
	}
	load := sim.Workload{Generator: g, Lengths: r.lengths, Until: stallWarmUp + stallSpan}
	r.Add(replica.Job{Config: c, Load: load, Seed: uint64(r.seed), Done: done})
}

func (r *stallRun) read(res *sim.Results) side {
	s := side{results: res, counted: sentIn(res, stallWarmUp, stallWarmUp+stallSpan)}
	for _, i := range s.counted {
		stalled := r.stands(res.SentAt[i])
		if stalled {
			s.stalled++
		}
		if span, ok := res.Latency(r.metric.of, i, sim.FromSent); ok {
			s.points = append(s.points, requestPoint{(res.SentAt[i] - stallWarmUp).Seconds(), span.Seconds(), stalled})
		}
	}
	for k, m := range metrics() {
		l := latencies(res, m.of, sim.FromSent, s.counted)
		s.p99[k] = l.at(0.99)[0]
		if m.of == r.metric.of {
			qs, _ := stallQuantiles()
			s.at = l.at(qs...)
		}
		switch m.of {
		case sim.TTFT:
			s.ttft99 = s.p99[k]
		case sim.E2E:
			s.meanE2E = l.mean()
		}
	}
	s.planned = latencies(res, r.metric.of, sim.FromIntended, s.counted).at(0.99)[0]
	return s
}

// stands says whether the server stood still at an instant.
func (r *stallRun) stands(at sim.Nanos) bool {
	return at >= stallAt && at < stallAt+sim.Seconds(r.stall)
}

// compare finds the requests that the closed loop did not send: those that the
// open loop sent into the stall.
func (r *stallRun) compare() {
	for _, p := range r.open.points {
		if p.stalled {
			r.missing = append(r.missing, p)
		}
	}
	r.inFlightOpen, r.inFlightCl = inFlight(r.open.results, stallAt), inFlight(r.closed.results, stallAt)
}

// inFlight counts the requests in the system at an instant.
func inFlight(r *sim.Results, at sim.Nanos) (n int) {
	for i, sent := range r.SentAt {
		if sent < at && r.DoneAt[i] >= at {
			n++
		}
	}
	return n
}

// perSecond is the rate at which a side sent in the minute.
func (s *side) perSecond() float64 { return float64(len(s.counted)) / stallSpan.Seconds() }

// ratio is how many times the closed loop's p99 the open loop's is.
func (r *stallRun) ratio(k int) float64 {
	if r.closed.p99[k] == 0 {
		return math.NaN()
	}
	return r.open.p99[k] / r.closed.p99[k]
}

func (r *stallRun) Summary() demo.Sentence {
	open, closed := r.open.at[stallP99], r.closed.at[stallP99]
	what := "One stall of " + text.Num(r.stall, 3) + " s. "
	if r.stall == 0 {
		what = "No stall. "
	}
	sent := " The closed loop, " + text.Count(r.clients, "client", "clients") + " by Little's law, sent " + text.Count(r.closed.stalled, "request", "requests") +
		" into the stall; the open one sent " + text.Whole(r.open.stalled) + "."
	if r.stall == 0 {
		sent = " The closed loop has " + text.Count(r.clients, "client", "clients") + " by Little's law."
	}
	return demo.Say(what+"p99 "+r.metric.name+": ", duration(open, 2)+" in the open loop, "+duration(closed, 2)+" in the closed one", "."+sent)
}

func (r *stallRun) Metrics() []demo.Metric {
	return []demo.Metric{
		{Name: "p99_open", Label: "p99, open loop", Unit: "s", Value: r.open.at[stallP99], Digits: 2, Spread: true},
		{Name: "p99_closed", Label: "p99, closed loop", Unit: "s", Value: r.closed.at[stallP99], Digits: 2, Spread: true},
		{Name: "p99_calm", Label: "p99, open loop without the stall", Unit: "s", Value: r.calm.at[stallP99], Digits: 2, Spread: true},
		{Name: "p50_open", Label: "p50, open loop", Unit: "s", Value: r.open.at[0], Digits: 2},
		{Name: "p50_closed", Label: "p50, closed loop", Unit: "s", Value: r.closed.at[0], Digits: 2},
		{Name: "p99_open_schedule", Label: "p99 from the schedule, open loop", Unit: "s", Value: r.open.planned, Digits: 2},
		{Name: "p99_closed_schedule", Label: "p99 from the schedule, closed loop", Unit: "s", Value: r.closed.planned, Digits: 2},
		{Name: "ratio_ttft", Label: "p99 time to first token, open / closed", Value: r.ratio(0), Digits: 2, Spread: true},
		{Name: "ratio_e2e", Label: "p99 end to end, open / closed", Value: r.ratio(1), Digits: 3, Spread: true},
		{Name: "ratio_tpot", Label: "p99 time per output token, open / closed", Value: r.ratio(2), Digits: 3, Spread: true},
		{Name: "clients", Label: "Clients of the closed loop", Unit: "clients", Value: float64(r.clients)},
		{Name: "mean_e2e", Label: "Mean end-to-end latency, open loop without the stall", Unit: "s", Value: r.calm.meanE2E, Digits: 3},
		{Name: "sent_open", Label: "Rate sent, open loop", Unit: "requests/s", Value: r.open.perSecond(), Digits: 3},
		{Name: "sent_closed", Label: "Rate sent, closed loop", Unit: "requests/s", Value: r.closed.perSecond(), Digits: 3},
		{Name: "stalled_open", Label: "Sent into the stall, open loop", Unit: "requests", Value: float64(r.open.stalled), Spread: true},
		{Name: "stalled_closed", Label: "Sent into the stall, closed loop", Unit: "requests", Value: float64(r.closed.stalled), Spread: true},
		{Name: "in_flight_closed", Label: "In flight when the server stops, closed loop", Unit: "requests", Value: float64(r.inFlightCl)},
	}
}

func (r *stallRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "loop"}, {Name: "sent", Unit: "s", Digits: 6}, {Name: "latency", Unit: "s", Digits: 6}, {Name: "into_stall"}}}
	for _, s := range []struct {
		name string
		side *side
	}{{"open", &r.open}, {"closed", &r.closed}} {
		for _, p := range s.side.points {
			into := 0.0
			if p.stalled {
				into = 1
			}
			t.Rows = append(t.Rows, []demo.Cell{demo.W(s.name), demo.N(p.sent), demo.N(p.latency), demo.N(into)})
		}
	}
	return t
}

func (r *stallRun) Events() []demo.Event {
	at := (stallAt - stallWarmUp).Seconds()
	out := []demo.Event{{At: math.NaN(), Says: demo.Say("Without a stall the open loop's requests take " + duration(r.calm.meanE2E, 3) + " in the mean. Little's law: " +
		text.Num(r.rate, 3) + " requests/s times that is " + text.Count(r.clients, "client", "clients") + " for the closed loop.")}}
	if r.stall == 0 {
		return out
	}
	return append(out,
		demo.Event{At: at, Says: demo.Say("The server stops with " + text.Whole(r.inFlightCl) + " of " + text.Count(r.clients, "client", "clients") +
			" of the closed loop in flight. They get no answer, so they send nothing; the open loop goes on sending.")},
		demo.Event{At: at + r.stall, Says: demo.Say("The server goes on. " + text.Count(r.open.stalled, "request", "requests") + " of the open loop " +
			text.Verb(r.open.stalled, "has", "have") + " come in the meantime and " + text.Verb(r.open.stalled, "waits", "wait") + "; of the closed loop " + text.Whole(r.closed.stalled) + ".")},
	)
}
