package browser

import (
	"hash/crc32"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
	"openloop/content/demotest"
)

// TestHosting opens pages in every way of hosting: they load clean, ask for
// neither engine nor charts before somebody uses a demo, show from the start
// what the engine says, and after a change of a knob what the engine says then.
// At the root, TestPages looks at every page; otherwise one of each folder tells
// whether the way of hosting works, and one for each module, which take turns
// with the ways. The long test opens all in all.
func TestHosting(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	for turn, m := range modes[1:] {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			tb, visitPage := m.enter(t, s)
			folders := map[string]bool{}
			for _, page := range s.withDemos(t) {
				if folders[path.Dir(page)] && firstOf(page)%len(modes[1:]) != turn && !long() {
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

// firstOf is the number of the module whose first demo has this page for itself,
// or -1.
func firstOf(page string) int {
	return slices.IndexFunc(catalog.Modules(), func(m demo.Module) bool { return page == embedPage(m.Demos[0].ID) })
}

// telling says whether a page is looked at closely even where it is much like
// others: the pages that somebody wrote, of the demos for frames the first of
// each module and one with a kind that those lack (TestTellingDemosHaveEveryKind), of
// the data sets, whose pages a table makes, those that are alone in their kind and
// one in five, and in the long test all.
func telling(page string) bool {
	name, data := strings.CutPrefix(page, "data/")
	switch {
	case long() || firstOf(page) >= 0 || page == embedPage("loop-ratio"): // it draws intervals
		return true
	case data:
		return slices.Contains([]string{"index.html", "gpus.html", "models.html", "published-results.html"}, name) || crc32.ChecksumIEEE([]byte(page))%5 == 0
	}
	return !embedded(page)
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

// takesKnobs changes knobs of a demo, one of each kind of control and the last
// one and, in the long test, every one; the first of each kind by a key. It compares
// with the engine each time, after the first change also what the charts hold. Those
// behind "more settings" are taken back: how much they let a demo compute would
// multiply.
func (v look) takesKnobs(t *testing.T) {
	p := v.demo()
	now := demotest.Light(p.demo)
	p.follow(now)
	pressed, drawn := map[string]bool{}, false
	for n, k := range now.Demo.Knobs {
		i := slices.IndexFunc(changes(t, now), func(c change) bool { return c.Knob.Name == k.Name })
		if i < 0 {
			continue // nothing to change, or away
		}
		c := changes(t, now)[i]
		kind := p.control(c.Knob)
		switch {
		case !pressed[kind]:
			pressed[kind] = true
			p.press(t, now, c.Knob, kind)
		case long() || n == len(now.Demo.Knobs)-1:
			p.set(c.Knob, c.Text)
		default:
			continue
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
