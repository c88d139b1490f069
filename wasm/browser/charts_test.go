package browser

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demotest"
)

// drawn is what a live chart holds.
type drawn struct {
	Label  string         `json:"label"`  // accessible name
	Marks  int            `json:"marks"`  // shapes in its picture
	Still  int            `json:"still"`  // static pictures that can still be seen
	Series [][][2]float64 `json:"series"` // points by slot
	Over   []string       `json:"over"`   // texts of its picture that lie on each other
}

const drawnNow = `(id, figure, slots) => {
	const root = document.querySelector('#demo-' + id), el = root.querySelector('[data-figure="' + figure + '"]');
	const live = root.figures.charts.get(figure);
	if (!live || !live.drawn || live.resting) throw new Error('no live chart that is drawn whole');
	const inked = [...el.querySelectorAll('.plot-live svg text')].filter(t => t.textContent.trim() && !(t.getAttribute('transform') || '').startsWith('matrix')).map(t => {
		const r = t.getBoundingClientRect(), ink = 0.45 * parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().d, y = (r.top + r.bottom) / 2; // lines of one name are as near as that
		return {says: t.textContent, left: r.left, right: r.right, top: y - ink, bottom: y + ink};
	});
	const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
	return {
		over: inked.flatMap((a, i) => inked.slice(0, i).filter(b => meet(a, b)).map(b => a.says + ' lies on ' + b.says)),
		label: el.querySelector('[data-plot]').getAttribute('aria-label'),
		marks: el.querySelectorAll('.plot-live svg path').length,
		still: [...el.querySelectorAll('.plot-wide,.plot-narrow')].filter(e => e.checkVisibility()).length,
		series: live.chart.getOption().series.slice(0, slots).map(s => s.data),
	};
}`

// draws compares the points in a demo's live charts with the engine's, number
// for number.
func (p demoPage) draws(t *testing.T, s demo.State) {
	t.Helper()
	for _, f := range run(t, s).Figures() {
		if f.Kind != demo.Chart {
			continue
		}
		p.wait("a live chart of "+f.ID, `(...a) => (`+drawnNow+`)(...a).still === 0`, p.demo.ID, f.ID, len(f.Series))
		got := call[drawn](p.frame, drawnNow, p.demo.ID, f.ID, len(f.Series))
		assert.Contains(t, got.Label, f.Alt)
		assert.NotZero(t, got.Marks)
		assert.Empty(t, got.Over, f.ID)
		assert.Equal(t, points(f), got.Series, f.ID)
	}
}

// TestResumesCursor opens a link with at=: the data cursor stands at the nearest
// point, and only the sentence of the run is spoken.
func TestResumesCursor(t *testing.T) {
	t.Parallel()
	d := numeric(t)
	start := demotest.Light(d)
	var first demo.Figure
	for _, f := range run(t, start).Figures() {
		if f.Kind == demo.Chart {
			first = f
			break
		}
	}
	require.NotEmpty(t, first.Series, "a demo with a chart")
	x := first.Series[0].X[len(first.Series[0].X)-1]
	start.At, start.HasAt = x, true
	p := opened(t, d, start.String())
	p.shows(expect(t, start))
	p.wait("the data cursor at the point", `(s, figure, x) => {
		const c = document.querySelector(s).figures.charts.get(figure);
		return c && c.drawn && c.cursor >= 0 && c.stops[c.cursor].x === x && c.box.textContent.includes(c.stops[c.cursor].rows[0]) }`, "#demo-"+d.ID, first.ID, x)
	assert.NotContains(t, p.text(p.at("[data-live]")), first.Series[0].Name+": ", "the cursor is not announced")
}

// points are the series of a figure as pairs.
func points(f demo.Figure) [][][2]float64 {
	list := make([][][2]float64, len(f.Series))
	for i, s := range f.Series {
		list[i] = make([][2]float64, len(s.X))
		for j := range s.X {
			list[i][j] = [2]float64{s.X[j], s.Y[j]}
		}
	}
	return list
}
