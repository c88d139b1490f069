package browser

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demotest"
)

// opened shows a demo's embed page at a link in a tab of the test.
func opened(t *testing.T, d *demo.Demo, link string) demoPage {
	t.Helper()
	s := builtSite(t)
	tb, visitPage := modes[0].enter(t, s)
	p := demoPage{visitPage(tb.in(t), embedPage(d.ID), "#"+link), d}
	p.ready()
	return p
}

// stepped is a state with its demo's first numeric knob some steps further.
func stepped(t testing.TB, s demo.State, by int) demo.State {
	t.Helper()
	k := knobOf(s.Demo)
	pos := demo.PositionOf(k, s.Values.Num(k.Name))
	if pos+by > demo.Positions(k) {
		by = -by
	}
	to := s.Slide(k.Name, pos+by)
	require.NotEqual(t, s.String(), to.String(), "knob %s of %s, %d steps on", k.Name, s.Demo.ID, by)
	return to
}

// knobText is the text of the first numeric knob in a state.
func knobText(s demo.State) string {
	k := knobOf(s.Demo)
	return k.Text(s.Values.Num(k.Name))
}

// TestLinkRestores opens a link with everything in it, on an embed page and in a
// chapter: for the chapter's first demo and its last and, in the long test, for
// all. (TestPages follows links of every demo on a page that is shown.)
func TestLinkRestores(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	tb, visitPage := modes[0].enter(t, s)
	chapter := s.chapter(t)
	ids := s.demos(t, chapter)
	for i, id := range ids {
		if i > 0 && i < len(ids)-1 && !long() {
			continue
		}
		d := find(t, id)
		state := demotest.Light(d)
		state.Seed = 4294967295
		state = changes(t, state)[0].To
		for _, page := range []string{embedPage(id), chapter} {
			visit(t, tb, id+" on "+page, func(t *testing.T, tb *tab) {
				p := demoPage{visitPage(tb, page, hash(page, d, state.String())), d}
				p.shows(expect(t, state))
				p.holds(t, state)
			})
		}
	}
}

// holds compares the controls of a demo with a state.
func (p demoPage) holds(t *testing.T, s demo.State) {
	t.Helper()
	if s.Demo.NoChance {
		assert.False(t, p.has(p.at("input[data-seed]")) || p.has(p.at(`[data-action="seeds"]`)), "a seed of something without chance")
	} else {
		assert.Equal(t, strconv.FormatUint(uint64(s.Seed), 10), call[string](p.frame, `s => document.querySelector(s).value`, p.at("input[data-seed]")))
	}
	for i, k := range s.Demo.Knobs {
		assert.Equal(t, s.Values.Text(i), p.setting(k), k.Name)
	}
}

// TestUndoRedoReset walks back and forth through three settings.
func TestUndoRedoReset(t *testing.T) {
	t.Parallel()
	d := numeric(t)
	a := read(t, d, "v=1&seed=7")
	b, c := stepped(t, a, 1), stepped(t, a, 2)
	p := opened(t, d, a.String())
	p.shows(expect(t, a))
	for _, to := range []demo.State{b, c} {
		p.typeInto(p.knob(knobOf(d).Name, "[data-box]"), knobText(to))
		p.shows(expect(t, to))
	}
	for _, step := range []struct {
		action string
		want   demo.State
	}{{"undo", b}, {"undo", a}, {"redo", b}, {"redo", c}, {"undo", b}, {"reset", a}, {"undo", b}} {
		p.action(step.action)
		p.shows(expect(t, step.want))
		p.address(step.want.String())
	}
}

// TestResetGoesBack looks at Reset after each way to come to a state of an embed:
// it can be pressed exactly when it changes something, and then it goes back to
// the address that somebody wrote, not to the one that the page wrote over it.
func TestResetGoesBack(t *testing.T) {
	t.Parallel()
	d := numeric(t)
	a := read(t, d, "v=1&seed=7")
	b := stepped(t, a, 1)
	p := opened(t, d, a.String())
	can := func(when string, want bool) {
		p.wait("Reset "+when, `(s, off) => document.querySelector(s).getAttribute('aria-disabled') === off`, p.at(`[data-action="reset"]`), strconv.FormatBool(!want))
	}
	p.shows(expect(t, a))
	can("at the start", false)
	p.typeInto(p.knob(knobOf(d).Name, "[data-box]"), knobText(b))
	p.shows(expect(t, b))
	can("after a change", true)
	p.address(b.String())

	call[bool](p.frame, `() => { location.reload(); return true }`)
	p.wait("the page to come back", `s => performance.getEntriesByType('navigation')[0].type === 'reload' && document.querySelector(s)?.flow?.head`, "#demo-"+d.ID)
	p.shows(expect(t, b))
	can("after a reload", true)
	p.action("reset")
	p.shows(expect(t, a))
	can("after a reset", false)
	p.address(a.String())

	c := stepped(t, a, 2)
	p.follow(c)
	can("after an address that somebody wrote", false)
}

