package harness

import (
	"math"
	"slices"

	"openloop/content/demo"
	"openloop/content/demo/harness/command"
	"openloop/content/demo/replica"
	"openloop/content/demo/text"
	"openloop/sim"
)

// A command line of a load generator, which harness it is, and what the same
// load does to the simulated server.

// The commands that a reader can pick.
const (
	capCommand   = "vllm bench serve --model meta-llama/Llama-3.1-8B-Instruct --dataset-name random --random-input-len 512 --random-output-len 192 --num-prompts 1000 --request-rate 28 --max-concurrency 64"
	burstCommand = "vllm bench serve --model meta-llama/Llama-3.1-8B-Instruct --dataset-name random --random-input-len 512 --random-output-len 192 --num-prompts 1000"
	rateCommand  = "vllm bench serve --model meta-llama/Llama-3.1-8B-Instruct --dataset-name random --random-input-len 512 --random-output-len 192 --num-prompts 2000 --request-rate 28 --percentile-metrics ttft,tpot,itl,e2el --goodput ttft:200 tpot:30 --num-warmups 50 --save-result"
	closeCommand = "aiperf profile --model meta-llama/Llama-3.1-8B-Instruct --endpoint-type chat --isl 512 --osl 192 --concurrency 32 --request-count 640"
	sweepCommand = "guidellm benchmark --target http://localhost:8000 --data prompt_tokens=512,output_tokens=192 --max-seconds 60"
	confCommand  = "*.Server.target_qps = 36\n*.Server.min_duration = 60000"
)

// maxCommand is the longest command that is read, in bytes.
const maxCommand = 2000

func whichHarness() *demo.Demo {
	with := func(command string) string { return "command=" + demo.Escaped(command) }
	return &demo.Demo{
		ID: "which-harness", Version: 1, Title: "Which harness is it?",
		Lead: "Paste the command of a benchmark: vllm bench, SGLang's bench_serving, AIPerf, GenAI-Perf, GuideLLM, llmperf, or the user.conf of MLPerf's LoadGen. It is read here and goes nowhere; the link that you copy holds it.",
		Limits: "It reads flags and never runs a tool. Defaults are those of versions read in August 2026, and yours may differ. What is simulated is the load, on the server of the other chapters and not on yours: " +
			"at most 3,000 requests and an hour, without failures, network or the client's own work.",
		Knobs: []demo.Knob{
			{Name: "command", Label: "Command line", Doc: "Several lines are read as a shell would; text of at most 2,000 bytes.", Writing: &demo.Writing{Default: capCommand, Max: maxCommand, Lines: 4}},
			{Name: "slower", Label: "Server slower by", Unit: "times", Doc: "Every step takes so many times as long. See what the command makes of it.", Default: 1, Min: 1, Max: 20, Step: 1},
		},
		Presets: []demo.Preset{
			{Name: "No rate", State: with(burstCommand), Says: "Without --request-rate it is inf, and inf is no rate: all requests leave at once."},
			{Name: "A rate", State: with(rateCommand), Says: "An open loop, with a promise and the end-to-end latency that the defaults leave out."},
			{Name: "AIPerf", State: with(closeCommand), Says: "A concurrency is a closed loop, and without --streaming there is no first token to time."},
			{Name: "GuideLLM", State: with(sweepCommand), Says: "A sweep is several harnesses: one request at a time, all at once, and rates between them."},
			{Name: "LoadGen", State: with(confCommand), Says: "MLPerf's Server scenario: Poisson, and the clock starts in the schedule."},
		},
		Bet: &demo.Bet{
			Question: "vllm bench serve with 1,000 prompts and neither --request-rate nor --max-concurrency. At which rate does it send?",
			Options:  []string{"one request a second", "as fast as the server answers", "all 1,000 at second 0", "the highest rate that the server can keep up"},
			Reveal:   with(burstCommand),
			By:       []string{"peak", "rate_out"},
			Answer: func(t demo.Task) int {
				switch r := t.(*harnessRun); {
				case len(r.read.Runs) == 0:
					return 0
				case r.read.Runs[0].Loop == command.Burst:
					return 2
				case r.read.Runs[0].Loop == command.Closed:
					return 1
				}
				return 3
			},
			Feedback: []string{
				"The default is inf, and inf is not a rate.",
				"That is --max-concurrency, a closed loop. Without it nothing holds a request back.",
				"What comes out as requests/s is the speed at which the server works off the pile.",
				"Nobody looks for a rate. Requests/s in the output is how fast the pile was worked off.",
			},
		},
		Equations: []demo.Equation{
			{Name: "In flight", TeX: `N = X\,R`, Says: "Little's law: the mean number in flight is the rate X that came out times the mean latency R, whoever sends"},
			{Name: "Percentile", TeX: `L_q = (1-f)\,L_{(k)} + f\,L_{(k+1)},\quad k + f = q\,(n-1)`, Says: "between two of n sorted values, as numpy has it and most of these tools do"},
			replica.StepEquation(),
		},
		Start: startHarness,
	}
}

