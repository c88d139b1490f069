package draw

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

// Traces are small plots over one time axis, in plain SVG: once for a column of
// about 640 px and once for a phone, as charts are, with colors as CSS
// variables. Color never says anything alone: a plot that left its band has a
// mark where it did, and its words begin with an arrow; the band has edges.

// traceSize is how a figure of plots is laid out, in units of its viewBox.
type traceSize struct {
	class   string
	width   int
	columns int
	head    int // lines above a plot: name and value in one, or in two
	plot    int // height
	ticks   int // at most, on the time axis
}

var (
	wideTraces   = traceSize{"plot-wide", 640, 2, 1, 58, 6}
	denseTraces  = traceSize{"plot-wide", 640, 4, 2, 40, 3}
	narrowTraces = traceSize{"plot-narrow", 360, 2, 2, 48, 3}
)

const (
	traceLeft = 34 // for the numbers of the value axis
	traceGap  = 14 // between columns
	traceLine = 15 // of text
	traceSkip = 12 // between rows
	traceAxis = 16 // for the numbers of the time axis
)

// Traces is both sizes.
func Traces(f demo.Figure) string {
	wide := wideTraces
	if f.Dense {
		wide = denseTraces
	}
	b := appendTraces(nil, f, wide)
	return string(appendTraces(b, f, narrowTraces))
}

// tracer writes one size.
type tracer struct {
	b     []byte
	f     demo.Figure
	s     traceSize
	width int // of a plot
}

func appendTraces(b []byte, f demo.Figure, s traceSize) []byte {
	t := tracer{b: b, f: f, s: s}
	t.width = (s.width-traceGap*(s.columns-1))/s.columns - traceLeft
	rows := (len(f.Traces) + s.columns - 1) / s.columns
	above := 0
	if wordsAbove(f) {
		above = traceLine
	}
	row := s.head*traceLine + s.plot + traceSkip
	height := above + rows*row + traceAxis
	t.add(`<div class="`, s.class, `"><svg class="traces" viewBox="0 0 `, text.Whole(s.width), " ")
	t.b = append(t.b, digits(height)...)
	t.add(`" font-size="12" fill="var(--ink)" aria-hidden="true" focusable="false">`)
	for i, x := range f.Traces {
		left := i % s.columns * (traceLeft + t.width + traceGap)
		top := above + i/s.columns*row
		if i < s.columns && above > 0 {
			t.labels(left + traceLeft)
		}
		t.head(x, left, top)
		t.trace(x, left+traceLeft, top+s.head*traceLine+2)
		if i+s.columns >= len(f.Traces) {
			t.times(left+traceLeft, top+s.head*traceLine+2+s.plot)
		}
	}
	t.add("</svg></div>")
	return t.b
}

func (t *tracer) add(parts ...string) {
	for _, p := range parts {
		t.b = append(t.b, p...)
	}
}

// digits is a whole number without the commas of prose.
func digits(n int) string { return text.Shortest(float64(n)) }

// unit is a place with one decimal, as short as it goes.
func unit(x float64) string { return text.Shortest(math.Floor(float64(x*10)+0.5) / 10) }

// x is the place of a time in a plot that begins at left.
func (t *tracer) x(left int, at float64) float64 {
	span := t.f.X.Max - t.f.X.Min
	share := min(max((at-t.f.X.Min)/span, 0), 1)
	return float64(left) + float64(share*float64(t.width))
}

func (t *tracer) text(x float64, y int, attributes, says string) {
	t.add(`<text x="`, unit(x), `" y="`, digits(y), `"`, attributes, ">")
	t.b = append(text.AppendEscape(t.b, says), "</text>"...)
}

// wordsAbove says whether there are words above the plots.
func wordsAbove(f demo.Figure) bool {
	for _, m := range f.Marks {
		if m.Label != "" {
			return true
		}
	}
	return len(f.Bands) > 0
}

