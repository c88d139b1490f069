package serving

import (
	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/content/demo/text"
	"openloop/content/tables"
	"openloop/sim"
)

// What synthetic prompts say about a server, and what published traces say: the
// prefill of a request, the KV that it holds, the share of prompts that a cache
// would find, and the rate that the server sustains.

const (
	traceClients  = 300  // of the closed loop that keeps the server full
	traceRequests = 2000 // of each simulation
)

func realTraces() *demo.Demo {
	return &demo.Demo{
		ID: "real-traces", Version: 1, Title: "Synthetic prompts against published traces",
		Lead: "The same server, kept full with prompts of one length that share nothing, and with the lengths of three published traces. Change the synthetic prompts, and the memory.",
		Limits: "From the traces only the lengths are used here, each prompt with its own answer, drawn from samples of " + text.Whole(tables.MaxPairs) + " rows; their bursts and sessions are not. " +
			"Prompts are kept whole, so those of up to 126,000 tokens need a model that takes them. The share found in a cache is computed from the trace itself, for a cache that holds nothing else; only one of the three traces says which prompts begin alike, and the simulated rate does not use it.",
		Knobs: []demo.Knob{
			{Name: "prompt", Label: "Synthetic prompt", Unit: "tokens", Doc: "Every synthetic prompt has this length.", Default: 512, Min: 128, Max: 16384, Log: true, Step: 2, Whole: true},
			{Name: "output", Label: "Synthetic answer", Unit: "tokens", Doc: "Every synthetic answer has this length.", Default: 128, Min: 16, Max: 1024, Log: true, Step: 2, Whole: true},
			{Name: "kv", Label: "KV memory", Unit: "tokens", Doc: "Tokens of KV cache that the server holds.", Default: replica.KVTokens, Min: 200_000, Max: 3_200_000, Log: true, Step: 2, Whole: true},
		},
		Presets: []demo.Preset{
			{Name: "1,024 and 128", State: "prompt=1024", Says: "The default of vLLM's random data set. Nearer to one trace, still far from the others."},
			{Name: "As long as Azure's code", State: "prompt=2048&output=32", Says: "Means that fit one trace: the rate comes out right for it, and for it only."},
			{Name: "Eight times the memory", State: "kv=3200000", Says: "Memory removes the limit on the batch. The prefill work stays."},
		},
		Bet: &demo.Bet{
			Question: "You size a service for a workload like Mooncake's conversations from prompts of 1,024 tokens and answers of 128. By what factor do you buy too few servers?",
			Options:  []string{"under 2", "2 to 10", "10 to 100", "over 100"},
			Reveal:   "prompt=1024",
			By:       []string{"too_few_mooncake"},
			Answer: func(t demo.Task) int {
				r := t.(*traceRun)
				switch x := r.cases[0].perSec / r.cases[len(r.cases)-1].perSec; {
				case x < 2:
					return 0
				case x < 10:
					return 1
				case x <= 100:
					return 2
				}
				return 3
			},
			Feedback: []string{
				"More: the prompts are about twelve times as long, and each holds its KV cache for the whole answer.",
				"More: the prompts alone are about twelve times as long, attention grows with the square of that, and few of them fit into memory at once.",
				"Prompts twelve times as long cost more than twelve times the prefill, and only about thirty fit into memory at once, so the weights are read for a small batch.",
				"Fewer: the prompts are about twelve times as long. Their attention and the small batch make it more than twelve, but not a hundred.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Prefill of a prompt", TeX: `0.01602\,n + 1.212\cdot 10^{-6}\,n(n+1)/2\ \text{ms}`, Says: "n tokens, on top of the steps that they share with others; its mean over a trace needs the mean square of the lengths"},
			{Name: "KV of a request", TeX: `\frac{\sum_i o_i\,(p_i + o_i/2)}{\sum_i o_i}`, Says: "prompts p and answers o in tokens: what a decoding request holds, averaged over the steps; memory over this is the batch that fits"},
			replica.StepEquation(),
		},
		Start: startRealTraces,
	}
}

// traceCase is one workload and what comes of it.
type traceCase struct {
	name    string
	moments tables.Moments // of the whole trace
	lengths sim.Joint

	prefill   float64 // ms a request
	held      float64 // tokens of KV a decoding request
	batch     float64 // requests that fit into memory
	perSec    float64 // requests completed, server full
	running   float64 // mean, simulated
	preempted int64
	found     float64 // share of prompt tokens in a cache of this size; -1 if the trace does not say
	everFound float64 // in a cache without limit
	ended     [sim.NumStatuses]int
}

