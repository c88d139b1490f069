package prose

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/content/tables"
	"openloop/planner"
)

// The planner's presets against the simulator, from kept runs.

// planFewest is the plan's fleet beside the smallest that holds.
func planFewest() demo.Table {
	t := demo.Table{Caption: "The plan's fleet, and the smallest that holds when it is simulated, over five searches with seeds of their own", Columns: []demo.Column{{Name: "Workload"}, {Name: "GPUs of the plan"}, {Name: "Runs that keep every promise"}, {Name: "Verdict"}, {Name: "Fewest GPUs that hold"}}}
	for _, r := range tables.PlanRuns() {
		fewest := demo.W("none was found")
		switch least, most := r.FewestRange(); {
		case least == most && least > 0:
			fewest = demo.W(text.Whole(least))
		case least > 0:
			fewest = demo.W(text.Whole(least) + " to " + text.Whole(most))
		}
		t.Rows = append(t.Rows, []demo.Cell{demo.W(presetTitle(r.Preset)), demo.N(float64(r.GPUs)), demo.W(text.Whole(r.Kept) + " of " + text.Whole(r.Runs)), demo.W(r.Outcome), fewest})
	}
	return t
}

func presetTitle(id string) string {
	p, _ := planner.FindPreset(id)
	return p.Title
}

// planRanking is how often the ranking of the levers is right.
func planRanking() demo.Table {
	t := demo.Table{Caption: "The levers' ranking by the plan and by simulation: what comes first, and Kendall's τ", Columns: []demo.Column{
		{Name: "Workload"}, {Name: "First, planned"}, {Name: "First, simulated"}, {Name: "τ, all levers", Digits: 2}, {Name: "τ, no other model", Digits: 2}, {Name: "τ of two simulations", Digits: 2}}}
	for _, r := range tables.PlanRuns() {
		t.Rows = append(t.Rows, []demo.Cell{demo.W(presetTitle(r.Preset)), demo.W(leverName(r.All.PlannedTop)), demo.W(leverName(r.All.SimulatedTop)), demo.N(r.All.Tau), demo.N(r.Choices.Tau), demo.N(r.All.SelfTau)})
	}
	return t
}

// planKept is what the verdicts of planFewest are made of: each promise over the runs,
// and what each search found.
func planKept() demo.Table {
	t := demo.Table{Caption: "Each promise over five runs, and the fewest GPUs that each of five searches found", Columns: []demo.Column{{Name: "Workload"}, {Name: "Promise"}, {Name: "At most"}, {Name: "Mean"}, {Name: "Least to most"}, {Name: "p99"}, {Name: "Kept in"}, {Name: "Searches"}}}
	for _, r := range tables.PlanRuns() {
		searches := ""
		for i, n := range r.Fewests {
			if i > 0 {
				searches += ", "
			}
			searches += text.Whole(n * r.GPUs / r.Replicas)
		}
		for _, p := range r.Promises {
			row := []demo.Cell{demo.W(presetTitle(r.Preset)), demo.W(promiseNames[p.Metric]), demo.W(""), demo.W(""), demo.W(""), demo.W(""), demo.W(text.Whole(p.Kept) + " of " + text.Whole(r.Runs)), demo.W("")}
			if p.Metric == planner.MetricKeeps.String() {
				row[7] = demo.W(searches)
			} else {
				row[2], row[3] = demo.W(text.Seconds(p.Limit)), demo.W(text.Seconds(p.Mean))
				row[4], row[5] = demo.W(text.Seconds(p.Least)+" to "+text.Seconds(p.Most)), demo.W(text.Seconds(p.P99))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

var promiseNames = map[string]string{
	planner.MetricTPOT.String(): "time per token", planner.MetricTTFT.String(): "time to first token", planner.MetricKeeps.String(): "keeping up",
}

// planPairs is Kendall's tau as the pairs that it counts.
func planPairs() demo.Table {
	t := demo.Table{Caption: "τ = (same − other) / √(apart in the plan × apart in the simulation), over all pairs of levers", Columns: []demo.Column{
		{Name: "Workload"}, {Name: "Levers"}, {Name: "A tie up to, GPUs", Digits: 2}, {Name: "Pairs in the same order"}, {Name: "In the other"}, {Name: "Apart in the plan"}, {Name: "Apart in the simulation"}, {Name: "τ", Digits: 2}}}
	for _, r := range tables.PlanRuns() {
		p := pairsOf(r)
		t.Rows = append(t.Rows, []demo.Cell{demo.W(presetTitle(r.Preset)), demo.N(float64(r.All.Compared)), demo.N(r.Resolution), demo.N(float64(p.same)), demo.N(float64(p.other)), demo.N(float64(p.plan)), demo.N(float64(p.simulation)), demo.N(p.tau())})
	}
	return t
}

// pairs are counts of pairs of levers.
type pairs struct{ same, other, plan, simulation int }

func (p pairs) tau() float64 {
	return float64(p.same-p.other) / math.Sqrt(float64(p.plan)*float64(p.simulation))
}

// pairsOf counts in the kept savings, apart from what tables.PlanRun says of them.
func pairsOf(r tables.PlanRun) (p pairs) {
	sign := func(d float64) int {
		switch {
		case d > r.Resolution:
			return 1
		case d < -r.Resolution:
			return -1
		}
		return 0
	}
	for i, x := range r.Levers {
		for _, y := range r.Levers[:i] {
			if !x.Compared || !y.Compared {
				continue
			}
			a, b := sign(x.PlannedSaved-y.PlannedSaved), sign(x.SimulatedSaved-y.SimulatedSaved)
			p.plan, p.simulation = p.plan+a*a, p.simulation+b*b
			switch a * b {
			case 1:
				p.same++
			case -1:
				p.other++
			}
		}
	}
	return p
}

// planSavings is what each lever saves by the plan and by simulation.
func planSavings() demo.Table {
	t := demo.Table{Caption: "GPUs that each lever saves at full load, as real numbers: by the plan, and by simulation", Columns: []demo.Column{{Name: "Workload"}, {Name: "Lever"}, {Name: "Planned", Digits: 3}, {Name: "Simulated", Digits: 3}}}
	for _, r := range tables.PlanRuns() {
		for _, l := range r.Levers {
			row := []demo.Cell{demo.W(presetTitle(r.Preset)), demo.W(leverName(l.Lever)), demo.N(l.PlannedSaved), demo.N(l.SimulatedSaved)}
			if !l.Compared {
				row[2], row[3] = demo.W("not compared"), demo.W("not compared")
			} else if math.IsInf(l.SimulatedSaved, 1) {
				row[3] = demo.W("never holds without")
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// planAssumptions is what every plan takes for granted, in the planner's words.
func planAssumptions() demo.Table {
	t := demo.Table{Caption: "What every plan takes for granted", Columns: []demo.Column{{Name: "About"}, {Name: "The planner's sentence"}}}
	for _, a := range planner.Assumptions() {
		t.Rows = append(t.Rows, []demo.Cell{demo.W(a.ID), demo.W(a.Text)})
	}
	return t
}

func leverName(slug string) string {
	l, _ := planner.FindLever(slug)
	return l.Name
}
