package browser

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
)

// The training with hidden failures, as somebody plays it who has no mouse.

// pick moves a list that has the focus to the option with this name.
func (p demoPage) pick(t *testing.T, knob, option string) {
	t.Helper()
	k := p.demo.Knobs[p.demo.Index(knob)]
	p.focusOn(p.knob(knob, "[data-choice]"))
	p.tab.press(kb.Home)
	for _, o := range k.Options {
		if o.Name == option {
			return
		}
		p.tab.press(kb.ArrowDown)
	}
	t.Fatalf("%s has no option %s", knob, option)
}

// TestRoundByKeyboard plays two rounds in a sandboxed frame: the host hears what
// each is worth, once; the page says so, and shows the chain that it hid before.
func TestRoundByKeyboard(t *testing.T) {
	t.Parallel()
	d := find(t, "name-the-failure")
	g := invite(t, d, "v=1&seed=7", ` sandbox="allow-scripts"`, "")
	asked := read(t, d, "v=1&seed=7")
	g.shows(expect(t, asked))
	assert.False(t, g.visible(g.at(`[data-figure="chain"]`)), "the chain is told before the answer")
	g.focusOn(g.at(".skip-to"))
	assert.True(t, g.visible(g.at(".skip-to")))
	g.tab.press(kb.Enter)
	g.wait("the first question to have the focus", `s => document.activeElement === document.querySelector(s)`, g.knob("first", "[data-choice]"))

	g.pick(t, "first", "batch")
	g.pick(t, "cause", "traffic_surge")
	answered := read(t, d, "v=1&seed=7&first=batch&cause=traffic_surge")
	g.shows(expect(t, answered))
	g.pick(t, "mark", "on")
	marked := read(t, d, answered.String()+"&mark=on")
	g.shows(expect(t, marked))
	task := run(t, marked)
	score, _ := task.(demo.Scored).Score()
	require.Equal(t, 1.0, score)
	link := marked
	link.Engine = demo.EngineVersion
	g.hears("the score", `m.subject === 'SPLICE.reportScoreAndState' && m.activity_id === 'name-the-failure' && m.score === 1 && m.state.link === '`+link.String()+`'`)
	g.wait("the verdict to be spoken", `(s, says) => document.querySelector(s).textContent === says`, g.at("[data-live]"), task.Summary().String())
	assert.Equal(t, "Score 1 of 1", g.text(g.at("[data-round]")), "what it is worth, beside the answer")
	g.wait("the chain", `s => document.querySelector(s).checkVisibility() && document.querySelector(s).textContent.includes('running batch')`, g.at(`[data-figure="chain"]`))

	g.focusOn(g.at(`.knob-next [data-seed-next]`))
	g.tab.press(kb.Enter)
	next := read(t, d, "v=1&seed=8")
	g.shows(expect(t, next))
	g.holds(t, next)
	assert.False(t, g.visible(g.at(`[data-figure="chain"]`)))
	g.wait("the focus to be where the case begins", `s => document.activeElement === document.querySelector(s)`, g.at("h3"))
	g.wait("the case to be told, once", `(s, says) => document.querySelector(s).textContent === says`, g.at("[data-live]"), "Case 8. "+run(t, next).Summary().String())
	assert.Empty(t, g.text(g.at("[data-round]")))

	g.action("undo") // back to the answer: it is there again, and not reported again
	g.shows(expect(t, marked))
	g.action("redo")
	g.shows(expect(t, next))
	g.pick(t, "mark", "on")
	g.shows(expect(t, read(t, d, "v=1&seed=8&mark=on"))) // nothing was said: refused, and not reported
	g.pick(t, "mark", "tell")
	g.shows(expect(t, read(t, d, "v=1&seed=8&mark=tell")))
	g.hears("the second score", `m.subject === 'SPLICE.reportScoreAndState' && m.score === 0`)
	reports := `() => got.filter(m => m.data?.subject === 'SPLICE.reportScoreAndState').length`
	assert.Equal(t, 2, call[int](g.host, reports), "an answer is reported once")
	g.pick(t, "cause", "traffic_surge") // better now that it is known
	g.shows(expect(t, read(t, d, "v=1&seed=8&cause=traffic_surge&mark=tell")))
	assert.Equal(t, 2, call[int](g.host, reports), "the first answer counts")
}

