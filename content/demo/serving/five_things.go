package serving

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/content/demo/text"
	"openloop/sim"
)

// Five pairs of runs that share their output tokens/s. Each pair differs in one
// thing that the number does not say, and one of the two misses a limit that
// the other keeps.

const (
	fiveSpan   = 240 // s, each run
	fiveWarmUp = 30  // s thrown away, where the window is not the question
	fiveRate   = 30  // requests/s, two thirds of what the server can do
)

// fivePair is two runs and the limit that tells them apart.
type fivePair struct {
	option demo.Option
	thing  string // what the number leaves out
	limit  fiveLimit
	a, b   fiveRunPlan
	why    string
}

// fiveLimit is an SLO on one p99.
type fiveLimit struct {
	itl bool // on the gap between tokens; else on the time to first token
	ms  float64
}

func (l fiveLimit) String() string {
	what := "time to first token"
	if l.itl {
		what = "gap between tokens"
	}
	return "p99 " + what + " at most " + text.Num(l.ms, 3) + " ms"
}

// fiveRunPlan is one run; from is the start of its window in s.
type fiveRunPlan struct {
	name   string
	config func(*sim.Config)
	load   func() (sim.Generator, sim.Lengths)
	from   int
}

// oneInSixteen are prompts of 128 tokens, but each sixteenth has 6,272: their
// mean is 512. alike has 512 in all of them. Answers are the same sixteen
// lengths from 12 to 372 tokens in both, mean 192.
func oneInSixteen() sim.Lengths { return sixteenths(6272, 128) }
func alike() sim.Lengths        { return sixteenths(512, 512) }

func sixteenths(first, rest int32) sim.Lengths {
	var l sim.Joint
	for k := range int32(16) {
		prompt := rest
		if k == 0 {
			prompt = first
		}
		for q := range int32(16) {
			l.Prompt, l.Output = append(l.Prompt, prompt), append(l.Output, 12+24*q)
		}
	}
	return l
}

func poisson(rate float64, l func() sim.Lengths) func() (sim.Generator, sim.Lengths) {
	return func() (sim.Generator, sim.Lengths) {
		return sim.OpenLoop{Arrivals: sim.Poisson{RatePerSec: rate}}, l()
	}
}

func asIs(*sim.Config) {}

func stepBudget(tokens int) func(*sim.Config) {
	return func(c *sim.Config) { c.Engine.MaxBatchedTokens, c.Engine.PrefillChunkTokens = tokens, tokens }
}

func unchunked(c *sim.Config) { c.Engine.MaxBatchedTokens, c.Engine.PrefillChunkTokens = 16384, 0 }

func startsCold(c *sim.Config) {
	c.Engine.WarmUp = sim.WarmUp{GraphCapture: captureCost, Autotune: compileCost}
}

func fivePairs() []fivePair {
	return []fivePair{
		{demo.Option{Name: "lengths", Label: "token distributions"}, "the distribution of prompt lengths, not its mean", fiveLimit{false, 200},
			fiveRunPlan{"all prompts 512", asIs, poisson(fiveRate, alike), fiveWarmUp}, fiveRunPlan{"one in 16 long", asIs, poisson(fiveRate, oneInSixteen), fiveWarmUp},
			"Both have a mean prompt of 512 tokens. In the second one prompt in sixteen has 6,272, takes four steps, and everybody behind it waits."},
		{demo.Option{Name: "arrivals", Label: "arrival process"}, "how requests arrive", fiveLimit{false, 200},
			fiveRunPlan{"256 clients, closed", asIs, func() (sim.Generator, sim.Lengths) { return sim.ClosedLoop{Clients: 256}, replica.Lengths() }, fiveWarmUp},
			fiveRunPlan{"48 requests/s, open", asIs, poisson(48, replica.Lengths), fiveWarmUp},
			"Both keep the server full, so both give what it can do. The clients of the first wait for their answers; the requests of the second come anyway, more than it can do."},
		{demo.Option{Name: "slo", Label: "SLO"}, "what was promised", fiveLimit{false, 200},
			fiveRunPlan{"2,048 tokens a step", asIs, poisson(fiveRate, replica.Lengths), fiveWarmUp}, fiveRunPlan{"512 tokens a step", stepBudget(512), poisson(fiveRate, replica.Lengths), fiveWarmUp},
			"Small steps keep the gaps between tokens short and make prompts wait. Under a limit of 25 ms on the gap the verdicts change places."},
		{demo.Option{Name: "stack", Label: "software stack"}, "a scheduler flag", fiveLimit{true, 100},
			fiveRunPlan{"chunked prefill", asIs, poisson(fiveRate, oneInSixteen), fiveWarmUp}, fiveRunPlan{"whole prompts", unchunked, poisson(fiveRate, oneInSixteen), fiveWarmUp},
			"Without chunked prefill a whole prompt must fit in a step, so steps may hold 16,384 tokens. A long prompt takes one long step, and every answer in progress stands still for it. Chunks of up to 16,384 tokens would do the same."},
		{demo.Option{Name: "window", Label: "window"}, "the window", fiveLimit{false, 200},
			fiveRunPlan{"from 30 s on", startsCold, poisson(fiveRate, replica.Lengths), fiveWarmUp}, fiveRunPlan{"from the start", startsCold, poisson(fiveRate, replica.Lengths), 0},
			"One and the same run. The requests of the first seconds waited for compilers; the server caught up afterwards, so the tokens are all there, and the tail is too."},
	}
}

