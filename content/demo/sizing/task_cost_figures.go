package sizing

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

// The pictures and words of task-cost.

func (r *taskRun) Figures() []demo.Figure {
	return []demo.Figure{r.rowsFigure(), r.turnsFigure()}
}

func (r *taskRun) rowsFigure() demo.Figure {
	f := demo.Figure{ID: "rows", Title: "From the price list to a solved task", Kind: demo.Ranks}
	if r.wrong != "" {
		return f.Empty(r.wrong)
	}
	f.Ranking = demo.Ranking{Head: "Counted", Columns: []demo.RankColumn{{Name: "A task", Bar: true}, {Name: "Over the list"}}, Says: "Because"}
	for i, row := range r.rows {
		f.Ranking.Rows = append(f.Ranking.Rows, demo.Rank{Label: row.label, Says: row.says, Open: &row.open, Strong: i == len(r.rows)-1,
			Cells: []demo.RankCell{{Num: row.usd, Text: text.USD(row.usd)}, {Text: text.Num(row.usd/r.rows[0].usd, 3) + " ×"}}})
	}
	f.Notes = []string{"The list: " + text.USD(r.list.PerMInput) + " for a million input tokens and " + text.USD(r.list.PerMOutput) + " for a million output tokens, computed for chat on the same model and hardware. One attempt reads " +
		text.Whole(int(r.tokens.PrefillNoCache)) + " tokens, of which a cache spares " + percent(r.tokens.HitFrac) + ", and writes " + text.Whole(int(r.tokens.Decode)) + "."}
	f.Alt = "What a task costs: " + text.USD(r.rows[0].usd) + " by the list, " + text.USD(r.cost.PerSuccess) + " solved, " + text.Num(r.ratio(), 3) + " times as much."
	f.Table = demo.RankTable(f)
	return f
}

func (r *taskRun) turnsFigure() demo.Figure {
	f := demo.Figure{
		ID: "turns", Title: "A solved task over the list, by turns", Kind: demo.Chart,
		X:     demo.Axis{Label: "Turns", Min: 1, Max: 100, Log: true, Digits: 3},
		Y:     demo.Axis{Label: "Times the list", Digits: 3},
		Marks: []demo.Mark{{At: float64(r.task.Turns), Label: "yours", Knob: "turns"}},
		Table: demo.Table{Caption: "A solved task, by turns", Columns: []demo.Column{{Name: "Turns"}, {Name: "By the list", Unit: "$", Digits: 3}, {Name: "With a cache", Unit: "$", Digits: 3}, {Name: "Without", Unit: "$", Digits: 3}}},
	}
	cached := none("cached", "prefix cache", demo.Open, demo.Line)
	uncached := none("uncached", "no cache", demo.Closed, demo.Line)
	for _, p := range r.sweep {
		cached.X, cached.Y = append(cached.X, p.turns), append(cached.Y, p.cached/p.listed)
		uncached.X, uncached.Y = append(uncached.X, p.turns), append(uncached.Y, p.uncached/p.listed)
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.N(p.turns), demo.N(p.listed), demo.N(p.cached), demo.N(p.uncached)})
	}
	f.Series = []demo.Series{cached, uncached}
	f.Notes = []string{"Each point is the last row above over the first, by their equations, for so many turns."}
	if n := len(r.sweep); n > 0 {
		last := r.sweep[n-1]
		f.Alt = "With " + text.Num(last.turns, 3) + " turns a solved task costs " + text.Num(last.cached/last.listed, 3) + " times the list with a prefix cache and " + text.Num(last.uncached/last.listed, 3) + " times without."
	} else {
		empty := f.Empty("No fleet keeps its promise.")
		f.Alt, f.Table = empty.Alt, empty.Table
	}
	return f
}

func (r *taskRun) Summary() demo.Sentence {
	if r.wrong != "" {
		return demo.Say("", r.wrong)
	}
	return demo.Say("By the list the words of this task cost "+text.USD(r.rows[0].usd)+". Solved, it costs ", text.USD(r.cost.PerSuccess)+", "+text.Num(r.ratio(), 2)+" times as much", ": a success takes "+text.WithUnit(text.Num(1/r.task.SuccessFrac, 3), "attempts")+" over all tasks, each of which decodes "+text.Whole(int(r.tokens.Decode))+" tokens to show "+text.Whole(int(float64(r.task.Turns)*r.task.AnswerTokens))+". If given up after "+text.Count(r.task.MaxAttempts, "attempt", "attempts")+", "+percent(r.cost.SuccessFrac)+" of the tasks are solved, for "+text.USD(r.cost.PerTask)+" for each that was tried.")
}

func (r *taskRun) Metrics() []demo.Metric {
	row := func(i int) float64 {
		if r.wrong != "" {
			return math.NaN()
		}
		return r.rows[i].usd
	}
	return []demo.Metric{
		{Name: "once", Label: "The words, once", Unit: "$", Value: row(0), Digits: 3},
		{Name: "reread", Label: "Read in every turn", Unit: "$", Value: row(1), Digits: 3},
		{Name: "thought", Label: "With thinking", Unit: "$", Value: row(2), Digits: 3},
		{Name: "attempt", Label: "On a fleet for it", Unit: "$", Value: row(3), Digits: 3},
		{Name: "solved", Label: "Solved", Unit: "$", Value: row(4), Digits: 3},
		{Name: "ratio", Label: "Solved over the list", Value: row(4) / row(0), Digits: 3},
		{Name: "list_input", Label: "List, a million input tokens", Unit: "$", Value: r.list.PerMInput, Digits: 3},
		{Name: "list_output", Label: "List, a million output tokens", Unit: "$", Value: r.list.PerMOutput, Digits: 3},
		{Name: "read", Label: "Read in an attempt", Unit: "tokens", Value: r.tokens.PrefillNoCache},
		{Name: "computed", Label: "Computed with a cache", Unit: "tokens", Value: r.tokens.PrefillRecomputed},
		{Name: "written", Label: "Written in an attempt", Unit: "tokens", Value: r.tokens.Decode},
		{Name: "hit", Label: "Spared by the cache", Unit: "%", Value: 100 * r.tokens.HitFrac, Digits: 3},
	}
}

// Records is the price by turns.
func (r *taskRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "turns"}, {Name: "list", Unit: "$", Digits: 4}, {Name: "solved_cache", Unit: "$", Digits: 4}, {Name: "solved_no_cache", Unit: "$", Digits: 4}}}
	for _, p := range r.sweep {
		t.Rows = append(t.Rows, []demo.Cell{demo.N(p.turns), demo.N(p.listed), demo.N(p.cached), demo.N(p.uncached)})
	}
	if len(t.Rows) == 0 {
		t.Rows = append(t.Rows, []demo.Cell{demo.N(float64(r.task.Turns)), demo.N(r.rows[0].usd), demo.N(0), demo.N(0)})
	}
	return t
}
