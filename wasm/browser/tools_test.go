package browser

import (
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
)

// finder matches what a page must not ask for before somebody searches.
var finder = regexp.MustCompile(`/assets/(tools|search)\.js`)

const options = `() => [...document.querySelectorAll('#found a')].map(a => a.textContent)`

// TestSearch looks for something by keyboard in every way of hosting: nothing is
// loaded before the box has the focus, the arrow keys choose while the focus
// stays, Esc closes, Enter goes there.
func TestSearch(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	page := s.chapter(t)
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			tb, visitPage := m.enter(t, s)
			tb = tb.in(t)
			f := visitPage(tb, page, "")
			f.idle()
			assert.Empty(t, tb.rec.sent(finder), "search was asked for before anybody searched")
			f.focusOn("[data-find]")
			tb.press("kv cahce")
			f.wait("what was found", `() => [...document.querySelectorAll('#found a')].some(a => a.textContent.startsWith('KV cache'))`)
			selected := func() string {
				return call[string](f, `() => { const on = [...document.querySelectorAll('#found [aria-selected=true]')], box = document.activeElement;
					return on.length === 1 && box.matches('[data-find][aria-expanded=true]') && box.getAttribute('aria-activedescendant') === on[0].id ? on[0].textContent : '' }`)
			}
			all := call[[]string](f, options)
			assert.Equal(t, all[0], selected())
			tb.press(kb.ArrowDown)
			assert.Equal(t, all[1], selected())
			tb.press(kb.ArrowUp)
			tb.press(kb.ArrowUp)
			assert.Equal(t, all[len(all)-1], selected(), "the list goes round")
			if m.name == "root" {
				f.accessible(t, "header", true)
			}
			tb.press(kb.Escape)
			assert.False(t, f.visible("#found"))
			tb.press(kb.Escape)
			assert.Empty(t, call[string](f, `() => document.querySelector('[data-find]').value`))
			tb.press("kv cache")
			f.wait("what was found", `() => document.querySelector('#found a')?.textContent.startsWith('KV cache')`)
			tb.press(kb.Enter)
			if m.name == "sandboxed iframe" {
				f = tb.child("glossary.html#kv-cache")
			}
			f.wait("the entry of the glossary", `() => location.href.endsWith('glossary.html#kv-cache') && document.querySelector('#kv-cache').checkVisibility()`)
		})
	}
}

// TestSearchLink: an address may carry what is looked for, and what nobody
// wrote about is said to be missing.
func TestSearchLink(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	tb, visitPage := modes[0].enter(t, s)
	tb = tb.in(t)
	f := visitPage(tb, "glossary.html", "?q=open+loop")
	f.wait("what was found", `() => document.querySelector('#found a')?.textContent.startsWith('open loop')`)
	f.fill("[data-find]", "zzxxyyqq")
	f.wait("that there is nothing", `() => document.querySelector('#found').textContent.startsWith('Nothing about “zzxxyyqq”')`)
	f.accessible(t, "header", false)
}

// TestKeys opens the list of keys by a key with a modifier and by its button,
// closes it, and switches the keys that work anywhere off.
func TestKeys(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	tb, visitPage := modes[0].enter(t, s)
	tb = tb.in(t)
	f := visitPage(tb, "glossary.html", "")
	ctrl := chromedp.ModifierCtrl
	tb.press("/", ctrl)
	f.wait("the list of keys", `() => document.querySelector('dialog[open]')?.textContent.includes('search the guide')`)
	f.wait("how to use a demo, before it", `() => document.querySelector('dialog dt').textContent === 'Your bet first'`)
	f.accessible(t, "dialog", true)
	tb.press(kb.Escape)
	f.wait("the list to close", `() => !document.querySelector('dialog').open`)
	tb.press("k", ctrl)
	f.wait("the focus in the search box", `() => document.activeElement.matches('[data-find]')`)
	for _, key := range []string{"k", "/", "?", "s"} {
		call[bool](f, `() => { document.activeElement.blur(); return true }`)
		tb.press(key)
		assert.True(t, call[bool](f, `() => document.activeElement === document.body && !document.querySelector('dialog').open`), "%q alone does something", key)
	}
	f.click("[data-help]")
	f.wait("the list of keys", `() => document.querySelector('dialog').open`)
	f.click("dialog [type=checkbox]")
	f.click("dialog button")
	f.wait("the focus back on the button", `() => !document.querySelector('dialog').open && document.activeElement.matches('[data-help]')`)
	tb.press("k", ctrl)
	assert.True(t, call[bool](f, `() => document.activeElement.matches('[data-help]')`), "the keys are off")
}