// labels name the shaded spans and the marks, above a column.
func (t *tracer) labels(left int) {
	for _, s := range t.f.Bands {
		t.text(t.x(left, s.From), 11, ` font-size="11" fill="var(--soft)"`, s.Label)
	}
	for _, m := range t.f.Marks {
		if m.Label == "" {
			continue
		}
		t.text(t.x(left, m.At)+3, 11, ` font-size="11" fill="var(--soft)"`, m.Label)
	}
}

func (t *tracer) head(x demo.Trace, left, top int) {
	value := x.Says
	if value == "" {
		value = text.WithUnit(text.Num(x.Last(), x.Digits), x.Unit)
	}
	color := ` fill="var(--soft)"`
	if x.Left > 0 {
		color = ` fill="var(--bad)"`
	}
	t.text(float64(left), top+12, ` font-weight="600"`, x.Name)
	if t.s.head == 1 {
		t.text(float64(left+traceLeft+t.width), top+12, ` font-size="11" text-anchor="end"`+color, value)
		return
	}
	t.text(float64(left), top+12+traceLine, ` font-size="11"`+color, value)
}

// trace is one plot; top is where its highest value stands.
func (t *tracer) trace(x demo.Trace, left, top int) {
	bottom, right := top+t.s.plot, left+t.width
	y := func(v float64) float64 {
		share := min(max(v/x.Top, 0), 1)
		return float64(bottom) - float64(share*float64(t.s.plot))
	}
	for _, s := range t.f.Bands {
		from := t.x(left, s.From)
		t.rect(from, float64(top), t.x(left, s.To)-from, float64(t.s.plot), `fill="var(--edge)" fill-opacity=".18"`)
	}
	if x.Band {
		// At least as high as a line, or a band from 0 to 0 would not be seen.
		hi, lo := y(x.Hi), y(x.Lo)
		t.rect(float64(left), hi, float64(t.width), max(lo-hi, 1.5), `fill="var(--open)" fill-opacity=".2"`)
		t.rule(float64(left), hi, float64(right), hi, `stroke="var(--open)" stroke-width=".8" stroke-dasharray="3 3"`)
		t.rule(float64(left), lo, float64(right), lo, `stroke="var(--open)" stroke-width=".8" stroke-dasharray="3 3"`)
	}
	t.rule(float64(left), float64(bottom), float64(right), float64(bottom), `stroke="var(--edge)"`)
	t.text(float64(left)-4, top+8, ` font-size="10" fill="var(--soft)" text-anchor="end"`, text.Num(x.Top, 3))
	t.text(float64(left)-4, bottom+1, ` font-size="10" fill="var(--soft)" text-anchor="end"`, "0")
	for _, m := range t.f.Marks {
		at := t.x(left, m.At)
		t.rule(at, float64(top), at, float64(bottom), `stroke="var(--closed)" stroke-dasharray="1 2"`)
	}
	t.line(x.RefX, x.Ref, left, y, `stroke="var(--soft)" stroke-width="1.2" stroke-dasharray="4 3"`)
	color := "var(--ink)"
	if x.Left > 0 {
		color = "var(--bad)"
		at := t.x(left, x.Left)
		t.rule(at, float64(top), at, float64(bottom), `stroke="var(--bad)" stroke-width=".8"`)
		t.add(`<path d="M`, unit(at-4), " ", digits(top-3), `h8l-4 6z" fill="var(--bad)"/>`)
	}
	t.line(x.X, x.Y, left, y, `stroke="`+color+`" stroke-width="1.8" stroke-linejoin="round"`)
	if t.f.Cursor > 0 {
		at := t.x(left, t.f.Cursor)
		t.rule(at, float64(top), at, float64(bottom), `stroke="var(--ink)"`)
	}
}

func (t *tracer) rect(x, y, w, h float64, look string) {
	t.add(`<rect x="`, unit(x), `" y="`, unit(y), `" width="`, unit(max(w, 0)), `" height="`, unit(h), `" `, look, "/>")
}

func (t *tracer) rule(x1, y1, x2, y2 float64, look string) {
	t.add(`<line x1="`, unit(x1), `" y1="`, unit(y1), `" x2="`, unit(x2), `" y2="`, unit(y2), `" `, look, "/>")
}