type traceRun struct {
	replica.Queue
	demo.Quiet
	kv    int
	cases []traceCase
}

func startRealTraces(v demo.Values, seed uint32) (demo.Task, error) {
	r := &traceRun{kv: v.Int("kv")}
	p, o := v.Int("prompt"), v.Int("output")
	r.cases = append(r.cases, synthetic(p, o))
	for _, t := range tables.Traces() {
		r.cases = append(r.cases, published(t, r.kv))
	}
	for i := range r.cases {
		r.predict(&r.cases[i])
		r.Add(r.job(i, seed))
	}
	return r, nil
}

func synthetic(prompt, output int) traceCase {
	p, o := float64(prompt), float64(output)
	m := tables.Moments{PromptSquared: float64(p * p), KVTime: float64(o * (p + float64(o/2)))}
	for i := range m.Prompt {
		m.Prompt[i], m.Output[i] = p, o
	}
	return traceCase{
		name: "Synthetic, " + text.Whole(prompt) + " and " + text.Whole(output), moments: m,
		lengths: sim.Joint{Prompt: []int32{int32(prompt)}, Output: []int32{int32(output)}},
	}
}

func published(t tables.Trace, kv int) traceCase {
	c := traceCase{name: t.Name, moments: t.Full, found: -1, everFound: -1}
	for _, p := range t.Pairs {
		c.lengths.Prompt, c.lengths.Output = append(c.lengths.Prompt, p.Prompt), append(c.lengths.Output, p.Output)
	}
	if len(t.Cache) > 0 {
		c.found, c.everFound = hitAt(t.Cache, kv), t.Cache[len(t.Cache)-1].Hit
	}
	return c
}

// hitAt reads the table at a size, linearly between its rows; the last row has
// no limit.
func hitAt(rows []tables.CacheRow, tokens int) float64 {
	if int64(tokens) <= rows[0].Tokens {
		return rows[0].Hit
	}
	for i, b := range rows[1:] {
		a := rows[i]
		if b.Tokens >= int64(tokens) {
			share := float64(int64(tokens)-a.Tokens) / float64(b.Tokens-a.Tokens)
			return a.Hit + float64(share*(b.Hit-a.Hit))
		}
	}
	return rows[len(rows)-1].Hit
}

// predict fills what needs no simulation.
func (r *traceRun) predict(c *traceCase) {
	cost := replica.StepCost()
	n, squared := c.moments.Prompt[0], c.moments.PromptSquared
	c.prefill = (float64(float64(cost.PerPrefillToken)*n) + float64(float64(cost.PerPrefillPair)*(squared+n)/2)) / 1e9
	c.held = c.moments.KVTime / c.moments.Output[0]
	c.batch = float64(r.kv) / c.held
}

// job keeps the server full: more clients than it has seats.
func (r *traceRun) job(i int, seed uint32) replica.Job {
	c := replica.Server()
	c.Engine.KVBlocks = r.kv / replica.BlockTokens
	load := sim.Workload{Generator: sim.ClosedLoop{Clients: traceClients}, Lengths: r.cases[i].lengths, Requests: traceRequests}
	return replica.Job{Config: c, Load: load, Seed: uint64(seed), Done: func(res *sim.Results) { r.cases[i].read(res) }}
}

// read measures from when a third has been sent until the last is sent, while
// the server is full all the time.
func (c *traceCase) read(res *sim.Results) {
	n := len(res.SentAt)
	from, to := res.SentAt[n/3], res.SentAt[n-1]
	rep := sim.NewReport(res, sim.ReportOptions{From: from, To: to})
	c.perSec = rep.Rates.Completed
	c.preempted = res.Totals.Preempted
	c.ended = ended(res, sentIn(res, 0, sim.Never))
	inside := 0.0
	for i, at := range res.AdmittedAt {
		if at != sim.Never {
			inside += max(0, (min(res.DoneAt[i], to) - max(at, from)).Seconds())
		}
	}
	c.running = inside / (to - from).Seconds()
}

func (r *traceRun) Figures() []demo.Figure {
	return []demo.Figure{r.ratioFigure(), r.cacheFigure()}
}

// traceQuantities are what the first figure compares.
func traceQuantities() (names []string, of []func(*traceCase) float64) {
	return []string{"prefill", "KV held", "batch", "rate"},
		[]func(*traceCase) float64{
			func(c *traceCase) float64 { return c.prefill },
			func(c *traceCase) float64 { return c.held },
			func(c *traceCase) float64 { return c.batch },
			func(c *traceCase) float64 { return c.perSec },
		}
}

