package browser

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
	"openloop/content/demo/draw"
)

// words is what a page should show for a state, computed natively.
type words struct {
	State demo.State
	Link  string // canonical, without '#'
	Say   string // sentence as HTML
	Parts []part // HTML of every figure
}

// part is one element of a figure: its selector below the demo, and its HTML.
type part struct{ Selector, HTML string }

// runs keeps finished native runs: many tests look at the same states.
var runs sync.Map

// run is the finished native run of a state.
func run(t testing.TB, s demo.State) demo.Task {
	t.Helper()
	key := s.Demo.ID + "\n" + s.String()
	if task, ok := runs.Load(key); ok {
		return task.(demo.Task)
	}
	task, err := demo.Run(s)
	require.NoError(t, err, "run %s", s)
	runs.Store(key, task)
	return task
}

// expect is what a page should show for a state.
func expect(t testing.TB, s demo.State) words {
	t.Helper()
	task := run(t, s)
	w := words{State: s, Link: s.String(), Say: draw.Sentence(task.Summary())}
	for _, f := range task.Figures() {
		at := `[data-figure="` + f.ID + `"] `
		w.Parts = append(w.Parts, part{at + "[data-table]", draw.Table(f.Table)}, part{at + "[data-notes]", draw.Notes(f.Notes, f.Pages)})
		switch f.Kind {
		case demo.Bits:
			w.Parts = append(w.Parts, part{at + "[data-plot]", draw.Bits(f)})
		case demo.Strips:
			w.Parts = append(w.Parts, part{at + "[data-plot]", draw.Strips(f)})
		}
	}
	return w
}

// find is the catalog entry of a demo that a page names.
func find(t testing.TB, id string) *demo.Demo {
	t.Helper()
	d, ok := catalog.Find(id)
	require.True(t, ok, "a page names the demo %q, which the catalog does not have", id)
	return d
}

// read is a state from a link that must be good.
func read(t testing.TB, d *demo.Demo, link string) demo.State {
	t.Helper()
	s, problems := demo.Parse(d, link)
	require.Empty(t, problems, "link %s of %s", link, d.ID)
	return s
}

// csv is the file that the command line writes for a state.
func csv(t testing.TB, s demo.State) string {
	t.Helper()
	return string(demo.CSV(s, run(t, s)))
}

// change is one legal setting that differs from a state's.
type change struct {
	Knob demo.Knob
	Text string // as typed, or the name of the option
	To   demo.State
}

// changes lists one change for each knob of a demo, in the order of the panel:
// one step of the slider up, or down at its end.
func changes(t testing.TB, s demo.State) []change {
	t.Helper()
	var list []change
	for i, k := range s.Demo.Knobs {
		if s.Idle(i) != "" && s.Values.At(i) == k.Default {
			continue // it is away
		}
		pos := demo.PositionOf(k, s.Values.At(i))
		next := pos + 1
		if next > demo.Positions(k) {
			next = pos - 1
		}
		to := s.Slide(k.Name, next)
		if j := to.Demo.Index(k.Name); to.Values.At(j) != s.Values.At(j) {
			list = append(list, change{k, k.Text(to.Values.At(j)), to})
		}
	}
	require.NotEmpty(t, list, "knobs of %s that can change", s.Demo.ID)
	return list
}

// plain is the sentence of a state without marks, as it is spoken.
func plain(t testing.TB, s demo.State) string {
	t.Helper()
	return run(t, s).Summary().String()
}