// outcome is what a simulated run gave.
type outcome struct {
	name     string
	run      command.Run
	results  *sim.Results
	perSec   float64 // requests/s, completed over first send to last answer
	tokens   float64 // output tokens/s
	seconds  float64 // first send to last answer
	inFlight float64 // mean, by Little's law
	peak     float64
	tool     []float64 // s, sorted times to first token by the tool's clock
	schedule []float64 // and from the schedule
	e2e      []float64
	done     int
	sent     int
	held     int // requests that the cap held back
}

type harnessRun struct {
	replica.Queue
	seed   uint32
	read   command.Reading
	slower float64
	config sim.Config

	runs    []outcome
	open    outcome // the same requests from people who come by themselves
	share   float64 // of the main run's rate that the open loop is given; 0 if there is none
	notes   []string
	refused string // why nothing is simulated, or ""
}

func startHarness(v demo.Values, seed uint32) (demo.Task, error) {
	r := &harnessRun{seed: seed, read: command.Read(v.Written("command")), slower: v.Num("slower")}
	r.config = replica.Slowed(replica.Server(), r.slower)
	r.plan()
	return r, nil
}

// main is the run that is told of: the last, which in a sweep is the hardest.
func (r *harnessRun) main() *outcome {
	for i := len(r.runs) - 1; i >= 0; i-- {
		if r.runs[i].results != nil {
			return &r.runs[i]
		}
	}
	return nil
}

// at is a percentile of sorted seconds; not a number for none.
func at(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return linear(sorted, q)
}

// seesFirst says whether the tool itself times the first token.
func (r *harnessRun) seesFirst() bool {
	return slices.Contains(r.read.Reports, command.FirstToken)
}

func (o *outcome) take(res *sim.Results, clock command.Clock) {
	o.results, o.sent, o.done = res, len(res.SentAt), completed(res)
	var first, last, sum, tokens float64
	for i := range res.SentAt {
		if i == 0 || res.SentAt[i].Seconds() < first {
			first = res.SentAt[i].Seconds()
		}
		if res.SentAt[i] > res.IntendedAt[i] {
			o.held++
		}
		if span, ok := res.Latency(sim.E2E, i, sim.FromSent); ok {
			last, sum = max(last, res.DoneAt[i].Seconds()), sum+span.Seconds()
			tokens += float64(res.Generated[i])
		}
	}
	o.seconds = last - first
	if o.seconds > 0 {
		o.perSec, o.tokens, o.inFlight = float64(o.done)/o.seconds, tokens/o.seconds, sum/o.seconds
	}
	from := sim.FromSent
	if clock == command.FromSchedule {
		from = sim.FromIntended
	}
	o.tool, o.schedule = spans(res, sim.TTFT, from), spans(res, sim.TTFT, sim.FromIntended)
	o.e2e = spans(res, sim.E2E, sim.FromSent)
	o.peak = float64(mostInFlight(res))
}

func (r *harnessRun) Metrics() []demo.Metric {
	loop, rate, clients, runs := command.Unknown, 0.0, 0.0, len(r.read.Runs)+max(0, r.read.More)
	var o outcome
	if m := r.main(); m != nil {
		o = *m
	}
	if len(r.read.Runs) > 0 {
		first := r.read.Runs[0]
		loop, rate, clients = first.Loop, first.Rate, float64(first.Clients)
		if clients == 0 && (loop == command.Closed || loop == command.Throttled || loop == command.Batches) {
			clients = math.NaN() // there are some, and nobody here knows how many
		}
		if rate == 0 && (loop == command.Open || loop == command.Throttled) {
			rate = math.NaN()
		}
	}
	return []demo.Metric{
		{Name: "loop", Label: "Loop of the first run: 1 open, 2 closed, 3 throttled, 4 burst, 5 batches, 6 ramp, 7 replay, 0 not known", Value: float64(loop)},
		{Name: "runs", Label: "Runs of the command", Unit: "runs", Value: float64(runs)},
		{Name: "rate_asked", Label: "Rate asked for", Unit: "requests/s", Value: rate, Digits: 3},
		{Name: "clients", Label: "Clients, cap or batch", Unit: "requests", Value: clients},
		{Name: "requests", Label: "Requests simulated", Unit: "requests", Value: float64(o.sent)},
		{Name: "rate_out", Label: "Rate that came out", Unit: "requests/s", Value: o.perSec, Digits: 3, Spread: true},
		{Name: "tokens_out", Label: "Output tokens that came out", Unit: "tokens/s", Value: o.tokens, Digits: 3},
		{Name: "seconds", Label: "Length of the run", Unit: "s", Value: o.seconds, Digits: 3},
		{Name: "in_flight", Label: "Mean in flight", Unit: "requests", Value: o.inFlight, Digits: 3},
		{Name: "peak", Label: "Most in flight", Unit: "requests", Value: o.peak},
		{Name: "held", Label: "Requests that the cap held back", Unit: "requests", Value: float64(o.held)},
		{Name: "ttft50", Label: "p50 time to first token by the tool's clock", Unit: "s", Value: at(o.tool, 0.5), Digits: 2},
		{Name: "ttft99", Label: "p99 time to first token by the tool's clock", Unit: "s", Value: at(o.tool, 0.99), Digits: 2, Spread: true},
		{Name: "schedule99", Label: "p99 time to first token from the schedule", Unit: "s", Value: at(o.schedule, 0.99), Digits: 2, Spread: true},
		{Name: "open99", Label: "p99 time to first token in an open loop", Unit: "s", Value: at(r.open.tool, 0.99), Digits: 2, Spread: true},
		{Name: "open_rate", Label: "Rate of that open loop", Unit: "requests/s", Value: float64(r.share * o.perSec), Digits: 3},
		{Name: "e2e99", Label: "p99 end to end from the send", Unit: "s", Value: at(o.e2e, 0.99), Digits: 2},
		{Name: "unreported", Label: "Things that the output does not hold", Value: float64(len(r.read.Silent))},
		{Name: "problems", Label: "Problems of the command", Value: float64(len(r.read.Problems))},
	}
}

