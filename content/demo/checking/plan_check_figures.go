package checking

import (
	"math"
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner"
)

// The pictures and words of plan-check.

func (r *checkRun) Figures() []demo.Figure {
	return []demo.Figure{r.promisesFigure(), r.rowsFigure(), r.causesFigure(), r.searchFigure()}
}

func metricName(m planner.Metric) string {
	switch m {
	case planner.MetricTPOT:
		return "Time per token"
	case planner.MetricTTFT:
		return "Time to first token"
	case planner.MetricWait:
		return "Wait for a seat"
	case planner.MetricBatch:
		return "Sequences in a step"
	}
	return "Keeping up"
}

func metricText(m planner.Metric, x float64) string {
	switch m {
	case planner.MetricBatch:
		return text.Num(x, 3)
	}
	return text.Seconds(x)
}

// between is from the run that gave least to the one that gave most.
func between(m planner.Metric, x planner.Over) string {
	if x.Least == x.Most {
		return metricText(m, x.Mean)
	}
	return metricText(m, x.Least) + " to " + metricText(m, x.Most)
}

func (r *checkRun) promisesFigure() demo.Figure {
	f := demo.Figure{ID: "promises", Title: "What is promised, and what happens", Kind: demo.Ranks}
	if r.wrong != "" {
		return f.Empty(r.wrong)
	}
	f.Ranking = demo.Ranking{Head: "Promise", Says: "Verdict", Columns: []demo.RankColumn{{Name: "At most"}, {Name: "Mean"}, {Name: "Least to most"}, {Name: "p95"}, {Name: "p99"}, {Name: "Kept in"}}}
	for _, p := range r.result.Promises {
		row := demo.Rank{Label: metricName(p.Metric), Says: p.Outcome.String(), Strong: p.Outcome == planner.Broken, Open: r.opensPromise(&p),
			Cells: []demo.RankCell{{Text: metricText(p.Metric, p.Limit)}, {Text: metricText(p.Metric, p.Simulated.Mean)}, {Text: between(p.Metric, p.Simulated)}, {Text: beyond(p, p.P95)}, {Text: beyond(p, p.P99)}, {Text: r.keptIn(p.Kept)}}}
		if p.Metric == planner.MetricKeeps {
			row.Label = "Keeps up with the load"
			for i := range 5 {
				row.Cells[i].Text = ""
			}
		}
		f.Ranking.Rows = append(f.Ranking.Rows, row)
	}
	f.Notes = []string{
		"Means over " + text.Count(len(r.result.Runs), "run", "runs") + ", and the least and the most that a run gave. A promise is about a mean: it is held if the mean of every run is within the limit, broken if that of more than half of the runs is not, and unclear between. Keeping up is broken by one run that falls behind. p95 and p99 are what one request in twenty and in a hundred sees, means over the runs; nobody promised them, and ▲ marks one beyond the limit of the mean. If your promise is a percentile, hold that column against it.",
	}
	if b, ok := r.kept(); ok {
		f.Notes = append(f.Notes, "The kept runs of the chapter are those of seed 1 and 5 runs: of "+text.Count(b.Runs, "run", "runs")+" "+text.Whole(b.Kept)+" kept every promise. Other seeds are other runs: where a promise is nearly broken they decide.")
	}
	f.Pages = r.fleet.pages()
	f.Alt = text.Whole(len(r.result.Promises)) + " promises: " + r.verdicts() + "."
	f.Table = demo.RankTable(f)
	return f
}

// beyond is a percentile, marked if it is above the limit that the mean keeps.
func beyond(p planner.Promise, x planner.Over) string {
	out := metricText(p.Metric, x.Mean)
	if x.Mean > p.Limit {
		return out + " ▲"
	}
	return out
}

// keptIn is a number of runs, of how many there are.
func (r *checkRun) keptIn(kept int) string {
	return text.Whole(kept) + " of " + text.Count(len(r.result.Runs), "run", "runs")
}

func (r *checkRun) verdicts() string {
	var out []string
	for _, p := range r.result.Promises {
		says := strings.ToLower(metricName(p.Metric)) + " " + p.Outcome.String()
		if p.Outcome != planner.Held {
			says += ", kept in " + r.keptIn(p.Kept)
		}
		out = append(out, says)
	}
	return strings.Join(out, "; ")
}

