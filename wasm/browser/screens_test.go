package browser

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/stretchr/testify/require"
)

var (
	screens     = flag.String("screens", "", "folder for TestScreenshots to write pictures of all pages to")
	screensOnly = flag.String("screens-only", "", "only pages whose path contains this")
)

// TestScreenshots writes pictures for people to look at: every page light,
// dark and for a projector, wide and narrow, whole or cut into numbered pieces
// if it is long, and as a printed PDF.
func TestScreenshots(t *testing.T) {
	if *screens == "" {
		t.Skip("no -screens folder given")
	}
	s := builtSite(t)
	require.NoError(t, os.MkdirAll(*screens, 0o755))
	tb, visitPage := modes[0].enter(t, s)
	for _, p := range s.pages(t) {
		if !strings.Contains(p, *screensOnly) {
			continue
		}
		visit(t, tb, p, func(t *testing.T, tb *tab) {
			base := filepath.Join(*screens, strings.ReplaceAll(strings.TrimSuffix(p, ".html"), "/", "-"))
			f := visitPage(tb, p, "")
			for _, width := range []int64{1280, 390} {
				tb.size(width, 900)
				for _, theme := range []string{"light", "dark", "projector"} {
					call[bool](f, `t => { document.documentElement.dataset.theme = t; return true }`, theme)
					for i, png := range tb.pictures() {
						write(t, fmt.Sprintf("%s.%d.%s.%02d.png", base, width, theme, i+1), png)
					}
				}
			}
			send(tb, emulation.ClearDeviceMetricsOverride, cdp.Empty{})
			call[bool](f, `() => { delete document.documentElement.dataset.theme; return true }`)
			pdf := send(tb, page.PrintToPDF, page.PrintToPDFParams{PreferCSSPageSize: new(true)})
			write(t, base+".pdf", pdf.Data)
		})
	}
}

// pieceHeight is how much of a long page one picture shows, in CSS pixels.
const pieceHeight = 2000

// pictures are the whole page as PNG, from the top down, after fonts and layout
// have settled.
func (tb *tab) pictures() [][]byte {
	tb.t.Helper()
	call[bool](tb.main(), `() => document.fonts.ready.then(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))))`)
	size := send(tb, page.GetLayoutMetrics, cdp.Empty{}).CSSContentSize
	var list [][]byte
	for y := 0.0; y < size.Height; y += pieceHeight {
		clip := &page.Viewport{Y: y, Width: size.Width, Height: min(pieceHeight, size.Height-y), Scale: 1}
		list = append(list, send(tb, page.CaptureScreenshot, page.CaptureScreenshotParams{CaptureBeyondViewport: new(true), Clip: clip}).Data)
	}
	return list
}

func write(t testing.TB, name string, data []byte) {
	t.Helper()
	require.NotEmpty(t, data, name)
	require.NoError(t, os.WriteFile(name, data, 0o644))
}
