package browser

import (
	"testing"

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

// keepsBudget counts what the browser has received for a page so far.
func (v look) keepsBudget(t *testing.T, when string, limit float64) {
	t.Helper()
	if apart[v.page] {
		return
	}
	got := v.tb.rec.received()
	html := float64(len(squeeze([]byte(v.s.source(t, v.page)))))
	assert.GreaterOrEqual(t, got, html, "bytes %s, which hold at least the page's HTML: %v", when, v.tb.rec.sizes())
	assert.LessOrEqual(t, got, limit, "bytes %s: %v", when, v.tb.rec.sizes())
	t.Logf("%s %.0f bytes", when, got)
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
