package browser

import (
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/stretchr/testify/assert"
)

// squeezed lists labels of settings that are narrower than their longest word,
// lists whose chosen option does not fit, and parts of the panel that are wider
// than it.
const squeezed = `() => {
	const ruler = document.createElement('canvas').getContext('2d');
	const width = (e, text) => { const s = getComputedStyle(e); ruler.font = s.fontWeight + ' ' + s.fontSize + ' ' + s.fontFamily; return ruler.measureText(text).width };
	const out = [];
	for (const e of document.querySelectorAll('.knob label')) {
		if (!e.checkVisibility()) continue; // of a setting that is away
		const need = Math.max(...e.textContent.split(/\s+/).map(word => width(e, word)));
		const has = e.getBoundingClientRect().width;
		if (has < need - 1) out.push('label ' + e.textContent + ' has ' + Math.round(has) + ' px of ' + Math.round(need));
	}
	for (const e of document.querySelectorAll('.knob select')) {
		if (!e.checkVisibility()) continue;
		const need = width(e, e.selectedOptions[0].label) + 36; // padding and the arrow
		if (e.clientWidth < need) out.push('list ' + e.id + ' has ' + e.clientWidth + ' px of ' + Math.round(need));
	}
	for (const form of document.querySelectorAll('.demo-knobs')) {
		const right = form.getBoundingClientRect().right;
		for (const e of form.querySelectorAll('.knob, .knob > *')) if (e.getBoundingClientRect().right > right + 0.5) out.push('beyond the panel: ' + e.tagName + ' of ' + e.closest('.knob').dataset.knob);
	}
	return out;
}`

// seeThrough lists what stays in sight while the page moves and is seen through: where
// it does not stand beside what passes, what passes is drawn over it.
const seeThrough = `() => [...document.querySelectorAll('.demo *')].filter((e) => {
	const css = getComputedStyle(e);
	return css.position === 'sticky' && css.top === '0px' && e.offsetWidth > 0.6 * e.closest('.demo').offsetWidth && /, 0\)$/.test(css.backgroundColor);
}).map((e) => e.className)`

// panelsFit opens all groups of settings of a demo, at three widths.
func (v look) panelsFit(t *testing.T) {
	t.Cleanup(func() { send(v.tb, emulation.ClearDeviceMetricsOverride, cdp.Empty{}) })
	v.f.unfold()
	for _, width := range []int64{1280, 390, 320} {
		v.tb.size(width, 900)
		assert.Empty(t, call[[]string](v.f, squeezed), "%d px", width)
		assert.Empty(t, call[[]string](v.f, seeThrough), "%d px", width)
	}
	v.f.fold()
	assert.True(t, call[bool](v.f, `() => { const say = document.querySelector('[data-say]'); return !!(say.compareDocumentPosition(document.querySelector('.demo-body')) & 4) }`), "the answer stands above the figures")
}

// TestPrintSaysTheState prints a demo after a change: the line that says how to
// run it has the present settings, and their values are on the paper.
func TestPrintSaysTheState(t *testing.T) {
	t.Parallel()
	d := numeric(t)
	to := stepped(t, read(t, d, "v=1&seed=7"), 1)
	p := opened(t, d, to.String())
	p.shows(expect(t, to))
	send(p.tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	defer send(p.tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	line := call[string](p.frame, `s => getComputedStyle(document.querySelector(s), '::after').content`, "#demo-"+d.ID)
	assert.Contains(t, line, to.String(), "the line for people who read the paper")
	assert.True(t, call[bool](p.frame, `s => document.querySelector(s).checkVisibility()`, p.knob(knobOf(d).Name, "[data-box]")), "the value of a setting is printed")
	pdf := send(p.tab, page.PrintToPDF, page.PrintToPDFParams{PreferCSSPageSize: new(true)})
	assert.NotEmpty(t, pdf.Data)
}
