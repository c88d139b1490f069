package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
)

// stop is where the focus is after a press of Tab.
type stop struct {
	Name    string `json:"name"`    // path of the element, for messages
	Index   int    `json:"index"`   // among the elements that the page had when the walk began; -1 for none
	Visible bool   `json:"visible"` // whether it has a focus indicator
	InView  bool   `json:"inView"`  // whether some of it can be seen
	Scrolls bool   `json:"scrolls"` // a box that is there to be scrolled
}

const naming = `const name = e => e.tagName.toLowerCase() + (e.id ? '#' + e.id : '') + [...e.attributes].filter(a => /^(data-|href|aria-label$)/.test(a.name)).map(a => '[' + a.name + '=' + a.value.slice(0, 30) + ']').join('');`

// focusNow describes the element that has the focus.
const focusNow = `() => { ` + naming + `
	const e = document.activeElement;
	if (!e || e === document.body || e === document.documentElement) return {name: 'nothing', index: -1};
	const c = getComputedStyle(e), r = e.getBoundingClientRect();
	return {name: name(e), index: walked.indexOf(e),
		visible: (c.outlineStyle !== 'none' && parseFloat(c.outlineWidth) >= 1) || c.boxShadow !== 'none',
		inView: r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth,
		scrolls: e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight};
}`

// controls lists what a reader must be able to reach, in the order of the page.
const controls = `() => { ` + naming + `
	const all = window.walked = [...document.querySelectorAll('*')];
	return all.map((e, index) => ({e, index}))
		.filter(({e}) => e.matches('a[href],button,input,select,textarea,summary,[tabindex="0"]') && !e.disabled && e.tabIndex >= 0 && e.checkVisibility({visibilityProperty: true}))
		.map(({e, index}) => ({name: name(e), index}));
}`

// TestKeyboardWalk presses Tab through a chapter from its top to its end: every
// control is reached, in the order of the page, with a visible focus in view,
// and the last one lets go.
func TestKeyboardWalk(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	tb, visitPage := modes[0].enter(t, s)
	tb = tb.in(t)
	page := s.chapter(t)
	f := visitPage(tb, page, "")
	for _, id := range s.demos(t, page) {
		demoPage{f, find(t, id)}.ready()
	}
	want := call[[]stop](f, controls)
	require.NotEmpty(t, want)
	at := 0
	for range len(want) + 60 {
		tb.press(kb.Tab)
		now := call[stop](f, focusNow)
		if now.Index == -1 {
			break
		}
		assert.True(t, now.Visible, "no focus indicator on %s", now.Name)
		assert.True(t, now.InView, "the focus is out of view on %s", now.Name)
		if at < len(want) && now.Index == want[at].Index {
			at++
			continue
		}
		require.True(t, now.Scrolls, "Tab %d reached %s instead of %s", at, now.Name, name(want, at))
	}
	assert.Equal(t, len(want), at, "the walk ended before %s", name(want, at))
	assert.Equal(t, -1, call[stop](f, focusNow).Index, "the page does not let the focus go")
	assert.Empty(t, tb.rec.sent(lazy), "walking through a page starts nothing")
}

func name(list []stop, i int) string {
	if i < len(list) {
		return list[i].Name
	}
	return "the end"
}

// focusOn gives an element the focus as Tab would: visibly.
func (f frame) focusOn(selector string) {
	f.tab.t.Helper()
	f.wait(selector+" to take the focus", `s => { const e = document.querySelector(s); e.focus({focusVisible: true}); return document.activeElement === e }`, selector)
}

// TestKnobByKeyboard moves a slider with the arrow and page keys.
func TestKnobByKeyboard(t *testing.T) {
	t.Parallel()
	d := numeric(t)
	k := knobOf(d)
	now := read(t, d, "v=1&seed=7")
	p := opened(t, d, now.String())
	p.shows(expect(t, now))
	p.focusOn(p.knob(k.Name, "[data-slider]"))
	pos := func() int { return demo.PositionOf(k, now.Values.Num(k.Name)) }
	for _, c := range []struct {
		key  string
		move int
	}{{kb.ArrowRight, 1}, {kb.ArrowUp, 1}, {kb.ArrowLeft, -1}, {kb.PageUp, 10}, {kb.PageDown, -10}} {
		p.tab.press(c.key)
		now = now.Slide(k.Name, min(max(pos()+c.move, 0), demo.Positions(k)))
		p.shows(expect(t, now))
	}
	assert.Equal(t, k.Says(now.Values.Num(k.Name)), call[string](p.frame, `s => document.querySelector(s).getAttribute('aria-valuetext')`, p.knob(k.Name, "[data-slider]")))
	p.tab.press(kb.End)
	p.shows(expect(t, now.Slide(k.Name, demo.Positions(k))))
	p.tab.press(kb.Home)
	p.shows(expect(t, now.Slide(k.Name, 0)))
}

// control is the kind of control that a knob has: slider, switch or choice.
func (p demoPage) control(k demo.Knob) string {
	switch {
	case !k.Choice():
		return "slider"
	case p.has(p.knob(k.Name, "[data-switch]")):
		return "switch"
	case p.has(p.knob(k.Name, "[data-show]")):
		return "show"
	}
	return "choice"
}

// press moves a knob by the key for one step up, or down at its end.
func (p demoPage) press(t *testing.T, s demo.State, k demo.Knob, kind string) {
	t.Helper()
	p.reveal(k)
	at := "[data-" + kind + "]"
	if kind == "show" { // one of two buttons
		at = `[data-show]:not([data-show="` + k.Options[int(s.Values.At(s.Demo.Index(k.Name)))].Name + `"])`
	}
	p.focusOn(p.knob(k.Name, at))
	keys := map[string][2]string{"slider": {kb.ArrowRight, kb.ArrowLeft}, "switch": {" ", " "}, "show": {" ", " "}, "choice": {kb.ArrowDown, kb.ArrowUp}}[kind]
	key := keys[0]
	if demo.PositionOf(k, s.Values.At(s.Demo.Index(k.Name))) == demo.Positions(k) {
		key = keys[1]
	}
	p.tab.press(key)
}

// TestBetByKeyboard bets with Enter and reads the result; the focus stays.
func TestBetByKeyboard(t *testing.T) {
	t.Parallel()
	d := betting(t)
	s := builtSite(t)
	tb, visitPage := modes[0].enter(t, s)
	p := demoPage{visitPage(tb.in(t), embedPage(d.ID), ""), d}
	p.ready()
	chip := p.at(fmt.Sprintf(`[data-bet-option="%d"]`, 0))
	p.focusOn(chip)
	p.tab.press(kb.Enter)
	reveal, problems := demo.Parse(d, d.Bet.Reveal)
	require.Empty(t, problems)
	p.shows(expect(t, reveal))
	p.wait("the result of the bet", `(s, says) => document.querySelector(s).textContent.includes(says)`, p.at("[data-bet-result]"), d.Bet.Feedback[0])
	assert.True(t, call[bool](p.frame, `s => document.activeElement === document.querySelector(s)`, chip), "the focus has moved")
	assert.Equal(t, "true", call[string](p.frame, `s => document.querySelector(s).getAttribute('aria-pressed')`, chip))
}
