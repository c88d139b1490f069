package check

import (
	"math/rand/v2"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

func page_(body string) *fstest.MapFile {
	return file("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><link rel=\"stylesheet\" href=\"../assets/style.css\"></head><body><h1 id=\"top\">T</h1>" + body + "</body></html>")
}

func site(body string) fstest.MapFS {
	return fstest.MapFS{
		"guide/a.html":           page_(body),
		"guide/b.html":           page_(`<p id="here">x</p>`),
		"assets/style.css":       file("p{}"),
		"assets/page.js":         file(""),
		"assets/demo.js":         file(""),
		"assets/chart.js":        file(""),
		"assets/search.js":       file(""),
		"assets/clock.js":        file(""),
		"assets/scene-engine.js": file(""),

		"assets/modules/one.js": file("1"),
		"assets/modules/two.js": file("2"),
	}
}

func TestSite(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"fine", `<a href="b.html#here">x</a> <a href="#top">x</a> <a href="https://example.org/">source</a> <a href="#demo=x&amp;v=1">p</a><p id="demo-x"></p><br><img src="data:," alt="a">`, ""},
		{"broken link", `<a href="c.html">x</a>`, `guide/a.html: <a href="c.html">: there is no guide/c.html`},
		{"broken anchor", `<a href="b.html#there">x</a>`, `there is no #there in guide/b.html`},
		{"broken own anchor", `<a href="#there">x</a>`, `there is no #there in guide/a.html`},
		{"slash", `<a href="/guide/b.html">x</a>`, "begins with a slash"},
		{"other host", `<script src="https://example.org/x.js"></script>`, "asks another host"},
		{"scheme", `<a href="javascript:x()">x</a>`, "has a scheme"},
		{"empty", `<a href="">x</a>`, "is empty"},
		{"duplicate id", `<p id="x"></p><p id="x"></p>`, `id "x" is empty or there twice`},
		{"alt", `<img src="data:,">`, "no alternative text"},
		{"reference", `<label for="nobody">x</label>`, `for="nobody" names an id that is not there`},
		{"inline script", `<script>x</script>`, "an inline script"},
		{"handler", `<p onclick="x()">x</p>`, "an inline script in onclick"},
		{"style", `<style>p{}</style>`, "a <style> element"},
		{"picture without a name", `<div role="img"></div>`, "<div role=img> has no name"},
		{"frame", `<iframe src="b.html"></iframe>`, "has no title"},
		{"headings", `<h1>again</h1>`, "2 <h1> elements"},
		{"late script", `<script src="../assets/page.js" data-demos="../assets/none.js"></script>`, "there is no assets/none.js"},
		{"module", `<ol-demo data-module="one"></ol-demo>`, ""},
		{"no module", `<ol-demo data-module="three"></ol-demo>`, `needs the module "three": there is no assets/modules/three.js`},
		{"not closed", `<div><p>x</div>`, "not well formed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Site(site(c.body))
			require.NoError(t, err)
			if c.want == "" {
				assert.Empty(t, got)
				return
			}
			require.Len(t, got, 1)
			assert.Contains(t, got[0], c.want)
		})
	}
	got, err := Site(fstest.MapFS{})
	require.NoError(t, err)
	assert.Equal(t, []string{"there is no page"}, got)
	s := site("")
	s["guide/a.md"] = file("[x](b.html#here) [y](../llms.txt) [z](a.md#no-ids) [own](#x) [web](https://example.org/) [lost](b.md)")
	s["llms.txt"] = file("[a](guide/a.md): x. [lost](guide/b.html#gone)")
	got, err = Site(s)
	require.NoError(t, err)
	assert.Equal(t, []string{"guide/a.md: link to b.md: there is no guide/b.md", "llms.txt: link to guide/b.html#gone: there is no #gone in guide/b.html"}, got)
}

// TestSizes: noise does not compress, so its weight is known.
func TestSizes(t *testing.T) {
	noise := make([]byte, pageBudget)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	s := site("")
	s["assets/style.css"] = file(string(noise[:20_000]))
	s["assets/demo.js"] = file(string(noise))
	s["assets/late.js"] = file(string(noise[:10_000]))
	s["guide/c.html"] = page_(`<script src="../assets/late.js" data-demos="../assets/demo.js"></script><a href="../assets/demo.js">x</a><link rel="alternate" href="../assets/demo.js"><link rel="icon" href="data:,">`)
	s["guide/b.html"] = page_(`<script src="../assets/demo.js"></script>`)
	got, err := Sizes(s)
	require.NoError(t, err)
	require.Len(t, got, 10)
	assert.Equal(t, "guide/a.html, no demo started", got[0].What)
	assert.InDelta(t, 20_200, got[0].Bytes, 200)
	assert.Contains(t, got[0].String(), "ok")
	assert.Greater(t, got[1].Bytes, pageBudget)
	assert.Contains(t, got[1].String(), "TOO LARGE")
	assert.InDelta(t, 30_300, got[2].Bytes, 300, "whatever a page names")
	for i, want := range []Size{{What: "assets/chart.js", Budget: 240 * 1024}, {What: "assets/clock.js", Budget: 8 * 1024}, {What: "assets/scene-engine.js", Budget: 2_831_155}, {What: "assets/demo.js", Budget: 24 * 1024}, {What: "assets/search.js", Budget: 120 * 1024}, {What: "assets/modules/one.js", Budget: 900 * 1024}, {What: "assets/modules/two.js", Budget: 900 * 1024}} {
		assert.Equal(t, want.What, got[3+i].What)
		assert.Equal(t, want.Budget, got[3+i].Budget)
	}

	delete(s, "assets/chart.js")
	_, err = Sizes(s)
	assert.ErrorContains(t, err, "assets/chart.js")
}