func (r *harnessRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "run"}, {Name: "loop"}, {Name: "rate_asked", Unit: "requests/s", Digits: 4}, {Name: "clients"}, {Name: "sent"}, {Name: "answered"}, {Name: "held_back"},
		{Name: "rate_out", Unit: "requests/s", Digits: 4}, {Name: "output", Unit: "tokens/s", Digits: 4}, {Name: "seconds", Unit: "s", Digits: 4}, {Name: "in_flight", Digits: 4}, {Name: "most_in_flight", Digits: 4}}}
	looks := []struct {
		name string
		of   func(*outcome) []float64
	}{{"ttft", func(o *outcome) []float64 { return o.tool }}, {"ttft_schedule", func(o *outcome) []float64 { return o.schedule }}, {"e2e", func(o *outcome) []float64 { return o.e2e }}}
	quantiles := []struct {
		name string
		q    float64
	}{{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"largest", 1}}
	for _, l := range looks {
		for _, q := range quantiles {
			t.Columns = append(t.Columns, demo.Column{Name: l.name + "_" + q.name, Unit: "s", Digits: 4})
		}
	}
	runs := append([]outcome(nil), r.runs...)
	if r.open.results != nil {
		runs = append(runs, r.open)
	}
	for i := range runs {
		o := &runs[i]
		row := []demo.Cell{demo.W(o.name), demo.W(loopName(o.run.Loop)), demo.N(o.run.Rate), demo.N(float64(o.run.Clients)), demo.N(float64(o.sent)), demo.N(float64(o.done)), demo.N(float64(o.held)),
			demo.N(o.perSec), demo.N(o.tokens), demo.N(o.seconds), demo.N(o.inFlight), demo.N(o.peak)}
		for _, l := range looks {
			for _, q := range quantiles {
				row = append(row, demo.N(at(l.of(o), q.q)))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) == 0 {
		row := []demo.Cell{demo.W("none"), demo.W(r.refused)}
		for range t.Columns[2:] {
			row = append(row, demo.W(""))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// loopName is a loop in a word.
func loopName(l command.Loop) string {
	switch l {
	case command.Open:
		return "open loop"
	case command.Closed:
		return "closed loop"
	case command.Throttled:
		return "throttled"
	case command.Burst:
		return "burst"
	case command.Batches:
		return "batches"
	case command.Ramp:
		return "ramp"
	case command.Replay:
		return "replay"
	}
	return "not known"
}

// loopText is a run in words.
func loopText(run command.Run) string {
	clients, rate := text.Count(run.Clients, "client", "clients"), text.Num(run.Rate, 3)+" requests/s"
	if run.Rate == 0 {
		rate = "a rate that the command does not say"
	}
	switch run.Loop {
	case command.Open:
		return "open loop: " + rate + ", whatever the server does"
	case command.Closed:
		if run.Clients == 0 {
			return "closed loop: clients that wait for their answers, how many the command does not say"
		}
		return "closed loop: " + clients + " that " + text.Verb(run.Clients, "waits for its", "wait for their") + " answers"
	case command.Throttled:
		if run.Clients == 0 {
			return "throttled: " + rate + " until a cap is reached, which the command does not say, a closed loop from then on"
		}
		return "throttled: " + rate + " until " + text.Count(run.Clients, "request is", "requests are") + " in flight, a closed loop from then on"
	case command.Burst:
		return "burst: all requests at second 0"
	case command.Batches:
		if run.Clients == 0 {
			return "batches: requests together, how many the command does not say, the next when all are answered"
		}
		return "batches: " + text.Count(run.Clients, "request", "requests") + " together, the next when all are answered"
	case command.Ramp:
		if run.RateEnd == 0 {
			return "ramp: an open loop that climbs, between which rates the command does not say"
		}
		return "ramp: an open loop from " + text.Num(run.Rate, 3) + " to " + text.Num(run.RateEnd, 3) + " requests/s"
	case command.Replay:
		return "replay: the times of the trace"
	}
	return "not in the command"
}
