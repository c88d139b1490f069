package browser

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/content/demo"
)

// kill makes the engine panic as any change may: through the queue of changes
// of the demo's own element.
func (p demoPage) kill() {
	p.tab.t.Helper()
	call[bool](p.frame, `s => { document.querySelector(s).flow.change({key: 'x', go: session => session.fault()}); return true }`, "#demo-"+p.demo.ID)
}

// TestEngineDies kills the engine: the page says so, keeps the settings, and
// takes the next change.
func TestEngineDies(t *testing.T) {
	t.Parallel()
	d := numeric(t)
	state := stepped(t, read(t, d, "v=1&seed=21"), 1)
	p := opened(t, d, state.String())
	p.tab.allow(`panic|fault|Go program|exit code`)
	p.shows(expect(t, state))
	p.kill()
	p.notice("engine stopped", "settings are kept")
	p.shows(expect(t, state))
	p.address(state.String())
	next := stepped(t, state, 1)
	p.typeInto(p.knob(knobOf(d).Name, "[data-box]"), knobText(next))
	p.shows(expect(t, next))
}

// TestEngineDiesForAll kills the engine that several demos of a page share:
// the one that was not at fault works again with its own settings.
func TestEngineDiesForAll(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	page := s.chapter(t)
	ids := s.demos(t, page)
	tb, visitPage := modes[0].enter(t, s)
	tb = tb.in(t)
	tb.allow(`panic|fault|Go program|exit code`)
	f := visitPage(tb, page, "")
	a, b := demoPage{f, find(t, ids[0])}, demoPage{f, find(t, ids[1])}
	var now [2]demo.State
	for i, p := range []demoPage{a, b} {
		p.ready()
		c := changes(t, read(t, p.demo, s.data(t, page).Demos[p.demo.ID].State))[0]
		p.set(c.Knob, c.Text)
		p.shows(expect(t, c.To))
		now[i] = c.To
	}
	a.kill()
	a.notice("engine stopped")
	a.shows(expect(t, now[0]))
	b.shows(expect(t, now[1]))
	next := changes(t, now[1])[0]
	b.set(next.Knob, next.Text)
	b.shows(expect(t, next.To))
}

// TestNewestChangeWins types many values without waiting, and moves a slider
// through all of its positions: the last one is what stays.
func TestNewestChangeWins(t *testing.T) {
	t.Parallel()
	d := numeric(t)
	k := knobOf(d)
	start := read(t, d, "v=1&seed=7")
	p := opened(t, d, start.String())
	p.shows(expect(t, start))
	var last demo.State
	for by := 1; by <= 6; by++ {
		last = stepped(t, start, by)
		p.typeInto(p.knob(k.Name, "[data-box]"), knobText(last))
	}
	p.shows(expect(t, last))

	call[bool](p.frame, `(s, n) => {
		const e = document.querySelector(s);
		for (let i = 0; i <= n; i++) { e.value = i; e.dispatchEvent(new Event('input', {bubbles: true})) }
		e.dispatchEvent(new Event('change', {bubbles: true}));
		return true }`, p.knob(k.Name, "[data-slider]"), demo.Positions(k))
	p.shows(expect(t, last.Slide(k.Name, demo.Positions(k))))
	p.address(last.Slide(k.Name, demo.Positions(k)).String())
	assert.Empty(t, p.text(p.at("[data-notices]")), "nothing to complain about")

	p.action("undo") // the whole drag is one step
	p.shows(expect(t, last))
}
