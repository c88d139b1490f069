package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/stretchr/testify/assert"
)

// A page of A4 between its margins, in CSS pixels.
const paperWidth, paperHeight = 718, 1046

// unbroken lists what is kept on one page of paper and is taller than one: it would
// begin a page, leave the rest of the one before blank, and be cut all the same.
const unbroken = `height => [...document.querySelectorAll('.article *')]
	.filter(e => getComputedStyle(e).breakInside === 'avoid' && e.checkVisibility() && e.getBoundingClientRect().height > height)
	.map(e => e.localName + '.' + e.className + ': ' + Math.round(e.getBoundingClientRect().height) + ' px, ' + e.textContent.trim().slice(0, 60))`

// shaded lists boxes that show on paper that there is more beyond an edge, where nobody can scroll.
const shaded = `() => [...document.querySelectorAll('.article .scroll')].filter(e => getComputedStyle(e).backgroundImage !== 'none').map(e => e.textContent.trim().slice(0, 60))`

// headless lists tables that run in columns on paper of which only the first has a head: it is
// printed again only where it may not break and takes a quarter of a column at most.
const headless = `() => [...document.querySelectorAll('.article .scroll')]
	.filter(e => +getComputedStyle(e).columnCount > 1 && e.checkVisibility()).map(e => [e, e.querySelector('thead')])
	.filter(([e, head]) => head && (getComputedStyle(head).breakInside !== 'avoid' || head.getBoundingClientRect().height * 4 > e.clientHeight))
	.map(([e, head]) => Math.round(head.getBoundingClientRect().height) + ' of ' + e.clientHeight + ' px: ' + head.textContent.trim().slice(0, 60))`

// TestPaperBreaks: every chapter can be broken into pages, its tables end where they end, and every column of them has a head.
func TestPaperBreaks(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	tb, visitPage := modes[0].enter(t, s)
	in := tb.in(t)
	in.size(paperWidth, paperHeight)
	send(in, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	defer send(in, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	for _, page := range s.pages(t) {
		if !strings.HasPrefix(page, "guide/") {
			continue
		}
		f := visitPage(in, page, "")
		assert.True(t, call[bool](f, `() => { for (const d of document.querySelectorAll('details')) d.open = true; return true }`))
		assert.Empty(t, call[[]string](f, unbroken, paperHeight), page)
		assert.Empty(t, call[[]string](f, shaded), page)
		assert.Empty(t, call[[]string](f, headless), page)
	}
}
