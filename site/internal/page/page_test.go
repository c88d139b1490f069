package page

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/prose"
	"openloop/site/internal/bundle"
	"openloop/site/internal/cache"
	"openloop/site/internal/chart"
	"openloop/site/internal/engine"
	"openloop/site/internal/fixture"
	"openloop/site/internal/tex"
)

const glue = "../../../wasm/glue"

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

// small is a guide with two chapters, a glossary and both demos.
func small() fstest.MapFS {
	return fstest.MapFS{
		"guide/01-first.md": file("---\ntitle: The first\nnav: First\ndescription: About powers.\nlede: A lede.\n---\n\n## Start\n\nA [power]{.term} is " +
			"{{ value \"powers#base=3\" \"last\" }}. [It grows.]{claim=\"grows\"}\nSee [second](02-second.md#middle).\n\n### Sub\n\n:::demo powers {preset=\"Tripling\"}\nYou see a curve.\n:::\n"),
		"guide/02-second.md": file("---\ntitle: The second\ndescription: Without scripts.\n---\n## Middle\n\n:::table squares\n:::\n\nText $x^2$ and [back](01-first.md).\n"),
		"glossary.md":        file("---\ntitle: Glossary\ndescription: Words.\n---\n\n## power\nA *product* of equal factors.\n\n## root\nThe reverse.\n"),
	}
}

// drawn is shared by the tests: what was drawn once need not be drawn again.
var drawn = sync.OnceValue(func() *cache.Store { return cache.Open("") })

func input(content fstest.MapFS) Input { return inputFrom(drawn(), content) }

func inputFrom(store *cache.Store, content fstest.MapFS) Input {
	return Input{
		Content: content, Engine: engine.New(fixture.Modules(), store, map[string]string{"curves": "test", "words": "test"}),
		Charts: chart.NewRenderer(glue+"/node_modules", bundle.Drawing(glue), store), Math: tex.NewSetter(glue+"/node_modules", store),
		Store: store, Licenses: []string{"x-LICENSE.txt"},
		Claims: []prose.Claim{{ID: "grows"}, {ID: "idle"}},
		Tables: []prose.Table{{ID: "squares", Make: func() demo.Table {
			return demo.Table{Caption: "Squares <of> numbers", Columns: []demo.Column{{Name: "Number"}, {Name: "Square", Unit: "m²", Digits: 2}}, Rows: [][]demo.Cell{{demo.N(111), demo.N(12321)}}}
		}}},
	}
}

func render(t *testing.T) Output {
	t.Helper()
	out, err := Render(input(small()))
	require.NoError(t, err)
	return out
}

func TestRenderMakesEveryPage(t *testing.T) {
	out := render(t)
	for _, path := range []string{"index.html", "guide/first.html", "guide/second.html", "glossary.html", "404.html",
		"embed/powers.html", "embed/plain.html", "assets/style.css", "icon.svg"} {
		assert.Contains(t, out.Files, path)
	}
	assert.Equal(t, []string{"root"}, out.UnusedTerms)
	assert.Equal(t, []string{"idle"}, out.UnusedClaims)
	again, err := Render(inputFrom(cache.Open(""), small()))
	require.NoError(t, err)
	assert.Equal(t, out.Files, again.Files, "the same bytes from the same content")
}

func TestChapter(t *testing.T) {
	html := string(render(t).Files["guide/first.html"])
	for _, want := range []string{
		`<html lang="en">`, `<h1>The first</h1>`, `<p class="lede">A lede.</p>`,
		`<a class="skip" href="#main">`, `<main class="article" id="main">`,
		`<a class="value" href="#demo=powers&amp;v=1&amp;seed=7&amp;base=3">27</a>`,
		`<span data-claim="grows">It grows.</span>`,
		`<a class="term" href="../glossary.html#power" data-definition="A product of equal factors.">power</a>`,
		`href="../guide/second.html#middle"`,
		`<li><a href="../guide/first.html" aria-current="page">First</a>`, `<li><a href="#start">Start</a></li>`,
		`<a rel="next" href="../guide/second.html"><small>Next</small>The second</a>`,
		`<link rel="icon" href="../icon.svg" type="image/svg+xml">`,
		`<script defer src="../assets/page.js" data-demos="../assets/demo.js" data-tools="../assets/tools.js"></script>`,
		`<nav class="crumbs" aria-label="Breadcrumbs"><ol><li><a href="../index.html">Openloop</a></li><li><a href="../index.html#chapters">Guide</a></li><li><span aria-current="page">First</span></li></ol></nav>`,
		`<summary>Chapters</summary>`, `<link rel="stylesheet" href="../assets/site.css">`,
		`<noscript><div class="demo-fallback">`,
	} {
		assert.Contains(t, html, want)
	}
	assert.NotContains(t, html, `rel="prev"`)
	assert.NotContains(t, html, "canonical")
	assert.NotContains(t, string(render(t).Files["guide/second.html"]), "demo.js", "a page without demos loads no demo script")
}

