package browser

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
)

// mechanisms opens the chapter of small figures, before anybody has used it.
func mechanisms(t *testing.T) frame {
	t.Helper()
	tb, visitPage := modes[0].enter(t, builtSite(t))
	return visitPage(tb.in(t), "guide/mechanisms.html", "")
}

// TestStillsOpen: each small picture of a lever is there before anything has
// started, and its link starts the demo of the page on that lever.
func TestStillsOpen(t *testing.T) {
	t.Parallel()
	f := mechanisms(t)
	d, ok := catalog.Find("mechanism")
	assert.True(t, ok)
	link := func(lever string) string {
		return `.still-open a[href^="#demo=mechanism&"][href*="lever=` + lever + `"]`
	}
	for i, o := range d.Knobs[d.Index("lever")].Options {
		at := link(o.Name)
		if i == 0 {
			at = `.still-open a[href="#demo=mechanism&v=1&seed=7"]` // the first is the demo's own, which a link leaves out
		}
		assert.Equal(t, 1.0, call[float64](f, `s => { const a = document.querySelector(s); return a ? a.closest('.still').querySelectorAll('svg').length : 0 }`, at), o.Name)
		assert.True(t, call[bool](f, `s => !!document.querySelector(s).closest('[data-still]')?.querySelector('[data-slider]')`, at), "%s has nothing to move it", o.Name)
	}
	assert.True(t, call[bool](f, `s => { document.querySelector(s).click(); return true }`, link("moe")))
	f.wait("the demo on the lever of the picture", `() => /lever=moe/.test(document.querySelector('ol-demo').dataset.state) && /Experts/.test(document.querySelector('ol-demo .fig-title').textContent)`)
}

// stillFigure is one small figure of the chapter.
type stillFigure struct {
	frame
	nth   int
	start demo.State
	knob  string
}

func (s stillFigure) at(selector string) string {
	return `[data-still="still-` + strconv.Itoa(s.nth) + `"] ` + selector
}

// shows waits for the figure of a state: its words, table, picture, and a link that opens it.
func (s stillFigure) shows(t *testing.T, want demo.State) {
	t.Helper()
	fig := run(t, want).Figures()[0]
	s.wait("the words of "+want.String(), `(s, alt) => document.querySelector(s).textContent === alt`, s.at("[data-say]"), fig.Alt)
	for _, p := range expect(t, want).Parts[:2] { // its table and notes
		at := p.Selector[len(`[data-figure="`+fig.ID+`"] `):]
		s.wait(at+" of "+want.String(), `(s, html) => { const t = document.createElement('div'); t.innerHTML = html || ''; return document.querySelector(s).innerHTML === t.innerHTML }`, s.at(at), p.HTML)
	}
	s.wait("the link to "+want.String(), `(s, link) => document.querySelector(s).href.endsWith(link)`, s.at(".still-open a"), "#demo="+want.Demo.ID+"&"+want.String())
}

// TestStillsMove: a small figure moves where it stands, by keyboard and by its mark,
// says what cannot be, and goes on when the engine that it shares has died.
func TestStillsMove(t *testing.T) {
	t.Parallel()
	f := mechanisms(t)
	f.tab.allow(`panic|fault|Go program|exit code`)
	mech, steps := find(t, "mechanism"), find(t, "step-trace")
	for _, s := range []stillFigure{
		{f, 2, read(t, steps, "v=1"), "blocks"}, // a table of steps, of another module than the page's demo
		{f, 10, read(t, mech, "v=1&lever=moe"), "batch"},
		{f, 7, read(t, mech, "v=1&lever=chunked"), "context"},
	} {
		k := s.start.Demo.Knobs[s.start.Demo.Index(s.knob)]
		pos := demo.PositionOf(k, s.start.Values.Num(s.knob))
		s.focusOn(s.at("[data-slider]"))
		f.tab.press(kb.ArrowRight)
		s.shows(t, s.start.Slide(s.knob, pos+1))
		f.tab.press(kb.ArrowRight)
		s.shows(t, s.start.Slide(s.knob, pos+2))
		s.typeInto(s.at("[data-box]"), "-5")
		s.wait("a word about the mistake", `s => document.querySelector(s).textContent.includes('-5')`, s.at("[data-problem]"))
		s.shows(t, s.start.Slide(s.knob, pos+2))
		f.tab.press(kb.Escape)
		s.wait("no word about it", `s => document.querySelector(s).hidden`, s.at("[data-problem]"))
	}
	chart := stillFigure{f, 10, read(t, mech, "v=1&lever=moe&batch=34"), "batch"}
	chart.wait("a mark to drag", `s => document.querySelector(s)?.checkVisibility()`, chart.at(".mark-handle"))

	other := stillFigure{f, 3, read(t, mech, "v=1"), "context"}
	assert.False(t, other.has(other.at(".plot-live")), "a figure that nobody touched is drawn again")
	other.click(other.at("[data-plot]"))
	other.wait("a chart to work with", `s => document.querySelector(s)?.checkVisibility()`, other.at(".mark-handle"))
	other.shows(t, other.start)

	demoPage{f, mech}.ready()
	demoPage{f, mech}.kill()
	demoPage{f, mech}.notice("engine stopped")
	chart.focusOn(chart.at("[data-slider]"))
	f.tab.press(kb.ArrowLeft)
	chart.shows(t, read(t, mech, "v=1&lever=moe&batch=33"))
}

// TestStillsMoveInFirefox: the same in Firefox, by an arrow key and by the mouse: words
// and link are always of one state.
func TestStillsMoveInFirefox(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	fox := firefox(t)
	mech, url := find(t, "mechanism"), serve(t, s.dir, "/")+"guide/mechanisms.html"
	type still struct {
		nth         int
		lever, knob string
	}
	list := []still{{10, "moe", "batch"}}
	if long() {
		list = append(list, still{3, "gqa", "context"}, still{4, "mla", "context"}, still{5, "quant", "batch"}, still{6, "prefix", "context"}, still{7, "chunked", "context"}, still{8, "apart", "context"}, still{9, "speculation", "batch"})
	}
	visits, states := []foxVisit{}, []demo.State{}
	for _, f := range list {
		from := read(t, mech, "v=1&lever="+f.lever)
		k := mech.Knobs[mech.Index(f.knob)]
		to := from.Slide(f.knob, demo.PositionOf(k, from.Values.Num(f.knob))+1)
		states = append(states, to)
		visits = append(visits, foxVisit{Name: f.lever, URL: url, Root: `[data-still="still-` + strconv.Itoa(f.nth) + `"]`, Say: run(t, to).Figures()[0].Alt, Still: &foxStill{60, "#demo=mechanism&" + to.String()}})
	}
	for i, r := range drive(t, fox, visits) {
		if !assert.Empty(t, r.Error, r.Name) || !assert.NotNil(t, r.Dragged, r.Name) {
			continue
		}
		assert.Empty(t, r.Faults, r.Name)
		assert.True(t, strings.HasSuffix(r.Link, "#demo=mechanism&"+states[i].String()), "by key: %s", r.Link)
		_, link, _ := strings.Cut(r.Dragged.Link, "#demo=mechanism&")
		assert.NotEqual(t, states[i].String(), link, "%s: the mark was dragged", r.Name)
		assert.Equal(t, run(t, read(t, mech, link)).Figures()[0].Alt, r.Dragged.Say, "%s: %s", r.Name, link)
	}
}
