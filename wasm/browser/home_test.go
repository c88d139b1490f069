package browser

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestHomeOnOneScreen: whoever comes sees the whole list of what there is to do,
// and of the demo what it found; on a larger screen both of its pictures begin,
// side by side.
func TestHomeOnOneScreen(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	tb, visitPage := modes[0].enter(t, s)
	tb = tb.in(t)
	f := visitPage(tb, "index.html", "")
	const bottom = `s => document.querySelector(s).getBoundingClientRect().bottom`
	for _, screen := range []struct {
		width, height int64
		pictures      bool
	}{{1280, 900, true}, {1440, 900, true}, {1366, 768, false}} {
		tb.size(screen.width, screen.height)
		for _, part := range []string{"main > ul", "ol-demo [data-say]"} {
			assert.LessOrEqual(t, call[float64](f, bottom, part), float64(screen.height), "%s at %d by %d", part, screen.width, screen.height)
		}
		if !screen.pictures {
			continue
		}
		tops := call[[]float64](f, `() => [...document.querySelectorAll('ol-demo .fig-plot')].map((p) => p.getBoundingClientRect().top)`)
		if assert.Len(t, tops, 2) {
			assert.Equal(t, tops[0], tops[1], "side by side at %d", screen.width)
			assert.LessOrEqual(t, tops[0]+200, float64(screen.height), "a good part of both at %d by %d", screen.width, screen.height)
		}
	}
}