// TestCopyLink copies the link after a change and opens what was copied.
func TestCopyLink(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	chapter := s.chapter(t)
	id := s.demos(t, chapter)[1] // the link must name it
	for _, page := range []string{embedPage(id), chapter} {
		t.Run(strings.ReplaceAll(page, "/", " "), func(t *testing.T) {
			d := find(t, id)
			tb, visitPage := modes[0].enter(t, s)
			p := demoPage{visitPage(tb.in(t), page, ""), d}
			p.ready()
			to := stepped(t, read(t, d, s.data(t, page).Demos[id].State), 1)
			p.typeInto(p.knob(knobOf(d).Name, "[data-box]"), knobText(to))
			p.shows(expect(t, to))
			p.action("link")
			p.wait("the link in the text box", `s => document.querySelector(s)?.value?.includes('#')`, p.at("[data-out] textarea"))
			link := call[string](p.frame, `s => document.querySelector(s).value`, p.at("[data-out] textarea"))
			assert.True(t, strings.HasSuffix(link, hash(page, d, to.String())), "link %s carries %s", link, to)

			q := demoPage{p.tab.open(link), d}
			q.shows(expect(t, to))
		})
	}
}

// takesPresets presses a preset of a demo and expects its state. The long test
// presses all; that each runs is a test of the catalog.
func (v look) takesPresets(t *testing.T) {
	p := v.demo()
	for i, preset := range p.demo.Presets {
		if i > 0 && !long() {
			break
		}
		p.click(p.at(".demo-presets > :nth-child(" + strconv.Itoa(i+1) + ")"))
		p.shows(expect(t, read(t, p.demo, preset.State)))
	}
}

// TestLockHideTheme opens a link as a trainer makes it: one knob and the seed
// cannot move, parts are hidden, the look is set.
func TestLockHideTheme(t *testing.T) {
	t.Parallel()
	d := numeric(t)
	k := knobOf(d)
	link := "v=1&seed=5&lock=seed," + k.Name + "&hide=presets,table&theme=projector"
	p := opened(t, d, link)
	state := read(t, d, link)
	p.shows(expect(t, state))
	assert.Equal(t, "projector", call[string](p.frame, `() => document.documentElement.dataset.theme`))
	for _, hidden := range []string{".demo-presets", ".fig-table"} {
		p.wait(hidden+" to be hidden", `s => ![...document.querySelectorAll(s)].some(e => e.checkVisibility())`, p.at(hidden))
	}
	for _, locked := range []string{p.knob(k.Name, "[data-box]"), p.at("input[data-seed]")} {
		p.wait(locked+" to be marked as locked", `s => { const e = document.querySelector(s); return e.getAttribute('aria-disabled') === 'true' || e.disabled || e.readOnly }`, locked)
	}
	p.fill(p.knob(k.Name, "[data-box]"), knobText(stepped(t, state, 1)))
	p.tab.press(kb.Enter)
	p.click(p.at("[data-seed-next]"))
	p.idle()
	p.shows(expect(t, state))
	assert.Equal(t, state.String(), strings.TrimPrefix(call[string](p.frame, `() => location.hash`), "#"), "a locked link stays as it is")
}

// TestSeedButtons steps the seed and types one, legal and not.
func TestSeedButtons(t *testing.T) {
	t.Parallel()
	d, start := spreading(t)
	seed := func(n uint32) demo.State { s := start; s.Seed = n; return s }
	p := opened(t, d, seed(7).String())
	p.shows(expect(t, seed(7)))
	p.click(p.at("[data-seed-next]"))
	p.shows(expect(t, seed(8)))
	// Two presses before the first is answered; the answer may move the button away from under a mouse.
	call[bool](p.frame, `s => { const e = document.querySelector(s); e.click(); e.click(); return true }`, p.at("[data-seed-prev]"))
	p.shows(expect(t, seed(6)))
	p.typeInto(p.at("input[data-seed]"), "123456")
	p.shows(expect(t, seed(123456)))
	p.address(seed(123456).String())
	_, problem := start.Set("seed", "0")
	p.typeInto(p.at("input[data-seed]"), "0")
	p.wait("the engine's words beside the seed", `(s, want) => document.querySelector(s).textContent.includes(want)`, p.at(".seed"), problem.Error())
	p.shows(expect(t, seed(123456)))
}

