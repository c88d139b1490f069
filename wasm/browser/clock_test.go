package browser

import (
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
)

// timed is a demo whose run has a clock, and the clock of its first state.
func timed(t testing.TB) (*demo.Demo, demo.Clock) {
	t.Helper()
	for _, d := range catalog.All() {
		task, err := demo.Start(demo.NewState(d))
		require.NoError(t, err)
		if _, ok := task.(demo.Timed); ok {
			return d, run(t, demo.NewState(d)).(demo.Timed).Clock()
		}
	}
	t.Fatal("no demo has a clock")
	return nil, demo.Clock{}
}

// moment is the first state of a demo at a time.
func moment(d *demo.Demo, c demo.Clock, at float64) demo.State {
	s := demo.NewState(d)
	if at < c.To {
		s.At, s.HasAt = at, true
	}
	return s
}

// bar presses a button of the clock by keyboard.
func (p demoPage) bar(action string) {
	p.tab.t.Helper()
	p.focusOn(p.at(`[data-action="` + action + `"]`))
	p.tab.press(kb.Enter)
}

// says is the time that the bar shows.
func (p demoPage) says() string {
	p.tab.t.Helper()
	return p.text(p.at("[data-clock-says]"))
}

// moves waits until the bar shows another time than now.
func (p demoPage) moves(what string) {
	p.tab.t.Helper()
	p.wait("time to pass "+what, `(s, was) => document.querySelector(s).textContent !== was`, p.at("[data-clock-says]"), p.says())
}

// halts waits until nothing is played, and says whether the reader still wants it.
func (p demoPage) halts(what string, wanted bool) {
	p.tab.t.Helper()
	p.wait("the clock to stop "+what, `(s, wanted) => { const c = document.querySelector(s).clock; return !c.ticking.going && String(c.wanted) === wanted }`, "#demo-"+p.demo.ID, strconv.FormatBool(wanted))
}

// TestClock steps, scrubs and plays a run by keyboard, from a page on which
// nothing has been used: each time that it stops at looks as it does natively.
func TestClock(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	d, c := timed(t)
	tb, visitPage := modes[2].enter(t, s)
	p := demoPage{visitPage(tb.in(t), embedPage(d.ID), ""), d}
	p.ready()
	require.Empty(t, p.tab.rec.sent(lazy))
	at := func(time float64) { t.Helper(); p.shows(expect(t, moment(d, c, time))) }

	p.bar("back")
	at(c.To - c.Step)
	p.address(moment(d, c, c.To-c.Step).String())
	p.bar("first")
	at(c.From)
	p.bar("step")
	p.bar("step")
	at(c.From + 2*c.Step)
	p.bar("back")
	at(c.From + c.Step)

	slider := p.at("[data-clock-at]")
	p.focusOn(slider)
	for _, k := range []struct {
		key  string
		time float64
	}{{kb.ArrowRight, c.From + 2*c.Step}, {kb.ArrowLeft, c.From + c.Step}, {kb.PageUp, min(c.From+11*c.Step, c.To)}, {kb.Home, c.From}, {kb.End, c.To}} {
		p.tab.press(k.key)
		at(k.time)
		assert.Equal(t, c.Says(k.time), call[string](p.frame, `s => document.querySelector(s).getAttribute('aria-valuetext')`, slider))
	}
	p.address(moment(d, c, c.To).String())
	assert.False(t, call[bool](p.frame, `() => location.hash.includes('at=')`), "a link to the whole run says no time")

	call[string](p.frame, `s => document.querySelector(s).value = '80'`, p.at("[data-clock-speed]"))
	p.bar("play")
	p.moves("after Play")
	p.moves("again")
	assert.False(t, call[bool](p.frame, `() => location.hash.includes('at=')`), "the address waits while the run is played")
	p.bar("play")
	p.halts("after Pause", false)
	p.wait("the address to say when", `() => location.hash.includes('at=')`)
	now := p.state()
	assert.True(t, now.HasAt && c.Holds(now.At), now.String())
	p.shows(expect(t, now))
	p.action("undo")
	p.idle()
	p.shows(expect(t, now)) // a time is no step of undo

	call[string](p.frame, `s => document.querySelector(s).value = '5'`, p.at("[data-clock-speed]"))
	p.bar("play")
	p.halts("at the end", false)
	at(c.To)
}

// TestClockStops plays a run in a frame whose host goes on to another slide, off
// the screen, and for a reader who asks for less motion.
func TestClockStops(t *testing.T) {
	t.Parallel()
	d, c := timed(t)
	g := invite(t, d, moment(d, c, c.From).String(), ` sandbox="allow-scripts"`, "")
	g.shows(expect(t, moment(d, c, c.From)))
	call[string](g.frame, `s => document.querySelector(s).value = '80'`, g.at("[data-clock-speed]"))
	g.halts("before anybody plays", false)
	g.tell(`'slide:start'`)
	g.moves("when the slide is shown")
	g.tell(`'slide:stop'`)
	g.halts("when the slide is left", true)
	g.tell(`'slide:start'`)
	g.moves("when it is shown again")

	hide := func(away bool) {
		call[bool](g.frame, `(s, away) => { document.querySelector(s).style.display = away ? 'none' : 'block'; return true }`, "#demo-"+d.ID, away)
	}
	hide(true)
	g.halts("out of sight", true)
	hide(false)
	g.moves("back in sight")

	send(g.tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}})
	t.Cleanup(func() { send(g.tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{}) })
	g.halts("for a reader who asks for less motion", false)
	g.idle() // a picture that was asked for before may still come
	was := g.says()
	g.bar("play")
	g.idle()
	assert.Equal(t, was, g.says())
	assert.True(t, g.visible(g.at("[data-clock-why]")))
	g.bar("first")
	g.shows(expect(t, moment(d, c, c.From)))
	g.bar("step")
	g.shows(expect(t, moment(d, c, c.From+c.Step)))
}