func (r *traceRun) ratioFigure() demo.Figure {
	names, of := traceQuantities()
	f := demo.Figure{
		ID: "ratios", Title: "Each trace against the synthetic prompts", Kind: demo.Chart,
		X:     demo.Axis{Label: "Prefill and KV of a request, batch that fits, requests/s", Names: names},
		Y:     demo.Axis{Label: "Times the synthetic value", Log: true, Digits: 2},
		Marks: []demo.Mark{{At: 1, Level: true, Label: "synthetic"}},
		Table: r.resultTable(),
	}
	roles := [...]demo.Role{demo.Open, demo.Closed, demo.Bad}
	var all []float64
	f.Alt = "Ratios to the synthetic prompts, on a logarithmic axis. "
	for i := range r.cases[1:] {
		c := &r.cases[i+1]
		var y []float64
		f.Alt += c.name + ":"
		for k := range names {
			y = append(y, of[k](c)/of[k](&r.cases[0]))
			f.Alt += " " + names[k] + " " + text.Num(y[k], 2)
		}
		f.Alt += ". "
		all = append(all, y...)
		f.Series = append(f.Series, byPlace([3]string{"conv", "code", "mooncake"}[i], [3]string{"Azure chat", "Azure code", "Mooncake"}[i], roles[i], y))
	}
	f.Alt = f.Alt[:len(f.Alt)-1]
	f.Y.Min, f.Y.Max = logRange(append(all, 1))
	lost, preempted := 0, ""
	for i := range r.cases {
		c := &r.cases[i]
		lost += traceRequests - c.ended[sim.Completed]
		if i > 0 {
			preempted += ", "
		}
		preempted += text.Whole(int(c.preempted))
	}
	f.Notes = []string{
		text.Whole(traceRequests) + " requests of each workload from " + text.Whole(traceClients) + " clients, so that somebody always waits; measured from the first third on. Not completed: " + text.Whole(lost) + ". Preemptions: " + preempted + ".",
		"Memory is one limit of the batch, the " + text.Whole(replica.MaxSeqs) + " seats of the engine are another.",
		"Lengths: Azure LLM inference trace 2023, Microsoft (CC BY 4.0), and Mooncake (Apache-2.0), sampled.",
	}
	return f
}

func (r *traceRun) resultTable() demo.Table {
	t := demo.Table{Caption: "Lengths are of the whole traces; the rate is simulated", Columns: []demo.Column{{Name: "Workload"}, {Name: "Prompt, mean", Unit: "tokens", Digits: 4}, {Name: "Prompt, p99", Unit: "tokens", Digits: 4}, {Name: "Answer, mean", Unit: "tokens", Digits: 3},
		{Name: "Prefill", Unit: "ms", Digits: 3}, {Name: "KV held", Unit: "tokens", Digits: 3}, {Name: "Fit into memory", Unit: "requests", Digits: 3}, {Name: "Running", Unit: "requests", Digits: 3}, {Name: "Completed", Unit: "requests/s", Digits: 3}}}
	for i := range r.cases {
		c, m := &r.cases[i], &r.cases[i].moments
		t.Rows = append(t.Rows, []demo.Cell{demo.W(c.name), demo.N(m.Prompt[0]), demo.N(m.Prompt[3]), demo.N(m.Output[0]), demo.N(c.prefill), demo.N(c.held), demo.N(c.batch), demo.N(c.running), demo.N(c.perSec)})
	}
	return t
}

