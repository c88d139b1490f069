package browser

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo/catalog"
)

// TestHosting opens pages in every way of hosting: they load clean, ask for
// neither engine nor charts before somebody uses a demo, show from the start
// what the engine says, and after a change of a knob what the engine says then.
// At the root, TestPages looks at every page; otherwise one of each folder and
// one for each module tell whether the way of hosting works and, in the long
// test, all.
func TestHosting(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	for _, m := range modes[1:] {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			tb, visitPage := m.enter(t, s)
			folders := map[string]bool{}
			for _, page := range s.withDemos(t) {
				if folder := path.Dir(page); folders[folder] && !(embedded(page) && telling(page)) && !long() {
					continue
				}
				folders[path.Dir(page)] = true
				visit(t, tb, page, func(t *testing.T, tb *tab) {
					f := visitPage(tb, page, "")
					p := demoPage{f, find(t, s.demos(t, page)[0])}
					p.ready()
					f.idle()
					assert.Empty(t, tb.rec.sent(lazy), "engine or charts were asked for before anybody used a demo")
					useDemo(t, s, p, page)
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

// takesKnobs changes each knob of a demo once, the first of each kind by a key,
// and compares with the engine each time, after the first change also what its
// charts hold. Those behind "more settings" are taken back: how much they let a
// demo compute would multiply.
func (v look) takesKnobs(t *testing.T) {
	p := v.demo()
	now := light(p.demo)
	p.follow(now)
	pressed, drawn := map[string]bool{}, false
	for _, k := range now.Demo.Knobs {
		i := slices.IndexFunc(changes(t, now), func(c change) bool { return c.Knob.Name == k.Name })
		if i < 0 {
			continue // nothing to change, or away
		}
		c := changes(t, now)[i]
		if kind := p.control(c.Knob); pressed[kind] {
			p.set(c.Knob, c.Text)
		} else {
			pressed[kind] = true
			p.press(t, now, c.Knob, kind)
		}
		p.shows(expect(t, c.To))
		if !drawn {
			p.draws(t, c.To)
			drawn = true
		}
		if c.Knob.More {
			p.action("undo")
			p.shows(expect(t, now))
		} else {
			now = c.To
		}
	}
}
