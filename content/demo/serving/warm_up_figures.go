package serving

import (
	"math"
	"slices"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

// The pictures of warm-up: tokens by the second, times to first token by the
// second, and what each window would report.

func (r *warmUpRun) Figures() []demo.Figure {
	return []demo.Figure{r.tokenFigure(), r.ttftFigure(), r.answerFigure()}
}

// band shades the window, for the figures over time.
func (r *warmUpRun) band() []demo.Band {
	return []demo.Band{{From: float64(r.cut), To: float64(r.cut + r.length)}}
}

func (r *warmUpRun) marks(long float64, label string) []demo.Mark {
	cut := demo.Mark{At: float64(r.cut), Label: "cut", Knob: "cut"}
	out := []demo.Mark{{At: long, Level: true, Label: label}}
	if m := r.seeds[0].mser; m.Found && m.Until.Seconds() < warmUpShown {
		at := m.Until.Seconds()
		if math.Abs(at-cut.At) < 8 { // no room for two names
			cut.Label = "cut, MSER-5"
		} else {
			out = append(out, demo.Mark{At: at, Label: "MSER-5"})
		}
	}
	return append(out, cut)
}

// overTime is the axis of seconds.
func overTime() demo.Axis {
	return demo.Axis{Label: "Time since the start", Unit: "s", Min: 0, Max: warmUpShown, Digits: 3}
}

// reported is the window's mean as a line over the window.
func (r *warmUpRun) reported(y float64) demo.Series {
	return demo.Series{ID: "reported", Name: "reported", Role: demo.Ink, Shape: demo.Line, X: []float64{float64(r.cut), float64(r.cut + r.length)}, Y: []float64{y, y}}
}

// seedBand is the median over the seeds of a value by the second, with the
// middle eight tenths around it; empty for one seed and where it is undefined.
func (r *warmUpRun) seedBand(n int, x, y func(s *warmSeed, k int) float64) demo.Series {
	// The interval is there even if it is empty: a chart keeps the slots that
	// it began with.
	out := demo.Series{ID: "seeds", Name: "30 seeds", Role: demo.Soft, Shape: demo.Line, Lo: []float64{}, Hi: []float64{}}
	if !r.many() {
		return out
	}
	for k := range n {
		var values []float64
		for i := range r.seeds {
			if v := y(&r.seeds[i], k); !math.IsNaN(v) {
				values = append(values, v)
			}
		}
		if len(values) == 0 {
			continue
		}
		slices.Sort(values)
		last := float64(len(values) - 1)
		at := func(q float64) float64 { return values[int(float64(q*last)+0.5)] }
		out.X = append(out.X, x(&r.seeds[0], k))
		out.Lo, out.Y, out.Hi = append(out.Lo, at(0.1)), append(out.Y, at(0.5)), append(out.Hi, at(0.9))
	}
	return out
}

func middle(_ *warmSeed, k int) float64 { return float64(k) + 0.5 }

func (r *warmUpRun) tokenFigure() demo.Figure {
	s := &r.seeds[0]
	run := demo.Series{ID: "run", Name: "each second", Role: demo.Open, Shape: demo.Line}
	for k := range warmUpShown {
		run.X, run.Y = append(run.X, middle(nil, k)), append(run.Y, s.tokens[k])
	}
	f := demo.Figure{
		ID: "tokens", Title: "Output tokens in each second", Kind: demo.Chart,
		X: overTime(), Y: demo.Axis{Label: "Output", Unit: "tokens/s", Min: 0, Digits: 3},
		Series: []demo.Series{r.seedBand(warmUpShown, middle, func(s *warmSeed, k int) float64 { return s.tokens[k] }), run, r.reported(s.window[warmTokens])},
		Bands:  r.band(), Marks: r.marks(s.long[warmTokens], r.longName()),
		Table: r.resultTable(),
	}
	top := max(slices.Max(run.Y), s.long[warmTokens], s.window[warmTokens])
	if r.many() {
		top = max(top, slices.Max(f.Series[0].Hi))
	}
	f.Y.Max = demo.Top(top)
	f.Alt = "Output tokens by the second. The shaded window from " + r.windowText() + " has a mean of " + text.Num(s.window[warmTokens], 3) + " tokens/s; the long run has " + text.Num(s.long[warmTokens], 3) + "."
	f.Notes = r.notes()
	return f
}

func (r *warmUpRun) notes() []string {
	s := &r.seeds[0]
	out := []string{"Shaded: the window that is measured. Sent in it: " + text.Count(int(s.counts.Sent), "request", "requests") + "; " + text.Whole(int(s.counts.Completed)) + " completed, " + text.Whole(int(s.counts.Failed)) + " failed, " +
		text.Whole(int(s.counts.TimedOut)) + " timed out, " + text.Whole(int(s.counts.Dropped)) + " dropped, " + text.Whole(int(s.counts.Unfinished())) + " running when the simulation ended."}
	switch {
	case r.length < 5*warmBatches:
		out = append(out, "A window of "+text.Whole(r.length)+" s is too short for an interval: that is made of the means of "+text.Whole(warmBatches)+" parts of the window (batch means), and needs "+text.Whole(5*warmBatches)+" s.")
	case s.interval[warmTTFT].Lag1 > 0.45:
		out = append(out, "Neighboring batches of the window move together (correlation "+text.Num(s.interval[warmTTFT].Lag1, 2)+"): the interval of the time to first token is too narrow, as it is where a warm-up is inside.")
	}
	if s.unsteady != "" {
		out = append(out, "The server is "+s.unsteady+". The last "+text.Whole(warmUpEnd-warmUpShown)+" s stand in for one; other seconds would give another latency.")
	}
	if !s.mser.Found {
		out = append(out, "MSER-5 finds no steady part in this run.")
	}
	if r.many() {
		out = append(out, "The band holds the middle 80% of "+text.Whole(len(r.seeds))+" seeds, the line in it is their median.")
	}
	return out
}

// resultTable sets the window beside the long run.
func (r *warmUpRun) resultTable() demo.Table {
	s := &r.seeds[0]
	t := demo.Table{Caption: "Measured from " + r.windowText() + ", against the long run", Columns: []demo.Column{
		{Name: "Quantity"}, {Name: "Window", Digits: 3}, {Name: "95% interval"}, {Name: "Long run", Digits: 3}, {Name: "± (95%)"}, {Name: "Difference", Unit: "%", Digits: 2}}}
	names := [numWarm]string{"Output tokens/s", "Mean time to first token, ms", "p99 time to first token, ms", "Mean end-to-end latency, ms"}
	for m, name := range names {
		scale := 1000.0
		if m == warmTokens {
			scale = 1
		}
		in, half := "none", "none"
		if i := s.interval[m]; !math.IsInf(i.Hi, 0) {
			in = text.Num(scale*i.Lo, 3) + " to " + text.Num(scale*i.Hi, 3)
		}
		if h := s.longHalf[m]; !math.IsInf(h, 0) {
			half = text.Num(scale*h, 2)
		}
		t.Rows = append(t.Rows, []demo.Cell{demo.W(name), demo.N(scale * s.window[m]), demo.W(in), demo.N(scale * s.long[m]), demo.W(half), r.difference(m)})
	}
	if r.many() {
		t.Caption += "; the last rows over 30 seeds, with the lowest and the highest"
		for _, m := range []int{warmTokens, warmTTFT} {
			o, scale, name := r.over(m), 1.0, "Output tokens/s, 30 seeds"
			if m == warmTTFT {
				scale, name = 1000, "Mean time to first token, ms, 30 seeds"
			}
			t.Rows = append(t.Rows, []demo.Cell{demo.W(name), demo.N(scale * o.reported), demo.W(text.Num(scale*o.lowestReported, 3) + " to " + text.Num(scale*o.highestReported, 3)), demo.N(scale * o.long), demo.W("none"), demo.N(o.mean)})
		}
	}
	return t
}

// difference is that of the window to the long run, if there is one.
func (r *warmUpRun) difference(m int) demo.Cell {
	s := &r.seeds[0]
	if s.unsteady != "" {
		return demo.W("none")
	}
	return demo.N(off(s.window[m], s.long[m]))
}

// longName is what the window is compared to.
func (r *warmUpRun) longName() string {
	if r.seeds[0].unsteady != "" {
		return "last " + text.Whole(warmUpEnd-warmUpShown) + " s"
	}
	return "long run"
}

func (r *warmUpRun) ttftFigure() demo.Figure {
	s := &r.seeds[0]
	run := demo.Series{ID: "run", Name: "mean, range", Role: demo.Open, Shape: demo.Line}
	for k, x := range s.ttft {
		if !math.IsNaN(x) {
			run.X, run.Y = append(run.X, middle(nil, k)), append(run.Y, 1000*x)
			run.Lo, run.Hi = append(run.Lo, 1000*s.fastest[k]), append(run.Hi, 1000*s.slowest[k])
		}
	}
	f := demo.Figure{
		ID: "ttft", Title: "Time to first token of the requests sent in each second", Kind: demo.Chart,
		X: overTime(), Y: demo.Axis{Label: "Time to first token", Unit: "ms", Min: 10, Max: 10_000, Log: true, Digits: 2},
		Series: []demo.Series{r.seedBand(warmUpShown, middle, func(s *warmSeed, k int) float64 { return 1000 * s.ttft[k] }), run, r.reported(1000 * s.window[warmTTFT])},
		Bands:  r.band(), Marks: r.marks(1000*s.long[warmTTFT], r.longName()),
		Table: demo.Table{Caption: "Requests by when they were sent", Columns: []demo.Column{{Name: "Sent from", Unit: "s"}, {Name: "Mean time to first token", Unit: "ms", Digits: 3}, {Name: "Slowest", Unit: "ms", Digits: 3}, {Name: "Running at the end", Unit: "requests"}, {Name: "Waiting at the end", Unit: "requests"}}},
	}
	_, top := logRange(run.Hi, f.Series[0].Hi, []float64{f.Marks[0].At, f.Series[2].Y[0]})
	f.Y.Max = max(f.Y.Max, top)
	f.Notes = []string{"The line is the mean of the requests sent in a second, the band goes from the fastest to the slowest."}
	const every = 10
	for from := 0; from < warmUpShown; from += every {
		t := &f.Table
		t.Rows = append(t.Rows, []demo.Cell{demo.N(float64(from)), demo.N(1000 * definedMean(s.ttft[from:from+every])), demo.N(1000 * slices.Max(s.slowest[from:from+every])), demo.N(s.running[from+every-1]), demo.N(s.waiting[from+every-1])})
	}
	f.Alt = "Mean time to first token by the second, on a logarithmic axis. It begins at " + duration(run.Y[0]/1000, 2) + "; the window's mean is " + duration(s.window[warmTTFT], 2) + " and the long run's " + duration(s.long[warmTTFT], 2) + "."
	return f
}

// definedMean leaves out what is not a number; 0 if nothing is left.
func definedMean(x []float64) float64 {
	sum, n := 0.0, 0.0
	for _, v := range x {
		if !math.IsNaN(v) {
			sum += v
			n++
		}
	}
	return sum / max(n, 1)
}

func (r *warmUpRun) answerFigure() demo.Figure {
	s := &r.seeds[0]
	share := func(s *warmSeed, k int) float64 { return 100 * s.answers[k] / r.over(warmTokens).long }
	run := demo.Series{ID: "run", Name: "each window", Role: demo.Ink, Shape: demo.Line}
	f := demo.Figure{
		ID: "answers", Title: "What the window would report, by where it starts", Kind: demo.Chart,
		X:     demo.Axis{Label: "Measure from", Unit: "s", Min: 0, Max: warmUpShown / 2, Digits: 3},
		Y:     demo.Axis{Label: "Reported output, of the long run", Unit: "%", Min: 0, Max: 150, Digits: 3},
		Marks: []demo.Mark{{At: 100, Level: true, Label: r.longName()}, {At: float64(r.cut), Label: "cut", Knob: "cut"}},
		Table: demo.Table{Caption: "Output reported, by where the window starts", Columns: []demo.Column{{Name: "Measure from", Unit: "s"}, {Name: "Reported", Unit: "tokens/s", Digits: 3}, {Name: "Of the long run", Unit: "%", Digits: 3}}},
	}
	for k := range s.answers {
		run.X, run.Y = append(run.X, float64(k)), append(run.Y, share(s, k))
		if k%5 == 0 {
			f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.N(float64(k)), demo.N(s.answers[k]), demo.N(share(s, k))})
		}
	}
	f.Y.Max = max(f.Y.Max, 50*math.Ceil(slices.Max(run.Y)/50))
	f.Series = []demo.Series{r.seedBand(len(s.answers), func(_ *warmSeed, k int) float64 { return float64(k) }, share), run}
	f.Alt = "Output reported by a window of " + text.Whole(r.length) + " s as a share of the long run: " + text.Num(run.Y[0], 3) + "% if it starts at 0 s, " + text.Num(run.Y[30], 3) + "% at 30 s, " + text.Num(run.Y[60], 3) + "% at 60 s."
	return f
}
