package failing

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/content/demo/verdict"
	"openloop/sim"
)

// The pictures of the training. Before the answer: curves without a span, without
// marks, and a table of windows. After it: those of eight-signals, the causal
// chain, and how the rules read it.

func (r *hiddenRun) Figures() []demo.Figure {
	signals, strip := r.asked(0, dialID(sim.NumSignals)), r.asked(dialUtilization, numDials)
	if r.marked {
		signals, strip = r.signalsFigure(), r.stripFigure()
		r.drawBeside(&signals, 0)
		r.drawBeside(&strip, dialUtilization)
	}
	signals.ID, signals.Title = "signals", "Eight signals, in windows of 4 s"
	strip.ID, strip.Title, strip.Dense = "strip", "What stands beside them", true
	marking := demo.Figure{ID: "marking", Title: "Your answer, marked", Kind: demo.Ranks}
	chain := demo.Figure{ID: "chain", Title: "What led to what", Kind: demo.Ranks}
	reading := demo.Figure{ID: "diagnosis", Title: "How the rules read it", Kind: demo.Ranks}
	if !r.marked {
		const why = "Shown once your answer is marked."
		return []demo.Figure{marking.Empty(why), signals, strip, chain.Empty(why), reading.Empty(why)}
	}
	read := r.reading()
	reading = verdict.Figure(reading.ID, reading.Title, &read, r.run.windows[:r.now()])
	reading.Notes = append([]string{clocks}, reading.Notes...)
	return []demo.Figure{r.marking(marking), signals, strip, r.chainFigure(chain), reading}
}

// clocks is why the rules may have another time for a move than the curves.
const clocks = "Windows are named by their end. A sign's time here is when it left its own noise, which may be a window or two off the time at which the curve leaves the band."

// asked are dials as they are seen before the answer.
func (r *hiddenRun) asked(from, to dialID) demo.Figure {
	f := demo.Figure{Kind: demo.Traces, X: demo.Axis{Label: "Time", Unit: "s", Max: r.span()}}
	if r.at < r.span() {
		f.Cursor = r.at
	}
	f.Table = demo.Table{Caption: "Window by window, from " + text.Whole(usualFrom) + " s on", Columns: []demo.Column{{Name: "Ends at (s)"}}}
	for d := from; d < to; d++ {
		t := d.trace(&r.run, r.band, r.now())
		if !r.hidden.bands {
			t.Band, t.Lo, t.Hi = false, 0, 0
		}
		f.Traces = append(f.Traces, t)
		w := d.words()
		name := w.title()
		if r.hidden.bands {
			name += ", usual " + r.usual(d)
		}
		f.Table.Columns = append(f.Table.Columns, demo.Column{Name: name})
	}
	for k, w := range r.run.windows[:r.now()] {
		if w.Start < usualFrom {
			continue
		}
		row := []demo.Cell{demo.W(text.Num(w.End, 4))}
		for d := from; d < to; d++ {
			row = append(row, demo.W(number(r.run.dials[d][k], d.words().digits)))
		}
		f.Table.Rows = append(f.Table.Rows, row)
	}
	if len(f.Table.Rows) == 0 {
		row := []demo.Cell{demo.W("none yet")}
		for range to - from {
			row = append(row, demo.W("–"))
		}
		f.Table.Rows = append(f.Table.Rows, row)
	}
	f.Alt = text.Whole(int(to-from)) + " curves over 100 s. The data table has them window by window, from " + text.Whole(usualFrom) + " s on."
	if r.hidden.bands {
		f.Notes = []string{"Green: where 99% of the windows of 30 healthy runs of this cluster are."}
	}
	return f
}

// usualFrom is when the batch has filled, in seconds: bands are made of what comes
// after.
const usualFrom = 20

// usual is the band of a dial in words.
func (r *incident) usual(d dialID) string {
	digits := d.words().digits
	return text.Num(r.band.Lo[d], digits) + " to " + text.Num(r.band.Hi[d], digits)
}

// drawBeside adds the dashed run to a figure: what it could be taken for, or the
// remedy.
func (r *hiddenRun) drawBeside(f *demo.Figure, from dialID) {
	other, says := &r.mended, "Dashed: with the remedy, "+r.remedyLabel()+"."
	if r.pair && r.like.windows != nil {
		other, says = &r.like, "Dashed: "+r.likeName()+" at the same time on the same cluster, with the same seed."
	}
	if other.windows == nil {
		return
	}
	for i := range f.Traces {
		(from + dialID(i)).beside(&f.Traces[i], other)
	}
	f.Notes = append(f.Notes, says)
}

