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
const clipped = `() => [...document.querySelectorAll('button,input,select,textarea,summary,.preset')].filter(e => e.checkVisibility() && !e.closest('.visually-hidden,.skip,.skip-to:not(:focus)'))
	.filter(e => { const r = e.getBoundingClientRect(); return r.left < -0.5 || r.right > innerWidth + 0.5 || (e.matches('button,summary,.preset') && (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline')) })
	.map(e => e.tagName.toLowerCase() + '.' + e.getAttribute('class') + ' ' + (e.textContent.trim() || e.getAttribute('aria-label') || e.id).slice(0, 40))`

// unfold opens all parts of a page, and fold closes those that were closed.
func (f frame) unfold() {
	f.tab.t.Helper()
	call[bool](f, `() => { document.querySelectorAll('details:not([open])').forEach(d => { d.open = true; d.classList.add('unfolded') }); return true }`)
}

func (f frame) fold() {
	f.tab.t.Helper()
	call[bool](f, `() => { document.querySelectorAll('.unfolded').forEach(d => { d.open = false; d.classList.remove('unfolded') }); return true }`)
}

// fits checks that with all parts open nothing makes the page scroll sideways
// and no control is cut off. Afterwards the parts are closed that were.
func (f frame) fits(t *testing.T, when string) {
	t.Helper()
	f.unfold()
	assert.Empty(t, call[[]string](f, tooWide), "%s: the page scrolls sideways", when)
	assert.Empty(t, call[[]string](f, clipped), "%s: controls are cut off", when)
	f.fold()
}

// enlarged looks at the page with text twice as large.
func (f frame) enlarged(t *testing.T, when string) {
	t.Helper()
	call[bool](f, `() => { document.documentElement.style.fontSize = '200%'; return true }`)
	f.fits(t, when)
	call[bool](f, `() => { document.documentElement.style.fontSize = ''; return true }`)
}

// reflowsAtRest shows a page with text twice as large, and 320 px wide.
func (v look) reflowsAtRest(t *testing.T) {
	v.f.enlarged(t, "200% text")
	v.narrow(t)
	v.f.fits(t, "320 px wide")
}

// reflowsAtWork shows a demo with words about a mistake in the same ways.
func (v look) reflowsAtWork(t *testing.T) {
	v.f.enlarged(t, "200% text, with a mistake")
	v.narrow(t)
	v.f.fits(t, "320 px wide, with a mistake")
}