// cacheFigure is what a prefix cache finds, by its size.
func (r *traceRun) cacheFigure() demo.Figure {
	f := demo.Figure{
		ID: "cache", Title: "Prompt tokens that a prefix cache finds, by its size", Kind: demo.Chart,
		X: demo.Axis{Label: "Size of the cache", Unit: "tokens", Log: true, Digits: 2}, Y: demo.Axis{Label: "Found", Unit: "%", Min: 0, Max: 40, Digits: 2},
		Marks: []demo.Mark{{At: float64(r.kv), Label: "this memory"}},
		Table: demo.Table{Caption: "Share of the prompt tokens found", Columns: []demo.Column{{Name: "Size of the cache"}, {Name: "Mooncake, conversation", Unit: "%", Digits: 3}, {Name: "Synthetic", Unit: "%"}}},
	}
	trace := demo.Series{ID: "mooncake", Name: "Mooncake", Role: demo.Bad, Shape: demo.Line}
	for _, t := range tables.Traces() {
		for _, row := range t.Cache {
			size := "without limit"
			if row.Tokens > 0 {
				size = text.Whole(int(row.Tokens)) + " tokens"
				trace.X, trace.Y = append(trace.X, float64(row.Tokens)), append(trace.Y, 100*row.Hit)
			}
			f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.W(size), demo.N(100 * row.Hit), demo.N(0)})
		}
	}
	f.X.Min, f.X.Max = 1e5, 1e8
	f.Series = []demo.Series{trace}
	m := &r.cases[len(r.cases)-1]
	f.Alt = "Share of Mooncake's prompt tokens found in a prefix cache, against its size on a logarithmic axis: " + text.Percent(m.found, 2) + " at this memory, " + text.Percent(m.everFound, 3) + " without limit. Synthetic prompts: 0%."
	f.Notes = []string{"Least recently used blocks of 512 tokens leave first; requests in order of arrival; the cache holds nothing else. In independent prompts it would find nothing. The other two traces do not say which prompts begin alike."}
	return f
}

func (r *traceRun) Summary() demo.Sentence {
	s, far := &r.cases[0], &r.cases[len(r.cases)-1]
	return demo.Say("Synthetic prompts say "+text.Num(s.perSec, 2)+" requests/s. With the lengths of the traces the same server does ",
		text.Num(r.cases[1].perSec, 2)+", "+text.Num(r.cases[2].perSec, 2)+" and "+text.Num(far.perSec, 2),
		" ("+r.cases[1].name+"; "+r.cases[2].name+"; "+far.name+"): a request of the last has "+timesThe(far.prefill/s.prefill, "prefill")+", and "+text.Num(far.batch, 2)+" fit into memory, not "+text.Num(s.batch, 2)+".")
}

func (r *traceRun) Metrics() []demo.Metric {
	var out []demo.Metric
	for i, id := range []string{"synthetic", "conv", "code", "mooncake"} {
		c := &r.cases[i]
		out = append(out,
			demo.Metric{Name: "prefill_" + id, Label: "Prefill of a request, " + c.name, Unit: "ms", Value: c.prefill, Digits: 2},
			demo.Metric{Name: "held_" + id, Label: "KV of a request, " + c.name, Unit: "tokens", Value: c.held, Digits: 2},
			demo.Metric{Name: "batch_" + id, Label: "Fit into memory, " + c.name, Unit: "requests", Value: c.batch, Digits: 2},
			demo.Metric{Name: "rate_" + id, Label: "Sustained, " + c.name, Unit: "requests/s", Value: c.perSec, Digits: 2, Spread: true},
			demo.Metric{Name: "too_few_" + id, Label: "Synthetic rate over that of " + c.name, Value: r.cases[0].perSec / c.perSec, Digits: 2},
		)
	}
	m := &r.cases[len(r.cases)-1]
	return append(out,
		demo.Metric{Name: "prefill_ratio", Label: "Prefill of a request, Mooncake over synthetic", Value: m.prefill / r.cases[0].prefill, Digits: 2},
		demo.Metric{Name: "found", Label: "Prompt tokens found in a cache of this size, Mooncake", Unit: "%", Value: 100 * m.found, Digits: 2},
		demo.Metric{Name: "found_ever", Label: "Prompt tokens found in a cache without limit, Mooncake", Unit: "%", Value: 100 * m.everFound, Digits: 3},
	)
}

func (r *traceRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "workload"}, {Name: "prompt_mean", Unit: "tokens", Digits: 5}, {Name: "output_mean", Unit: "tokens", Digits: 5}, {Name: "prefill", Unit: "ms", Digits: 5}, {Name: "kv_held", Unit: "tokens", Digits: 5}, {Name: "fit", Unit: "requests", Digits: 5}, {Name: "completed", Unit: "requests/s", Digits: 5}, {Name: "running", Unit: "requests", Digits: 5}, {Name: "preemptions"}}}
	for i := range r.cases {
		c := &r.cases[i]
		t.Rows = append(t.Rows, []demo.Cell{demo.W(c.name), demo.N(c.moments.Prompt[0]), demo.N(c.moments.Output[0]), demo.N(c.prefill), demo.N(c.held), demo.N(c.batch), demo.N(c.perSec), demo.N(c.running), demo.N(float64(c.preempted))})
	}
	return t
}