// TestTypingOutlivesAnswers begins to type again before the answer to what was
// typed before has come: the answer leaves alone what stands in the box.
func TestTypingOutlivesAnswers(t *testing.T) {
	t.Parallel()
	d, start := spreading(t)
	p := opened(t, d, start.String())
	p.follow(stepped(t, start, 1)) // from here on the engine answers at once
	k := knobOf(d)
	for _, c := range []struct {
		box, key string
		texts    [2]string
	}{
		{p.at("input[data-seed]"), "seed", [2]string{"99", "123"}},
		{p.knob(k.Name, "[data-box]"), k.Name, [2]string{knobText(stepped(t, start, 2)), knobText(stepped(t, start, 3))}},
	} {
		first, problem := p.state().Set(c.key, c.texts[0])
		require.Nil(t, problem)
		second, problem := first.Set(c.key, c.texts[1])
		require.Nil(t, problem)
		p.typeInto(c.box, c.texts[0])
		p.fill(c.box, c.texts[1])
		p.shows(expect(t, first)) // now the answer has come
		p.tab.press(kb.Enter)
		p.shows(expect(t, second))
		p.address(second.String())
	}
}

// TestTypingWhileLoading types while the engine is still being loaded for the
// state of a link: that state, when it comes, leaves the text alone.
func TestTypingWhileLoading(t *testing.T) {
	t.Parallel()
	d, start := spreading(t)
	k := knobOf(d)
	linked := stepped(t, start, 1)
	for _, c := range []struct{ name, selector, key, text string }{
		{"seed", "input[data-seed]", "seed", "99"},
		{"knob", `[data-knob="` + k.Name + `"] [data-box]`, k.Name, knobText(stepped(t, start, 2))},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := opened(t, d, linked.String())
			p.fill(p.at(c.selector), c.text)
			p.shows(expect(t, linked))
			p.tab.press(kb.Enter)
			want, problem := linked.Set(c.key, c.text)
			require.Nil(t, problem)
			p.shows(expect(t, want))
		})
	}
}

// TestBackButton follows the address: an edited hash, and back again.
func TestBackButton(t *testing.T) {
	t.Parallel()
	d := numeric(t)
	a, b := read(t, d, "v=1&seed=11"), stepped(t, read(t, d, "v=1&seed=12"), 1)
	p := opened(t, d, a.String())
	p.shows(expect(t, a))
	call[bool](p.frame, `h => { location.hash = h; return true }`, "#"+b.String())
	p.shows(expect(t, b))
	call[bool](p.frame, `() => { history.back(); return true }`)
	p.shows(expect(t, a))
}

// TestTypedBadNumber types values that are not legal: the words come beside
// the box, the run stays, and a good value takes them away.
func TestTypedBadNumber(t *testing.T) {
	t.Parallel()
	d := numeric(t)
	k := knobOf(d)
	state := read(t, d, "v=1&seed=7")
	p := opened(t, d, state.String())
	p.shows(expect(t, state))
	box, line := p.knob(k.Name, "[data-box]"), p.knob(k.Name, "[data-problem]")
	for _, bad := range []string{"abc", "1e308", "NaN", "-1e9", hostile} {
		_, problem := state.Set(k.Name, bad)
		require.NotNil(t, problem, bad)
		p.typeInto(box, bad)
		p.wait("the engine's words for "+bad, `(s, want) => { const e = document.querySelector(s); return e.checkVisibility() && e.textContent.trim() === want }`, line, problem.Error())
		assert.Equal(t, "true", call[string](p.frame, `s => document.querySelector(s).getAttribute('aria-invalid')`, box))
		p.shows(expect(t, state))
	}
	p.clean(t)
	good := stepped(t, state, 1)
	p.typeInto(box, knobText(good))
	p.shows(expect(t, good))
	assert.False(t, p.visible(line), "the words about the bad value stay after a good one")
}
