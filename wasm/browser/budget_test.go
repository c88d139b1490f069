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

// What else makes a page slow on a phone, whoever measures it, before a demo is used.
const (
	restRequests = 8
	restElements = 4_400
	restShift    = 0.05 // cumulative layout shift, half of what counts as good
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

// isLight counts what costs a phone time apart from bytes: what the page asks
// for, its elements, and how far it jumps while it loads.
func (v look) isLight(t *testing.T) {
	t.Helper()
	assert.LessOrEqual(t, len(v.tb.rec.sizes()), restRequests, "requests at rest: %v", v.tb.rec.sizes())
	elements := call[int](v.f, `() => document.getElementsByTagName('*').length`)
	assert.LessOrEqual(t, elements, restElements, "elements of the page")
	shift := call[float64](v.f, shifts)
	assert.LessOrEqual(t, shift, restShift, "cumulative layout shift")
	t.Logf("%d requests, %d elements, shift %.3g", len(v.tb.rec.sizes()), elements, shift)
}

// shifts adds up the jumps of a page since it began to load.
const shifts = `() => new Promise((done, fail) => {
	let sum = 0;
	const watch = new PerformanceObserver(list => { for (const e of list.getEntries()) sum += e.value });
	watch.observe({type: 'layout-shift', buffered: true});
	if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) fail(new Error('this browser does not say how far a page jumps'));
	setTimeout(() => { for (const e of watch.takeRecords()) sum += e.value; done(sum) }, 100);
})`

// TestShiftsAreSeen: a page that jumps is told from one that does not.
func TestShiftsAreSeen(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	tb, visitPage := modes[0].enter(t, s)
	visit(t, tb, "glossary.html", func(t *testing.T, tb *tab) {
		f := visitPage(tb, "glossary.html", "")
		assert.LessOrEqual(t, call[float64](f, shifts), restShift)
		call[bool](f, `() => { document.body.insertAdjacentHTML('afterbegin', '<p style="height:300px">in between</p>'); return new Promise(done => setTimeout(() => done(true), 200)) }`)
		assert.Greater(t, call[float64](f, shifts), 0.1)
	})
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
