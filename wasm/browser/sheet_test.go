package browser

import (
	"regexp"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/stretchr/testify/assert"
)

// pdfPage begins each page of a PDF as Chromium writes it.
var pdfPage = regexp.MustCompile(`/Type\s*/Page\b`)

// small lists words that are printed in less than 7.5 points. Formulas are left
// out: their indices are smaller by nature.
const small = `() => {
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), out = [];
	for (let n; n = walk.nextNode();) {
		const e = n.parentElement;
		if (!n.data.trim() || e.closest('math, script, .visually-hidden, sup') || !e.checkVisibility()) continue;
		const size = parseFloat(getComputedStyle(e).fontSize);
		if (size < 9.99) out.push(size + ' px: ' + n.data.trim().slice(0, 40));
	}
	return out;
}`

// TestSheetIsOnePage prints the cheat sheet: one page of A4, in type that can be
// read, with all of its boxes.
func TestSheetIsOnePage(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	tb, visitPage := modes[0].enter(t, s)
	tb = tb.in(t)
	f := visitPage(tb, "guide/cheat-sheet.html", "")
	pdf := send(tb, page.PrintToPDF, page.PrintToPDFParams{PreferCSSPageSize: new(true)})
	assert.Len(t, pdfPage.FindAllIndex(pdf.Data, -1), 1, "pages of the cheat sheet")
	send(tb, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	assert.Empty(t, call[[]string](f, small))
	assert.Equal(t, []string{"formulas", "levers", "beside-every-number", "which-harness-made-this-number", "flags", "eight-signals"},
		call[[]string](f, `() => [...document.querySelectorAll('h2')].filter(h => h.checkVisibility()).map(h => h.id)`))
}
