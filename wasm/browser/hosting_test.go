package browser

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo/catalog"
)

// TestHosting opens every page with a demo in every way of hosting: it loads
// clean, asks for neither engine nor charts before somebody uses a demo, shows
// from the start what the engine says, and after a change of a knob what the
// engine says then.
func TestHosting(t *testing.T) {
	s := builtSite(t)
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			tb, visitPage := m.enter(t, s)
			for _, page := range s.withDemos(t) {
				if m.name != "root" && !telling(page) {
					continue
				}
				visit(t, tb, page, func(t *testing.T, tb *tab) {
					f := visitPage(tb, page, "")
					ids := s.demos(t, page)
					for _, id := range ids {
						demoPage{f, find(t, id)}.ready()
					}
					f.idle()
					assert.Empty(t, tb.rec.sent(lazy), "engine or charts were asked for before anybody used a demo")
					if m.name != "root" && len(ids) > 1 {
						ids = ids[:1] // one demo tells whether the way of hosting works
					}
					for _, id := range ids {
						useDemo(t, s, demoPage{f, find(t, id)}, page)
					}
					require.NotEmpty(t, tb.rec.sent(lazy), "the engine was never asked for: the test looks for the wrong names")
				})
			}
		})
	}
}

// telling says whether a page is looked at closely even where it is much like
// others: guide pages, the embed page of the first demo of each module and, in
// the long test, all.
func telling(page string) bool {
	for _, m := range catalog.Modules() {
		if page == embedPage(m.Demos[0].ID) {
			return true
		}
	}
	return long() || !strings.HasPrefix(page, "embed/")
}

// useDemo checks a demo before and after a change of its first knob.
func useDemo(t *testing.T, s site, p demoPage, page string) {
	t.Helper()
	start := read(t, p.demo, s.data(t, page).Demos[p.demo.ID].State)
	p.shows(expect(t, start))
	c := changes(t, start)[0]
	p.set(c.Knob, c.Text)
	p.shows(expect(t, c.To))
	p.address(c.To.String())
}

// idle waits until the browser has had time for everything that a page starts
// by itself: two idle periods after its load.
func (f frame) idle() {
	f.tab.t.Helper()
	call[bool](f, `() => new Promise(done => requestIdleCallback(() => requestIdleCallback(() => done(true), {timeout: 1000}), {timeout: 1000}))`)
}

// TestEveryKnob changes each knob of each demo once, on its embed page, and
// compares with the engine each time.
func TestEveryKnob(t *testing.T) {
	s := builtSite(t)
	tb, visitPage := modes[0].enter(t, s)
	for _, d := range catalog.All() {
		visit(t, tb, d.ID, func(t *testing.T, tb *tab) {
			now := light(d)
			p := demoPage{visitPage(tb, embedPage(d.ID), "#"+now.String()), d}
			p.shows(expect(t, now))
			for i := range changes(t, now) {
				c := changes(t, now)[i]
				p.set(c.Knob, c.Text)
				p.shows(expect(t, c.To))
				now = c.To
			}
		})
	}
}
