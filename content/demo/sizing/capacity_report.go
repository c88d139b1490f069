package sizing

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner"
)

// The plan on paper and as a file: what went in, what came out, what was taken
// for granted. Until the reader has guessed, a file has the inputs alone.

// plain are the settings that are no inputs of a plan.
func plainSetting(name string) bool { return name == "guess" || name == "plan" }

// inputs are the settings that count, in the order of the panel.
func (r *capacityRun) inputs(each func(k demo.Knob, x float64)) {
	d := &demo.Demo{Knobs: capacityKnobs()}
	s := demo.State{Demo: d, Values: r.values}
	for i, k := range d.Knobs {
		x := r.values.At(i)
		if plainSetting(k.Name) || s.Idle(i) != "" || k.Group == groupB && x == k.Default {
			continue
		}
		each(k, x)
	}
}

// inputsFigure is for paper: the screen has the panel. Only where there is no equation
// at all does it stand on the screen as well, in their place.
func (r *capacityRun) inputsFigure() demo.Figure {
	f := demo.Figure{ID: "inputs", Title: "What went in, and what is taken for granted", Kind: demo.Steps, Paper: true}
	refused := len(r.links) == 0
	if refused {
		f.Title = "What was asked for"
	} else if r.wrong != nil || !r.shown {
		return r.nothing(f)
	}
	f.Table = demo.Table{Caption: f.Title, Columns: []demo.Column{{Name: "Input"}, {Name: "Value"}}}
	r.inputs(func(k demo.Knob, x float64) {
		group := k.Group
		if group == "" {
			group = "First of all"
		}
		f.Steps = append(f.Steps, demo.Step{Group: group, Key: k.Name, Name: k.Label, Value: r.inputSays(k, x), Strong: x != k.Default, Source: k.Doc})
		if len(f.Table.Rows) < 20 {
			f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.W(k.Label), demo.W(r.inputSays(k, x))})
		}
	})
	f.Notes = []string{"Names in bold differ from the settings with which the planner opens."}
	f.Alt = text.Whole(len(f.Steps)) + " inputs of the plan."
	if refused {
		f.Notes[0] += " The table has the first 20; the CSV has all."
		return f
	}
	granted := "Taken for granted:"
	for _, a := range planner.Assumptions() {
		granted += " " + a.Text
	}
	f.Notes = append(f.Notes, granted)
	return f
}

// inputSays is an input in words; the price of a list with what the list says.
func (r *capacityRun) inputSays(k demo.Knob, x float64) string {
	if k.Name == "price" && x == 0 && r.a.priced {
		return k.Zero + " (" + text.USD(r.a.deployment.USDPerGPUHour) + ")"
	}
	return k.Says(x)
}

// hidden is what a file says in the place of a plan that nobody has guessed at.
const hiddenSays = "inputs only: the plan is hidden until you have guessed; set plan=shown for it"

// Head adds that to a file of a hidden plan.
func (r *capacityRun) Head() []demo.Pair {
	if r.shown {
		return nil
	}
	return []demo.Pair{{Key: "hidden", Value: hiddenSays}}
}

// Records is the report: inputs, the chain, what binds, the levers, what the plan
// hangs on, the bill of plan B, what is taken for granted, the next benchmark.
func (r *capacityRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "part"}, {Name: "symbol"}, {Name: "name"}, {Name: "value", Digits: 6}, {Name: "unit"}, {Name: "formula"}, {Name: "source"}}}
	row := func(part, symbol, name string, value demo.Cell, unit, formula, source string) {
		t.Rows = append(t.Rows, []demo.Cell{demo.W(part), demo.W(symbol), demo.W(name), value, demo.W(unit), demo.W(formula), demo.W(source)})
	}
	add := func(part, symbol, name string, value float64, unit, formula, source string) {
		row(part, symbol, name, demo.N(value), unit, formula, source)
	}
	r.inputs(func(k demo.Knob, x float64) {
		value, unit := demo.N(x), k.Unit
		if k.Choice() || x == 0 && k.Zero != "" {
			value = demo.W(r.inputSays(k, x))
			unit = ""
		}
		row("input", k.Name, k.Label, value, unit, "", k.Doc)
	})
	if !r.shown {
		return t
	}
	if r.wrong != nil {
		row("impossible", "", r.blame(r.wrong), demo.W("none"), "", "", "")
		return t
	}
	chain := func(part string, links []planner.Link, source func(planner.Link) string) {
		for _, l := range links {
			if r.a.unpriced(l.Unit) {
				continue
			}
			add(part, l.Symbol, l.Name, l.Value, l.Unit, l.Formula, source(l))
		}
	}
	chain("chain", r.links, r.source)
	if r.wrongT == nil && r.a.priced {
		add("task", "attempt", "Price of an attempt", r.taskA.PerAttempt, "USD", "turns*request", "")
		add("task", "task", "Price of a task, solved or given up", r.taskA.PerTask, "USD", "attempt*(1 - (1 - p)^R)/p", "")
		add("task", "solved", "Price of a task that is solved", r.taskA.PerSuccess, "USD", "attempt/p", "")
	}
	if w := r.powerA; w != nil {
		add("power", "power", "Power of the fleet, at most", w.FacilityWatts, "W", "GPUs*rated*pue", "")
		add("power", "energy", "Energy of a million output tokens, at most", kWhPerM(w), "kWh", "power/(3.6*out)", "")
		if r.a.kwh > 0 {
			add("power", "electricity", "Electricity of a million output tokens, at most", w.USDPerMOutput, "USD", "energy*kwh", "")
		}
	}
	for _, id := range r.ablation.Ranked {
		s := &r.ablation.Savings[id]
		add("lever", id.Lever().Slug, id.Lever().Name, s.Alone, "GPUs", "GPUs without − GPUs with", r.because(s))
	}
	for i := range r.moves {
		x := &r.moves[i]
		for j, m := range [2]*planner.Moved{&x.Less, &x.More} {
			if m.Err == nil {
				add("moved", x.Input.String(), moveNames[x.Input]+" × "+text.Num(m.Factor, 3), m.GPUsFractional, "GPUs", "", [2]string{"less", "more"}[j])
			}
		}
	}
	if r.both && r.wrongB == nil {
		chain("plan B", r.linksB, func(l planner.Link) string { return sentence(l.Source) })
	}
	if r.both && r.wrongB != nil {
		row("plan B", "", blame(&r.b, r.wrongB), demo.W("none"), "", "", "")
	}
	for _, a := range planner.Assumptions() {
		row("assumption", a.ID, a.Text, demo.W(""), "", "", "")
	}
	for _, tool := range r.bench().tools() {
		add("benchmark", "", tool.name, r.bench().rate, "requests/s", "", joined(tool))
	}
	return t
}
