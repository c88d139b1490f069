package serving

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
)

// The pictures of closed-loop: dots under their bounds, and a mark that moves
// the clients.

func (r *ceilingRun) Figures() []demo.Figure {
	return []demo.Figure{r.rateFigure(), r.latencyFigure()}
}

// most is the right end of the figures: room for one more power of two.
func (r *ceilingRun) most() float64 {
	return 2 * max(float64(last(r.dots).clients), float64(r.clients))
}

// lineAt are the clients at which the bounds are drawn: enough for a line
// without markers, and the knee.
func (r *ceilingRun) lineAt() (x []float64) {
	const fifthOfOctave = 1.148698354997035
	knee := r.bounds(1).Knee
	end := float64(last(r.dots).clients)
	for n := 1.0; n < end; n *= fifthOfOctave {
		if len(x) > 0 && last(x) < knee && knee < n {
			x = append(x, knee)
		}
		x = append(x, n)
	}
	return append(x, end)
}

func (r *ceilingRun) line(y func(float64) float64, id, name string) demo.Series {
	s := demo.Series{ID: id, Name: name, Role: demo.Soft, Shape: demo.Line}
	for _, n := range r.lineAt() {
		s.X, s.Y = append(s.X, n), append(s.Y, y(n))
	}
	return s
}

func (r *ceilingRun) handle() []demo.Mark {
	return []demo.Mark{{At: float64(r.clients), Label: text.Count(r.clients, "client", "clients"), Knob: "clients"}}
}

func (r *ceilingRun) marked(y float64) demo.Series {
	return demo.Series{ID: "current", Name: "now", Role: demo.Ink, Shape: demo.Points, X: []float64{float64(r.clients)}, Y: []float64{y}}
}

// unslowed shows the current clients on the healthy server, if that is not the one shown.
func (r *ceilingRun) unslowed(y float64) demo.Series {
	s := demo.Series{ID: "healthy", Name: "not slowed", Role: demo.Soft, Shape: demo.Points}
	if r.slower != 1 {
		s.X, s.Y = []float64{float64(r.clients)}, []float64{y}
	}
	return s
}

func (r *ceilingRun) axis() demo.Axis {
	return demo.Axis{Label: "Clients", Log: true, Min: 1, Max: r.most(), Digits: 3}
}

func (r *ceilingRun) dotsOf(y func(ceilingDot) float64) demo.Series {
	s := demo.Series{ID: "dots", Name: "runs", Role: demo.Closed, Shape: demo.Points}
	for _, d := range r.dots {
		s.X, s.Y = append(s.X, float64(d.clients)), append(s.Y, y(d))
	}
	return s
}

func (r *ceilingRun) rateFigure() demo.Figure {
	d := r.current
	f := demo.Figure{
		ID: "rate", Title: "Throughput against clients", Kind: demo.Chart, X: r.axis(),
		Y: demo.Axis{Label: "Throughput", Unit: "requests/s", Log: true, Digits: 3},
		Series: []demo.Series{
			r.line(func(n float64) float64 { return r.bounds(n).PerSec }, "bound", "bound"), r.dotsOf(func(d ceilingDot) float64 { return d.perSecond }), r.unslowed(r.healthy.perSecond), r.marked(d.perSecond),
		},
		Marks: r.handle(),
		Alt: "Throughput rises with the clients along N/(Z + R₁) and levels off at " + text.Num(r.capacity, 3) + " requests/s; the knee is at " + text.Num(r.bounds(1).Knee, 3) +
			" clients. " + text.Count(r.clients, "client gets ", "clients get ") + text.Num(d.perSecond, 3) + " requests/s.",
		Table: demo.Table{Caption: "Throughput and its bound", Columns: []demo.Column{{Name: "Clients"}, {Name: "Throughput", Unit: "requests/s", Digits: 3}, {Name: "Bound of these requests", Unit: "requests/s", Digits: 3}, {Name: "Requests counted"}}},
		Notes: []string{"Alone a request takes R₁ = " + duration(r.alone, 3) + "; the server can do at most C = " + text.Num(r.capacity, 3) + " requests/s. Every counted request of every dot completed: a closed loop waits for it.",
			"The bound is that of an endless run. A run that counts some hundred requests can end a few per cent off to either side."},
	}
	f.Y.Min, f.Y.Max = logRange(f.Series[0].Y, f.Series[1].Y, f.Series[2].Y, f.Series[3].Y)
	f.Table.Rows = r.rows(func(d ceilingDot) []demo.Cell {
		return []demo.Cell{demo.N(d.perSecond), demo.N(d.bound), demo.N(float64(d.sent))}
	})
	return f
}

func (r *ceilingRun) latencyFigure() demo.Figure {
	d := r.current
	f := demo.Figure{
		ID: "latency", Title: "Latency against clients", Kind: demo.Chart, X: r.axis(),
		Y: demo.Axis{Label: "Mean end-to-end latency", Unit: "s", Log: true, Digits: 3},
		Series: []demo.Series{
			r.line(func(n float64) float64 { return r.bounds(n).Seconds }, "bound", "bound"), r.dotsOf(func(d ceilingDot) float64 { return d.latency }), r.unslowed(r.healthy.latency), r.marked(d.latency),
		},
		Marks: r.handle(),
		Alt: "Mean latency stays near " + duration(r.alone, 3) + " for few clients and rises along N/C − Z past " + text.Num(r.bounds(1).Knee, 3) + " clients. At " +
			text.Count(r.clients, "client", "clients") + " it is " + duration(d.latency, 3) + ".",
		Table: demo.Table{Caption: "Mean end-to-end latency and its bound", Columns: []demo.Column{{Name: "Clients"}, {Name: "Latency", Unit: "s", Digits: 3}, {Name: "Bound", Unit: "s", Digits: 3}}},
	}
	f.Y.Min, f.Y.Max = logRange(f.Series[0].Y, f.Series[1].Y, f.Series[2].Y, f.Series[3].Y)
	f.Table.Rows = r.rows(func(d ceilingDot) []demo.Cell {
		return []demo.Cell{demo.N(d.latency), demo.N(r.bounds(float64(d.clients)).Seconds)}
	})
	return f
}

// rows has the dots and the current clients, which are marked.
func (r *ceilingRun) rows(of func(ceilingDot) []demo.Cell) [][]demo.Cell {
	var at []float64
	var cells [][]demo.Cell
	for _, d := range append(r.dots, r.current) {
		at, cells = append(at, float64(d.clients)), append(cells, of(d))
	}
	return withNow(at, cells)
}