// chainFigure is what left its band, in order, each with its reason: the record of
// the run, and for each signal the clause of the matrix.
func (r *hiddenRun) chainFigure(f demo.Figure) demo.Figure {
	f.Ranking = demo.Ranking{Head: "What", Says: "How, and why", Columns: []demo.RankColumn{{Name: "From"}}}
	add := func(what, note string, at float64, says string, strong bool) {
		f.Ranking.Rows = append(f.Ranking.Rows, demo.Rank{
			Label: what, Note: note, Says: says, Strong: strong, Cells: []demo.RankCell{{Num: at, Text: text.Num(at, 4) + " s"}},
		})
	}
	l := leverOf(r.hidden.lever)
	if l == nil {
		add("nothing", "broken", 0, "No dial has a quarter of its windows beyond its band. One window in a hundred lies outside in good health too.", true)
		f.Alt = "0 links: nothing is broken."
		f.Table = demo.RankTable(f)
		if says := r.separatorText(); says != "" {
			f.Notes = []string{says}
		}
		return f
	}
	if from := r.plan.from.Seconds(); from <= r.at {
		add(l.Name, "the cause", from, capital(l.Breaks)+", "+Strength(l, intensity(l, r.plan.strengths[0]))+".", false)
	}
	left, stayed := 0, []string(nil)
	_, first := r.firstOut()
	for k := range r.run.windows[:r.now()] {
		for d := range numDials {
			if m := r.move(&r.run, d, r.now()); m.first == k {
				left++
				note := ""
				if k == first {
					note = "first"
				}
				add(d.words().name, note, r.run.windows[k].End, r.leftText(d, m), k == first)
			}
		}
	}
	for id := range sim.NumSignals {
		if m := r.move(&r.run, dialID(id), r.now()); m.first < 0 {
			stayed = append(stayed, id.Describe().Name)
		}
	}
	if len(f.Ranking.Rows) == 0 {
		add("nothing", "yet", r.at, "It has not begun.", false)
	}
	if len(stayed) > 0 {
		f.Notes = []string{"In their bands: " + text.List(stayed, "and") + ". What does not move rules out as much as what does."}
	}
	if says := r.separatorText(); says != "" {
		f.Notes = append(f.Notes, says)
	}
	f.Alt = text.Count(left, "dial has left its band", "dials have left their bands") + ", in this order."
	f.Table = demo.RankTable(f)
	return f
}

// leftText is how a dial left, and the reason that the matrix has for it.
func (r *hiddenRun) leftText(d dialID, m moved) string {
	w := d.words()
	out := capital(goes(m.move)) + ": " + w.says(r.run.dials[d][m.first]) + ", usual " + r.usual(d) + "."
	if says := r.reason(d, m.move); says != "" {
		return out + " " + capital(says) + "."
	}
	return out
}

// reason is why a dial moves so under the hidden failure, as a clause; "" if the
// matrix has no such move of a signal.
func (r *hiddenRun) reason(d dialID, move sim.Move) string {
	if d >= dialID(sim.NumSignals) {
		return besideWhy(r.hidden.lever, d, move)
	}
	if e, _ := sim.Signature(r.hidden.lever); e.Moves[d] == move {
		return why(r.hidden.lever, sim.SignalID(d))
	}
	return ""
}

// besideWhy is why a dial of the strip moves, as a clause; the matrix has none of
// them.
func besideWhy(lever string, d dialID, move sim.Move) string {
	up := move == sim.Up
	switch {
	case d == dialUtilization && up:
		return "GPUs idle less"
	case d == dialUtilization:
		return "GPUs wait for work"
	case d == dialOffered && up && lever == "traffic_surge":
		return "the surge itself"
	case d == dialOffered && up, d == dialRetries:
		return "who gave up asks again"
	case d == dialShed:
		return "the door is closed to some"
	case d == dialUp && !up:
		return "a replica is away"
	case d == dialImbalance && up:
		return "one replica holds more than its share"
	case d == dialImbalance:
		return "replicas become more alike"
	case (d == dialGoodput || d == dialCompleted) && up:
		return "more come, and there is still room"
	case d == dialGoodput:
		return "fewer are answered in time"
	case d == dialCompleted:
		return "work takes longer than it did"
	}
	return ""
}
