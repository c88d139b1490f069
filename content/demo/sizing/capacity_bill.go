package sizing

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner"
)

// The bill and the promises, of plan A and, if it differs, of plan B beside it.

// billLine is one line of the bill, and the equation behind it.
type billLine struct {
	label, symbol string
	of            func(*capacityRun, *side) string
	money         bool // needs a price
}

// side is one of the two plans.
type side struct {
	a     *asked
	plan  *planner.Plan
	task  *planner.TaskCost
	power *planner.Power
}

func (r *capacityRun) sideA() *side { return &side{&r.a, r.plan(), &r.taskA, r.powerA} }
func (r *capacityRun) sideB() *side { return &side{&r.b, &r.planB, &r.taskB, r.powerB} }

func billLines() []billLine {
	plan := func(of func(*planner.Plan) string) func(*capacityRun, *side) string {
		return func(_ *capacityRun, s *side) string { return of(s.plan) }
	}
	dollars := func(of func(*planner.Cost) float64) func(*capacityRun, *side) string {
		return func(_ *capacityRun, s *side) string { return text.USD(of(&s.plan.Cost)) }
	}
	task := func(of func(*planner.TaskCost) float64) func(*capacityRun, *side) string {
		return func(r *capacityRun, s *side) string {
			if r.wrongT != nil {
				return "never"
			}
			return text.USD(of(s.task))
		}
	}
	power := func(of func(*side) string) func(*capacityRun, *side) string {
		return func(_ *capacityRun, s *side) string {
			if s.power == nil {
				return "not known"
			}
			return of(s)
		}
	}
	return []billLine{
		{"GPUs", "GPUs", plan(func(p *planner.Plan) string { return text.Whole(p.GPUs) }), false},
		{"GPUs, as a real number", "G", plan(func(p *planner.Plan) string { return text.Num(p.GPUsFractional, 3) }), false},
		{"What binds", "T", plan(func(p *planner.Plan) string { return boundName(p.Bound) }), false},
		{"Busy at the mean load", "busy", plan(func(p *planner.Plan) string { return percent(p.Cost.Busy) }), false},
		{"Time per token, full", "TPOT", plan(func(p *planner.Plan) string { return text.Seconds(p.TPOTSeconds) }), false},
		{"First token, no wait", "first", plan(func(p *planner.Plan) string { return text.Seconds(p.FirstSeconds) }), false},
		{"Mean wait for a replica", "queued", plan(func(p *planner.Plan) string { return text.Seconds(p.MeanWaitSeconds) }), false},
		{"Longest gap of tokens", "gap", plan(func(p *planner.Plan) string { return text.Seconds(p.LongestGapSeconds) }), false},
		{"An hour", "usd", dollars(func(c *planner.Cost) float64 { return c.PerHour }), true},
		{"A million input tokens", "input", dollars(func(c *planner.Cost) float64 { return c.PerMInput }), true},
		{"A million output tokens", "output", dollars(func(c *planner.Cost) float64 { return c.PerMOutput }), true},
		{"The same, input free", "outputAll", dollars(func(c *planner.Cost) float64 { return c.PerMOutputAll }), true},
		{"The same, of those that are read", "shown", dollars(func(c *planner.Cost) float64 { return c.PerMShown }), true},
		{"A request", "request", dollars(func(c *planner.Cost) float64 { return c.PerRequest }), true},
		{"A task, tried", "task", task(func(t *planner.TaskCost) float64 { return t.PerTask }), true},
		{"A task, solved", "solved", task(func(t *planner.TaskCost) float64 { return t.PerSuccess }), true},
		{"Power, at most", "power", power(func(s *side) string { return watts(s.power.FacilityWatts) }), false},
		{"Energy of a million output tokens", "energy", power(func(s *side) string { return energy(s.power) }), false},
		{"Electricity for that", "electricity", power(func(s *side) string { return text.USD(s.power.USDPerMOutput) }), false},
	}
}

