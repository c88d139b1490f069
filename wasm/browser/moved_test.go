package browser

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestMovedSections: an old address of a section leads on, from a server and from
// a disk: to the heading that has another name now, or to the page where it is,
// with the state of a demo that moved.
func TestMovedSections(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	for _, m := range []mode{modes[1], modes[2]} {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			tb, visitPage := m.enter(t, s)
			tb = tb.in(t)
			f := visitPage(tb, "index.html", "#what-this-edition-has")
			assert.True(t, call[bool](f, `() => document.querySelector(':target').closest('h2').id === 'what-you-can-do-here'`))
			assert.False(t, f.visible(".moved"), "a line for those who asked for another section")
			for _, hash := range []string{"#demo-batch-invariance", "#demo=batch-invariance&v=1&seed=9"} {
				tb.open("about:blank")
				f = visitPage(tb, "index.html", hash)
				f.wait("the page where it is", `() => location.pathname.endsWith('/guide/batch-invariance.html')`)
				f.wait("what was asked for", `h => location.hash === h`, hash)
			}
		})
	}
}
