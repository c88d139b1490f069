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

// each is a number of every run, in their order.
func each(symbol string, m planner.Metric, runs []planner.Numbers, of func(*planner.Numbers) float64) demo.Term {
	var out []string
	for i := range runs {
		out = append(out, metricText(m, of(&runs[i])))
	}
	return demo.Term{Symbol: symbol, Value: strings.Join(out, ", ")}
}

func metricOf(m planner.Metric, n *planner.Numbers) float64 {
	switch m {
	case planner.MetricTPOT:
		return n.TPOTSeconds
	case planner.MetricTTFT:
		return n.TTFTSeconds
	case planner.MetricWait:
		return n.WaitSeconds
	}
	return n.Batch
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
	x := each("x", p.Metric, runs, func(n *planner.Numbers) float64 { return metricOf(p.Metric, n) })
	x.From = "by run; their mean is " + metricText(p.Metric, p.Simulated.Mean)
	s.Terms = []demo.Term{{Symbol: "limit", Value: metricText(p.Metric, p.Limit), From: "the promise of the plan"}, x}
	switch p.Metric {
	case planner.MetricTPOT:
		s.Terms = append(s.Terms, each("p95", p.Metric, runs, func(n *planner.Numbers) float64 { return n.TPOTp95Seconds }), each("p99", p.Metric, runs, func(n *planner.Numbers) float64 { return n.TPOTp99Seconds }))
	case planner.MetricTTFT:
		s.Terms = append(s.Terms, each("p95", p.Metric, runs, func(n *planner.Numbers) float64 { return n.TTFTp95Seconds }), each("p99", p.Metric, runs, func(n *planner.Numbers) float64 { return n.TTFTp99Seconds }))
	}
	return &s
}

// opensRow is the plan's formula at this load, and the runs.
func (r *checkRun) opensRow(x *planner.Row) *demo.Step {
	s := demo.Step{Key: "row-" + x.Metric.String(), Formula: "plan = " + sizing.Spelled(&x.PlanLink), Terms: sizing.Terms(&x.PlanLink), Source: "The plan: " + x.PlanLink.Source + "; its values are in the planner's equations. " + r.simulated(), Error: ofSeeds}
	if x.Full != x.Plan {
		s.Terms = append(s.Terms, demo.Term{Symbol: "full", Value: metricText(x.Metric, x.Full), From: "= " + sizing.Spelled(&x.FullLink)})
	}
	s.Terms = append(s.Terms, each("simulated", x.Metric, r.result.Runs, func(n *planner.Numbers) float64 { return metricOf(x.Metric, n) }))
	return &s
}

// opensCause is what a number is before the cause and with it.
func (r *checkRun) opensCause(c planner.SimCause) *demo.Step {
	s := demo.Step{Key: c.String(), Formula: "part = after − before", Source: "Runs with the same seeds, of which one lets this happen and the other does not.", Error: "In another order of the causes the parts would be others. Least to most is from run to run."}
	if c <= planner.CauseQueue {
		s.Source = "The plan's formula at two loads."
	}
	for _, m := range [...]planner.Metric{planner.MetricTPOT, planner.MetricTTFT} {
		for _, p := range r.row(m).Parts {
			if p.Cause == c {
				s.Terms = append(s.Terms, demo.Term{Symbol: metricName(m), Value: signed(m, p.Adds.Mean), From: "= " + metricText(m, p.After) + " − " + metricText(m, p.Before) + ", in a run " + signed(m, p.Adds.Least) + " to " + signed(m, p.Adds.Most)})
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
		t := each(metricName(p.Metric), p.Metric, c.Runs, func(n *planner.Numbers) float64 { return metricOf(p.Metric, n) })
		t.From = "at most " + metricText(p.Metric, p.Limit)
		s.Terms = append(s.Terms, t)
	}
	return &s
}
