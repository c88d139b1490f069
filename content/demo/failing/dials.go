package failing

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/content/tables"
	"openloop/sim"
)

// Dials are what a dashboard shows of each window: the eight signals of package
// sim, then what stands beside them. Which of them left what is usual, and when,
// is read off here.

// dialID numbers the dials; below sim.NumSignals it is a signal.
type dialID int

const (
	dialUtilization = dialID(sim.NumSignals) + iota
	dialGoodput
	dialOffered
	dialCompleted
	dialShed
	dialRetries
	dialUp
	dialImbalance
	numDials
)

// dialWords is how a dial is written.
type dialWords struct {
	id, name, unit string
	digits         int
	top            float64 // end of its axis; 0 is from the data
}

// words are those of a dial.
func (d dialID) words() dialWords {
	if d < dialID(sim.NumSignals) {
		s := sim.SignalID(d).Describe()
		w := dialWords{signalNames[d], s.Name, s.Unit, 3, 0}
		if s.Unit == "" {
			w.digits, w.top = 2, 1
		}
		return w
	}
	return stripWords[d-dialID(sim.NumSignals)]
}

// signalNames are the signals in metrics, files and ids.
var signalNames = [sim.NumSignals]string{"queue", "ttft_p99", "itl_p99", "batch", "kv", "preemptions", "prefix_hit", "accepted"}

var stripWords = [numDials - dialID(sim.NumSignals)]dialWords{
	{"utilization", "GPU utilization", "", 2, 1},
	{"goodput", "goodput", "1/s", 3, 0},
	{"offered", "offered", "1/s", 3, 0},
	{"completed", "completed", "1/s", 3, 0},
	{"shed", "shed", "1/s", 2, 0},
	{"retries", "retries", "1/s", 3, 0},
	{"up", "replicas up", "", 2, 0},
	{"imbalance", "imbalance", "", 2, 0},
}

// strips are the entries of the strip that are dials.
var strips = [numDials - dialID(sim.NumSignals)]sim.StripID{
	sim.GPUUtilization, sim.GoodputRate, sim.OfferedRate, sim.CompletedRate, sim.ShedRate, sim.RetryRate, sim.ReplicasUp, sim.Imbalance,
}

// Dials are the values of a run, window by window, in the order of the ids; NaN
// is not known.
func Dials(w []sim.Window) [][]float64 {
	out := make([][]float64, numDials)
	for d := range out {
		out[d] = make([]float64, len(w))
	}
	for k := range w {
		for id := range w[k].Signal {
			out[id][k] = known(w[k].Signal[id])
		}
		for i, id := range strips {
			out[int(sim.NumSignals)+i][k] = known(w[k].Strip[id])
		}
	}
	return out
}

func known(m sim.Measured) float64 {
	if !m.Known {
		return math.NaN()
	}
	return m.Value
}

// bandsOf are what is usual on a base.
func bandsOf(base string) *tables.HealthyBand {
	b, ok := tables.HealthyBandOf(base)
	if !ok {
		panic("demo: no band is kept of " + base)
	}
	return &b
}

// A dial has moved if, in a span, at least this share of its windows lie beyond
// one side of the band; it moved in the first of them.
const movedShare = 0.25

// moved is where a dial went in a span.
type moved struct {
	move  sim.Move
	first int     // window in which it left; -1 if it did not
	most  float64 // the value furthest out
}

// watch looks at the windows from up to, but without, to.
func watch(y []float64, lo, hi float64, from, to int) moved {
	above, below := moved{move: sim.Up, first: -1, most: hi}, moved{move: sim.Down, first: -1, most: lo}
	ups, downs := 0, 0
	for k := from; k < to && k < len(y); k++ {
		switch {
		case y[k] > hi:
			ups++
			above.see(k, y[k])
		case y[k] < lo:
			downs++
			below.see(k, y[k])
		}
	}
	need := movedShare * float64(to-from)
	switch {
	case ups > 0 && float64(ups) >= need && ups >= downs:
		return above
	case downs > 0 && float64(downs) >= need:
		return below
	}
	return moved{first: -1, most: math.NaN()}
}

func (m *moved) see(k int, y float64) {
	if m.first < 0 {
		m.first = k
	}
	if m.move == sim.Up && y > m.most || m.move == sim.Down && y < m.most {
		m.most = y
	}
}

// arrow is a move as a sign.
func arrow(m sim.Move) string {
	switch m {
	case sim.Up:
		return "▲"
	case sim.Down:
		return "▼"
	}
	return "="
}

// goes is a move as a word.
func goes(m sim.Move) string {
	switch m {
	case sim.Up:
		return "up"
	case sim.Down:
		return "down"
	}
	return "flat"
}

// says is a value of the dial with its unit.
func (w dialWords) says(x float64) string {
	return text.WithUnit(text.Num(x, w.digits), w.unit)
}

// trace is the plot of a dial up to, but without, window to; band may be nil.
func (d dialID) trace(w *watched, band *tables.HealthyBand, to int) demo.Trace {
	words, y := d.words(), w.dials[d]
	t := demo.Trace{ID: words.id, Name: words.name, Unit: words.unit, Digits: words.digits, Top: words.top}
	for k := range to {
		t.X, t.Y = append(t.X, w.windows[k].End), append(t.Y, y[k])
	}
	if band != nil {
		t.Band, t.Lo, t.Hi = true, band.Lo[d], band.Hi[d]
	}
	if t.Top == 0 {
		t.Top = demo.TraceTop(append([]float64{t.Hi}, y...)...)
	}
	return t
}

// beside adds the same dial of another run, dashed.
func (d dialID) beside(t *demo.Trace, other *watched) {
	ref := d.trace(other, nil, len(other.windows))
	t.RefX, t.Ref, t.Top = ref.X, ref.Y, max(t.Top, ref.Top)
}

// traces are dials of a run as a figure without its words, with another run
// beside it if there is one.
func traces(w, other *watched, seconds float64, dials ...dialID) demo.Figure {
	f := demo.Figure{Kind: demo.Traces, X: demo.Axis{Label: "Time", Unit: "s", Max: seconds}}
	for _, d := range dials {
		t := d.trace(w, nil, len(w.windows))
		if other != nil {
			d.beside(&t, other)
		}
		f.Traces = append(f.Traces, t)
	}
	return f
}

// meanTable has the mean of dials over the windows that end in (from, to], a
// column for each run.
func meanTable(caption string, from, to float64, heads []string, runs []*watched, dials ...dialID) demo.Table {
	t := demo.Table{Caption: caption, Columns: []demo.Column{{Name: "Mean"}}}
	for _, h := range heads {
		t.Columns = append(t.Columns, demo.Column{Name: h})
	}
	for _, d := range dials {
		w := d.words()
		row := []demo.Cell{demo.W(w.title())}
		for _, r := range runs {
			row = append(row, demo.W(number(r.mean(d, from, to), w.digits)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// title is the name with its unit.
func (w dialWords) title() string {
	if w.unit == "" {
		return w.name
	}
	return w.name + " (" + w.unit + ")"
}

// number is a value for a cell of words; a dash if there is none.
func number(x float64, digits int) string {
	if math.IsNaN(x) {
		return "–"
	}
	return text.Num(x, digits)
}