func (r *checkRun) rowsFigure() demo.Figure {
	f := demo.Figure{ID: "rows", Title: "The plan beside the simulation", Kind: demo.Ranks}
	if r.wrong != "" {
		return f.Empty(r.wrong)
	}
	f.Ranking = demo.Ranking{Head: "Number", Says: "Largest part of the difference", Columns: []demo.RankColumn{{Name: "Plan, full"}, {Name: "Plan, at this load"}, {Name: "Simulated, least to most"}}}
	over := overloaded(r.row(planner.MetricTPOT))
	for _, x := range r.result.Rows {
		planCell := metricText(x.Metric, x.Plan)
		if over {
			planCell = "none"
		}
		row := demo.Rank{Label: metricName(x.Metric), Says: "none", Open: r.opensRow(&x), Cells: []demo.RankCell{{Text: metricText(x.Metric, x.Full)}, {Text: planCell}, {Text: between(x.Metric, x.Simulated)}}}
		if p, ok := largest(x.Parts); ok {
			row.Says = causeWords(p.Cause) + ": " + signed(x.Metric, p.Adds.Mean)
		}
		f.Ranking.Rows = append(f.Ranking.Rows, row)
	}
	f.Notes = []string{"The step times are those of the plan. " + r.fleet.steps(&r.plan)}
	f.Alt = text.Whole(len(f.Ranking.Rows)) + " numbers of the plan and of the simulation."
	f.Table = demo.RankTable(f)
	return f
}

func largest(parts []planner.Part) (out planner.Part, ok bool) {
	for _, p := range parts {
		if !ok || math.Abs(p.Adds.Mean) > math.Abs(out.Adds.Mean) {
			out, ok = p, true
		}
	}
	return out, ok && out.Adds.Mean != 0
}

func signed(m planner.Metric, x float64) string {
	if x < 0 {
		return "−" + metricText(m, -x)
	}
	return "+" + metricText(m, x)
}

// causeWords are the causes as a reader meets them.
func causeWords(c planner.SimCause) string {
	switch c {
	case planner.CauseHeadroom:
		return "replicas are not run full"
	case planner.CauseRounding:
		return "whole replicas"
	case planner.CauseQueue:
		return "the formula for the wait"
	case planner.CauseFormula:
		return "whole steps"
	case planner.CauseExperts:
		return "experts that are touched"
	case planner.CauseChunks:
		return "chunks"
	case planner.CauseArrivals:
		return "gaps that vary"
	case planner.CauseLengths:
		return "lengths that vary"
	case planner.CauseSeats:
		return "seats"
	case planner.CauseMemory:
		return "memory that runs out"
	}
	return c.String()
}

func (r *checkRun) row(m planner.Metric) planner.Row {
	for _, x := range r.result.Rows {
		if x.Metric == m {
			return x
		}
	}
	return planner.Row{}
}

// causesOf are the causes of either, in the order in which they were tried: a
// cause is not a position, since one number may have causes that another has not.
func causesOf(a, b []planner.Part) (out []planner.SimCause) {
	for c := range planner.SimCauses {
		if _, inA := adds(a, c); inA {
			out = append(out, c)
		} else if _, inB := adds(b, c); inB {
			out = append(out, c)
		}
	}
	return out
}

// adds is what a cause adds, if it was looked at.
func adds(parts []planner.Part, c planner.SimCause) (mean float64, ok bool) {
	for _, p := range parts {
		if p.Cause == c {
			return p.Adds.Mean, true
		}
	}
	return 0, false
}

func (r *checkRun) causesFigure() demo.Figure {
	f := demo.Figure{ID: "causes", Title: "Why the time per token differs from the plan", Kind: demo.Ranks}
	if r.wrong != "" {
		return f.Empty(r.wrong)
	}
	if !r.explains {
		return f.Empty("What each cause adds takes a run for each, and these runs are too long for that: of up to " + text.Whole(mostExplained) + " requests they are made.")
	}
	x, first := r.row(planner.MetricTPOT), r.row(planner.MetricTTFT)
	f.Ranking = demo.Ranking{Head: "From the plan, full, to the simulation", Says: "What it lets happen", Columns: []demo.RankColumn{{Name: "Time per token", Bar: true}, {Name: "First token"}}}
	ends := func(key string) *demo.Step {
		s := r.opensRow(&x)
		s.Key = key
		return s
	}
	add := func(label string, num float64, tpot, ttft, says string, open *demo.Step) {
		f.Ranking.Rows = append(f.Ranking.Rows, demo.Rank{Label: label, Strong: says == asAbove, Says: says, Open: open, Cells: []demo.RankCell{{Num: num, Text: tpot}, {Text: ttft}}})
	}
	add("The plan, replicas full", 1000*x.Full, text.Seconds(x.Full), text.Seconds(first.Full), asAbove, ends("full"))
	for _, c := range causesOf(x.Parts, first.Parts) {
		token, ok := adds(x.Parts, c)
		tpot, ttft := "", ""
		if ok {
			tpot = signed(planner.MetricTPOT, token)
		}
		if until, ok := adds(first.Parts, c); ok {
			ttft = signed(planner.MetricTTFT, until)
		}
		add(causeWords(c), 1000*token, tpot, ttft, causeSays(c), r.opensCause(c))
	}
	add("Simulated", 1000*x.Simulated.Mean, text.Seconds(x.Simulated.Mean), text.Seconds(first.Simulated.Mean), asAbove, ends("simulated"))
	f.Alt = "From " + text.Seconds(x.Full) + " a token by the plan to " + text.Seconds(x.Simulated.Mean) + " simulated, in " + text.Whole(len(x.Parts)) + " parts."
	f.Table = demo.RankTable(f)
	return f
}

