package sizing

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner"
)

// What binds, and what each lever saves.

func (r *capacityRun) Figures() []demo.Figure {
	return []demo.Figure{r.chainFigure(), r.limitsFigure(), r.leversFigure(), r.movesFigure(), r.billFigure(), r.benchFigure(), r.inputsFigure()}
}

// nothing fills a figure whose plan is hidden or impossible.
func (r *capacityRun) nothing(f demo.Figure) demo.Figure {
	says := "Nothing to show."
	switch {
	case r.wrong != nil:
		says = "There is no plan."
	case !r.shown:
		says = "Hidden until you have guessed."
	}
	return f.Empty(says)
}

func gpus(n int) string { return text.Count(n, "GPU", "GPUs") }

func gpusOf(x float64) string { return text.Num(x, 3) + " GPUs" }

// limits are the times of which the longest sets T, by symbol.
var limits = []struct{ symbol, name, says string }{
	{"Tmem", "Memory", "no more sequences fit beside the weights, and each step reads all weights for those that do"},
	{"Ttpot", "Time per token", "a larger batch, or more prefills between two steps, would break the promise"},
	{"Tcmp", "Arithmetic", "all FLOP of prefill and decode at the share of the peak that is reached"},
}

func (r *capacityRun) limitsFigure() demo.Figure {
	f := demo.Figure{ID: "limits", Title: "What binds", Kind: demo.Ranks}
	if r.wrong != nil || !r.shown {
		return r.nothing(f)
	}
	p := r.plan()
	f.Ranking = demo.Ranking{Head: "Limit", Columns: []demo.RankColumn{{Name: "GPUs by it", Bar: true}}, Says: "Because"}
	perSecond := p.GPUsFractional / p.ReplicaSeconds
	for _, l := range limits {
		link, _ := find(r.links, l.symbol)
		by := link.Value * perSecond
		row := demo.Rank{Label: l.name, Says: l.says, Strong: l.symbol == bindingSymbol(p.Binds), Cells: []demo.RankCell{{Num: by, Text: gpusOf(by)}}, Open: r.opensLimit(l.symbol, by)}
		if l.symbol == "Ttpot" && r.a.objective.TPOTSeconds == 0 {
			row.Says, row.Cells[0].Text, row.Open = "nothing is promised", "none", nil
		}
		if l.symbol == "Tmem" && p.Binds == planner.BoundSeats {
			row.Says = "no more seats: the most sequences in a step"
		}
		if row.Strong {
			row.Note = "binds"
		}
		f.Ranking.Rows = append(f.Ranking.Rows, row)
	}
	prefill, decode := p.PrefillGPUSecondsPerSec, p.DecodeGPUSecondsPerSec
	share := prefill / (prefill + decode)
	f.Notes = []string{"Of each second " + text.Num(prefill, 4) + " GPU-seconds are prefill, bound by arithmetic, and " + text.Num(decode, 4) + " are decode, bound by reading weights and KV: prefill is " + percent(share) + " of the work, before anything is left idle."}
	if p.Bound == planner.BoundTTFT {
		f.Notes = append(f.Notes, "The fleet is larger than the target asks for, because of the wait for the first token: a replica may be busy "+percent(p.TargetFrac)+" of the time.")
	}
	if r.a.expanded {
		f.Notes = append(f.Notes, r.a.deployment.GPU.Name+" does not compute in "+r.a.deployment.Weights.String()+": weights are expanded, and the arithmetic runs in bf16.")
	}
	if r.a.why != "" {
		f.Notes = append(f.Notes, r.a.unmeasured())
	}
	f.Alt = "GPUs by each limit: " + r.limitsText() + ". " + boundName(p.Binds) + " binds."
	f.Table = demo.RankTable(f)
	return f
}

func (r *capacityRun) limitsText() string {
	out := ""
	for i, row := range limits {
		link, _ := find(r.links, row.symbol)
		if i > 0 {
			out += ", "
		}
		out += row.name + " " + text.Num(link.Value*r.plan().GPUsFractional/r.plan().ReplicaSeconds, 3)
	}
	return out
}

func find(links []planner.Link, symbol string) (planner.Link, bool) {
	for _, l := range links {
		if l.Symbol == symbol {
			return l, true
		}
	}
	return planner.Link{}, false
}

func boundName(b planner.Bound) string {
	switch b {
	case planner.BoundMemory:
		return "memory"
	case planner.BoundSeats:
		return "the number of seats"
	case planner.BoundTPOT:
		return "the time per token"
	case planner.BoundCompute:
		return "arithmetic"
	}
	return "the time to first token"
}

func (r *capacityRun) leversFigure() demo.Figure {
	f := demo.Figure{ID: "levers", Title: "What each lever saves now", Kind: demo.Ranks}
	if r.wrong != nil || !r.shown {
		return r.nothing(f)
	}
	a := &r.ablation
	f.Ranking = demo.Ranking{Head: "Lever", Columns: []demo.RankColumn{{Name: "Alone", Bar: true}, {Name: "Last in", Bar: true}}, Says: "Because"}
	for _, id := range a.Ranked {
		s := &a.Savings[id]
		row := demo.Rank{Label: id.Lever().Name, Says: r.because(s), Open: r.opensLever(s), Cells: []demo.RankCell{{Num: s.Alone, Text: saves(s)}, {Num: s.LastIn, Text: text.Num(s.LastIn, 3)}}}
		if s.On {
			row.Note = "on"
		}
		if !s.LastInKnown {
			row.Cells[1] = demo.RankCell{Text: "n/a"}
		}
		f.Ranking.Rows = append(f.Ranking.Rows, row)
	}
	f.Ranking.Rows[0].Strong = true
	f.Notes = []string{
		"GPUs, as real numbers: what a lever that is on saves, and one that is off would save, the others as they stand; last in, with all others on.",
		"Each row opens to its two sides and to its price in quality, memory and trouble.",
	}
	if a.Known && a.AloneSum != 0 {
		f.Ranking.Rows = append(f.Ranking.Rows, demo.Rank{Label: "All of them", Note: "sum", Says: "Savings do not add: from none of them to all of them it is " + text.Num(a.None-a.All, 3) + ".", Open: r.opensSum(), Cells: []demo.RankCell{{Text: text.Num(a.AloneSum, 3)}, {}}})
	}
	first := a.Ranked[0].Lever()
	f.Alt = "Nine levers by what they save. First is " + first.Name + ", " + text.Num(a.Savings[first.ID].Alone, 3) + " GPUs."
	f.Table = demo.RankTable(f)
	return f
}
