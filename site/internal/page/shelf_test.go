package page

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shelved is the made guide with pages about itself.
func shelved() Input {
	content := small()
	content["about/01-hosts.md"] = file("---\ntitle: For hosts\nnav: Hosts\ndescription: D.\nfind: nginx\n---\n\n## Headers\n\nNone. Next is [trainers](02-trainers.md), then [First](../guide/01-first.md).\n")
	content["about/02-trainers.md"] = file("---\ntitle: For trainers\ndescription: D.\n---\n\nA link.\n")
	in := made()
	in.Content = content
	return in
}

// TestShelves: pages about the guide have a place of their own: a link on every
// page, a list of themselves, no place among the chapters.
func TestShelves(t *testing.T) {
	out, err := Render(shelved())
	require.NoError(t, err)
	hosts, second := string(out.Files["about/hosts.html"]), string(out.Files["guide/second.html"])
	for _, want := range []string{
		`<nav aria-label="Site"><a href="../guide/first.html">Guide</a><a href="../glossary.html">Glossary</a><a href="../data/index.html">Data</a><a href="../about/hosts.html" aria-current="true">About</a></nav>`,
		`<nav aria-label="About">`, `<li><a href="../about/hosts.html" aria-current="page">Hosts</a>`, `<li><a href="#headers">Headers</a></li>`,
		`<li><a href="../about/trainers.html">For trainers</a></li>`, `href="../guide/first.html">First</a>`,
		`<ol><li><a href="../index.html">Openloop</a></li><li><span aria-current="page">Hosts</span></li></ol>`,
	} {
		assert.Contains(t, hosts, want)
	}
	assert.NotContains(t, hosts, `rel="next"`)
	assert.NotContains(t, second, `rel="next"`, "what is about the guide does not follow its last chapter")
	assert.Contains(t, second, `<nav aria-label="About"><a href="../about/hosts.html">Hosts</a><a href="../about/trainers.html">For trainers</a></nav>`)
	assert.Contains(t, string(out.Files["about/trainers.html"]), `<li><a href="../about/hosts.html">About</a></li><li><span aria-current="page">For trainers</span></li>`)
	for path, none := range map[string]string{"index.html": "crumbs", "404.html": "crumbs"} {
		assert.NotContains(t, string(out.Files[path]), none)
	}
	assert.Contains(t, string(out.Files["glossary.html"]), `<li><span aria-current="page">Glossary</span></li>`)
}

// TestFind: pages, their parts, terms and demos are in the index, each once.
func TestFind(t *testing.T) {
	out, err := Render(shelved())
	require.NoError(t, err)
	text := strings.TrimSuffix(strings.TrimPrefix(string(out.Files[searchIndex]), `window["openloop/search"]=`), ";\n")
	var data struct {
		Pages [][3]string
		Parts [][]any
	}
	require.NoError(t, json.Unmarshal([]byte(text), &data))
	got := map[string]string{}
	for _, p := range data.Parts {
		page := data.Pages[int(p[0].(float64))]
		key := page[0] + "#" + p[1].(string)
		assert.NotContains(t, got, key)
		got[key] = p[2].(string) + "|" + p[3].(string) + "|" + p[4].(string)
	}
	for key, want := range map[string]string{
		"guide/first.html#":            "|The first|A lede.",
		"guide/first.html#start":       "|Start|A power is 27. It grows. See second.",
		"guide/first.html#sub":         "|Sub|",
		"guide/first.html#demo-powers": "demo|Powers & roots|",
		"guide/second.html#middle":     "|Middle|Squares Text and back.",
		"glossary.html#power":          "term|power|A product of equal factors.",
		"about/hosts.html#":            "|For hosts|nginx",
		"data/one.html#there":          "|There|See First. A curve A remark.",
	} {
		assert.Contains(t, got[key], want, key)
	}
	assert.Contains(t, data.Pages, [3]string{"about/hosts.html", "For hosts", "About"})
	assert.NotContains(t, text, "01-first.md")
}
