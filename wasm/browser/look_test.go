package browser

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
)

// look is one page, loaded once, at which every test of single pages looks in
// turn: loading a page and starting an engine cost more than most looks.
type look struct {
	s     site
	tb    *tab
	page  string
	f     frame
	demos []demoPage
}

// looks are the ways to look at a page, in this order. At rest means that
// nobody has used a demo so far; each later one brings its demo into the state
// that it needs, and the last ones leave words about a mistake behind. Every demo is
// used on its page, in a preset and on a phone; what the glue does with each kind of
// knob and figure is looked at where they are first met, and in the long test on all.
var looks = []struct {
	name string
	at   func(v look) bool
	do   func(v look, t *testing.T)
}{
	{"rest", every, look.rests},
	{"axe at rest", look.telling, look.axeAtRest},
	{"reflow at rest", every, look.reflowsAtRest},
	{"panels", look.alone, look.panelsFit},
	{"forced colors", look.telling, look.forcesColors},
	{"use on a phone", look.alone, look.worksNarrow},
	{"use", look.hasDemos, look.works},
	{"knobs", look.close, look.takesKnobs},
	{"preset", look.alone, look.takesPresets},
	{"names", look.close, look.hasNames},
	{"csv", look.close, look.savesCSV},
	{"forced colors at work", look.close, look.forcesColors},
	{"axe at work", look.busy, look.axeAtWork},
	{"reflow with a mistake", look.close, look.reflowsAtWork},
}

func every(look) bool         { return true }
func (v look) hasDemos() bool { return len(v.demos) > 0 }
func (v look) alone() bool    { return v.hasDemos() && embedded(v.page) }
func (v look) telling() bool  { return telling(v.page) }
func (v look) close() bool    { return v.alone() && v.telling() }
func (v look) busy() bool     { return v.close() || v.hasDemos() && long() }
func (v look) demo() demoPage { return v.demos[0] }

// TestPages shows every page at the root of a host and looks at it; of the pages of
// data sets, which a table makes, the ordinary test takes some.
func TestPages(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	axeSource(t)
	for _, page := range s.pages(t) {
		if strings.HasPrefix(page, "data/") && !telling(page) {
			continue // made by a table, as others that are looked at
		}
		t.Run(strings.ReplaceAll(page, "/", " "), func(t *testing.T) {
			t.Parallel()
			tb, visitPage := modes[0].enter(t, s)
			v := look{s: s, tb: tb.in(t), page: page}
			send(v.tb, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
			v.f = visitPage(v.tb, page, "")
			for _, id := range s.demos(t, page) {
				v.demos = append(v.demos, demoPage{v.f, find(t, id)})
			}
			for _, l := range looks {
				if l.at(v) {
					t.Run(l.name, func(t *testing.T) { l.do(v.with(t), t) })
				}
			}
		})
	}
}

// some picks the demos of a page that are used there: the first of each module
// and, in the long test, all. Each is used on its own page in any case.
func (v look) some(i int) bool {
	return long() || !slices.ContainsFunc(v.demos[:i], func(p demoPage) bool { return moduleOf(p.demo) == moduleOf(v.demos[i].demo) })
}

// moduleOf is the name of the module that has a demo.
func moduleOf(d *demo.Demo) string {
	for _, m := range catalog.Modules() {
		if slices.ContainsFunc(m.Demos, func(x *demo.Demo) bool { return x.ID == d.ID }) {
			return m.Name
		}
	}
	return ""
}

// with is the same look, whose failures are a subtest's.
func (v look) with(t *testing.T) look {
	tb := *v.tb
	tb.t = t
	v.tb, v.f.tab = &tb, &tb
	demos := make([]demoPage, len(v.demos))
	for i, p := range v.demos {
		p.frame.tab = &tb
		demos[i] = p
	}
	v.demos = demos
	return v
}

// narrow makes the page 320 px wide until the look ends.
func (v look) narrow(t *testing.T) {
	t.Helper()
	v.tb.size(320, 800)
	t.Cleanup(func() { send(v.tb, emulation.ClearDeviceMetricsOverride, cdp.Empty{}) })
}

// rests waits until the page has done everything that it does by itself: it
// has asked for neither engine nor charts and stays within its budget. A page
// that is read has not even asked for what drives its demos.
func (v look) rests(t *testing.T) {
	v.f.idle()
	if !embedded(v.page) {
		assert.Empty(t, v.tb.rec.sent(driver), "the script of demos was asked for before anybody reached for one")
	}
	assert.Empty(t, v.tb.rec.sent(lazy), "engine or charts were asked for before anybody used a demo")
	v.keepsBudget(t, "at rest", stillBudget)
	v.isLight(t)
	for _, p := range v.demos {
		p.ready()
	}
	v.tb.theme("light") // and from here on nothing moves
}

// worksNarrow uses the demo 320 px wide, so that its charts are first drawn there.
func (v look) worksNarrow(t *testing.T) {
	v.narrow(t)
	useDemo(t, v.s, v.demo(), v.page)
	v.f.fits(t, "at work, 320 px wide")
}

// works shows for each demo from the start what the engine says, and for some
// after a change of a knob what the engine says then. Nothing moves for a reader
// who asks for less motion.
func (v look) works(t *testing.T) {
	for i, p := range v.demos {
		switch {
		case v.alone(): // it has just been used
		case v.some(i):
			useDemo(t, v.s, p, v.page)
		default:
			p.shows(expect(t, read(t, p.demo, v.s.data(t, v.page).Demos[p.demo.ID].State)))
		}
		if i == 0 {
			require.NotEmpty(t, v.tb.rec.sent(lazy), "the engine was never asked for: the test looks for the wrong names")
			v.keepsBudget(t, "at work", startBudget)
		}
	}
	v.f.still(t)
}
