package browser

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
)

// downloads are the files that a tab has saved, by the name that the page gave.
type downloads struct {
	tab    *tab
	folder string
	mu     sync.Mutex
	names  map[string]string // by id
	done   map[string]bool   // by id
}

// catchDownloads lets a tab save files and keeps them.
func catchDownloads(t testing.TB, tb *tab) *downloads {
	t.Helper()
	d := &downloads{tab: tb, folder: t.TempDir(), names: map[string]string{}, done: map[string]bool{}}
	tb.must("listen for downloads", chromedp.ListenBrowser(tb.ctx, d.listen))
	_, err := chromedp.CallBrowser(tb.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior:         browser.SetDownloadBehaviorBehaviorAllowAndName,
		BrowserContextID: chromedp.FromContext(tb.ctx).BrowserContextID,
		DownloadPath:     d.folder,
		EventsEnabled:    new(true),
	})
	tb.must("allow downloads", err)
	return d
}

func (d *downloads) listen(ev any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch ev := ev.(type) {
	case *browser.EventDownloadWillBegin:
		d.names[ev.GUID] = ev.SuggestedFilename
	case *browser.EventDownloadProgress:
		d.done[ev.GUID] = ev.State == browser.DownloadProgressStateCompleted
	}
}

// take waits for the next file and returns its name and bytes.
func (d *downloads) take() (name, body string) {
	d.tab.t.Helper()
	d.tab.until("a saved file", func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		for id, done := range d.done {
			if !done {
				continue
			}
			b, err := os.ReadFile(filepath.Join(d.folder, id))
			d.tab.must("read the saved file", err)
			name, body = d.names[id], string(b)
			delete(d.done, id)
			return true
		}
		return false
	})
	return name, body
}

// TestCSV saves files from the page, for every demo with two seeds and, in the
// long test, in a preset, and compares them byte for byte with what the command
// line writes.
func TestCSV(t *testing.T) {
	s := builtSite(t)
	for _, d := range catalog.All() {
		t.Run(d.ID, func(t *testing.T) {
			tb, visitPage := modes[0].enter(t, s) // a tab for each: Chromium limits how much one may save by itself
			tb = tb.in(t)
			files := catchDownloads(t, tb)
			first, other := light(d), light(d)
			other.Seed = 4294967295
			states := []demo.State{first, other}
			if n := len(d.Presets); n > 0 && long() {
				preset, problems := demo.Parse(d, d.Presets[n-1].State)
				require.Empty(t, problems)
				states = append(states, preset)
			}
			p := demoPage{visitPage(tb, embedPage(d.ID), "#"+first.String()), d}
			for _, state := range states {
				p.follow(state)
				p.action("csv")
				name, body := files.take()
				assert.Equal(t, "openloop-"+d.ID+".csv", name)
				assert.Equal(t, csv(t, state), body)
			}
		})
	}
}

// TestCSVWhereDownloadsAreRefused finds the same bytes as text to copy, in a
// sandbox that drops files without a word.
func TestCSVWhereDownloadsAreRefused(t *testing.T) {
	s := builtSite(t)
	d := numeric(t)
	tb, visitPage := modes[3].enter(t, s)
	tb = tb.in(t)
	tb.allow(`[Dd]ownload is disallowed`)
	tb.allow(`^blob:`)
	state := stepped(t, read(t, d, "v=1&seed=3"), 1)
	p := demoPage{visitPage(tb, embedPage(d.ID), "#"+state.String()), d}
	p.shows(expect(t, state))
	p.action("csv")
	p.wait("the CSV as text", `s => document.querySelector(s)?.value?.startsWith('# openloop')`, p.at("[data-out] textarea"))
	assert.Equal(t, csv(t, state), call[string](p.frame, `s => document.querySelector(s).value`, p.at("[data-out] textarea")))
}
