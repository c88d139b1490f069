package harness

import (
	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/content/demo/text"
	"openloop/sim"
)

// The four scenarios of MLPerf's LoadGen on one server, each with its own loop,
// its own clock and its own score.

// limit is a pair of promises at the 99th percentile, from mlperf.conf of
// mlcommons/inference (commit b66003e1), in seconds.
type limit struct {
	option     demo.Option
	ttft, tpot float64
}

func limits() []limit {
	return []limit{
		{demo.Option{Name: "llama8b", Label: "8B: 2 s, 100 ms"}, 2, 0.100},
		{demo.Option{Name: "llama8b_interactive", Label: "8B, fast: 0.5 s, 30 ms"}, 0.5, 0.030},
		{demo.Option{Name: "llama70b", Label: "70B: 2 s, 200 ms"}, 2, 0.200},
		{demo.Option{Name: "llama70b_interactive", Label: "70B, fast: 0.45 s, 40 ms"}, 0.45, 0.040},
		{demo.Option{Name: "deepseek_interactive", Label: "R1, fast: 1.5 s, 15 ms"}, 1.5, 0.015},
	}
}

func mlperfScenarios() *demo.Demo {
	promise := demo.Knob{Name: "limits", Default: 1, Label: "Limits of Server", Doc: "p99 to the first token and per output token, as MLPerf sets them for Llama-3.1-8B, Llama-2-70B and DeepSeek-R1; fast is its Interactive."}
	for _, l := range limits() {
		promise.Options = append(promise.Options, l.option)
	}
	promise.Max = float64(len(promise.Options) - 1)
	return &demo.Demo{
		ID: "mlperf-scenarios", Version: 1, Title: "Four scenarios, one server",
		Lead: "MLPerf's load generator in its four scenarios, on the server of the other chapters. Change the limits and see which of the four scores notices.",
		Limits: "The prompts and answers are the usual mix of this guide and not a benchmark's data set, the server is simulated, and nobody checks whether its answers are right. A run of MLPerf takes ten minutes at least; " +
			"the percentiles here are of shorter runs, without its allowance for early stopping.",
		Knobs: []demo.Knob{
			promise,
			{Name: "rate", Label: "Target rate of Server", Unit: "requests/s", Doc: "target_qps: the rate that is tested, VALID or INVALID.", Default: 30, Min: 2, Max: 60, Step: 1},
			{Name: "samples", Label: "Samples of a MultiStream query", Unit: "samples", Doc: "Sent together; the next query leaves when all of them are answered.", Default: 8, Min: 1, Max: 64, Step: 1, Whole: true},
			{Name: "seconds", Label: "Length", Unit: "s", Doc: "Of each run; LoadGen asks for 600.", Default: 60, Min: 20, Max: 600, Step: 20, Whole: true, More: true},
			{Name: "prompt", Label: "Mean prompt", Unit: "tokens", Doc: "Prompts are normal around it, with half of it as deviation.", Default: replica.MeanPrompt, Min: 64, Max: 2048, Step: 64, Whole: true, More: true},
			{Name: "output", Label: "Mean answer", Unit: "tokens", Doc: "Answers are normal around it, with half of it as deviation.", Default: replica.MeanOutput, Min: 16, Max: 512, Step: 16, Whole: true, More: true},
		},
		Presets: []demo.Preset{
			{Name: "Past the limit", State: "rate=43", Says: "A rate that the server can do and the limits forbid: INVALID, with every request answered."},
			{Name: "A longer promise", State: "limits=llama8b", Says: "Two seconds to the first token. In a run this short the queue does not get there, and Server seems to beat Offline: that is why a run takes ten minutes."},
			{Name: "15 ms a token", State: "limits=deepseek_interactive", Says: "A limit near what a single request gets: most of the batch, and so most of the throughput, is gone."},
			{Name: "One sample a query", State: "samples=1", Says: "MultiStream with one sample is SingleStream with another percentile."},
		},
		Bet: &demo.Bet{
			Question: "Alone on this server a request gets a token every 9.3 ms. Promise 15 ms at the 99th percentile, DeepSeek-R1's interactive limit. What share of Offline's throughput is left to Server?",
			Options:  []string{"over 90%", "65 to 90%", "35 to 65%", "less than 35%"},
			Reveal:   "limits=deepseek_interactive",
			By:       []string{"offline_rate", "server_rate", "share"},
			Answer: func(t demo.Task) int {
				switch share := t.(*scenarioRun).share(); {
				case share > 0.90:
					return 0
				case share > 0.65:
					return 1
				case share > 0.35:
					return 2
				}
				return 3
			},
			Feedback: []string{
				"So much is left at 30 ms a token, where the batch may be nearly full.",
				"So much is left near 20 ms a token.",
				"Throughput is the batch over the step, and a step of 15 ms has room for a small batch and few prompts.",
				"It is not as bad as that: a step of 15 ms still has room for some dozens of requests.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Offline", TeX: `\frac{n}{\max_i L_i}`, Says: "n samples, all sent at once, over the latency L of the slowest"},
			{Name: "Server", TeX: `\max\{\lambda : L^{TTFT}_{99} \le T_1,\ L^{TPOT}_{99} \le T_2\}`, Says: "the largest Poisson rate λ whose two 99th percentiles keep their limits; it is found by halving, as submitters do"},
			{Name: "Percentile", TeX: `L_q = L_{(\lfloor n q \rfloor)}`, Says: "the value at that place of n sorted ones, counted from 0; nothing is interpolated"},
			replica.StepEquation(),
		},
		Start: startScenarios,
	}
}

