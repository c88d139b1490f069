package field

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/content/demo/text"
	"openloop/sim"
)

// Three cases from public issue trackers, each as a simulation that shows the
// reported shape, beside the numbers that were reported.

func fieldCases() *demo.Demo {
	return &demo.Demo{
		ID: "field-cases", Version: 1, Title: "Three cases from the field",
		Lead:   "Reports of real servers: a KV cache that creeps toward full, a hit rate that fell when replicas were added, a time to first token that grows with every user. Points are what was reported, lines what a simulation with the same sizes does. Switch the remedy on.",
		Limits: "Each report is a few numbers; what they leave open was chosen so that the simulation has the reported shape, and the figures say what. Step times are round numbers, not those of the GPUs in the reports. The case of the hit rate has three separate reports behind it.",
		Knobs: []demo.Knob{
			demo.Choice("case", "Case", "Each has its own report and its own remedy.",
				"kv", "KV usage creeps up", "prefix", "the hit rate fell", "ttft", "0.1 s more for each user"),
			demo.Choice("remedy", "Remedy", "Headroom at admission; routing by prefix; a second prefill worker.", "off", "off", "on", "on"),
		},
		Presets: []demo.Preset{
			{Name: "KV creeps up", State: "", Says: "Nothing waits, nothing is preempted, and there are two minutes left."},
			{Name: "With headroom", State: "remedy=on", Says: "Who is put back stays out until there is room for him."},
			{Name: "The hit rate fell", State: "case=prefix&remedy=on", Says: "Each replica has a cache of its own."},
			{Name: "TTFT by the user", State: "case=ttft&remedy=on", Says: "A closed loop on a prefill worker that is full."},
		},
		Equations: []demo.Equation{
			{Name: "Time to full", TeX: `t = \frac{1 - u}{\dot u}`, Says: "u is the occupancy and its dot how fast it grows: tokens a second over tokens of the cache"},
			{Name: "Same replica", TeX: `P = \frac 1 R`, Says: "chance that a turn comes to the replica that has the one before, if the router does not look"},
			{Name: "Closed loop", TeX: `\text{TTFT} + D = \frac C X`, Says: "Little's law for C clients without think time: at a full server of X requests/s each further client adds 1/X, D being the time to decode"},
		},
		Start: startField,
	}
}

// fieldRun is one case.
type fieldRun struct {
	replica.Queue
	demo.Quiet
	seed   uint32
	remedy bool
	from   fieldCase
}

// fieldCase is what one of the three computes and shows.
type fieldCase interface {
	jobs(r *fieldRun)
	summary(remedy bool) demo.Sentence
	figures(remedy bool) (shape, remedied demo.Figure)
	metrics() []demo.Metric // those that fieldMetrics names for it
}

func startField(v demo.Values, seed uint32) (demo.Task, error) {
	r := &fieldRun{seed: seed, remedy: v.On("remedy")}
	switch v.Option("case") {
	case "kv":
		r.from = new(kvCase)
	case "prefix":
		r.from = new(prefixCase)
	default:
		r.from = new(ttftCase)
	}
	r.from.jobs(r)
	return r, nil
}

// run adds a simulation.
func (r *fieldRun) run(s sim.Scenario, done func(*sim.Results)) {
	r.Add(replica.Job{Config: s.Config, Load: s.Workload, Seed: uint64(r.seed), Done: done})
}

func (r *fieldRun) Summary() demo.Sentence { return r.from.summary(r.remedy) }

func (r *fieldRun) Figures() []demo.Figure {
	shape, remedied := r.from.figures(r.remedy)
	shape.ID, remedied.ID, remedied.Beside = "shape", "remedied", true
	for _, f := range []*demo.Figure{&shape, &remedied} {
		f.Kind = demo.Chart
		f.Table = pointsTable(f)
	}
	return []demo.Figure{shape, remedied}
}

// fieldSeries are the slots of both figures.
func fieldSeries(reported, simulated, other demo.Series) []demo.Series {
	reported.ID, reported.Role, reported.Shape = "reported", demo.Closed, demo.Points
	simulated.ID, simulated.Role = "simulated", demo.Ink
	other.ID, other.Role = "other", demo.Open
	return []demo.Series{reported, simulated, other}
}

// pointsTable lists the points of the series, every so many of a long one.
func pointsTable(f *demo.Figure) demo.Table {
	t := demo.Table{Caption: f.Title, Columns: []demo.Column{{Name: "Series"}, {Name: f.X.Label, Unit: f.X.Unit, Digits: 4}, {Name: f.Y.Label, Unit: f.Y.Unit, Digits: 4}}}
	for _, s := range f.Series {
		every := (len(s.X) + 6) / 7
		for i := 0; i < len(s.X); i += every {
			if len(t.Rows) < 20 {
				t.Rows = append(t.Rows, []demo.Cell{demo.W(s.Name), demo.N(s.X[i]), demo.N(s.Y[i])})
			}
		}
	}
	return t
}

