package chart

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/site/internal/bundle"
	"openloop/site/internal/cache"
)

var update = flag.Bool("update", false, "write the golden files")

const glue = "../../../wasm/glue"

// figures are one of each thing that a figure can say.
func figures() []demo.Figure {
	return []demo.Figure{
		{
			ID: "lines", Title: "Latency against load", Alt: "Latency grows with load.",
			X: demo.Axis{Label: "load", Unit: "requests/s"}, Y: demo.Axis{Label: "latency", Unit: "s"},
			Series: []demo.Series{
				{ID: "open", Name: "open loop", Role: demo.Open, X: []float64{1, 2, 3, 4}, Y: []float64{0.5, 0.75, 1.5, 4},
					Lo: []float64{0.4, 0.5, 1, 3}, Hi: []float64{0.6, 1, 2, 5}},
				{ID: "closed", Name: "closed loop, 4 clients", Role: demo.Closed, X: []float64{1, 2, 3, 4}, Y: []float64{0.5, 0.7, 1.2, 3.9}},
				{ID: "none", Name: "nothing yet", Role: demo.Bad},
			},
			Bands: []demo.Band{{From: 1, To: 1.5, Label: "warm-up"}},
			Marks: []demo.Mark{{At: 3.5, Label: "capacity"}, {At: 2, Level: true, Label: "target"}},
		},
		{
			ID: "log", Title: "Error against length", Alt: "Errors grow slowly.",
			X: demo.Axis{Label: "length", Min: 1, Max: 4096, Log: true}, Y: demo.Axis{Label: "error", Unit: "ULP", Log: true},
			Series: []demo.Series{
				{ID: "seq", Name: "sequential", Role: demo.Ink, Shape: demo.StepLine, X: []float64{1, 16, 256, 4096}, Y: []float64{0.5, 2, 11, 170}},
				{ID: "pair", Name: "pairwise", Role: demo.Soft, Shape: demo.Points, X: []float64{1, 16, 256, 4096}, Y: []float64{0.5, 0.7, 1, math.NaN()}},
			},
		},
		{
			ID: "bars", Title: "Flips by order", Alt: "Split-k flips most.",
			X: demo.Axis{Label: "order", Names: []string{"sequential", "pairwise", "split-k"}}, Y: demo.Axis{Label: "flips", Unit: "%"},
			Series: []demo.Series{
				{ID: "a", Name: "float32", Role: demo.Ink, Shape: demo.Bars, X: []float64{0, 1, 2}, Y: []float64{1, 2, 3}},
				{ID: "b", Name: "bfloat16", Role: demo.Bad, Shape: demo.Bars, X: []float64{0, 1, 2}, Y: []float64{4, 7, 9}},
			},
		},
		{
			ID: "names", Title: "Many names", Alt: "They do not fit side by side.",
			X: demo.Axis{Label: "order", Names: []string{"left to right", "pairs", "halves", "strided", "split in 2", "split in 16", "1,024 threads"}}, Y: demo.Axis{Label: "error", Unit: "ULP"},
			Series: []demo.Series{{ID: "a", Name: "error", Role: demo.Soft, Shape: demo.Bars, X: []float64{0, 1, 2, 3, 4, 5, 6}, Y: []float64{3, -2, -2, 0, 1, -1, 0}}},
			Marks:  []demo.Mark{{At: 1, Level: true, Label: "high"}, {At: 0.8, Level: true, Label: "low"}},
		},
		ghostly(),
	}
}

// ghostly has points that did not happen, among some that did.
func ghostly() demo.Figure {
	return demo.Figure{
		ID: "ghosts", Title: "Requests", Alt: "Two were never sent.",
		X: demo.Axis{Label: "time", Unit: "s"}, Y: demo.Axis{Label: "latency", Unit: "s"},
		Series: []demo.Series{
			{ID: "sent", Name: "sent", Role: demo.Closed, Shape: demo.Points, X: []float64{1, 2, 3, 4}, Y: []float64{0.5, 0.75, 1.5, 4}},
			{ID: "never", Name: "never sent", Role: demo.Closed, Shape: demo.Ghosts, X: []float64{2.5, 3.5}, Y: []float64{2, 3}},
			{ID: "all", Name: "should be sent", Role: demo.Soft, X: []float64{1, 4}, Y: []float64{1, 3}},
			{ID: "other", Name: "other", Role: demo.Soft, Shape: demo.Ghosts, X: []float64{1.5}, Y: []float64{3}},
		},
		Marks: []demo.Mark{{At: 3, Label: "now", Knob: "now"}},
	}
}

