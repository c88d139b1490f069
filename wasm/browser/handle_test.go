package browser

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/stretchr/testify/assert"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
	"openloop/content/demotest"
)

// movable is a demo with a mark that moves one of its knobs.
func movable(t *testing.T) (d *demo.Demo, figure string, k demo.Knob) {
	t.Helper()
	for _, d := range catalog.All() {
		for _, f := range run(t, demotest.Light(d)).Figures() {
			for _, m := range f.Marks {
				if i := d.Index(m.Knob); i >= 0 {
					return d, f.ID, d.Knobs[i]
				}
			}
		}
	}
	t.Fatal("no demo has a mark that moves a knob")
	return nil, "", demo.Knob{}
}

// TestDragsMark drags a mark of a chart: its knob follows from step to step,
// the figures are those of its new value, the drag is one step of undo, and a
// locked knob has no handle.
func TestDragsMark(t *testing.T) {
	t.Parallel()
	d, figure, k := movable(t)
	start := demotest.Light(d)
	i := d.Index(k.Name)
	from := demo.PositionOf(k, start.Values.At(i))
	p := opened(t, d, start.Slide(k.Name, from+2).String())
	p.shows(expect(t, start.Slide(k.Name, from+2)))
	handle := p.at(`[data-figure="` + figure + `"] .mark-handle`)
	p.wait("a handle on the mark", `s => { const e = document.querySelector(s); return e && e.checkVisibility() }`, handle)
	type spot struct{ X, Y, Width, To float64 }
	at := call[spot](p.frame, `(root, s, figure, pos) => {
		const e = document.querySelector(s);
		e.scrollIntoView({block: 'center'});
		const box = e.getBoundingClientRect(), live = document.querySelector(root).figures.charts.get(figure);
		const h = live.handles.all.find(h => h.el === e), left = live.frame.getBoundingClientRect().left;
		return {X: box.x + box.width / 2, Y: box.y + box.height / 2, Width: Math.min(box.width, box.height), To: left + live.place(h.stops[pos]) + 1};
	}`, "#demo-"+d.ID, handle, figure, from)
	assert.GreaterOrEqual(t, at.Width, 24.0)
	mouse := func(kind input.DispatchMouseEventType, x float64) {
		send(p.tab, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: x, Y: at.Y, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1})
	}
	mouse("mousePressed", at.X)
	mouse("mouseMoved", (at.X+at.To)/2)
	mouse("mouseMoved", at.To)
	mouse("mouseReleased", at.To)
	want := start.Slide(k.Name, from)
	p.shows(expect(t, want))
	p.address(want.String())
	p.action("undo")
	p.shows(expect(t, start.Slide(k.Name, from+2)))

	locked := read(t, d, start.String()+"&lock="+k.Name)
	p = opened(t, d, locked.String())
	p.shows(expect(t, locked))
	p.wait("a live chart", `(s, figure) => document.querySelector(s).figures.charts.get(figure)?.drawn`, "#demo-"+d.ID, figure)
	assert.Zero(t, call[int](p.frame, `s => document.querySelectorAll(s).length`, handle))
}

// TestSideBySide: a pair of figures stands side by side where there is room,
// drawn narrow, still and live, and one below the other on a phone.
func TestSideBySide(t *testing.T) {
	t.Parallel()
	d := find(t, "sum-orders")
	p := opened(t, d, "")
	pair := func(width int64) string {
		p.tab.size(width, 900)
		return call[string](p.frame, `s => {
			const root = document.querySelector(s), [a, b] = root.querySelectorAll('.fig-chart');
			root.classList.add('demo-wide');
			for (const f of [a, b]) f.classList.add('fig-pair');
			const [x, y] = [a, b].map(f => f.getBoundingClientRect());
			const narrow = [a, b].map(f => f.querySelector('.plot-narrow').checkVisibility());
			return (x.top === y.top ? 'beside' : 'below') + ' ' + narrow;
		}`, "#demo-"+d.ID)
	}
	assert.Equal(t, "beside true,true", pair(960))
	assert.Equal(t, "below false,false", pair(700))
	assert.Equal(t, "below true,true", pair(360))
}