// TestPresentSection scrolls through a chapter: the list beside the text marks
// one section at each place, the first near the top and the last at the end.
func TestPresentSection(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	tb, visitPage := modes[0].enter(t, s)
	tb = tb.in(t)
	f := visitPage(tb, s.chapter(t), "")
	for _, which := range []string{"0", "Math.floor(all.length / 2)", "all.length - 1"} {
		call[bool](f, `() => { const all = [...document.querySelectorAll('.toc a')], i = `+which+`;
			if (i === all.length - 1) scrollTo(0, document.documentElement.scrollHeight); else document.getElementById(all[i].hash.slice(1)).scrollIntoView(); return true }`)
		f.wait("the mark on section "+which, `() => { const all = [...document.querySelectorAll('.toc a')], on = all.filter(a => a.getAttribute('aria-current') === 'location');
			return on.length === 1 && on[0] === all[`+which+`] && on[0].checkVisibility() }`)
	}
	tb.size(390, 800)
	assert.False(t, f.visible(".toc"), "on a phone the list is folded")
	f.click(".sidebar summary")
	assert.True(t, f.visible(".toc"))
}

// TestNobodyClicksTwice uses a demo before its script has come: what was done
// is done again when it has.
func TestNobodyClicksTwice(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	page := s.chapter(t)
	d := find(t, s.demos(t, page)[0])
	tb, visitPage := modes[0].enter(t, s)
	tb = tb.in(t)
	f := visitPage(tb, page, "")
	p := demoPage{f, d}
	start := read(t, d, s.data(t, page).Demos[d.ID].State)
	to := stepped(t, start, 1)
	k := knobOf(d)
	assert.False(t, call[bool](f, `(box, text) => {
		const e = document.querySelector(box);
		e.focus(); e.value = text;
		e.dispatchEvent(new Event('change', {bubbles: true}));
		return !!customElements.get('ol-demo') }`, p.knob(k.Name, "[data-box]"), knobText(to)))
	p.shows(expect(t, to))

	f = visitPage(tb, page, "")
	p = demoPage{f, d}
	assert.False(t, call[bool](f, `s => { document.querySelector(s).click(); return !!customElements.get('ol-demo') }`, p.at("[data-seed-next],[data-preset]:not([aria-current])")))
	f.wait("another state", `(s, was) => { const e = document.querySelector(s); return e.head && e.head.state !== was }`, "#demo-"+d.ID, start.String())
}

// TestDriverMissing: a page whose script of demos is not there says so beside
// the pictures, and goes on being read.
func TestDriverMissing(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	page := s.chapter(t)
	tb, visitPage := modes[0].enter(t, s)
	tb = tb.in(t)
	tb.allow(`status 404|nowhere\.js`)
	f := visitPage(tb, page, "")
	call[bool](f, `() => { const add = Element.prototype.append;
		Element.prototype.append = function (...all) { for (const e of all) if (e.tagName === 'SCRIPT') e.src = e.src.replace('demo.js', 'nowhere.js'); return add.apply(this, all) };
		return document.querySelector('ol-demo').dispatchEvent(new Event('pointerover', {bubbles: true})) }`)
	f.wait("words about it", `() => document.querySelector('[data-notices]').textContent.includes('demo.js could not be loaded')`)
	assert.True(t, strings.Contains(f.text("[data-notices]"), "pictures"))
}
