package prose

import (
	"math"
	"strings"
	"sync"

	"openloop/content/demo"
	"openloop/content/demo/failing"
	"openloop/content/demo/reading"
	"openloop/content/demo/text"
	"openloop/content/demo/verdict"
	"openloop/content/tables"
	"openloop/sim"
	"openloop/sim/diagnose"
	"openloop/sim/scrape"
)

// Tables of signals and failures: what each signal is and where it is found,
// and what each lever does to it.

var failingTables = []Table{
	{ID: "signals", Make: signalTable},
	{ID: "signal-flags", Make: signalFlags},
	{ID: "signal-remedies", Make: signalRemedies},
	{ID: "signal-names", Make: signalNames},
	{ID: "levers", Make: leverTable},
	{ID: "lever-reasons", Make: reasons},
	{ID: "lever-corrections", Make: corrections},
	{ID: "flat-cells", Make: flatCells},
	{ID: "lever-remedies", Make: remedyMatrix},
}

var failingFigures = []Figure{
	{"signatures", signatures},
}

// poolings are how the values of several replicas become one.
func poolings(p sim.Pooling) string {
	switch p {
	case sim.Sum:
		return "they add"
	case sim.Worst:
		return "the worst counts"
	case sim.Recompute:
		return "from the requests of all, or from buckets that are added"
	case sim.UpperMost:
		return "from buckets that are added; here the largest, an upper bound"
	}
	return "numerators and denominators add"
}

// windowOf says over which time a signal is taken, by its definition.
func windowOf(id sim.SignalID) string {
	switch id {
	case sim.QueueDepth, sim.RunningBatch, sim.KVOccupancy:
		return "none: a gauge, as it is at the end"
	case sim.TTFTp99:
		return "percentile of the first tokens in it"
	case sim.ITLp99:
		return "percentile of the gaps in it"
	case sim.PreemptionRate:
		return "rate over it"
	}
	return "ratio of two counts over it"
}

// signalFlags are the remedies of table A as settings of the two engines.
func signalFlags() demo.Table {
	t := demo.Table{Caption: "What the eight remedies are called where engines have a flag for them", Columns: []demo.Column{
		{Name: "Signal"}, {Name: "Its remedy"}, {Name: "vLLM"}, {Name: "SGLang"},
	}}
	for _, x := range diagnose.Isolates() {
		t.Rows = append(t.Rows, []demo.Cell{
			demo.W(x.Signal.Describe().Name), demo.W(shortRemedy(x.Remedy)), demo.W(reading.Flags(scrape.VLLM, x.Remedy.ID)), demo.W(reading.Flags(scrape.SGLang, x.Remedy.ID)),
		})
	}
	return t
}

// signalTable is table A: what a signal is, and what it isolates.
func signalTable() demo.Table {
	t := demo.Table{Caption: "Eight signals, and what each points at when it moves and the others have little to say", Columns: []demo.Column{
		{Name: "Signal"}, {Name: "What it is"}, {Name: "Unit"}, {Name: "Window"}, {Name: "Several replicas"}, {Name: "Isolates"}, {Name: "Its remedy"},
	}}
	for _, x := range diagnose.Isolates() {
		s := x.Signal.Describe()
		unit := s.Unit
		if unit == "" {
			unit = "0 to 1"
		}
		t.Rows = append(t.Rows, []demo.Cell{demo.W(s.Name), demo.W(s.Definition), demo.W(unit), demo.W(windowOf(x.Signal)), demo.W(poolings(s.Pooling)), demo.W(verdict.Name(x.Verdict)), demo.W(verdict.Remedy(x.Remedy))})
	}
	return t
}

// signalNames is where engines expose them, from the table that the reader of
// scrapes is tested with.
func signalNames() demo.Table {
	t := demo.Table{Caption: "Where they are found: metric names (older ones after a semicolon), a query for Prometheus over a window w, and the field of a log line", Columns: []demo.Column{
		{Name: "Signal"}, {Name: "Engine"}, {Name: "Metrics"}, {Name: "PromQL"}, {Name: "In the log"},
	}}
	for _, x := range scrape.Table() {
		var groups []string
		for _, g := range x.Names {
			groups = append(groups, strings.Join(g, ", "))
		}
		log := x.Log
		if log == "" {
			log = "no"
		}
		t.Rows = append(t.Rows, []demo.Cell{demo.W(x.Signal.Describe().Name), demo.W(x.Engine.String()), demo.W(strings.Join(groups, "; ")), demo.W(x.PromQL), demo.W(log)})
	}
	return t
}

// signatureSeed is whose run the small curves show.
const signatureSeed = 7

// signatures is table B: the matrix of levers and signals, with curves from runs
// that are made when the site is built, once in a process.
var signatures = sync.OnceValue(func() demo.Figure {
	f := demo.Figure{ID: "signatures", Title: "Fourteen failures, eight signals", Kind: demo.Ranks}
	f.Ranking.Head = "Failure"
	for id := range sim.NumSignals {
		f.Ranking.Columns = append(f.Ranking.Columns, demo.RankColumn{Name: id.Describe().Name})
	}
	moves := 0
	for _, l := range sim.Levers() {
		e, _ := sim.Signature(l.ID)
		row := demo.Rank{Label: l.Name}
		dials, band, w := pulled(l)
		for id := range sim.NumSignals {
			cell := demo.RankCell{Text: arrowOf(e.Moves[id]), Spark: sparkOf(dials[id], band, int(id), w, l)}
			if e.Moves[id] != sim.Flat {
				moves++
				cell.Spark.Moved = true
			}
			if id == e.First {
				cell.Text += " first"
			}
			if corrected(l.ID, id) {
				cell.Text += " *"
			}
			row.Cells = append(row.Cells, cell)
		}
		f.Ranking.Rows = append(f.Ranking.Rows, row)
	}
	f.Alt = "14 failures by 8 signals: " + text.Whole(moves) + " of 112 move."
	f.Notes = []string{
		"Each curve is 100 s of one run with the failure in the gray span; green is where 99% of the windows of 30 healthy runs are. ▲ and ▼: a quarter of its windows or more lie above or below, in most of nine runs.",
		"* Reasoned otherwise before the first run; see below.",
	}
	f.Table = demo.RankTable(f)
	return f
})