func fiveThings() *demo.Demo {
	k := demo.Knob{Name: "thing", Label: "Left out", Doc: "Which of the five things the report does not say.", Max: 4}
	for _, p := range fivePairs() {
		k.Options = append(k.Options, p.option)
	}
	return &demo.Demo{
		ID: "five-things", Version: 1, Title: "One number, two verdicts",
		Lead: "Two runs that report the same output tokens/s. Pick the thing that the report leaves out, and see whether you would want both.",
		Limits: "Each pair is made so that the verdicts differ; most pairs that share a number do not. Gaps between tokens are counted over the whole run, its start included. " +
			"The server, its costs and its compile times are those of the other demos of this guide.",
		Knobs: []demo.Knob{
			k,
			{Name: "limit", Label: "Limit", Unit: "%", Doc: "The limit of the pair, scaled: 100 is as stated.", Default: 100, Min: 10, Max: 1000, Log: true},
			{Name: "on", Label: "Limit on", Doc: "Which p99 is limited. For the gap between tokens the limit is 100 ms, and 25 ms for the SLO pair; for the first token it is 200 ms.", Max: 2, More: true,
				Options: []demo.Option{{Name: "pair", Label: "as the pair has it"}, {Name: "ttft", Label: "time to first token"}, {Name: "itl", Label: "gap between tokens"}}},
		},
		Presets: []demo.Preset{
			{Name: "Arrivals", State: "thing=arrivals", Says: "The same tokens/s to a few tenths of a percent; in one of them the queue grows without end."},
			{Name: "SLO", State: "thing=slo", Says: "Promised: a first token within 200 ms."},
			{Name: "The other SLO", State: "thing=slo&on=itl", Says: "Promised: a token every 25 ms. Now the other run is the good one."},
			{Name: "Stack", State: "thing=stack", Says: "Chunked prefill off, steps large enough for whole prompts, and every answer stutters."},
			{Name: "Window", State: "thing=window", Says: "Not two runs: one run, measured twice."},
		},
		Equations: []demo.Equation{
			{Name: "The headline", TeX: `X = \frac{\text{output tokens in the window}}{\text{length of the window}}`, Says: "below capacity it is what was offered, whatever the latency; at capacity it is what the server can do, whatever the queue"},
			replica.StepEquation(),
		},
		Start: startFiveThings,
	}
}

type fiveRun struct {
	replica.Queue
	pair  fivePair
	limit fiveLimit
	runs  [2]fiveResult
}

// fiveResult is one run of a pair in numbers; times are in ms.
type fiveResult struct {
	plan      fiveRunPlan
	tokens    float64
	ttft, itl []float64 // by fiveQuantiles
	verdict   sim.Verdict
	counts    sim.Counts
	warmUp    float64 // s
}

// fiveQuantiles are those of the figures; fiveP50 and fiveP99 index them.
func fiveQuantiles() []float64 { return []float64{0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995} }

const fiveP50, fiveP99 = 0, 5

func startFiveThings(v demo.Values, seed uint32) (demo.Task, error) {
	r := &fiveRun{pair: fivePairs()[v.Int("thing")]}
	r.limit = r.pair.limit
	switch v.Option("on") {
	case "ttft":
		r.limit = fiveLimit{false, 200}
	case "itl":
		r.limit = fiveLimit{true, 100}
		if r.pair.option.Name == "slo" {
			r.limit.ms = 25
		}
	}
	r.limit.ms = float64(r.limit.ms * v.Num("limit") / 100)
	for i, p := range []fiveRunPlan{r.pair.a, r.pair.b} {
		c := replica.Server()
		p.config(&c)
		c.SampleEvery = sim.Second
		generator, l := p.load()
		// No horizon: as tools do, the run waits for every answer, so that no
		// slow request is left out.
		load := sim.Workload{Generator: generator, Lengths: l, Until: fiveSpan * sim.Second}
		r.Add(replica.Job{Config: c, Load: load, Seed: uint64(seed), Done: func(res *sim.Results) { r.runs[i] = readFive(p, res) }})
	}
	return r, nil
}