// renderer is shared by the tests, because loading echarts takes most of a
// second.
var renderer = sync.OnceValue(func() *Renderer { return NewRenderer(glue+"/node_modules", bundle.Drawing(glue), cache.Open("")) })

// TestGolden compares options and drawings with files that a person has
// looked at. Numbers in drawings are rounded first: text widths are estimates.
func TestGolden(t *testing.T) {
	r := renderer()
	for _, f := range figures() {
		d, err := r.Draw("fig-"+f.ID, f)
		require.NoError(t, err)
		golden(t, f.ID+".json", string(d.Option)+"\n")
		golden(t, f.ID+".wide.svg", round(d.Wide))
		golden(t, f.ID+".narrow.svg", round(d.Narrow))
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "run go test -update and look at the result")
	assert.Equal(t, string(want), got, "%s; run go test -update if the change is meant", name)
}

var fraction = regexp.MustCompile(`(\d\.\d)\d+`)

func round(svg string) string { return fraction.ReplaceAllString(svg, "$1") }

// TestDrawingLaws holds for any figure: what a page may embed, the same
// whatever was drawn before.
func TestDrawingLaws(t *testing.T) {
	r, fresh := renderer(), NewRenderer(glue+"/node_modules", bundle.Drawing(glue), cache.Open(""))
	all := figures()
	for _, f := range slices.Backward(all) {
		two, err := fresh.Draw("one", f)
		require.NoError(t, err)
		one, err := r.Draw("one", f)
		require.NoError(t, err)
		assert.Equal(t, two, one, "%s", f.ID)
		other, err := r.Draw("other", f)
		require.NoError(t, err)
		assert.NotContains(t, string(one.Option), "#", "no fixed color in the option")
		for _, svg := range []string{one.Wide, one.Narrow} {
			assert.NotContains(t, svg, "<style")
			assert.NotRegexp(t, `(fill|stroke)="(#|rgb)`, svg)
			assert.NotContains(t, svg, "zr0")
			assert.Less(t, len(svg), 20000)
		}
		assert.Equal(t, strings.ReplaceAll(one.Wide, "one-w", "other-w"), other.Wide)
	}
}

func TestRelative(t *testing.T) {
	for in, want := range map[string]string{
		"M62 280L65.2 280L65.2 279": "M62 280h3.2v-1",
		"M0 0L1.04 2L3 1Z":          "M0 0l1 2l2-1z",
		"M0 0L0.04 0L0.08 0L0.12 0": "M0 0h0.1", // rounded positions, not rounded steps
		"M1 1L2 2ZM1 1L2 3":         "M1 1l1 1zM1 1l1 2",
		"M1 1L2":                    "M1 1L2",
	} {
		assert.Equal(t, want, relative(in))
	}
}

func TestCompactJoinsAlikeNeighbors(t *testing.T) {
	line := func(d string) string { return `<path d="` + d + `" fill="none" stroke="var(--line)"></path>` }
	assert.Equal(t, line("M0 0h1M0 1h1")+"\n<g>\n"+line("M0 2h1")+"\n</g>",
		compact(line("M0 0L1 0")+"\n"+line("M0 1L1 1")+"\n<g>\n"+line("M0 2L1 2")+"\n</g>"))
	shade := `<path d="M0 0h1z" fill="var(--ink)" fill-opacity="0.2"></path>`
	assert.Equal(t, shade+"\n"+shade, compact(shade+"\n"+shade))
}

func TestPlaced(t *testing.T) {
	symbol := func(d, rest string) string {
		return `<path d="` + d + `" transform="matrix(3,0,0,3,62,280.25)"` + rest + `></path>`
	}
	for d, want := range map[string]string{
		"M-1 -1l2 0l0 2l-2 0Z":                "M59 277.3h6v6h-6z",
		"M0 -1L1 1L-1 1Z":                     "M62 277.3l3 6h-6z",
		"M0 -1L1 0L0 1L-1 0Z":                 "M62 277.3l3 3-3 3-3-3z",
		"M1 0A1 1 0 1 1 1 -0.1A1 1 0 0 1 1 0": "M65 280.3a3 3 0 1 1-6 0 3 3 0 1 1 6 0z",
	} {
		assert.Equal(t, `<path d="`+want+`" fill="var(--ink)" stroke-width="2"></path>`, placed(symbol(d, ` fill="var(--ink)" stroke-width="0.6666666"`)))
	}
	other := symbol("M0 0L1 1", "")
	assert.Equal(t, other, placed(other))
}

