package checking

import (
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/sizing"
	"openloop/content/demo/text"
	"openloop/planner"
)

// What the rows of plan-check open to: the runs that a mean is made of, the plan's
// formula with its values, where both are from and how far they can be off.

// The numbers that a run has of a metric.
const (
	ofMean = iota
	ofP95
	ofP99
)

// each is a number of every run, in their order.
func each(symbol string, m planner.Metric, runs []planner.Numbers, which int) demo.Term {
	out := ""
	for i := range runs {
		n := &runs[i]
		x := n.Batch
		switch m {
		case planner.MetricTPOT:
			x = [...]float64{n.TPOTSeconds, n.TPOTp95Seconds, n.TPOTp99Seconds}[which]
		case planner.MetricTTFT:
			x = [...]float64{n.TTFTSeconds, n.TTFTp95Seconds, n.TTFTp99Seconds}[which]
		case planner.MetricWait:
			x = n.WaitSeconds
		}
		if i > 0 {
			out += ", "
		}
		out += metricText(m, x)
	}
	return demo.Term{Symbol: symbol, Value: out}
}

// simulated says which requests of which runs a number is of.
func (r *checkRun) simulated() string {
	least, most := r.result.Runs[0].Sent, r.result.Runs[0].Sent
	for i := range r.result.Runs {
		least, most = min(least, r.result.Runs[i].Sent), max(most, r.result.Runs[i].Sent)
	}
	return "Simulated: a mean over the requests of a run that were sent after its warm-up, " + text.Whole(int(least)) + " to " + text.Whole(int(most)) + " of them, with seeds from " + text.Whole(int(r.seed)) + " on."
}

const ofSeeds = "From run to run: the least and the most. Of the step times, that of the plan."

func (r *checkRun) opensPromise(p *planner.Promise) *demo.Step {
	s := demo.Step{Key: p.Metric.String(), Formula: "kept in k of n runs, those with x ≤ limit; held if k = n, broken if k < n / 2", Source: r.simulated(), Error: ofSeeds}
	if p.Metric == planner.MetricKeeps {
		s.Formula = "kept in k of n runs, those whose queue does not grow and that lose no request; broken if k < n"
		return &s
	}
	runs := r.result.Runs
	x := each("x", p.Metric, runs, ofMean)
	x.From = "by run; their mean is " + metricText(p.Metric, p.Simulated.Mean)
	s.Terms = []demo.Term{{Symbol: "limit", Value: metricText(p.Metric, p.Limit), From: "the promise of the plan"}, x}
	if p.Metric != planner.MetricWait {
		s.Terms = append(s.Terms, each("p95", p.Metric, runs, ofP95), each("p99", p.Metric, runs, ofP99))
	}
	return &s
}

// opensRow is the plan's formula at this load, and the runs.
func (r *checkRun) opensRow(x *planner.Row) *demo.Step {
	l := &x.PlanLink
	s := demo.Step{Key: "row-" + l.Symbol, Formula: "plan = " + spelled(l.Formula), Source: "The plan: " + l.Source + "; the planner's equations have its values. " + r.simulated(), Error: ofSeeds}
	for _, in := range l.Inputs {
		t := demo.Term{Symbol: in.Symbol, Value: text.WithUnit(text.Num(in.Value, 4), in.Unit)}
		if in.Unit == "s" {
			t.Value = text.Seconds(in.Value)
		}
		s.Terms = append(s.Terms, t)
	}
	if x.Full != x.Plan {
		s.Terms = append(s.Terms, demo.Term{Symbol: "full", Value: metricText(x.Metric, x.Full), From: "= " + spelled(x.FullLink.Formula)})
	}
	all := each("simulated", x.Metric, r.result.Runs, ofMean)
	all.From = "by run; their mean is " + metricText(x.Metric, x.Simulated.Mean)
	s.Terms = append(s.Terms, all)
	for i := range x.Parts {
		s.Terms = append(s.Terms, partTerm(causeWords(x.Parts[i].Cause), x.Metric, &x.Parts[i]))
	}
	return &s
}

// partTerm is what a cause adds, as the difference that it is.
func partTerm(symbol string, m planner.Metric, p *planner.Part) demo.Term {
	return demo.Term{Symbol: symbol, Value: signed(m, p.Adds.Mean), From: "= " + metricText(m, p.After) + " − " + metricText(m, p.Before) + ", in a run " + signed(m, p.Adds.Least) + " to " + signed(m, p.Adds.Most)}
}

// spelled is a formula of the planner with the signs of print.
func spelled(formula string) string {
	if formula == "" {
		return sizing.QueueFormula
	}
	for _, sign := range [...][2]string{{"*", " × "}, {"/", " / "}, {" - ", " − "}} {
		formula = strings.ReplaceAll(formula, sign[0], sign[1])
	}
	return formula
}

// opensCause is what a number is before the cause and with it.
func (r *checkRun) opensCause(c planner.SimCause) *demo.Step {
	s := demo.Step{Key: c.String(), Formula: "part = after − before", Source: "Runs with the same seeds, of which one lets this happen and the other does not.", Error: "In another order of the causes the parts would be others. Least to most is from run to run."}
	if c <= planner.CauseQueue {
		s.Source = "The plan's formula at two loads."
	}
	for _, m := range [...]planner.Metric{planner.MetricTPOT, planner.MetricTTFT} {
		parts := r.row(m).Parts
		for i := range parts {
			if parts[i].Cause == c {
				s.Terms = append(s.Terms, partTerm(metricName(m), m, &parts[i]))
			}
		}
	}
	return &s
}

// opensCandidate is the runs of one fleet of the search.
func (r *checkRun) opensCandidate(c *planner.Candidate) *demo.Step {
	s := demo.Step{Key: text.Whole(c.Replicas), Formula: "holds if every run keeps up, with all its means within the limits", Source: "Simulated, up to the first run that does not hold.", Error: ofSeeds}
	for _, p := range r.result.Promises {
		if p.Metric == planner.MetricKeeps {
			continue
		}
		t := each(metricName(p.Metric), p.Metric, c.Runs, ofMean)
		t.From = "at most " + metricText(p.Metric, p.Limit)
		s.Terms = append(s.Terms, t)
	}
	return &s
}

const asAbove = "as above"

// causeSays is what happens in one run and not in the one before.
func causeSays(c planner.SimCause) string {
	switch c {
	case planner.CauseHeadroom:
		return "from full to the target"
	case planner.CauseRounding:
		return "from the target to this load"
	case planner.CauseQueue:
		return "taken out; gaps and lengths put the real one in"
	}
	return "simulated without it, and with it"
}
