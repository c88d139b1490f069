package page

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/prose"
)

// made is the small guide with a figure, linked tables and pages about data.
func made() Input {
	in := input(small())
	in.Figures = []prose.Figure{{ID: "curve", Make: func() demo.Figure {
		return demo.Figure{
			Title: "A curve", Alt: "It rises.", X: demo.Axis{Label: "x"}, Y: demo.Axis{Label: "y"}, Notes: []string{"Look up."},
			Series: []demo.Series{{ID: "a", Name: "a", X: []float64{1, 2}, Y: []float64{1, 4}}},
			Table:  demo.Table{Columns: []demo.Column{{Name: "x"}}, Rows: [][]demo.Cell{{demo.N(1)}}},
		}
	}}}
	in.Tables[0].Link = func(_, column int) string { return []string{"first.html", ""}[column] }
	in.Tables[0].Make = func() demo.Table {
		return demo.Table{Caption: "Squares", Columns: []demo.Column{{Name: "Number"}, {Name: "Square"}}, Rows: [][]demo.Cell{{demo.W("two"), demo.N(4)}}}
	}
	in.Pages = []prose.Page{
		{File: "data/index.md", Title: "All of it", Nav: "All", Description: "d", Body: "[One](one.md#there)\n"},
		{File: "data/one.md", Title: "One set", Nav: "One", Description: "d", Lede: "Who.", Body: "## There\n\nSee [First](../guide/01-first.md).\n\n:::figure curve\nA remark.\n:::\n"},
	}
	return in
}

// TestMadePages: pages that are made stand beside those that are written, with a
// way to them from every page and a list of them on each other.
func TestMadePages(t *testing.T) {
	out, err := Render(made())
	require.NoError(t, err)
	one := string(out.Files["data/one.html"])
	for _, want := range []string{
		`<h1>One set</h1>`, `<p class="lede">Who.</p>`, `href="../guide/first.html"`, `<a href="../data/index.html" aria-current="true">Data</a>`,
		`<nav aria-label="Data">`, `<li><a href="../data/one.html" aria-current="page">One</a>`,
	} {
		assert.Contains(t, one, want)
	}
	assert.Contains(t, string(out.Files["data/index.html"]), `<a href="../data/one.html#there">One</a>`)
	first := string(out.Files["guide/first.html"])
	assert.Contains(t, first, `<a href="../data/index.html">Data</a>`)
	assert.NotContains(t, first, `aria-label="Data"`)
	assert.NotContains(t, string(render(t).Files["guide/first.html"]), ">Data</a>", "a guide without data does not lead there")
}

// TestKeptFigure: both sizes, its table and the remark, and nothing for scripts.
func TestKeptFigure(t *testing.T) {
	out, err := Render(made())
	require.NoError(t, err)
	one := string(out.Files["data/one.html"])
	for _, want := range []string{
		`<div class="kept-figure">`, `data-figure="curve"`, `id="figure-curve-t">A curve</figcaption>`, `role="img" aria-label="It rises."`,
		`<div class="plot-wide"><svg`, `<div class="plot-narrow"><svg`, `<summary>Data table</summary>`, `<p>A remark.</p>`,
	} {
		assert.Contains(t, one, want)
	}
	assert.NotContains(t, one, "demo.js")
	in := made()
	in.Pages[1].Body = "\n:::figure arc\n:::\n"
	_, err = Render(in)
	assert.ErrorContains(t, err, `data/one.md:2: no figure is called "arc"; there are curve`)
}

// TestStill: a figure of a demo in a state is small, each with ids of its own, leads to
// the demo in that state, and has the one setting that moves it, if one does.
func TestStill(t *testing.T) {
	in := made()
	in.Pages[1].Body = "\n::::side\n:::figure powers#base=3\nThree.\n:::\n\n:::figure powers#base=2 {figure=\"bits\" at=\"../guide/01-first.md\"}\nTwo.\n:::\n\n:::figure powers#base=2 {figure=\"bits\" knob=\"mode\"}\n:::\n::::\n"
	out, err := Render(in)
	require.NoError(t, err)
	one := string(out.Files["data/one.html"])
	for _, want := range []string{
		"<div class=\"side\">\n<div class=\"still\">\n<div class=\"still-says\">\n<p>Three.</p>", `id="still-1-curve-t"`, `id="still-2-bits-t"`, `<table class="bits">`, `assets/style.css`, `assets/still.css`,
		`data-still="still-1" data-demo="powers" data-module="curves" data-state="v=1&amp;seed=7&amp;base=3" data-shows="curve"`, `<input id="still-1-count" data-box`,
		`data-still="still-3"`, `<select id="still-3-mode" data-choice`, `"stills":{"still-1":{`, `src="../assets/page.js" data-demos="../assets/demo.js"`,
		`<a href="#demo=powers&amp;v=1&amp;seed=7&amp;base=3">Open it in the demo`, `<a href="../guide/first.html#demo=powers&amp;v=1&amp;seed=7">Open it`,
	} {
		assert.Contains(t, one, want)
	}
	assert.Equal(t, 1, strings.Count(one, "<svg"))
	assert.NotContains(t, one, `data-still="still-2"`, "nothing moves it")
	assert.Contains(t, string(out.Files[searchIndex]), `"still-1-curve-t","","Powers","The curve bends. count, exponent, power`, "figures are found by their titles and labels")
	assert.Contains(t, string(out.Files["data/one.md"]), "Three.\n\n**Figure: ")
	for body, want := range map[string]string{
		":::figure powers#base=3 {figure=\"arc\"}\n:::\n": `data/one.md:1: demo powers shows no figure "arc" in this state; it has curve`,
		":::figure power#base=3\n:::\n":                   "power",
		":::figure powers#base=3 {knob=\"size\"}\n:::\n":  `demo powers has no setting "size" to move its figure curve; it has`,
		":::figure powers#base=3 {at=\"no.md\"}\n:::\n":   "there is no content/data/no.md",
	} {
		in.Pages[1].Body = body
		_, err = Render(in)
		assert.ErrorContains(t, err, want)
	}
}

func TestLinkedTable(t *testing.T) {
	out, err := Render(made())
	require.NoError(t, err)
	assert.Contains(t, string(out.Files["guide/second.html"]), `<th scope="row"><a href="first.html">two</a></th><td class="num">4</td>`)
}

// TestLinked: cells lead where they should, heads of rows too, and an address
// cannot end its attribute.
func TestLinked(t *testing.T) {
	table := demo.Table{Columns: []demo.Column{{Name: "a"}, {Name: "b"}, {Name: "c"}}, Rows: [][]demo.Cell{
		{demo.W("head"), demo.W("<cell>"), demo.N(2)}, {demo.W("plain"), demo.W("too"), demo.N(3)},
	}}
	got := linked(table, func(row, column int) string {
		if row == 0 {
			return `x"><&` + []string{"0", "1", "2"}[column]
		}
		return ""
	})
	assert.Contains(t, got, `<tr><th scope="row"><a href="x&#34;&gt;&lt;&amp;0">head</a></th><td><a href="x&#34;&gt;&lt;&amp;1">&lt;cell&gt;</a></td><td class="num">2</td></tr>`)
	assert.Contains(t, got, `<tr><th scope="row">plain</th><td>too</td><td class="num">3</td></tr>`)
	assert.Equal(t, "head", table.Rows[0][0].Text, "the table is as it was")
	assert.Equal(t, linked(table, nil), linked(table, func(int, int) string { return "" }))
}