// TestRoundLocked: a case that is fixed has no next one, an answer that must not be
// shown is not, and a link that comes with an answer reports nothing.
func TestRoundLocked(t *testing.T) {
	t.Parallel()
	d := find(t, "name-the-failure")
	g := invite(t, d, "v=1&seed=7&lock=seed,mark&hide=diagnosis", ` sandbox="allow-scripts"`, "")
	fixed := read(t, d, "v=1&seed=7&lock=seed,mark&hide=diagnosis")
	g.shows(expect(t, fixed))
	g.focusOn(g.at(`.knob-next [data-seed-next]`))
	g.tab.press(kb.Enter)
	g.focusOn(g.knob("mark", "[data-choice]"))
	g.tab.press(kb.ArrowDown)
	g.pick(t, "first", "queue")
	fixed = read(t, d, "v=1&seed=7&first=queue&lock=seed,mark&hide=diagnosis")
	g.shows(expect(t, fixed))
	g.holds(t, fixed)

	shown := read(t, d, "v=1&seed=7&first=queue&cause=none&mark=on")
	g = invite(t, d, shown.String(), "", "")
	g.shows(expect(t, shown))
	assert.Zero(t, call[int](g.host, `() => got.filter(m => m.data?.subject === 'SPLICE.reportScoreAndState').length`))
}

// TestRoundOnPhone plays a round by keyboard on a narrow screen: the question is seen
// with its name, what is marked stays in sight and stands under the questions, and
// after Next case one Tab and Enter lead back to them.
func TestRoundOnPhone(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	tb, visitPage := modes[0].enter(t, s)
	tb = tb.in(t)
	f := visitPage(tb, "guide/your-turn.html", "")
	p := demoPage{f, find(t, "name-the-failure")}
	p.ready()
	tb.size(390, 844)
	box := func(selector string) struct{ Top, Bottom, Height float64 } {
		return call[struct{ Top, Bottom, Height float64 }](f, `s => { const r = document.querySelector(s).getBoundingClientRect(); return {Top: r.top, Bottom: r.bottom, Height: innerHeight} }`, selector)
	}
	inView := func(selector, why string) {
		t.Helper()
		b := box(selector)
		assert.True(t, b.Top >= 0 && b.Bottom <= b.Height, "%s: %v", why, b)
	}
	tb.press(kb.Tab)
	tb.press(kb.Tab)
	tb.press(kb.Enter)
	f.wait("the first question to have the focus", `s => document.activeElement === document.querySelector(s)`, p.knob("first", "[data-choice]"))
	inView(p.knob("first", "label"), "the question is cut off")

	for seed, answer := range []string{"&first=nothing&cause=none", "&first=prefix_hit&cause=kv_squeeze"} {
		if seed > 0 {
			tb.press(kb.Tab)
			assert.True(t, call[bool](f, `() => document.activeElement.dataset.action === 'settings'`), "one Tab after Next case")
			tb.press(kb.Enter)
			inView(p.knob("first", "label"), "the question is cut off")
		}
		state := read(t, p.demo, "v=1&seed="+[]string{"55", "56"}[seed]+answer+"&mark=on")
		p.pick(t, "first", state.Values.Option("first"))
		p.pick(t, "cause", state.Values.Option("cause"))
		p.pick(t, "mark", "on")
		p.shows(expect(t, state))
		f.wait("the question to be in sight", `s => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => { const r = document.querySelector(s).getBoundingClientRect(); done(r.top >= 0 && r.bottom <= innerHeight) })))`, p.knob("mark", "[data-choice]"))
		assert.Greater(t, box(p.at(`[data-figure="marking"]`)).Top, box(p.at(`.knob-next`)).Top, "what is said of an answer stands above the curves, out of sight")
		assert.Less(t, box(p.at(`[data-figure="marking"]`)).Top, box(p.at(`[data-figure="strip"]`)).Top)
		p.focusOn(p.at(`.knob-next [data-seed-next]`))
		tb.press(kb.Enter)
		f.wait("the focus to be where the case begins", `s => document.activeElement === document.querySelector(s)`, p.at("h3"))
	}
}
