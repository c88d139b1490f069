package browser

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
)

// hostile is a value that would run if a page put it into its markup.
const hostile = `<img src=x onerror="window.hacked=1">`

// badLinks are links with parts that cannot be used. K stands for a numeric
// knob of the demo and is replaced.
var badLinks = []struct {
	name, link string
	opens      bool // opens a new page with it
}{
	{name: "a word", link: "v=1&K=abc", opens: true},
	{name: "empty", link: "v=1&K="},
	{name: "NaN", link: "v=1&K=NaN"},
	{name: "infinity", link: "v=1&K=Infinity"},
	{name: "1e308", link: "v=1&K=1e308"},
	{name: "1e999", link: "v=1&K=1e999"},
	{name: "hexadecimal", link: "v=1&K=0x10"},
	{name: "below the range", link: "v=1&K=-1000000000"},
	{name: "markup", link: "v=1&K=" + url.QueryEscape(hostile), opens: true},
	{name: "markup in the seed", link: "v=1&seed=" + url.QueryEscape(hostile)},
	{name: "seed 0", link: "v=1&seed=0"},
	{name: "seed 2^32", link: "v=1&seed=4294967296"},
	{name: "seed 1.5", link: "v=1&seed=1.5"},
	{name: "duplicate key", link: "v=1&seed=3&seed=4"},
	{name: "broken escape", link: "v=1&K=%zz"},
	{name: "another version", link: "v=99"},
	{name: "theme", link: "v=1&theme=neon"},
	{name: "lock", link: "v=1&lock=nosuch"},
	{name: "hide", link: "v=1&hide=" + url.QueryEscape(hostile), opens: true},
	{name: "engine", link: "v=1&engine=999"},
	{name: "an unknown key", link: "v=1&nosuch=3"},
	{name: "garbage", link: "v=1&%3Cb%3E&&&lorem+ipsum"},
	{name: "long", link: "v=1&x=" + strings.Repeat("y", 9000)},
	{name: "900 KB", link: "v=1&x=" + strings.Repeat("y", 900_000), opens: true},
}

// TestBadLinks follows broken links, the first to open a page and the others on
// it: each shows the demo, says in the engine's words which part could not be
// used and what is legal, runs nothing that came with the link, and leaves a
// demo that works, which is tried where a page was opened.
func TestBadLinks(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	tb, visitPage := modes[0].enter(t, s)
	d := numeric(t)
	var p demoPage
	for i, c := range badLinks {
		visit(t, tb, c.name, func(t *testing.T, tb *tab) {
			link := strings.ReplaceAll(c.link, "K", knobOf(d).Name)
			state, problems := demo.Parse(d, link)
			problems = append(problems, state.Unused()...)
			require.NotEmpty(t, problems, "the engine takes this link; the test is wrong")
			if c.opens {
				p = demoPage{visitPage(tb, embedPage(d.ID), "#"+link), d}
			} else {
				p.frame.tab = tb
				call[bool](p.frame, `h => { location.hash = h; return true }`, "#"+link)
			}
			for _, problem := range problems {
				p.notice(problem.Error())
			}
			if c.opens || i == len(badLinks)-1 || long() {
				p.usable(t, state)
			} else {
				p.shows(expect(t, state))
			}
			p.clean(t)
		})
	}
}

// numeric is a demo with a numeric knob that is not behind "more settings".
func numeric(t testing.TB) *demo.Demo {
	t.Helper()
	for _, d := range catalog.All() {
		if k := knobOf(d); k.Name != "" {
			return d
		}
	}
	t.Fatal("no demo has a numeric knob")
	return nil
}

// knobOf is a demo's first numeric knob outside "more settings", if any.
func knobOf(d *demo.Demo) demo.Knob {
	for _, k := range d.Knobs {
		if !k.Choice() && !k.More && k.Writing == nil {
			return k
		}
	}
	return demo.Knob{}
}

// usable shows a state and then another one after a change.
func (p demoPage) usable(t *testing.T, s demo.State) {
	t.Helper()
	p.shows(expect(t, s))
	for _, c := range changes(t, s) {
		if c.Knob.Name == knobOf(p.demo).Name {
			p.set(c.Knob, c.Text)
			p.shows(expect(t, c.To))
			return
		}
	}
	t.Fatal("the demo's numeric knob cannot change")
}

// clean checks that nothing which came with a link has become an element or
// has run.
func (p demoPage) clean(t *testing.T) {
	t.Helper()
	assert.False(t, call[bool](p.frame, `() => 'hacked' in window`), "markup from the link ran")
	assert.Zero(t, call[int](p.frame, `() => document.querySelectorAll('img[src=x],[onerror]').length`), "markup from the link became elements")
}

// TestHugeLink gives a page a link of 2 MB. Chromium refuses to navigate to it,
// so it comes by the hash property; the page may see it or not, but it works.
func TestHugeLink(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	d := numeric(t)
	tb, visitPage := modes[0].enter(t, s)
	tb = tb.in(t)
	p := demoPage{visitPage(tb, embedPage(d.ID), "#v=1&seed=9"), d}
	state := read(t, d, "v=1&seed=9")
	p.shows(expect(t, state))
	call[bool](p.frame, `n => { try { location.hash = '#v=1&x=' + 'y'.repeat(n) } catch { /* refused, as some browsers do */ } return true }`, 2<<20)
	p.idle()
	taken := call[int](p.frame, `() => location.hash.length`) > 1<<20
	if taken {
		p.notice("link")
		state = demo.NewState(d)
	}
	p.usable(t, state)
}

// TestUnknownDemo follows links to demos that are not on the page.
func TestUnknownDemo(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	chapter := s.chapter(t)
	ids := s.demos(t, chapter)
	tb, visitPage := modes[0].enter(t, s)
	for _, c := range []struct{ name, page, hash, id string }{
		{"on a chapter", chapter, "#demo=nosuch&v=1&seed=3", ids[0]},
		{"on an embed page", embedPage(ids[0]), "#demo=nosuch&v=1&seed=3", ids[0]},
		{"markup on a chapter", chapter, "#demo=" + url.QueryEscape(hostile) + "&v=1", ids[0]},
	} {
		visit(t, tb, c.name, func(t *testing.T, tb *tab) {
			p := demoPage{visitPage(tb, c.page, c.hash), find(t, c.id)}
			p.wait("a visible word about the demo that is not here", `() => [...document.querySelectorAll('[role=alert],[role=status],.notice')].some(e => e.checkVisibility() && /demo/i.test(e.textContent))`)
			p.clean(t)
			state := read(t, p.demo, s.data(t, c.page).Demos[c.id].State)
			cg := changes(t, state)[0]
			p.set(cg.Knob, cg.Text)
			p.shows(expect(t, cg.To))
		})
	}
}

// TestUnknownKnob keeps a key that this edition does not know: a newer page may.
func TestUnknownKnob(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	d := numeric(t)
	tb, visitPage := modes[0].enter(t, s)
	tb = tb.in(t)
	state := read(t, d, "v=1&seed=7&zz=1%262")
	p := demoPage{visitPage(tb, embedPage(d.ID), "#v=1&zz=1%262"), d}
	p.shows(expect(t, state))
	for _, c := range changes(t, state) {
		p.set(c.Knob, c.Text)
		p.shows(expect(t, c.To))
		p.address(c.To.String())
		require.Contains(t, c.To.String(), "zz=1%262")
		return
	}
}