func readFive(p fiveRunPlan, res *sim.Results) fiveResult {
	rep := sim.NewReport(res, sim.ReportOptions{From: sim.Nanos(p.from) * sim.Second, To: fiveSpan * sim.Second, Quantiles: fiveQuantiles()})
	out := fiveResult{plan: p, verdict: rep.Verdict, counts: rep.Counts, warmUp: float64(p.from)}
	tokens := 0.0
	for _, s := range res.Samples[p.from:fiveSpan] {
		tokens += float64(s.Tokens)
	}
	out.tokens = tokens / float64(fiveSpan-p.from)
	for i, q := range rep.TTFT.Quantiles {
		out.ttft = append(out.ttft, 1000*q.Value.Seconds())
		out.itl = append(out.itl, float64(rep.ITL.Quantiles[i].Hi)/1e9)
	}
	return out
}

func (f *fiveResult) value(l fiveLimit) float64 {
	if l.itl {
		return f.itl[fiveP99]
	}
	return f.ttft[fiveP99]
}

func (f *fiveResult) meets(l fiveLimit) bool { return f.value(l) <= l.ms }

func meetsText(yes bool) string {
	if yes {
		return "meets it"
	}
	return "misses it"
}

// apart is how far the headlines differ, in percent of the first.
func (r *fiveRun) apart() float64 { return off(r.runs[1].tokens, r.runs[0].tokens) }

func (r *fiveRun) Figures() []demo.Figure {
	ttft := r.figure("ttft", "Time to first token", false, func(f *fiveResult) []float64 { return f.ttft })
	itl := r.figure("itl", "Gap between tokens", true, func(f *fiveResult) []float64 { return f.itl })
	itl.Beside = true
	return []demo.Figure{ttft, itl}
}

func (r *fiveRun) figure(id, what string, itl bool, of func(*fiveResult) []float64) demo.Figure {
	f := demo.Figure{
		ID: id, Title: what + " by percentile", Kind: demo.Chart,
		X: demo.Axis{Label: "Percentile"}, Y: demo.Axis{Label: what, Unit: "ms", Log: true, Digits: 2},
		Table: demo.Table{Caption: what + " by percentile", Columns: []demo.Column{{Name: "Percentile"}, {Name: r.runs[0].plan.name, Unit: "ms", Digits: 3}, {Name: r.runs[1].plan.name, Unit: "ms", Digits: 3}}},
	}
	a, b := of(&r.runs[0]), of(&r.runs[1])
	for i, q := range fiveQuantiles() {
		name := "p" + text.Num(100*q, 3)
		f.X.Names = append(f.X.Names, name)
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.W(name), demo.N(a[i]), demo.N(b[i])})
	}
	f.Series = []demo.Series{byPlace("a", r.runs[0].plan.name, demo.Ink, a), byPlace("b", r.runs[1].plan.name, demo.Bad, b)}
	f.Y.Min, f.Y.Max = logRange(a, b)
	f.Alt = what + " by percentile, on a logarithmic axis. p99: " + text.Num(a[fiveP99], 3) + " ms with " + r.runs[0].plan.name + ", " + text.Num(b[fiveP99], 3) + " ms with " + r.runs[1].plan.name + "."
	if r.limit.itl == itl {
		f.Marks = []demo.Mark{{At: r.limit.ms, Level: true, Label: "limit"}}
		f.Table = r.verdictTable()
		f.Notes = append(f.Notes, r.pair.why)
	}
	if !itl {
		f.Notes = append(f.Notes, r.counted())
	}
	return f
}

func (r *fiveRun) counted() string {
	out := ""
	for i := range r.runs {
		c := &r.runs[i].counts
		out += r.runs[i].plan.name + ": " + text.Whole(int(c.Completed)) + " completed, " + text.Whole(int(c.Failed)) + " failed, " + text.Whole(int(c.TimedOut)) + " timed out, " +
			text.Whole(int(c.Dropped)) + " dropped, " + text.Whole(int(c.Unfinished())) + " unfinished. "
	}
	return out + "Sent until " + text.Whole(fiveSpan) + " s; the run waits for every answer."
}

func stateText(v sim.Verdict) string {
	switch {
	case v.Reason == sim.ReasonClosedLoop:
		return "a closed loop cannot tell"
	case v.State == sim.Stable:
		return "keeps up"
	case v.State == sim.Overloaded:
		return "falls behind"
	case v.State == sim.Backlogged:
		return "queue piled up"
	}
	return "cannot tell"
}

