package browser

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
	"openloop/content/demo/draw"
	"openloop/content/demotest"
)

// largest gives every knob that counts something its largest value: the demo's
// longest run.
func largest(d *demo.Demo) demo.State {
	s := demo.NewState(d)
	for _, k := range d.Knobs {
		if k.Whole {
			s = s.Slide(k.Name, demo.Positions(k))
		}
	}
	return s
}

// TestProgressAndCancel follows a link to a run that takes long: it shows how
// far it is, can be stopped, says that it was, and the demo goes on. The bar comes
// and goes without moving a button, which somebody may be about to press.
func TestProgressAndCancel(t *testing.T) {
	t.Parallel()
	d := find(t, "greedy-decoder")
	start, long := demotest.Light(d), largest(d)
	p := opened(t, d, start.String())
	p.shows(expect(t, start))
	buttons := func() []float64 {
		return call[[]float64](p.frame, `s => { const top = document.querySelector(s).getBoundingClientRect().top; return [...document.querySelectorAll(s + ' button')].filter(e => e.checkVisibility() && !e.matches('[data-cancel]')).map(e => e.getBoundingClientRect().top - top) }`, "#demo-"+d.ID)
	}
	p.draws(t, start)
	before := buttons()
	require.NotEmpty(t, before)
	call[bool](p.frame, `h => { location.hash = h; return true }`, "#"+long.String())
	p.wait("a progress bar that moves", `s => { const e = document.querySelector(s); return e.checkVisibility() && e.querySelector('progress').value > 0 && e.querySelector('[data-cancel]').checkVisibility() }`, p.at("[data-progress]"))
	assert.Equal(t, before, buttons(), "where the buttons are")
	p.click(p.at("[data-cancel]"))
	p.wait("the progress bar to go", `s => !document.querySelector(s).checkVisibility()`, p.at("[data-progress]"))
	p.notice("Stopped")
	p.shows(expect(t, start)) // what is shown is still the run before
	p.follow(stepped(t, start, 1))
	assert.NotContains(t, p.text(p.at("[data-notices]")), "Stopped", "the note about the stopped run stays after another run")
}

// TestNewestRunWins starts a long run and changes the settings in the middle:
// the long one is dropped.
func TestNewestRunWins(t *testing.T) {
	t.Parallel()
	d := find(t, "greedy-decoder")
	start, long := demotest.Light(d), largest(d)
	p := opened(t, d, start.String())
	p.shows(expect(t, start))
	call[bool](p.frame, `h => { location.hash = h; return true }`, "#"+long.String())
	p.wait("the long run to be under way", `s => document.querySelector(s).checkVisibility()`, p.at("[data-progress]"))
	p.follow(stepped(t, start, 1))
	p.wait("the progress bar to go", `s => !document.querySelector(s).checkVisibility()`, p.at("[data-progress]"))
}

// TestSeeds repeats a demo over 30 seeds and compares sentence and tables of
// their spread with the engine's; the file of all seeds is the command line's.
func TestSeeds(t *testing.T) {
	t.Parallel()
	d, state := spreading(t)
	p := opened(t, d, state.String())
	p.shows(expect(t, state))
	p.action("seeds")
	task, err := demo.Spread(state, demo.SeedsFrom(state.Seed, 30))
	require.NoError(t, err)
	demo.Finish(task)
	box := p.at("[data-seeds]")
	p.wait("the sentence of the spread", `(s, want) => { const e = document.querySelector(s); return e.checkVisibility() && e.textContent.includes(want) }`, box, task.Summary().String())
	for _, f := range task.Figures() {
		same := call[bool](p.frame, `(s, html) => { const t = document.createElement('template'); t.innerHTML = html;
			return [...document.querySelectorAll(s + ' table')].some(e => e.outerHTML === t.innerHTML) }`, box, draw.Table(f.Table))
		assert.True(t, same, "the table of %s over seeds", f.ID)
	}
	p.shows(expect(t, state)) // the demo itself stays at its seed

	call[bool](p.frame, `s => { [...document.querySelectorAll(s + ' button')].find(b => b.textContent.includes('CSV')).click(); return true }`, box)
	_, body := p.tab.saved()
	assert.Equal(t, string(demo.CSV(state, task)), body)
}

// spreading is a demo whose metrics spread over seeds, cheap enough to repeat.
func spreading(t testing.TB) (*demo.Demo, demo.State) {
	t.Helper()
	for _, d := range catalog.All() {
		state := demotest.Light(d)
		for _, m := range run(t, state).Metrics() {
			if m.Spread {
				return d, state
			}
		}
	}
	t.Fatal("no demo has a metric that spreads over seeds")
	return nil, demo.State{}
}
