package browser

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// sketched moves the first slider of a demo to seeded places, a frame or two each.
// It gives how many drawings were sketches, and the elements of each that were
// others than those of the whole drawing of the same numbers, made right after it.
const sketched = `async (root, n) => {
	const slider = document.querySelector(root + ' [data-slider]'), elements = live => live.frame.querySelector('svg').outerHTML.split('<').sort();
	const out = {sketches: 0, unlike: []}, charts = [...document.querySelector(root).figures.charts.values()];
	const flow = document.querySelector(root).flow, shown = async () => { while (flow.draining || flow.stale) await new Promise(done => setTimeout(done, 5)) };
	for (const live of charts) {
		live.inView = true; // wherever the page stands
		live.redraw = function () {
			Object.getPrototypeOf(live).redraw.call(live);
			if (!live.resting || !live.inView) return;
			out.sketches++;
			const was = elements(live);
			live.render();
			const now = elements(live);
			if (was.join() !== now.join()) out.unlike.push(live.fig.id + ': ' + was.find(e => !now.includes(e)));
		};
	}
	let x = 7;
	for (let i = 0; i < n; i++) {
		x = (x * 1103515245 + 12345) % 2147483648;
		if (i === n / 2) for (const live of charts) delete live.redraw; // from here on sketches follow sketches
		slider.value = Math.floor(x / 2147483648 * (Number(slider.max) + 1));
		slider.dispatchEvent(new Event('input', {bubbles: true}));
		if (i < n / 2) await shown();
		else for (let frames = 1 + x % 4; frames > 0; frames--) await new Promise(done => setTimeout(done, 16));
	}
	slider.dispatchEvent(new Event('change', {bubbles: true}));
	return out;
}`

// picture is what the live charts of a demo are made of, once all are drawn whole.
const picture = `root => {
	const charts = [...document.querySelector(root).figures.charts.values()];
	if (!charts.length || charts.some(c => !c.drawn || c.resting)) return '';
	return charts.map(c => c.frame.querySelector('svg').outerHTML.replace(/zr\d+-\w+/g, 'zr').split('<').sort().join('<')).join();
}`

// TestSketchesAreExact drags sliders: every sketch is, element for element, what the
// whole drawing shows, and at rest the charts are those of a fresh page.
func TestSketchesAreExact(t *testing.T) {
	t.Parallel()
	names := []string{"router-frontier", "cascade"}
	if long() {
		names = append(names, "semantic-cache", "mechanism", "cache-classes", "open-closed", "moving-mix")
	}
	for _, name := range names {
		d := find(t, name)
		link := "v=1"
		if name == "router-frontier" {
			link += "&curve=shown"
		}
		root, state, at := "#demo-"+d.ID, "", ""
		t.Run(name+" dragged", func(t *testing.T) {
			p := opened(t, d, read(t, d, link).String())
			p.wait("live charts", `(...a) => (`+picture+`)(...a)`, root)
			got := call[struct {
				Sketches int
				Unlike   []string
			}](p.frame, sketched, root, 24)
			assert.Empty(t, got.Unlike)
			if !slices.Contains([]string{"open-closed", "moving-mix"}, name) { // where pictures change in more than places
				assert.NotZero(t, got.Sketches)
			}
			p.wait("rest", `root => { const d = document.querySelector(root); return !d.flow.draining && d.head && d.head.state === d.flow.state && !d.flow.stale }`, root)
			p.wait("the whole drawing", `(...a) => (`+picture+`)(...a)`, root)
			state, at = call[string](p.frame, `root => document.querySelector(root).flow.state`, root), call[string](p.frame, picture, root)
		})
		t.Run(name+" fresh", func(t *testing.T) { // a test holds one tab at a time
			p := opened(t, d, state)
			p.shows(expect(t, read(t, d, state)))
			p.wait("live charts", `(...a) => (`+picture+`)(...a)`, root)
			assert.Equal(t, call[string](p.frame, picture, root), at, state)
		})
	}
}
