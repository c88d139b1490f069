package sizing

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner"
)

// What the plan hangs on: each input a fifth lower and a fifth higher, the others
// as they are.

// moveFrac is how far inputs are moved.
const moveFrac = 0.2

// moveNames are the planner's inputs as they are called here.
var moveNames = [planner.Inputs]string{
	planner.InputRate: "Requests", planner.InputPeak: "Peak above the mean", planner.InputPrompt: "Prompt", planner.InputOutput: "Output, with thinking", planner.InputHit: "Found in the prefix cache",
	planner.InputArrivalCV2: "Bursts", planner.InputServiceCV2: "Spread of the work", planner.InputMFU: "MFU", planner.InputMBU: "MBU", planner.InputMemory: "Memory for weights and KV",
	planner.InputStep: "What the engine adds to a step", planner.InputTarget: "Busy at most", planner.InputTPOT: "Time per output token", planner.InputTTFT: "Time to first token", planner.InputWait: "Wait for a replica", planner.InputPrice: "A GPU for an hour",
}

// moveValue is an input as it is read.
func moveValue(x *planner.Influence) string {
	switch x.Input {
	case planner.InputRate:
		return perSecond(x.Value)
	case planner.InputPrompt, planner.InputOutput:
		return tokens(x.Value)
	case planner.InputHit, planner.InputMFU, planner.InputMBU, planner.InputMemory, planner.InputTarget:
		return percent(x.Value)
	case planner.InputStep, planner.InputTPOT, planner.InputTTFT, planner.InputWait:
		return text.Seconds(x.Value)
	case planner.InputPrice:
		return text.USD(x.Value)
	}
	return text.Num(x.Value, 3)
}

func (r *capacityRun) movesFigure() demo.Figure {
	f := demo.Figure{ID: "moves", Title: "What the plan hangs on", Kind: demo.Ranks}
	if r.wrong != nil || !r.shown || len(r.moves) == 0 {
		return r.nothing(f)
	}
	f.Ranking = demo.Ranking{Head: "Input", Says: "What binds then", Columns: []demo.RankColumn{{Name: "20% less", Bar: true}, {Name: "20% more", Bar: true}}}
	var still []string
	for i := range r.moves {
		x := &r.moves[i]
		if x.NoEffects {
			still = append(still, moveNames[x.Input])
			continue
		}
		f.Ranking.Rows = append(f.Ranking.Rows, demo.Rank{Label: moveNames[x.Input], Note: moveValue(x), Says: r.movesSay(x), Open: r.opensMove(x),
			Cells: []demo.RankCell{r.moved(x, &x.Less), r.moved(x, &x.More)}})
	}
	if len(f.Ranking.Rows) == 0 {
		return r.nothing(f)
	}
	f.Ranking.Rows[0].Strong = true
	f.Notes = []string{"GPUs as real numbers, less those of the plan.", "Hatched where they are more. What stands first is worth measuring first."}
	if len(still) > 0 {
		f.Notes = append(f.Notes, "Nothing moves with: "+text.List(still, "or")+".")
	}
	first := &r.moves[0]
	f.Alt = text.Whole(len(f.Ranking.Rows)) + " inputs by what they move. First is " + moveNames[first.Input] + ", " + gpusOf(first.Span) + " from 20% less to 20% more."
	f.Table = demo.RankTable(f)
	return f
}

// moved is how many GPUs more it then takes, or how much more an hour costs.
func (r *capacityRun) moved(x *planner.Influence, m *planner.Moved) demo.RankCell {
	switch {
	case m.Err != nil:
		return demo.RankCell{Text: "no plan"}
	case x.Input == planner.InputPrice:
		return demo.RankCell{Text: signed(m.USDPerHour-r.plan().Cost.PerHour, "$") + " an hour"}
	}
	by := m.GPUsFractional - r.plan().GPUsFractional
	return demo.RankCell{Num: -by, Text: signed(by, "")}
}

func signed(x float64, unit string) string {
	switch s := text.Num(x, 3); {
	case x < 0:
		return minusSign + unit + text.Num(-x, 3)
	case x > 0:
		return "+" + unit + s
	default:
		return unit + s
	}
}

// movesSay is what binds then, if it is something else.
func (r *capacityRun) movesSay(x *planner.Influence) string {
	says := ""
	for i, m := range [2]*planner.Moved{&x.Less, &x.More} {
		than := [2]string{"with less", "with more"}[i]
		switch {
		case m.Err != nil:
			says += ", " + than + " no plan is possible"
		case m.Bound != r.plan().Bound:
			says += ", " + than + " " + boundName(m.Bound) + " binds"
		case m.Capped:
			says += ", " + than + " as far as it can go"
		}
	}
	switch {
	case says != "":
		return says[2:]
	case x.Input == planner.InputPrice:
		return "it moves no GPU"
	}
	return boundName(r.plan().Bound) + ", as before"
}

func (r *capacityRun) opensMove(x *planner.Influence) *demo.Step {
	s := demo.Step{Key: x.Input.String(), Formula: "GPUs with the input moved − GPUs of the plan", Source: "The plan, made anew with this input alone moved; how busy replicas may be is solved anew as well.", Error: "That of the GPUs of the plan: " + r.stepError(),
		Terms: []demo.Term{{Symbol: "input", Value: moveValue(x), From: moveNames[x.Input]}, {Symbol: "plan", Value: gpusOf(r.plan().GPUsFractional), From: "GPUs as a real number, without spares"}}}
	for i, m := range [2]*planner.Moved{&x.Less, &x.More} {
		t := demo.Term{Symbol: [2]string{"less", "more"}[i], Value: gpusOf(m.GPUsFractional), From: "input × " + text.Num(m.Factor, 3)}
		switch {
		case m.Err != nil:
			t.Value = "no plan"
		case r.a.priced:
			t.Value += ", " + text.USD(m.USDPerHour) + " an hour"
		}
		s.Terms = append(s.Terms, t)
	}
	return &s
}
