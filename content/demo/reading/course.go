package reading

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/sim"
	"openloop/sim/diagnose"
	"openloop/sim/scrape"
)

// The course of a log: the signals that its lines carry, over time. Two scrapes
// have none.

// fewest windows have a course.
const fewest = 3

func (t *task) courseFigure() demo.Figure {
	f := demo.Figure{ID: "course", Title: "The signals over time", Kind: demo.Traces}
	switch {
	case t.wrong != "":
		return f.Empty("There is nothing to show.")
	case t.read.Source != scrape.LogLines:
		return f.Empty("Scrapes are single instants. Lines of a log have a course.")
	case len(t.w) < fewest || !t.w[len(t.w)-1].Timed:
		return f.Empty("That takes three lines or more with their time stamps.")
	}
	f.X = demo.Axis{Label: "Time since the first line", Unit: "s", Max: t.w[len(t.w)-1].End}
	f.Table = demo.Table{Caption: f.Title, Columns: []demo.Column{{Name: "Signal"}, {Name: "First"}, {Name: "Least"}, {Name: "Most"}, {Name: "Last"}, {Name: "Left what is normal"}}}
	left := 0
	for id := range sim.NumSignals {
		x, ok := t.trace(id)
		if !ok {
			continue
		}
		says := func(v float64) demo.Cell { return demo.W(inUnit(scrape.ID(id), v)) }
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, y := range x.Y {
			if y == y {
				lo, hi = min(lo, y), max(hi, y)
			}
		}
		moved := "no"
		if x.Left > 0 {
			moved = "at " + text.Num(x.Left, 4) + " s"
			left++
		}
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.W(x.Name), says(first(x.Y)), says(lo), says(hi), says(x.Last()), demo.W(moved)})
		x.Says = inUnit(scrape.ID(id), x.Last())
		if id == sim.KVOccupancy || id == sim.PrefixHit { // shares are drawn in percent
			for i := range x.Y {
				x.Y[i] *= 100
			}
			x.Top = 100
		}
		f.Traces = append(f.Traces, x)
	}
	if len(f.Traces) == 0 {
		return f.Empty("None of the signals is in the lines.")
	}
	f.Alt = text.Whole(len(f.Traces)) + " of 8 signals over " + text.Num(f.X.Max, 4) + " s; " + text.Whole(left) + " left what is normal."
	f.Notes = []string{"A red triangle: where a signal left what is normal, judged by the lines before it."}
	return f
}

func first(y []float64) float64 {
	for _, v := range y {
		if v == v {
			return v
		}
	}
	return math.NaN()
}

// trace is one signal; ok is false if no line has it.
func (t *task) trace(id sim.SignalID) (out demo.Trace, ok bool) {
	out = demo.Trace{ID: "course-" + text.Whole(int(id)), Name: upper(id.Describe().Name), Digits: 3}
	for i := range t.w {
		y := math.NaN()
		if v := t.w[i].Signal[id]; v.Known && !math.IsInf(v.Value, 0) {
			y, ok = v.Value, true
		}
		out.X, out.Y = append(out.X, t.w[i].End), append(out.Y, y)
	}
	if x := t.found.Found[diagnose.SignOf(id)]; x.Known && x.Move != sim.Flat && x.From < len(t.w) {
		out.Left = t.w[x.From].End
	}
	out.Top = demo.TraceTop(out.Y...)
	return out, ok
}
