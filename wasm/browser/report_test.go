package browser

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"openloop/content/demo/catalog"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The planner's report on paper: one page of A4 for each preset, at a size that
// can be read.

// tooSmall lists what is printed in type below 7.5 pt, commands below 7 pt.
const tooSmall = `() => {
	const out = new Set();
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let n = walk.nextNode(); n; n = walk.nextNode()) {
		const e = n.parentElement;
		if (!n.data.trim() || !e.checkVisibility() || e.closest('.visually-hidden, script, style, template')) continue;
		const range = document.createRange();
		range.selectNode(n);
		if (!range.getClientRects().length) continue;
		const pt = parseFloat(getComputedStyle(e).fontSize) * 0.75;
		if (pt < (e.closest('pre') ? 7 : 7.5) - 0.01) out.add(pt.toFixed(1) + ' pt: ' + (e.className || e.tagName) + ' "' + n.data.trim().slice(0, 30) + '"');
	}
	return [...out].slice(0, 12);
}`

func TestReportCanBeRead(t *testing.T) {
	t.Parallel()
	d, ok := catalog.Find("capacity-planner")
	require.True(t, ok)
	var shown demoPage // one page, which follows a link to each preset
	for i, preset := range d.Presets {
		state := "v=1&plan=shown"
		if preset.State != "" {
			state += "&" + preset.State
		}
		to := read(t, d, state)
		if i == 0 {
			shown = opened(t, d, to.String())
		}
		t.Run(preset.Name, func(t *testing.T) {
			p := shown.with(t)
			if i > 0 {
				p.follow(to)
			}
			p.shows(expect(t, to))
			send(p.tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
			assert.Empty(t, call[[]string](p.frame, tooSmall), preset.Name)
			send(p.tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
			pdf := send(p.tab, page.PrintToPDF, page.PrintToPDFParams{PreferCSSPageSize: new(true), PaperWidth: 8.27, PaperHeight: 11.69}).Data
			sides := bytes.Count(pdf, []byte("/Type /Page\n")) + bytes.Count(pdf, []byte("/Type /Page "))
			assert.Equal(t, 1, sides, preset.Name)
			if *screens != "" {
				require.NoError(t, os.MkdirAll(*screens, 0o755))
				write(t, filepath.Join(*screens, preset.State[:min(8, len(preset.State))]+".report.pdf"), pdf)
			}
		})
	}
}