// serverRun is the Server scenario at one rate.
type serverRun struct {
	rate       float64 // requests/s, asked for
	scheduled  float64 // and planned
	done       float64 // "completed": over the end of the last that was issued
	ttft, tpot float64 // s, p99
	inFlight   float64 // mean, by Little's law
	ended      int     // completed requests
	requests   int
}

func (s *serverRun) valid(l limit) bool { return s.ttft <= l.ttft && s.tpot <= l.tpot }

// score is one of the other scenarios.
type score struct {
	results  *sim.Results
	perSec   float64 // samples
	tokens   float64 // output tokens/s
	reported float64 // s
}

type scenarioRun struct {
	replica.Queue
	seed    uint32
	limit   limit
	rate    float64
	samples int
	seconds float64
	prompt  float64 // means, in tokens
	output  float64
	lengths sim.Lengths

	single, multi, offline score
	sweep                  []serverRun // over all rates of the figure
	now, best              serverRun
	found                  bool // some rate is valid
	lo, hi                 float64
	nowResults             *sim.Results
}

// sweepRates are those of the curve.
func sweepRates() []float64 { return []float64{10, 20, 30, 35, 40, 45, 50} }

// Bounds of the search for the largest valid rate, in requests/s.
const (
	highestRate = 64.0 // that is tried
	nearEnough  = 0.5
)

func startScenarios(v demo.Values, seed uint32) (demo.Task, error) {
	r := newScenarios(v, seed)
	r.Planned = 4 + len(sweepRates()) + 4
	r.run(sim.MLPerfSingleStream{}, 0, func(res *sim.Results) {
		r.single = scored(res, loadGen(spans(res, sim.E2E, sim.FromSent), 0.90))
	})
	r.multiStream()
	r.run(sim.MLPerfOffline{}, int(50*r.seconds), func(res *sim.Results) {
		all := spans(res, sim.E2E, sim.FromSent)
		r.offline = scored(res, all[len(all)-1])
	})
	r.target()
	r.sweep = make([]serverRun, len(sweepRates()))
	for i, rate := range sweepRates() {
		r.serve(rate, func(s serverRun, _ *sim.Results) {
			r.sweep[i] = s
			if i == len(r.sweep)-1 {
				r.bracket()
			}
		})
	}
	return r, nil
}

func newScenarios(v demo.Values, seed uint32) *scenarioRun {
	r := &scenarioRun{seed: seed, rate: v.Num("rate"), samples: v.Int("samples"), seconds: v.Num("seconds"), prompt: v.Num("prompt"), output: v.Num("output")}
	for _, l := range limits() {
		if l.option.Name == v.Option("limits") {
			r.limit = l
		}
	}
	r.lengths = replica.LengthsAround(r.prompt, r.output)
	return r
}

// Reuse is that of Reusable: other limits, another target rate or another size
// of a query leave the rest of the runs as it is.
func (r *scenarioRun) Reuse(v demo.Values, seed uint32) (demo.Task, bool) {
	n := newScenarios(v, seed)
	if n.seed != r.seed || n.seconds != r.seconds || n.prompt != r.prompt || n.output != r.output {
		return nil, false
	}
	n.Planned = 5
	n.single, n.multi, n.offline, n.sweep = r.single, r.multi, r.offline, r.sweep
	n.now, n.nowResults = r.now, r.nowResults
	if n.samples != r.samples {
		n.multiStream()
	}
	if n.rate != r.rate {
		n.target()
	}
	n.bracket()
	return n, true
}

