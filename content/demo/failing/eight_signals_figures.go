package failing

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/content/demo/verdict"
	"openloop/sim"
	"openloop/sim/diagnose"
)

// The pictures of eight-signals: the signals, what stands beside them, and how
// the rules read them.

func (r *eightRun) Figures() []demo.Figure {
	read := r.reading()
	return []demo.Figure{r.signalsFigure(), r.stripFigure(), verdict.Figure("reading", "How the rules read it", &read, r.run.windows[:r.now()])}
}

// reading is what the rules say of the windows that are known.
func (r *eightRun) reading() diagnose.Reading { return diagnose.Read(r.run.windows[:r.now()]) }

func (r *incident) tracesFigure(from, to dialID) demo.Figure {
	f := demo.Figure{Kind: demo.Traces, X: demo.Axis{Label: "Time", Unit: "s", Max: r.span()}}
	if r.fails() {
		f.Bands = []demo.Band{{From: r.plan.from.Seconds(), To: min(r.plan.to.Seconds(), r.span()), Label: "failure"}}
	}
	for _, x := range remedies() {
		if at := (r.plan.from + mendAfter).Seconds(); x.id == r.plan.remedy && x.hand {
			f.Marks = []demo.Mark{{At: at, Label: "remedy"}}
		}
	}
	if r.at < r.span() {
		f.Cursor = r.at
	}
	for d := from; d < to; d++ {
		t := d.trace(&r.run, r.band, r.now())
		if m := r.move(&r.run, d, r.now()); m.first >= 0 {
			t.Left = r.run.windows[m.first].End
			value := d.words().says(m.most) // of the whole run what it came to
			if r.at < r.span() {
				value = d.words().says(t.Last())
			}
			t.Says = arrow(m.move) + " " + value + ", from " + text.Num(t.Left, 4) + " s"
		}
		if r.plan.remedy != "none" {
			d.beside(&t, &r.bare)
		}
		f.Traces = append(f.Traces, t)
	}
	return f
}

func (r *eightRun) signalsFigure() demo.Figure {
	f := r.tracesFigure(0, dialID(sim.NumSignals))
	f.ID, f.Title = "signals", "Eight signals, in windows of 4 s"
	moves, _ := r.movers()
	f.Alt = text.Count(len(moves), "signal of 8 has left its band", "signals of 8 have left their bands")
	if len(moves) > 0 {
		f.Alt += ": " + names(moves)
	}
	f.Alt += "."
	f.Notes = []string{"Green: where 99% of the windows of 30 healthy runs are. A red triangle: the first window of a signal that has left it, which takes a quarter of its windows in the gray span; the number beside it is the one furthest out."}
	if r.plan.remedy != "none" {
		f.Notes = append(f.Notes, "Dashed: the same failure without the remedy.")
	}
	showAsked(&f, r.Replay)
	f.Table = r.dialTable("Signals: usual, before, during and after the failure", 0, dialID(sim.NumSignals))
	return f
}

func (r *eightRun) stripFigure() demo.Figure {
	f := r.tracesFigure(dialUtilization, numDials)
	f.ID, f.Title, f.Dense = "strip", "What stands beside them", true
	f.Alt = "GPU utilization " + r.words(dialUtilization, 0) + " before and " + r.words(dialUtilization, 1) + " during; goodput " +
		r.words(dialGoodput, 0) + " before and " + r.words(dialGoodput, 1) + " during."
	showAsked(&f, r.Replay)
	f.Table = r.dialTable("Beside the signals: usual, before, during and after the failure", dialUtilization, numDials)
	return f
}

// words is the mean of a dial in a phase.
func (r *eightRun) words(d dialID, phase int) string {
	x := r.phase(&r.run, d, phase)
	if math.IsNaN(x) {
		return "not known yet"
	}
	return d.words().says(x)
}

// movers are the signals that have left, and in which windows.
func (r *eightRun) movers() (ids []sim.SignalID, at []int) {
	for id := range sim.NumSignals {
		if m := r.move(&r.run, dialID(id), r.now()); m.first >= 0 {
			ids, at = append(ids, id), append(at, m.first)
		}
	}
	return ids, at
}

func (r *eightRun) dialTable(caption string, from, to dialID) demo.Table {
	t := demo.Table{Caption: caption, Columns: []demo.Column{
		{Name: "What"}, {Name: "Usual"}, {Name: "Before"}, {Name: "During"}, {Name: "After"}, {Name: "Moved"},
	}}
	for d := from; d < to; d++ {
		w := d.words()
		row := []demo.Cell{demo.W(w.title()), demo.W(text.Num(r.band.Lo[d], w.digits) + " to " + text.Num(r.band.Hi[d], w.digits))}
		for phase := range 3 {
			row = append(row, demo.W(number(r.phase(&r.run, d, phase), w.digits)))
		}
		moved := "no"
		if m := r.move(&r.run, d, r.now()); m.first >= 0 {
			moved = goes(m.move) + ", " + text.Num(r.run.windows[m.first].End, 4) + " s"
		}
		t.Rows = append(t.Rows, append(row, demo.W(moved)))
	}
	return t
}
