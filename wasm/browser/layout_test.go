package browser

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/stretchr/testify/assert"
)

// size gives the tab a viewport in CSS pixels.
func (tb *tab) size(width, height int64) {
	tb.t.Helper()
	send(tb, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1})
}

// tooWide lists elements that make a page scroll sideways: those that reach
// beyond the viewport and are not inside a box of their own that scrolls. (An
// absolutely placed element is not inside a box that is not positioned.)
const tooWide = `() => {
	const root = document.scrollingElement;
	if (root.scrollWidth <= innerWidth) return [];
	const contained = e => {
		let place = getComputedStyle(e).position;
		for (let p = e.parentElement; p && p !== document.body; p = p.parentElement) {
			const c = getComputedStyle(p);
			if (place === 'absolute' && c.position === 'static') continue;
			if (c.overflowX !== 'visible') return true;
			place = c.position;
		}
		return false;
	};
	const wide = [...document.body.querySelectorAll('*')].filter(e => e.getClientRects().length && e.getBoundingClientRect().right > innerWidth + 0.5 && !contained(e));
	return ['page ' + root.scrollWidth + ' px', ...wide.slice(0, 8).map(e => e.tagName.toLowerCase() + '.' + e.getAttribute('class') + ' in .' + e.parentElement.getAttribute('class') +
		' to ' + Math.round(e.getBoundingClientRect().right) + ' px: ' + e.textContent.trim().slice(0, 40))];
}`

// clipped lists controls that cannot be seen whole: beyond the viewport, or
// with text cut off by their own box.
const clipped = `() => [...document.querySelectorAll('button,input,select,textarea,summary,.preset')].filter(e => e.checkVisibility() && !e.closest('.visually-hidden,.skip'))
	.filter(e => { const r = e.getBoundingClientRect(); return r.left < -0.5 || r.right > innerWidth + 0.5 || (e.matches('button,summary,.preset') && (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline')) })
	.map(e => e.tagName.toLowerCase() + '.' + e.getAttribute('class') + ' ' + (e.textContent.trim() || e.getAttribute('aria-label') || e.id).slice(0, 40))`

// TestReflow shows every page 320 px wide, and with text twice as large.
func TestReflow(t *testing.T) {
	s := builtSite(t)
	tb, visitPage := modes[0].enter(t, s)
	for _, page := range s.pages(t) {
		visit(t, tb, page, func(t *testing.T, tb *tab) {
			tb.size(320, 800)
			f := visitPage(tb, page, "")
			f.unfold()
			assert.Empty(t, call[[]string](f, tooWide), "320 px wide: the page scrolls sideways")
			assert.Empty(t, call[[]string](f, clipped), "320 px wide: controls are cut off")
			tb.size(1280, 900)
			call[bool](f, `() => { document.documentElement.style.fontSize = '200%'; return true }`)
			assert.Empty(t, call[[]string](f, tooWide), "200% text: the page scrolls sideways")
			assert.Empty(t, call[[]string](f, clipped), "200% text: controls are cut off")
		})
	}
}

// TestReflowAtWork shows a demo 320 px wide after a change and with an error.
func TestReflowAtWork(t *testing.T) {
	s := builtSite(t)
	tb, visitPage := modes[0].enter(t, s)
	for _, page := range s.withDemos(t) {
		if !embedded(page) {
			continue
		}
		visit(t, tb, page, func(t *testing.T, tb *tab) {
			tb.size(320, 800)
			id := s.demos(t, page)[0]
			p := demoPage{visitPage(tb, page, ""), find(t, id)}
			p.ready()
			c := changes(t, read(t, p.demo, s.data(t, page).Demos[id].State))[0]
			p.set(c.Knob, c.Text)
			p.shows(expect(t, c.To))
			p.mistake(t)
			p.unfold()
			assert.Empty(t, call[[]string](p.frame, tooWide), "the page scrolls sideways")
			assert.Empty(t, call[[]string](p.frame, clipped), "controls are cut off")
		})
	}
}

// unfold opens everything that can be opened.
func (f frame) unfold() {
	f.tab.t.Helper()
	call[bool](f, `() => { document.querySelectorAll('details').forEach(d => { d.open = true }); return true }`)
}