// line joins the points that are known; a value alone between two that are not
// is a dot.
func (t *tracer) line(xs, ys []float64, left int, y func(float64) float64, look string) {
	for from := 0; from < len(ys); {
		to := from
		for to < len(ys) && !math.IsNaN(ys[to]) {
			to++
		}
		switch {
		case to-from == 1:
			t.add(`<circle cx="`, unit(t.x(left, xs[from])), `" cy="`, unit(y(ys[from])), `" r="1.5" fill="none" `, look, "/>")
		case to > from:
			t.add(`<polyline fill="none" `, look, ` points="`)
			for i := from; i < to; i++ {
				if i > from {
					t.add(" ")
				}
				t.add(t.across(t.x(left, xs[i])), ",", unit(y(ys[i])))
			}
			t.add(`"/>`)
		}
		from = to + 1
	}
}

// across is where a point of a line stands: to the pixel, which a line is wider than,
// but in a spark, which is drawn larger than its units. A page with many lines has a
// budget.
func (t *tracer) across(x float64) string {
	if t.width > sparkWidth {
		return digits(int(x + 0.5))
	}
	return unit(x)
}

// times are the numbers of the time axis; the last carries its unit.
func (t *tracer) times(left, bottom int) {
	step := tickStep(t.f.X.Max-t.f.X.Min, t.s.ticks)
	for at := math.Ceil(t.f.X.Min/step) * step; at <= t.f.X.Max; at += step {
		says, anchor := text.Num(at, 6), "middle"
		if at+step > t.f.X.Max {
			says = text.WithUnit(says, t.f.X.Unit)
		}
		switch {
		case at == t.f.X.Min:
			anchor = "start"
		case at+step > t.f.X.Max:
			anchor = "end"
		}
		x := t.x(left, at)
		t.rule(x, float64(bottom), x, float64(bottom+3), `stroke="var(--edge)"`)
		t.text(x, bottom+14, ` font-size="10" fill="var(--soft)" text-anchor="`+anchor+`"`, says)
	}
}

// tickStep is the smallest of 1, 2, 5, 10 and so on that cuts a span into at
// most n parts.
func tickStep(span float64, n int) float64 {
	step := 1.0
	for k := 0; float64(step*float64(n)) < span; k++ {
		if k%3 == 1 {
			step *= 2.5
		} else {
			step *= 2
		}
	}
	return step
}

// Size of a spark, in units of its viewBox.
const sparkWidth, sparkHeight = 64, 22

// spark is a curve in a cell of a ranking.
func spark(x *demo.Spark) string {
	trace := demo.Trace{Y: x.Y, Band: x.Band, Lo: x.Lo, Hi: x.Hi, Top: x.Top}
	for i := range x.Y {
		trace.X = append(trace.X, float64(i+1)/float64(len(x.Y)))
	}
	t := tracer{f: demo.Figure{X: demo.Axis{Max: 1}}, width: sparkWidth}
	y := func(v float64) float64 {
		return sparkHeight - 1 - float64(min(max(v/x.Top, 0), 1)*(sparkHeight-2))
	}
	t.add(`<svg class="spark" viewBox="0 0 64 22" preserveAspectRatio="none" aria-hidden="true" focusable="false">`)
	if x.To > x.From {
		t.rect(x.From*sparkWidth, 0, (x.To-x.From)*sparkWidth, sparkHeight, `fill="var(--edge)" fill-opacity=".18"`)
	}
	if x.Band {
		t.rect(0, y(x.Hi), sparkWidth, max(y(x.Lo)-y(x.Hi), 1), `fill="var(--open)" fill-opacity=".25"`)
	}
	color := "var(--ink)"
	if x.Moved {
		color = "var(--bad)"
	}
	t.line(trace.X, trace.Y, 0, y, `stroke="`+color+`" stroke-width="1.4"`)
	t.add("</svg>")
	return string(t.b)
}
