package browser

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/content/demo/catalog"
)

// TestStillsOpen: each small picture of a lever is there before anything has
// started, and its link starts the demo of the page on that lever.
func TestStillsOpen(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	tb, visitPage := modes[0].enter(t, s)
	tb = tb.in(t)
	f := visitPage(tb, "guide/mechanisms.html", "")
	d, ok := catalog.Find("mechanism")
	assert.True(t, ok)
	link := func(lever string) string { return `.still a[href^="#demo=mechanism&"][href*="lever=` + lever + `"]` }
	for i, o := range d.Knobs[d.Index("lever")].Options {
		at := link(o.Name)
		if i == 0 {
			at = `.still a[href="#demo=mechanism&v=1&seed=7"]` // the first is the demo's own, which a link leaves out
		}
		assert.Equal(t, 1.0, call[float64](f, `s => { const a = document.querySelector(s); return a ? a.closest('.still').querySelectorAll('svg').length : 0 }`, at), o.Name)
	}
	assert.True(t, call[bool](f, `s => { document.querySelector(s).click(); return true }`, link("moe")))
	f.wait("the demo on the lever of the picture", `() => /lever=moe/.test(document.querySelector('ol-demo').dataset.state) && /Experts/.test(document.querySelector('ol-demo .fig-title').textContent)`)
}