// TestKeptTable: a table has its unit, its digits and a name for its region.
func TestKeptTable(t *testing.T) {
	html := string(render(t).Files["guide/second.html"])
	assert.Contains(t, html, `role="region" aria-label="Squares &lt;of&gt; numbers">`)
	assert.Contains(t, html, `Square <small class="unit">(m²)</small></th>`)
	assert.Contains(t, html, `<td class="num">111</td><td class="num">12,000</td>`)
	missing := small()
	missing["guide/02-second.md"] = file("---\ntitle: x\ndescription: y\n---\n:::table cubes\n:::\n")
	_, err := Render(input(missing))
	assert.ErrorContains(t, err, `guide/02-second.md:5: no table is called "cubes"; there are squares`)
}

func TestDemoMarkup(t *testing.T) {
	html := string(render(t).Files["guide/first.html"])
	for _, want := range []string{
		`<ol-demo class="demo demo-wide" id="demo-powers" data-demo="powers" data-module="curves" data-state="v=1&amp;seed=7&amp;base=3">`,
		`<h3 id="demo-powers-t">Powers &amp; roots</h3>`,
		`<a class="preset" href="#demo=powers&amp;v=1&amp;seed=7&amp;base=3" data-preset title="Three by three." aria-current="true">Tripling</a>`,
		`<p class="preset-says" data-preset-says></p>`,
		`<button type="button" class="chip" data-bet-option="1">large</button>`,
		`<figure class="fig fig-chart" data-figure="curve" aria-labelledby="demo-powers-curve-t">`,
		`data-plot role="img" aria-label="The curve bends."><div class="plot-wide"><svg`,
		`<figure class="fig fig-bits fig-pair" data-figure="bits"`, `<table class="bits">`,
		`<figure class="fig fig-strips fig-pair" data-figure="words"`, `&lt;b&gt;`,
		`<li>A note.</li>`,
		`value="3" autocomplete="off" spellcheck="false" aria-describedby="demo-powers-base-doc demo-powers-base-problem"><small class="unit">units</small>`,
		`<input type="range" data-slider min="0" max="18" step="1" value="4" autocomplete="off" aria-label="Base" aria-valuetext="3 units">`,
		`<option value="up" selected>Upward</option>`, `<option value="down">Downward</option>`,
		`<details class="more"><summary>More settings</summary>`, `role="switch" id="demo-powers-extra" data-switch`,
		`The last is a <strong>power</strong> &lt; all.`,
		`<dt>Power</dt><dd><math`, `<p>It shows &lt;nothing&gt; else.</p>`, `class="event-at"`,
	} {
		assert.Contains(t, html, want)
	}
	plain := string(render(t).Files["embed/plain.html"])
	for _, none := range []string{"demo-bet", "demo-presets", "demo-eq", `data-knob=`} {
		assert.NotContains(t, plain, none)
	}
	assert.Contains(t, plain, `data-demo="plain" data-module="words" data-state="v=2&amp;seed=7">`)
	assert.Contains(t, plain, `<details class="demo-events" data-events hidden>`)
}

