package browser

import (
	"testing"

	"github.com/stretchr/testify/require"

	"openloop/content/demo"
)

// slowState is the demo and state whose spread over 30 seeds takes longest
// natively by the engine's own units of work.
func slowDemo(t testing.TB) *demo.Demo {
	t.Helper()
	d, ok := demo.Find("greedy-decoder")
	require.True(t, ok, "the demo that takes longest")
	return d
}

// TestProgressAndCancel starts a spread over seeds that takes its time: it
// shows progress, can be stopped, says nothing wrong, and the demo goes on.
func TestProgressAndCancel(t *testing.T) {
	d := slowDemo(t)
	state := heaviest(t, d)
	p := opened(t, d, state.String())
	p.shows(expect(t, state))
	p.action("seeds")
	p.wait("a progress bar", `s => { const e = document.querySelector(s); return e.checkVisibility() && e.querySelector('progress') && e.querySelector('[data-cancel]').checkVisibility() }`, p.at("[data-progress]"))
	p.click(p.at("[data-cancel]"))
	p.wait("the progress bar to go", `s => !document.querySelector(s).checkVisibility()`, p.at("[data-progress]"))
	next := changes(t, state)[0]
	p.set(next.Knob, next.Text)
	p.shows(expect(t, next.To))
}

// heaviest gives every numeric knob that is a size its largest value, as far
// as the demo runs then.
func heaviest(t testing.TB, d *demo.Demo) demo.State {
	t.Helper()
	s := demo.NewState(d)
	for _, k := range d.Knobs {
		if !k.Choice() && k.Whole {
			to := s.Slide(k.Name, demo.Positions(k))
			if _, err := demo.Run(to); err == nil {
				s = to
			}
		}
	}
	return s
}

// TestSeeds repeats a demo over seeds and shows their spread.
func TestSeeds(t *testing.T) {
	d := numeric(t)
	state := read(t, d, "v=1&seed=7")
	p := opened(t, d, state.String())
	p.shows(expect(t, state))
	p.action("seeds")
	p.wait("the spread over seeds", `s => { const e = document.querySelector(s); return e.checkVisibility() && e.querySelector('table tbody tr') }`, p.at("[data-seeds]"))
	p.shows(expect(t, state)) // the demo itself stays at its seed
}
