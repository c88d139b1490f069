package browser

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/stretchr/testify/assert"

	"openloop/content/demo"
	"openloop/content/demotest"
)

// downloads are the files that a tab has saved, by the name that the page gave.
type downloads struct {
	rec    *recorder // knows the frames of the tab
	folder string
	mu     sync.Mutex
	names  map[string]string // by id
	done   map[string]bool   // by id
}

func (d *downloads) reset() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.names, d.done = map[string]string{}, map[string]bool{}
}

// listen hears of the files of every tab and keeps those of its own.
func (d *downloads) listen(ev any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch ev := ev.(type) {
	case *browser.EventDownloadWillBegin:
		if _, mine := d.rec.context(ev.FrameID); mine {
			d.names[ev.GUID] = ev.SuggestedFilename
		}
	case *browser.EventDownloadProgress:
		if _, mine := d.names[ev.GUID]; mine {
			d.done[ev.GUID] = ev.State == browser.DownloadProgressStateCompleted
		}
	}
}

// saved waits for the next file and returns its name and bytes.
func (tb *tab) saved() (name, body string) {
	tb.t.Helper()
	d := tb.files
	tb.until("a saved file", func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		for id, done := range d.done {
			if !done {
				continue
			}
			b, err := os.ReadFile(filepath.Join(d.folder, id))
			tb.must("read the saved file", err)
			name, body = d.names[id], string(b)
			delete(d.done, id)
			return true
		}
		return false
	})
	return name, body
}

// savesCSV saves files from the page, in the state that is shown, which is that
// of a preset, and with another seed, and compares them byte for byte with what
// the command line writes.
func (v look) savesCSV(t *testing.T) {
	p := v.demo()
	p.written()
	other := demotest.Light(p.demo)
	other.Seed = 4294967295
	for _, state := range []demo.State{p.state(), other} {
		p.follow(state)
		p.holds(t, state)
		p.action("csv")
		name, body := v.tb.saved()
		assert.Equal(t, "openloop-"+p.demo.ID+".csv", name)
		assert.Equal(t, csv(t, state), body)
	}
}

// TestCSVWhereDownloadsAreRefused finds the same bytes as text to copy, in a
// sandbox that drops files without a word.
func TestCSVWhereDownloadsAreRefused(t *testing.T) {
	t.Parallel()
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