func TestPageData(t *testing.T) {
	out := render(t)
	m := regexp.MustCompile(`(?s)<script type="application/json" id="ol-page">(.*?)</script>`).FindSubmatch(out.Files["guide/first.html"])
	require.NotNil(t, m)
	var data struct {
		Assets, Chart, Home string
		Demos               map[string]struct {
			Version             int
			Title, Embed, State string
			Reveal              string
			Charts              map[string]map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(m[1], &data))
	assert.Equal(t, "../assets/", data.Assets)
	assert.Equal(t, "../index.html", data.Home)
	p := data.Demos["powers"]
	assert.Equal(t, "../embed/powers.html", p.Embed)
	assert.Equal(t, "v=1&seed=7&base=3", p.State)
	assert.Equal(t, "v=1&seed=7&base=4", p.Reveal)
	assert.Len(t, p.Charts, 1)
	assert.Contains(t, p.Charts["curve"], "series")
	assert.Contains(t, string(m[1]), `"editions":{"curves":"test"`, "of the modules, so that an old one is noticed")
}

func TestEmbed(t *testing.T) {
	html := string(render(t).Files["embed/powers.html"])
	assert.Contains(t, html, `<body data-embed="powers">`)
	assert.Contains(t, html, `href="../guide/first.html#demo-powers"`)
	assert.Contains(t, html, `<h3 id="demo-powers-t" aria-level="2">`, "no heading level is skipped")
	for _, none := range []string{"site-head", "site.css", "crumbs", "data-demos", "data-tools"} {
		assert.NotContains(t, html, none)
	}
	assert.Contains(t, html, `<script defer src="../assets/demo.js"></script>`, "a page of one demo loads its script at once")
	assert.Contains(t, html, `<meta name="robots" content="noindex">`)
}

// TestDemoWithoutChapters: the first pages of a guide need be no chapters.
func TestDemoWithoutChapters(t *testing.T) {
	home := file("---\ntitle: Home\ndescription: D\n---\n:::demo plain\nA curve.\n:::\n")
	out, err := Render(input(fstest.MapFS{"guide/00-home.md": home}))
	require.NoError(t, err)
	assert.Contains(t, string(out.Files["embed/plain.html"]), `href="../index.html#demo-plain"`)
	assert.Contains(t, out.Files, "embed/powers.html")
}

func TestPolicy(t *testing.T) {
	for path, raw := range render(t).Files {
		if !strings.HasSuffix(path, ".html") {
			continue
		}
		html := string(raw)
		assert.Contains(t, html, `<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;;`, path)
		assert.NotRegexp(t, `<script(?: defer)?>|\son[a-z]+="|<style|javascript:`, html, path)
		assert.Equal(t, 1, strings.Count(html, "<h1"), path)
	}
}

func TestLicensesAreListed(t *testing.T) {
	assert.Contains(t, string(render(t).Files["licenses/index.html"]), `<li><a href="x-LICENSE.txt">x-LICENSE.txt</a></li>`)
}

func TestCanonicalOnlyWithAnAddress(t *testing.T) {
	in := input(small())
	in.SiteURL = "https://example.org/guide/"
	out, err := Render(in)
	require.NoError(t, err)
	assert.Contains(t, string(out.Files["guide/first.html"]), `<link rel="canonical" href="https://example.org/guide/guide/first.html">`)
	assert.Contains(t, string(out.Files["index.html"]), `<link rel="canonical" href="https://example.org/guide/">`)
}

func TestBadContent(t *testing.T) {
	head := "---\ntitle: T\ndescription: D.\n---\n"
	for _, c := range []struct{ name, file, text, want string }{
		{"no front matter", "guide/03-x.md", "# Hello", "guide/03-x.md:1: a page begins with front matter"},
		{"unknown key", "guide/03-x.md", "---\ntitle: T\ndescription: D\ndraft: yes\n---\n", "field draft not found"},
		{"no description", "guide/03-x.md", "---\ntitle: T\n---\n", "title and description are needed"},
		{"name", "guide/three.md", head, "pages are named NN-name.md"},
		{"number", "guide/02-x.md", head, "its number is taken by 02-second.md"},
		{"demo", "guide/03-x.md", head + ":::demo roots\n:::\n", `guide/03-x.md:5: no demo is called "roots"; there are powers and plain`},
		{"state", "guide/03-x.md", head + "\n:::demo powers {state=\"base=99\"}\n:::\n", "guide/03-x.md:6: demo powers: "},
		{"preset", "guide/03-x.md", head + ":::demo powers {preset=\"x\"}\n:::\n", `has no preset "x"`},
		{"metric", "guide/03-x.md", head + "{{ value \"powers\" \"x\" }}\n", `has no metric "x"`},
		{"term", "guide/03-x.md", head + "[tree]{.term}\n", `the glossary has no "tree"`},
		{"claim", "guide/03-x.md", head + "[So.]{claim=\"new\"}\n", `no test checks claim "new"`},
		{"link", "guide/03-x.md", head + "[x](04-y.md)\n", "there is no content/guide/04-y.md"},
		{"math", "guide/03-x.md", head + "$\\nosuch$\n", "nosuch"},
		{"glossary", "glossary.md", head + "## a\nOne.\n\n## A\nTwo.\n", `"A" is defined twice`},
		{"definition", "glossary.md", head + "## a\n\n## b\nTwo.\n", `"a" has no definition`},
	} {
		t.Run(c.name, func(t *testing.T) {
			content := small()
			content[c.file] = file(c.text)
			_, err := Render(input(content))
			assert.ErrorContains(t, err, c.want)
		})
	}
}

func TestGlossaryFind(t *testing.T) {
	out, err := newBuilder(input(small()))
	require.NoError(t, err)
	for _, name := range []string{"power", "Powers", "POWER", "root"} {
		_, err := out.terms.find(name)
		assert.NoError(t, err, name)
	}
}

// TestSideBySide: both figures of a pair know it, so that both are drawn narrow.
func TestSideBySide(t *testing.T) {
	html := string(render(t).Files["guide/first.html"])
	assert.Contains(t, html, `<ol-demo class="demo demo-wide"`)
	assert.Contains(t, html, `class="fig fig-chart" data-figure="curve"`)
	assert.Contains(t, html, `class="fig fig-bits fig-pair" data-figure="bits"`)
	assert.Contains(t, html, `class="fig fig-strips fig-pair" data-figure="words"`)
	assert.NotContains(t, string(render(t).Files["embed/plain.html"]), "demo-wide")
}
