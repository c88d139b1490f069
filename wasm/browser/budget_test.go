package browser

import (
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/stretchr/testify/assert"
)

// Budgets of design.md section 7, in bytes of bodies over the wire from a host
// that compresses.
const (
	stillBudget = 60_000                      // a page on which nobody has used a demo
	startBudget = stillBudget + (900+240)<<10 // and afterwards: engine 900 KiB, charts 240 KiB
)

// apart are the pages that the budget names as exceptions.
var apart = map[string]bool{"print.html": true, "cheatsheet.html": true, "guide/cheatsheet.html": true, "guide/print.html": true}

// TestBytes counts what a browser receives for each page, before and after a
// demo is used.
func TestBytes(t *testing.T) {
	s := builtSite(t)
	tb, visitPage := modes[0].enter(t, s)
	send(tb, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
	for _, page := range s.pages(t) {
		if apart[page] {
			continue
		}
		visit(t, tb, page, func(t *testing.T, tb *tab) {
			f := visitPage(tb, page, "")
			f.idle()
			html := float64(len(squeeze([]byte(s.source(t, page)))))
			assert.GreaterOrEqual(t, tb.rec.received(), html, "bytes of the page at rest, which holds at least its HTML: %v", tb.rec.sizes())
			rest := tb.rec.received()
			assert.LessOrEqual(t, rest, float64(stillBudget), "bytes of the page at rest: %v", tb.rec.sizes())
			ids := s.demos(t, page)
			if len(ids) == 0 {
				return
			}
			p := demoPage{f, find(t, ids[0])}
			p.ready()
			c := changes(t, read(t, p.demo, s.data(t, page).Demos[ids[0]].State))[0]
			p.set(c.Knob, c.Text)
			p.shows(expect(t, c.To))
			t.Logf("at rest %.0f bytes, at work %.0f", rest, tb.rec.received())
			assert.LessOrEqual(t, tb.rec.received(), float64(startBudget), "bytes of the page at work: %v", tb.rec.sizes())
		})
	}
}

// received is how many bytes have come over the wire.
func (r *recorder) received() float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	var n float64
	for _, q := range r.requests {
		n += q.Bytes
	}
	return n
}

// sizes lists what came, for a message.
func (r *recorder) sizes() map[string]float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := map[string]float64{}
	for _, q := range r.requests {
		m[shorten(q.URL)] += q.Bytes
	}
	return m
}