func (r *capacityRun) billFigure() demo.Figure {
	f := demo.Figure{ID: "bill", Title: "The bill, and what is promised for it", Kind: demo.Ranks}
	if r.wrong != nil || !r.shown {
		return r.nothing(f)
	}
	f.Ranking = demo.Ranking{Head: "Of this plan", Says: "How", Columns: []demo.RankColumn{{Name: "Plan A"}}}
	if r.both {
		f.Ranking.Columns = append(f.Ranking.Columns, demo.RankColumn{Name: "Plan B"})
	}
	cell := func(l billLine, s *side, wrong *planner.ValueError) demo.RankCell {
		switch {
		case wrong != nil:
			return demo.RankCell{Text: "no plan"}
		case l.money && !s.a.priced:
			return demo.RankCell{Text: "no price"}
		}
		return demo.RankCell{Text: l.of(r, s)}
	}
	for _, l := range billLines() {
		if l.symbol == "shown" && r.plan().ThinkingTokensPerSec == 0 || l.symbol == "electricity" && r.a.kwh == 0 {
			continue
		}
		row := demo.Rank{Label: l.label, Cells: []demo.RankCell{cell(l, r.sideA(), nil)}, Strong: l.label == "GPUs", Open: r.opensBill(l.symbol)}
		if r.both {
			row.Cells = append(row.Cells, cell(l, r.sideB(), r.wrongB))
		}
		if row.Open != nil {
			row.Says = row.Open.Source // of what is solved, not computed
			if row.Open.Numbers != "" {
				row.Says = row.Open.Numbers
			}
		}
		f.Ranking.Rows = append(f.Ranking.Rows, row)
	}
	f.Notes = append(f.Notes, r.priceSource())
	if r.both && r.wrongB != nil {
		f.Notes = append(f.Notes, "Plan B: "+blame(&r.b, r.wrongB))
	}
	if r.wrongT != nil {
		f.Notes = append(f.Notes, r.blame(r.wrongT))
	}
	f.Alt = "The bill: " + gpus(r.plan().GPUs) + ", no price."
	if r.a.priced {
		f.Alt = "The bill: " + gpus(r.plan().GPUs) + ", " + text.USD(r.plan().Cost.PerHour) + " an hour, " + text.USD(r.plan().Cost.PerMOutput) + " a million output tokens."
	}
	if r.both && r.wrongB == nil {
		f.Alt += " Plan B: " + gpus(r.planB.GPUs) + r.cheaper() + "."
	}
	f.Table = demo.RankTable(f)
	return f
}

// opensBill is the equation of the chain, of power or of a task.
func (r *capacityRun) opensBill(symbol string) *demo.Step {
	if s := r.opens(symbol, symbol); s != nil {
		return s
	}
	for _, s := range append(r.powerSteps(), r.taskSteps()...) {
		if s.Key == symbol {
			return &s
		}
	}
	return nil
}

// priceSource says where the price of a GPU is from.
func (r *capacityRun) priceSource() string {
	d := &r.a.deployment
	switch {
	case !r.a.priced:
		return "No example price was found for " + d.GPU.Name + ": give one under “" + groupMoney + "”."
	case r.a.list:
		n := len(d.GPU.Prices)
		return text.USD(d.USDPerGPUHour) + " for an hour of " + d.GPU.Name + " is the middle of " + text.Count(n, "example", "examples") + " that we found, such as " + d.GPU.Prices[0].Source + ". Prices are examples that you can replace."
	}
	return text.USD(d.USDPerGPUHour) + " for an hour of a GPU is your own price."
}

// taskSteps go from a request to a task that is solved.
func (r *capacityRun) taskSteps() []demo.Step {
	if !r.a.priced {
		return nil
	}
	turns := text.Whole(r.a.task.Turns)
	request, attempt := r.plan().Cost.PerRequest, r.taskA.PerAttempt
	if r.wrongT != nil {
		return []demo.Step{{Group: "A task", Key: "success", Name: "Price of a task", Value: "none", Source: r.blame(r.wrongT)}}
	}
	p := text.Num(r.a.task.SuccessFrac, 3)
	chain := "That of a request. Every turn is taken to be the mean request, and attempts to succeed independently."
	return []demo.Step{
		{Group: "A task", Key: "attempt", Name: "Price of an attempt", Numbers: turns + " × " + text.USD(request), Value: text.USD(attempt), Formula: "attempt = turns × request", Source: "Counted.", Error: chain,
			Terms: []demo.Term{{Symbol: "turns", Value: turns, From: "from your settings"}, {Symbol: "request", Value: text.USD(request), From: "Price of a request"}}},
		{Group: "A task", Key: "task", Name: "Price of a task, solved or given up", Numbers: text.USD(attempt) + " × " + text.Num(r.taskA.Attempts, 3), Value: text.USD(r.taskA.PerTask), Formula: "task = attempt × (1 − (1 − p)^R) / p", Source: "Mean number of attempts, at most R.", Error: chain,
			Terms: []demo.Term{{Symbol: "attempt", Value: text.USD(attempt), From: "Price of an attempt"}, {Symbol: "p", Value: p, From: "from your settings"}, {Symbol: "R", Value: text.Whole(r.a.task.MaxAttempts), From: "from your settings"}}},
		{Group: "A task", Key: "solved", Name: "Price of a task that is solved", Numbers: text.USD(attempt) + " / " + p, Value: text.USD(r.taskA.PerSuccess), Strong: true, Formula: "solved = attempt / p", Source: "The bill of all attempts over those that succeed; it does not depend on R.", Error: chain,
			Terms: []demo.Term{{Symbol: "attempt", Value: text.USD(attempt), From: "Price of an attempt"}, {Symbol: "p", Value: p, From: "from your settings"}}},
	}
}
