package browser

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// still fails the test on everything that moves although the reader asked for
// less motion, as every page does after look.rests.
func (f frame) still(t *testing.T) {
	t.Helper()
	assert.Empty(t, call[[]string](f, `() => !matchMedia('(prefers-reduced-motion: reduce)').matches ? ['motion is not reduced: the test is wrong'] :
		document.getAnimations().filter(a => a.playState === 'running').map(a => String(a.animationName || a.transitionProperty || a))`), "something moves under reduced motion")
}

// faint lists what cannot be seen where the system has replaced all colors:
// text and lines of drawings that are as dark as what is behind them, controls
// without an edge, states that only a background told, a focus without outline.
const faint = `async () => {
	for (let i = 0; i < 2; i++) await new Promise(done => requestAnimationFrame(done)); // charts are drawn anew
	if (!matchMedia('(forced-colors: active)').matches) return ['colors are not forced: the test is wrong'];
	const pen = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
	const seen = new Map();
	const rgba = c => {
		if (!seen.has(c)) { pen.clearRect(0, 0, 1, 1); pen.fillStyle = c; pen.fillRect(0, 0, 1, 1); seen.set(c, pen.getImageData(0, 0, 1, 1).data) }
		return seen.get(c);
	};
	const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const behind = light(rgba(getComputedStyle(document.documentElement.appendChild(Object.assign(document.createElement('i'), {style: 'color: Canvas'}))).color));
	document.documentElement.lastElementChild.remove();
	const contrast = c => { const l = light(rgba(c)); return (Math.max(l, behind) + 0.05) / (Math.min(l, behind) + 0.05) };
	const drawn = c => c !== 'none' && rgba(c)[3] > 0;
	const out = new Set(), name = e => e.tagName.toLowerCase() + '.' + (e.getAttribute('class') || '') + ' ' + (e.textContent.trim() || e.getAttribute('aria-label') || e.id).slice(0, 30);
	for (const e of document.querySelectorAll('figure svg text, figure svg path, figure svg line, figure svg circle, figure svg polyline')) {
		if (e.closest('defs') || !e.checkVisibility()) continue;
		const s = getComputedStyle(e), text = e.tagName === 'text';
		if (text && e.textContent.trim() && contrast(s.fill) < 4.5) out.add(name(e) + ': text ' + s.fill);
		if (!text && drawn(s.stroke) && s.strokeOpacity > 0.5 && contrast(s.stroke) < 1.2 && !(drawn(s.fill) && contrast(s.fill) >= 1.2)) out.add(name(e) + ': line ' + s.stroke);
	}
	const edge = e => { const s = getComputedStyle(e); return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 1 ||
		['Top', 'Bottom'].some(side => s['border' + side + 'Style'] !== 'none' && parseFloat(s['border' + side + 'Width']) >= 1 && contrast(s['border' + side + 'Color']) >= 3) };
	const plain = e => getComputedStyle(e).textDecorationLine.includes('underline');
	for (const e of document.querySelectorAll('button, .preset, input:not([type=range], [type=checkbox], [type=radio]), select, textarea')) {
		if (e.checkVisibility() && !e.closest('.visually-hidden, .skip') && e.getClientRects().length && !edge(e) && !edge(e.parentElement) && !plain(e)) out.add(name(e) + ': no edge');
	}
	const looks = e => { const s = getComputedStyle(e); return ['outlineStyle', 'outlineWidth', 'borderTopStyle', 'borderTopWidth', 'borderBottomWidth', 'borderLeftWidth', 'borderLeftColor', 'borderTopColor', 'textDecorationLine', 'fontWeight', 'color', 'backgroundColor'].map(p => s[p]).join() };
	for (const e of document.querySelectorAll('[aria-pressed=true], [aria-current]:not([aria-current=false]), [aria-selected=true]')) {
		const other = [...(e.parentElement.closest('ul, ol, div, nav') || e.parentElement).querySelectorAll(e.tagName)].find(o => o !== e && !o.matches('[aria-pressed=true], [aria-current]:not([aria-current=false]), [aria-selected=true]') && o.className === e.className);
		if (e.checkVisibility() && other && looks(other) === looks(e)) out.add(name(e) + ': looks like ' + name(other));
	}
	const was = document.activeElement, tried = new Set();
	for (const e of document.querySelectorAll('main a[href], button, input:not([data-find]), select, textarea, summary, [tabindex="0"]')) { // the search box loads its index
		const kind = e.tagName + '.' + (e.getAttribute('class') || '') + e.type;
		if (tried.has(kind) || e.disabled || !e.checkVisibility({visibilityProperty: true})) continue;
		tried.add(kind);
		e.focus({focusVisible: true, preventScroll: true});
		const s = getComputedStyle(e);
		if (document.activeElement === e && (s.outlineStyle === 'none' || parseFloat(s.outlineWidth) < 1)) out.add(name(e) + ': no outline when it has the focus');
	}
	document.activeElement?.blur();
	was?.focus?.({preventScroll: true});
	return [...out];
}`

// forcesColors looks at the page with the colors of a high-contrast theme, light
// and dark, and with the page set to the theme that does not fit.
func (v look) forcesColors(t *testing.T) {
	t.Cleanup(func() { v.tb.theme("light") })
	for _, c := range [][2]string{{"light", "dark"}, {"dark", "light"}} {
		v.tb.media("forced-colors", "active", "prefers-color-scheme", c[0])
		call[bool](v.f, `t => { document.documentElement.dataset.theme = t; return true }`, c[1])
		assert.Empty(t, call[[]string](v.f, faint), "forced colors, %s", c[0])
		call[bool](v.f, `() => { delete document.documentElement.dataset.theme; return true }`)
	}
	v.f.still(t)
}