func (r *checkRun) searchFigure() demo.Figure {
	f := demo.Figure{ID: "search", Title: "The smallest fleet that holds", Kind: demo.Ranks}
	switch {
	case r.wrong != "":
		return f.Empty(r.wrong)
	case !r.searched:
		return f.Empty("Not searched. Switch the search on.")
	case r.search == nil:
		return f.Empty("Pools that are apart are not searched: what one of them needs depends on the other.")
	}
	f.Ranking = demo.Ranking{Head: "Fleet", Columns: []demo.RankColumn{{Name: "GPUs"}, {Name: "Runs"}}, Says: "Verdict"}
	for _, c := range r.found.Candidates {
		if len(f.Ranking.Rows) == 20 {
			break
		}
		row := demo.Rank{Label: text.Count(c.Replicas, "replica", "replicas"), Says: "a promise breaks", Open: r.opensCandidate(&c), Cells: []demo.RankCell{{Text: text.Whole(c.GPUs)}, {Text: text.Whole(len(c.Runs))}}}
		if c.Holds {
			row.Says = "holds"
		}
		if b := r.best(); b != nil && c.Replicas == b.Replicas {
			row.Strong = true
		}
		f.Ranking.Rows = append(f.Ranking.Rows, row)
	}
	f.Notes = []string{r.foundText()}
	f.Alt = text.Whole(len(f.Ranking.Rows)) + " fleets tried. " + r.foundText()
	f.Table = demo.RankTable(f)
	return f
}

func (r *checkRun) best() *planner.Fleet {
	if r.found.Best < 0 || r.found.Best >= len(r.found.Fleets) {
		return nil
	}
	return &r.found.Fleets[r.found.Best]
}

func (r *checkRun) foundText() string {
	b := r.best()
	if b == nil {
		return "No fleet that was tried holds all promises."
	}
	return "Fewest that hold: " + text.Count(b.GPUs, "GPU", "GPUs") + ", " + text.Count(b.Replicas, "replica", "replicas") + "; the plan has " + text.Count(b.Planned, "replica", "replicas") + "."
}

// overloaded says that a fleet has more to do than the plan's formula has a time
// per token for: it stops at that of a full replica.
func overloaded(x planner.Row) bool { return x.Plan >= x.Full }

func planSays(x planner.Row) string {
	if overloaded(x) {
		return "and the plan has no number for it: this is more than it says that these replicas can carry."
	}
	return "where the plan says " + text.Seconds(x.Plan) + " at this load and " + text.Seconds(x.Full) + " full."
}

func (r *checkRun) Summary() demo.Sentence {
	if r.wrong != "" {
		return demo.Say("", r.wrong)
	}
	x := r.row(planner.MetricTPOT)
	says := map[planner.Outcome]string{planner.Held: "every promise (of a mean) holds", planner.Broken: "a promise (of a mean) breaks", planner.Unclear: "it depends on the run whether every promise (of a mean) holds"}[r.result.Outcome]
	out := demo.Say(r.size()+" at "+text.Percent(r.load, 3)+" of the planned peak: ", says, "; "+r.keptIn(r.result.Kept)+" keep all of them ("+r.verdicts()+"). A token takes "+text.Seconds(x.Simulated.Mean)+", "+planSays(x))
	if r.search != nil {
		out = append(out, demo.Span{Text: " " + r.foundText()})
	}
	return out
}

