package prose

import (
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