func (r *scenarioRun) multiStream() {
	r.run(sim.MLPerfMultiStream{SamplesPerQuery: r.samples}, 0, func(res *sim.Results) {
		r.multi = scored(res, loadGen(queryLatencies(res, r.samples), 0.99))
	})
}

func (r *scenarioRun) target() {
	r.serve(r.rate, func(s serverRun, res *sim.Results) { r.now, r.nowResults = s, res })
}

// bracket finds where the sweep's rates stop being valid, and searches there.
func (r *scenarioRun) bracket() {
	r.hi = highestRate
	for _, s := range r.sweep {
		if !s.valid(r.limit) {
			r.hi = s.rate
			break
		}
		r.lo, r.best, r.found = s.rate, s, true
	}
	r.search()
}

// search halves the rates between one that is valid and the lowest that is not.
func (r *scenarioRun) search() {
	if r.hi-r.lo <= nearEnough {
		return
	}
	middle := (r.lo + r.hi) / 2
	r.serve(middle, func(s serverRun, _ *sim.Results) {
		if s.valid(r.limit) {
			r.lo, r.best, r.found = middle, s, true
		} else {
			r.hi = middle
		}
		r.search()
	})
}

func (r *scenarioRun) run(g sim.Generator, requests int, done func(*sim.Results)) {
	load := sim.Workload{Generator: g, Lengths: r.lengths, Requests: requests}
	if requests == 0 {
		load.Until = sim.Seconds(r.seconds)
	}
	r.Add(replica.Job{Config: replica.Server(), Load: load, Seed: uint64(r.seed), Done: done})
}

func (r *scenarioRun) serve(rate float64, done func(serverRun, *sim.Results)) {
	r.run(sim.MLPerfServer{TargetQPS: rate}, 0, func(res *sim.Results) { done(served(rate, res), res) })
}

// served reads the Server scenario as LoadGen's summary does.
func served(rate float64, res *sim.Results) serverRun {
	s := serverRun{rate: rate, requests: len(res.SentAt), ended: completed(res)}
	if s.requests < 2 {
		return s
	}
	last := s.requests - 1
	s.scheduled = float64(last) / res.IntendedAt[last].Seconds()
	s.done = float64(last) / res.DoneAt[last].Seconds()
	s.ttft = loadGen(spans(res, sim.TTFT, sim.FromIntended), 0.99)
	s.tpot = loadGen(spans(res, sim.TPOT, sim.FromIntended), 0.99)
	sum := 0.0
	for _, span := range spans(res, sim.E2E, sim.FromIntended) {
		sum += span
	}
	s.inFlight = sum / float64(s.requests) * s.scheduled
	return s
}

// scored reads one of the other scenarios. A rate is over the time until the
// last answer.
func scored(res *sim.Results, reported float64) score {
	s := score{results: res, reported: reported}
	end, tokens := 0.0, 0.0
	for i, at := range res.DoneAt {
		end = max(end, at.Seconds())
		tokens += float64(res.Generated[i])
	}
	if end > 0 {
		s.perSec, s.tokens = float64(len(res.DoneAt))/end, tokens/end
	}
	return s
}

// queryLatencies are those of whole queries of so many samples, sorted.
func queryLatencies(res *sim.Results, samples int) []float64 {
	slowest := make([]float64, 0, len(res.SentAt)/samples)
	for i := range res.SentAt {
		span, ok := res.Latency(sim.E2E, i, sim.FromSent)
		switch {
		case !ok:
		case i%samples == 0:
			slowest = append(slowest, span.Seconds())
		default:
			k := len(slowest) - 1
			slowest[k] = max(slowest[k], span.Seconds())
		}
	}
	return sortedCopy(slowest)
}

// share is what Server keeps of Offline's throughput.
func (r *scenarioRun) share() float64 {
	if r.offline.perSec == 0 {
		return 0
	}
	return r.best.scheduled / r.offline.perSec
}

func (r *scenarioRun) verdict() string {
	if r.now.valid(r.limit) {
		return "VALID"
	}
	return "INVALID"
}