// fieldMetrics are the metrics of all cases; those of the other two are not a number.
var fieldMetrics = [...]demo.Metric{
	{Name: "kv_growth", Label: "KV occupancy grows", Unit: "points/s", Digits: 3},
	{Name: "seconds_to_full", Label: "From 95.8% to full", Unit: "s", Digits: 3},
	{Name: "kv_tokens", Label: "KV cache, from growth and throughput", Unit: "tokens", Digits: 3},
	{Name: "tokens_each", Label: "Tokens a second of each request", Unit: "tokens/s", Digits: 3},
	{Name: "tokens_before", Label: "Tokens a second, before it is full", Unit: "tokens/s", Digits: 3},
	{Name: "tokens_after", Label: "Tokens a second, after", Unit: "tokens/s", Digits: 3},
	{Name: "tokens_after_remedy", Label: "Tokens a second, after, with headroom", Unit: "tokens/s", Digits: 3},
	{Name: "preemptions_0", Label: "Preemptions without headroom", Digits: 3},
	{Name: "preemptions_5", Label: "Preemptions with 5% free", Digits: 3},
	{Name: "preemption_cut", Label: "Preemptions cut by", Unit: "%", Digits: 3},
	{Name: "throughput_gain", Label: "Output tokens gained by it", Unit: "%", Digits: 2},
	{Name: "ttft_rise", Label: "Median time to first token, times as long", Digits: 3},
	{Name: "hit_round_robin", Label: "Hit rate, round robin", Unit: "%", Digits: 3},
	{Name: "hit_affinity", Label: "Hit rate, by prefix", Unit: "%", Digits: 3},
	{Name: "same_replica", Label: "Turns on the replica of the turn before, round robin", Unit: "%", Digits: 3},
	{Name: "prefill_ratio", Label: "Prompt tokens computed, round robin over by prefix", Digits: 3},
	{Name: "service_gain", Label: "Requests completed at the highest load, by prefix over round robin", Digits: 3},
	{Name: "ttft_drop", Label: "Mean time to first token there, shorter by", Unit: "%", Digits: 3},
	{Name: "slope", Label: "Time to first token for each further user", Unit: "s", Digits: 3},
	{Name: "saturated", Label: "Requests a second at 250 users", Unit: "requests/s", Digits: 3},
	{Name: "ttft_100", Label: "Mean time to first token at 100 users", Unit: "s", Digits: 3},
	{Name: "ttft_500", Label: "Mean time to first token at 500 users", Unit: "s", Digits: 3},
	{Name: "ttft_100_remedy", Label: "The same at 100 users, with two prefill workers", Unit: "s", Digits: 3},
}

func (r *fieldRun) Metrics() []demo.Metric {
	out := fieldMetrics[:]
	got := r.from.metrics()
	all := make([]demo.Metric, 0, len(out))
	for _, m := range out {
		m.Value = math.NaN()
		for _, g := range got {
			if g.Name == m.Name {
				m.Value, m.Spread = g.Value, true
			}
		}
		all = append(all, m)
	}
	return all
}

// value is a metric of a case.
func value(name string, x float64) demo.Metric { return demo.Metric{Name: name, Value: x} }

func (r *fieldRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "figure"}, {Name: "series"}, {Name: "x", Digits: 6}, {Name: "y", Digits: 6}}}
	for _, f := range r.Figures() {
		for _, s := range f.Series {
			for i := range s.X {
				t.Rows = append(t.Rows, []demo.Cell{demo.W(f.ID), demo.W(s.ID), demo.N(s.X[i]), demo.N(s.Y[i])})
			}
		}
	}
	return t
}

// oneEngine is a replica with these steps, in ms.
func oneEngine(kvTokens, seats, budget int, base, perPrefill, perDecode float64) sim.Engine {
	ms := func(x float64) sim.Picos { return sim.Picos(float64(x*1e9) + 0.5) }
	return sim.Engine{
		MaxNumSeqs: seats, MaxBatchedTokens: budget, PrefillChunkTokens: budget, BlockTokens: 16, KVBlocks: kvTokens / 16,
		Cost: sim.LinearCost{Base: ms(base), PerPrefillToken: ms(perPrefill), PerDecode: ms(perDecode)},
	}
}

func percent(x float64) string { return text.Percent(x, 3) }