func (r *fiveRun) verdictTable() demo.Table {
	t := demo.Table{Caption: "The same number; " + r.limit.String(), Columns: []demo.Column{{Name: "Quantity"}, {Name: r.runs[0].plan.name}, {Name: r.runs[1].plan.name}}}
	row := func(name string, of func(f *fiveResult) string) {
		t.Rows = append(t.Rows, []demo.Cell{demo.W(name), demo.W(of(&r.runs[0])), demo.W(of(&r.runs[1]))})
	}
	row("Output tokens/s", func(f *fiveResult) string { return text.Num(f.tokens, 4) })
	row("Time to first token, p50", func(f *fiveResult) string { return duration(f.ttft[fiveP50]/1000, 3) })
	row("Time to first token, p99", func(f *fiveResult) string { return duration(f.ttft[fiveP99]/1000, 3) })
	row("Gap between tokens, p99", func(f *fiveResult) string { return duration(f.itl[fiveP99]/1000, 3) })
	row("Queue", func(f *fiveResult) string { return stateText(f.verdict) })
	row("Thrown away", func(f *fiveResult) string { return text.Num(f.warmUp, 3) + " s" })
	row("Limit", func(f *fiveResult) string { return meetsText(f.meets(r.limit)) })
	return t
}

func (r *fiveRun) Summary() demo.Sentence {
	a, b := &r.runs[0], &r.runs[1]
	return demo.Say("Both report about "+text.Num((a.tokens+b.tokens)/2, 2)+" output tokens/s ("+text.Num(a.tokens, 4)+" and "+text.Num(b.tokens, 4)+"). With "+r.limit.String()+", ",
		a.plan.name+" "+meetsText(a.meets(r.limit))+" ("+duration(a.value(r.limit)/1000, 2)+") and "+b.plan.name+" "+meetsText(b.meets(r.limit))+" ("+duration(b.value(r.limit)/1000, 2)+")",
		". The number leaves out "+r.pair.thing+".")
}

func (r *fiveRun) Metrics() []demo.Metric {
	a, b := &r.runs[0], &r.runs[1]
	yes := func(x bool) float64 {
		if x {
			return 1
		}
		return 0
	}
	return []demo.Metric{
		{Name: "tokens_a", Label: "Output rate, first", Unit: "tokens/s", Value: a.tokens, Digits: 4},
		{Name: "tokens_b", Label: "Output rate, second", Unit: "tokens/s", Value: b.tokens, Digits: 4},
		{Name: "apart", Label: "Output rate, second against first", Unit: "%", Value: r.apart(), Digits: 2, Spread: true},
		{Name: "ttft_a", Label: "p99 time to first token, first", Unit: "ms", Value: a.ttft[fiveP99], Digits: 2, Spread: true},
		{Name: "ttft_b", Label: "p99 time to first token, second", Unit: "ms", Value: b.ttft[fiveP99], Digits: 2, Spread: true},
		{Name: "ttft_b_s", Label: "p99 time to first token, second", Unit: "s", Value: b.ttft[fiveP99] / 1000, Digits: 2},
		{Name: "itl_a", Label: "p99 gap between tokens, first", Unit: "ms", Value: a.itl[fiveP99], Digits: 2, Spread: true},
		{Name: "itl_b", Label: "p99 gap between tokens, second", Unit: "ms", Value: b.itl[fiveP99], Digits: 2, Spread: true},
		{Name: "meets_a", Label: "First meets the limit", Value: yes(a.meets(r.limit))},
		{Name: "meets_b", Label: "Second meets the limit", Value: yes(b.meets(r.limit))},
		{Name: "completed_a", Label: "Completed, first", Unit: "requests", Value: float64(a.counts.Completed)},
		{Name: "completed_b", Label: "Completed, second", Unit: "requests", Value: float64(b.counts.Completed)},
	}
}

func (r *fiveRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "run"}, {Name: "quantile", Digits: 4}, {Name: "ttft", Unit: "ms", Digits: 5}, {Name: "itl", Unit: "ms", Digits: 5}, {Name: "output_tokens_per_s", Digits: 5}}}
	for i := range r.runs {
		f := &r.runs[i]
		for k, q := range fiveQuantiles() {
			t.Rows = append(t.Rows, []demo.Cell{demo.W([2]string{"a", "b"}[i]), demo.N(q), demo.N(f.ttft[k]), demo.N(f.itl[k]), demo.N(f.tokens)})
		}
	}
	return t
}

func (r *fiveRun) Events() []demo.Event {
	return []demo.Event{{At: math.NaN(), Says: demo.Say(r.pair.why)}}
}