// size is the fleet that is simulated.
func (r *checkRun) size() string {
	p := &r.plan
	of := " of " + text.Count(p.TP, "GPU", "GPUs")
	if r.fleet.deployment.Disaggregated {
		return text.Count(p.PrefillReplicas, "replica", "replicas") + " for prefill and " + text.Whole(max(1, p.DecodeReplicas+r.more)) + " for decode," + of + ","
	}
	return text.Count(r.replicas(), "replica", "replicas") + of
}

// replicas is how many are simulated, of both pools if they are apart.
func (r *checkRun) replicas() int {
	if r.fleet.deployment.Disaggregated {
		return r.plan.PrefillReplicas + max(1, r.plan.DecodeReplicas+r.more)
	}
	return max(1, r.plan.Replicas+r.more)
}

func (r *checkRun) Metrics() []demo.Metric {
	ms := func(x float64) float64 { return 1000 * x }
	count := func(o planner.Outcome) (n float64) {
		for _, p := range r.result.Promises {
			if p.Outcome == o {
				n++
			}
		}
		return n
	}
	tpot, ttft := r.row(planner.MetricTPOT), r.row(planner.MetricTTFT)
	least, planned, tpotPlan, ttftPlan := math.NaN(), math.NaN(), ms(tpot.Plan), ms(ttft.Plan)
	if overloaded(tpot) {
		tpotPlan, ttftPlan = math.NaN(), math.NaN()
	}
	if b := r.best(); b != nil {
		least, planned = float64(b.GPUs), float64(b.Planned*b.TP)
	}
	m := []demo.Metric{
		{Name: "held", Label: "Promises held", Value: count(planner.Held)},
		{Name: "broken", Label: "Promises broken", Value: count(planner.Broken)},
		{Name: "unclear", Label: "Promises unclear", Value: count(planner.Unclear)},
		{Name: "runs", Label: "Runs", Value: float64(len(r.result.Runs))},
		{Name: "runs_kept", Label: "Runs that keep every promise", Value: float64(r.result.Kept)},
		{Name: "tpot", Label: "Time per token", Unit: "ms", Value: ms(tpot.Simulated.Mean), Digits: 3, Spread: true},
		{Name: "tpot_low", Label: "Time per token in the run with the least", Unit: "ms", Value: ms(tpot.Simulated.Least), Digits: 3},
		{Name: "tpot_high", Label: "Time per token in the run with the most", Unit: "ms", Value: ms(tpot.Simulated.Most), Digits: 3},
		{Name: "tpot_plan", Label: "Time per token of the plan at this load", Unit: "ms", Value: tpotPlan, Digits: 3},
		{Name: "tpot_full", Label: "Time per token of the plan, full", Unit: "ms", Value: ms(tpot.Full), Digits: 3},
		{Name: "ttft", Label: "Time to first token", Unit: "ms", Value: ms(ttft.Simulated.Mean), Digits: 3, Spread: true},
		{Name: "ttft_plan", Label: "Time to first token of the plan at this load", Unit: "ms", Value: ttftPlan, Digits: 3},
		{Name: "gpus_planned", Label: "GPUs of the plan", Value: planned},
		{Name: "gpus_least", Label: "Fewest GPUs that hold", Value: least},
	}
	for i := range m {
		if r.wrong != "" {
			m[i].Value = math.NaN()
		}
	}
	return m
}

// Records is every run.
func (r *checkRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "fleet"}, {Name: "run"}, {Name: "replicas"}, {Name: "tpot", Unit: "s", Digits: 4}, {Name: "ttft", Unit: "s", Digits: 4}, {Name: "wait", Unit: "s", Digits: 4}, {Name: "batch", Digits: 4}, {Name: "keeps_up"}}}
	add := func(what string, replicas int, runs []planner.Numbers) {
		for i := range runs {
			n := &runs[i]
			keeps := "no"
			if n.KeepsUp() {
				keeps = "yes"
			}
			t.Rows = append(t.Rows, []demo.Cell{demo.W(what), demo.N(float64(i + 1)), demo.N(float64(replicas)), demo.N(n.TPOTSeconds), demo.N(n.TTFTSeconds), demo.N(n.WaitSeconds), demo.N(n.Batch), demo.W(keeps)})
		}
	}
	add("check", r.replicas(), r.result.Runs)
	for _, c := range r.found.Candidates {
		add("search", c.Replicas, c.Runs)
	}
	if len(t.Rows) == 0 {
		t.Rows = append(t.Rows, []demo.Cell{demo.W("none"), demo.N(0), demo.N(0), demo.N(0), demo.N(0), demo.N(0), demo.N(0), demo.W(r.wrong)})
	}
	return t
}