// pulled is a run under a lever as the matrix has it.
func pulled(l sim.Lever) ([][]float64, tables.HealthyBand, []sim.Window) {
	base := failing.BaseFor(l.ID)
	s, err := base.Scenario.Pulled(sim.Pull{Lever: l.ID, Span: sim.Span{From: l.Start, To: l.End}, Intensity: l.Default})
	if err != nil {
		panic("prose: " + err.Error())
	}
	x, err := s.New(signatureSeed)
	if err != nil {
		panic("prose: " + err.Error())
	}
	x.Run()
	w := sim.NewWindows(x.Results(), sim.SeriesOptions{KVBlocks: s.Config.Engine.KVBlocks, SLO: base.SLO, Clock: base.Clock})
	band, _ := tables.HealthyBandOf(base.ID)
	return failing.Dials(w), band, w
}

func sparkOf(y []float64, band tables.HealthyBand, d int, w []sim.Window, l sim.Lever) *demo.Spark {
	top := demo.TraceTop(append([]float64{band.Hi[d]}, y...)...)
	if sim.SignalID(d).Describe().Unit == "" {
		top = 1
	}
	span := w[len(w)-1].End
	return &demo.Spark{Y: y, Band: true, Lo: band.Lo[d], Hi: band.Hi[d], Top: top, From: l.Start.Seconds() / span, To: min(l.End.Seconds()/span, 1)}
}

func arrowOf(m sim.Move) string {
	switch m {
	case sim.Up:
		return "▲"
	case sim.Down:
		return "▼"
	}
	return ""
}

// corrected says whether the engine does otherwise than was reasoned.
func corrected(lever string, id sim.SignalID) bool {
	for _, c := range sim.Corrections() {
		if c.Lever == lever && c.Signal == id {
			return true
		}
	}
	return false
}

// reasons is the reasoning behind the matrix, as it was written before the first run.
func reasons() demo.Table {
	t := demo.Table{Caption: "Why each failure should look as it does, written before the first run", Columns: []demo.Column{{Name: "Failure"}, {Name: "Should move first"}, {Name: "Reasoning"}}}
	for _, e := range sim.Expected() {
		t.Rows = append(t.Rows, []demo.Cell{demo.W(verdict.Name(e.Lever)), demo.W(e.First.Describe().Name), demo.W(e.Reason)})
	}
	return t
}

// corrections is where the engine disagreed.
func corrections() demo.Table {
	t := demo.Table{Caption: "Where the engine disagreed, and why the reasoning was wrong", Columns: []demo.Column{{Name: "Failure"}, {Name: "Signal"}, {Name: "Reasoned"}, {Name: "Engine"}, {Name: "Why"}}}
	for _, c := range sim.Corrections() {
		var was sim.Move
		for _, e := range sim.Expected() {
			if e.Lever == c.Lever {
				was = e.Moves[c.Signal]
			}
		}
		t.Rows = append(t.Rows, []demo.Cell{demo.W(verdict.Name(c.Lever)), demo.W(c.Signal.Describe().Name), demo.W(verdict.Way(was)), demo.W(verdict.Way(c.Move)), demo.W(c.Reason)})
	}
	return t
}

// flatCells is how far the cells of the matrix that do not move are in their bands.
func flatCells() demo.Table {
	t := demo.Table{Caption: "Share of the windows in which a signal that does not move is outside of the middle 99% of healthy runs, in %, 9 runs a failure", Columns: []demo.Column{{Name: "Failure"}}}
	for id := range sim.NumSignals {
		t.Columns = append(t.Columns, demo.Column{Name: id.Describe().Name})
	}
	for _, r := range tables.FlatRows() {
		row := []demo.Cell{demo.W(verdict.Name(r.Lever))}
		e, _ := sim.Signature(r.Lever)
		for id, share := range r.Outside {
			cell := demo.W(verdict.Way(e.Moves[id]))
			if e.Moves[id] == sim.Flat {
				cell = demo.W(tenths(100 * share))
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// leverTable is what the levers are: what breaks, and how hard the matrix pulls.
func leverTable() demo.Table {
	t := demo.Table{Caption: "The levers, and how hard they are pulled in the matrix", Columns: []demo.Column{{Name: "Failure"}, {Name: "What breaks"}, {Name: "Strength"}}}
	for _, l := range sim.Levers() {
		t.Rows = append(t.Rows, []demo.Cell{demo.W(l.Name), demo.W(l.Breaks), demo.W(failing.Strength(&l, l.Default))})
	}
	return t
}

// remedyMatrix is how much of the goodput each remedy keeps, failure by failure.
func remedyMatrix() demo.Table {
	rows := failing.Remedies()
	t := demo.Table{Caption: "Goodput from the failure on, as a share of what was offered by first attempts, in %, mean over 3 seeds"}
	t.Columns = []demo.Column{{Name: "Failure"}}
	for _, r := range rows {
		t.Columns = append(t.Columns, demo.Column{Name: r.Label})
	}
	for _, x := range tables.RemedyRows() {
		row := []demo.Cell{demo.W(verdict.Name(x.Lever))}
		for i := range rows {
			cell := demo.W(text.Whole(int(math.Floor(100*x.Kept[i] + 0.5))))
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