func (r *scenarioRun) Summary() demo.Sentence {
	server := "no rate that was tried is valid"
	if r.found {
		server = text.Num(r.best.scheduled, 3) + " requests/s in Server"
	}
	return demo.Say("One server, four scores: ", text.Num(r.single.perSec, 2)+" requests/s in SingleStream, "+text.Num(r.multi.perSec, 2)+" in MultiStream, "+server+" and "+text.Num(r.offline.perSec, 3)+" in Offline",
		". At "+text.Num(r.rate, 3)+" requests/s Server is ", r.verdict(), ": p99 "+duration(r.now.ttft, 2)+" to the first token, limit "+duration(r.limit.ttft, 2)+", and "+duration(r.now.tpot, 2)+" a token, limit "+duration(r.limit.tpot, 2)+".")
}

func (r *scenarioRun) Metrics() []demo.Metric {
	valid := 0.0
	if r.now.valid(r.limit) {
		valid = 1
	}
	return []demo.Metric{
		{Name: "single_rate", Label: "SingleStream", Unit: "requests/s", Value: r.single.perSec, Digits: 2, Spread: true},
		{Name: "single_p90", Label: "SingleStream, p90 latency", Unit: "s", Value: r.single.reported, Digits: 2},
		{Name: "multi_rate", Label: "MultiStream", Unit: "requests/s", Value: r.multi.perSec, Digits: 2},
		{Name: "multi_p99", Label: "MultiStream, p99 of a query", Unit: "s", Value: r.multi.reported, Digits: 2},
		{Name: "server_rate", Label: "Server, largest valid rate", Unit: "requests/s", Value: r.best.scheduled, Digits: 3, Spread: true},
		{Name: "offline_rate", Label: "Offline", Unit: "requests/s", Value: r.offline.perSec, Digits: 3, Spread: true},
		{Name: "offline_tokens", Label: "Offline, output tokens", Unit: "tokens/s", Value: r.offline.tokens, Digits: 3},
		{Name: "share", Label: "Server over Offline", Unit: "%", Value: 100 * r.share(), Digits: 2, Spread: true},
		{Name: "times_single", Label: "Offline over SingleStream", Value: r.offline.perSec / max(r.single.perSec, 1e-9), Digits: 2},
		{Name: "valid", Label: "Server at the target rate: 1 is VALID", Value: valid},
		{Name: "ttft_p99", Label: "Server at the target rate, p99 time to first token", Unit: "s", Value: r.now.ttft, Digits: 2},
		{Name: "tpot_p99", Label: "Server at the target rate, p99 time per output token", Unit: "ms", Value: 1000 * r.now.tpot, Digits: 2},
		{Name: "in_flight", Label: "Server at the target rate, in flight", Unit: "requests", Value: r.now.inFlight, Digits: 2},
		{Name: "done_rate", Label: "Server at the target rate, completed", Unit: "requests/s", Value: r.now.done, Digits: 3},
		{Name: "best_ttft", Label: "Server at the largest valid rate, p99 time to first token", Unit: "s", Value: r.best.ttft, Digits: 2},
		{Name: "best_tpot", Label: "Server at the largest valid rate, p99 time per output token", Unit: "ms", Value: 1000 * r.best.tpot, Digits: 2},
	}
}

func (r *scenarioRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "scenario"}, {Name: "rate", Unit: "requests/s", Digits: 4}, {Name: "scheduled", Unit: "requests/s", Digits: 4}, {Name: "completed", Unit: "requests/s", Digits: 4},
		{Name: "ttft_p99", Unit: "s", Digits: 4}, {Name: "tpot_p99", Unit: "s", Digits: 4}, {Name: "latency", Unit: "s", Digits: 4}, {Name: "requests"}}}
	none := demo.W("")
	for _, s := range []struct {
		name string
		of   *score
	}{{"SingleStream", &r.single}, {"MultiStream", &r.multi}, {"Offline", &r.offline}} {
		t.Rows = append(t.Rows, []demo.Cell{demo.W(s.name), none, none, demo.N(s.of.perSec), none, none, demo.N(s.of.reported), demo.N(float64(len(s.of.results.SentAt)))})
	}
	for _, s := range append(r.sweep, r.now, r.best) {
		t.Rows = append(t.Rows, []demo.Cell{demo.W("Server"), demo.N(s.rate), demo.N(s.scheduled), demo.N(s.done), demo.N(s.ttft), demo.N(s.tpot), none, demo.N(float64(s.requests))})
	}
	return t
}