func TestShareClips(t *testing.T) {
	clip := func(id, d string) string {
		return "<clipPath id=\"" + id + "\">\n<path d=\"" + d + "\"></path>\n</clipPath>\n"
	}
	assert.Equal(t, `<g clip-path="url(#a)"><g clip-path="url(#b)"><g clip-path="url(#a)">`+clip("a", "M0 0")+clip("b", "M1 1"),
		shareClips(`<g clip-path="url(#a)"><g clip-path="url(#b)"><g clip-path="url(#c)">`+clip("a", "M0 0")+clip("b", "M1 1")+clip("c", "M0 0")))
}

func TestSeriesKeepTheirSlots(t *testing.T) {
	opt, err := Option(figures()[0])
	require.NoError(t, err)
	var ids []string
	for _, s := range opt["series"].([]any) {
		ids = append(ids, s.(map[string]any)["id"].(string))
	}
	assert.Equal(t, []string{"open", "closed", "none", "open:lo", "open:hi", marksID}, ids)
}

func TestRolesDifferWithoutColor(t *testing.T) {
	seen := map[string]demo.Role{}
	for role, l := range looks {
		key := l.symbol
		prev, dup := seen[key]
		assert.False(t, dup, "roles %d and %d share a symbol", role, prev)
		seen[key] = role
	}
	assert.Len(t, looks, int(demo.Bad)+1)
}

func TestRefusedFigures(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name, want string
		change     func(f *demo.Figure)
	}{
		{"lengths", "series open has 4 x and 3 y", func(f *demo.Figure) { f.Series[0].Y = f.Series[0].Y[:3] }},
		{"interval", "4 points but 4 and 1 interval ends", func(f *demo.Figure) { f.Series[0].Hi = f.Series[0].Hi[:1] }},
		{"log", "x of point 0 is 0 on a log axis", func(f *demo.Figure) { f.X.Log = true; f.Series[0].X[0] = 0 }},
		{"infinite", "y of point 1 is infinite", func(f *demo.Figure) { f.Series[1].Y[1] = inf }},
		{"names", "x of point 3 is 4, not one of 4 names", func(f *demo.Figure) { f.X.Names = []string{"a", "b", "c", "d"} }},
		{"twice", `series id "open" is empty or used twice`, func(f *demo.Figure) { f.Series[1].ID = "open" }},
		{"kind", "is not a chart", func(f *demo.Figure) { f.Kind = demo.Bits }},
		{"bars", "bars have no interval", func(f *demo.Figure) { f.Series[0].Shape = demo.Bars }},
		{"empty", "needs a series", func(f *demo.Figure) { f.Series = nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := figures()[0]
			c.change(&f)
			_, err := Option(f)
			require.ErrorContains(t, err, c.want)
			assert.ErrorContains(t, err, "figure lines")
		})
	}
}

func TestLogBase(t *testing.T) {
	assert.Equal(t, 2, logBase(demo.Axis{Min: 1, Max: 64}))
	assert.Equal(t, 10, logBase(demo.Axis{Min: 1, Max: 100}))
	assert.Equal(t, 4, logBase(demo.Axis{Min: 1, Max: 4096}))
	assert.Equal(t, 10, logBase(demo.Axis{Min: 1, Max: 1 << 23}), "23 octaves have no even steps")
	assert.Equal(t, 10, logBase(demo.Axis{}))
}

// BenchmarkDraw is a figure that is not in the cache.
func BenchmarkDraw(b *testing.B) {
	r := NewRenderer(glue+"/node_modules", bundle.Drawing(glue), cache.Open(""))
	for i := 0; b.Loop(); i++ {
		f := figures()[0]
		f.X.Label += strings.Repeat("x", i%100)
		if _, err := r.Draw("fig", f); err != nil {
			b.Fatal(err)
		}
	}
}
