package browser

import (
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// steady resolves once an element is in view, has not moved from one frame to
// the next (a chart may still be growing above it), and is what a click in its
// middle would hit; it resolves with what is in the way after a while.
const steady = `selector => new Promise(done => {
	const e = document.querySelector(selector);
	let last = '', left = 600;
	(function look() {
		const r = e.getBoundingClientRect(), now = [r.x, r.y, r.width, r.height].join();
		const hit = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
		if (now === last && hit && (e.contains(hit) || e.closest('label')?.contains(hit))) return done('');
		if (--left < 0) return done(hit ? hit.outerHTML.slice(0, 120) : 'nothing');
		if (!hit) e.scrollIntoView({block: 'center'});
		last = now;
		requestAnimationFrame(look);
	})();
})`

// click clicks the middle of an element with the mouse, wherever its frame
// is. It fails if there is no such element or something else would be hit.
func (f frame) click(selector string) {
	f.tab.t.Helper()
	f.wait(selector+" to be there", `s => document.querySelector(s)?.getClientRects().length`, selector)
	obj := call[*runtime.RemoteObject](f, `s => document.querySelector(s)`, selector)
	send(f.tab, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{ObjectID: obj.ObjectID})
	if way := call[string](f, steady, selector); way != "" {
		f.tab.t.Fatalf("click %s: in the way is %s", selector, way)
	}
	quads := send(f.tab, dom.GetContentQuads, dom.GetContentQuadsParams{ObjectID: obj.ObjectID}).Quads
	if len(quads) == 0 {
		f.tab.t.Fatalf("click %s: it takes no space on the page", selector)
	}
	q := quads[0]
	x, y := (q[0]+q[2]+q[4]+q[6])/4, (q[1]+q[3]+q[5]+q[7])/4
	f.tab.must("click "+selector, chromedp.Do(f.tab.ctx, chromedp.MouseClickXY(x, y)))
}

// press presses one key, such as kb.Tab, in whatever has the focus.
func (tb *tab) press(keys string, mod ...chromedp.Modifier) {
	tb.t.Helper()
	tb.must("press a key", chromedp.Do(tb.ctx, chromedp.KeyEvent(keys, chromedp.KeyModifiers(mod...))))
}

// typeInto replaces the text of a box by the keyboard and presses Enter.
func (f frame) typeInto(selector, text string) {
	f.tab.t.Helper()
	f.fill(selector, text)
	f.tab.press(kb.Enter)
}

// fill replaces the text of a box and leaves the focus in it.
func (f frame) fill(selector, text string) {
	f.tab.t.Helper()
	f.wait(selector+" to be there", `s => document.querySelector(s)`, selector)
	call[bool](f, `s => { const e = document.querySelector(s); e.focus(); e.select(); return document.activeElement === e }`, selector)
	send(f.tab, input.InsertText, input.InsertTextParams{Text: text})
}

// text is what an element says, with runs of white space as one blank.
func (f frame) text(selector string) string {
	f.tab.t.Helper()
	return call[string](f, `s => { const e = document.querySelector(s); return e ? e.textContent.replace(/\s+/g, ' ').trim() : '(no ' + s + ')' }`, selector)
}

// visible says whether an element exists and takes space on the page.
func (f frame) visible(selector string) bool {
	f.tab.t.Helper()
	return call[bool](f, `s => { const e = document.querySelector(s); return !!e && e.checkVisibility({visibilityProperty: true}) && e.getClientRects().length > 0 }`, selector)
}
