package page

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFolders: an address that is cut off after a folder finds a list of what is in it.
func TestFolders(t *testing.T) {
	out, err := Render(shelved())
	require.NoError(t, err)
	for file := range out.Files {
		if dir := path.Dir(file); path.Ext(file) == ".html" && dir != "." {
			assert.Contains(t, out.Files, dir+"/index.html", "the folder of %s", file)
		}
	}
	guide := string(out.Files["guide/index.html"])
	for _, want := range []string{"<h1>Chapters</h1>", `<li><a href="first.html">The first</a>: `, `<link rel="stylesheet" href="../assets/site.css">`, `content="noindex"`} {
		assert.Contains(t, guide, want)
	}
	assert.Contains(t, string(out.Files["embed/index.html"]), `<li><a href="powers.html">`)
	assert.Contains(t, string(out.Files["about/index.html"]), `<li><a href="hosts.html">`)
}

// TestNotFoundAtAnyDepth: a server shows this page for guide/none.html and for
// a/b/c as well, so no address on it may depend on where it is.
func TestNotFoundAtAnyDepth(t *testing.T) {
	in := shelved()
	address := regexp.MustCompile(`(?:href|src|data-[a-z]+)="([^"]*)"`)
	for _, c := range []struct {
		url  string
		want []string
	}{
		{"", []string{"Page not found", "cut off everything after it"}},
		{"https://example.org/x", []string{`<a href="https://example.org/x/">To the first page`, `<a href="https://example.org/x/guide/first.html">First</a>`}},
	} {
		in.SiteURL = c.url
		out, err := Render(in)
		require.NoError(t, err)
		html := string(out.Files["404.html"])
		for _, want := range c.want {
			assert.Contains(t, html, want)
		}
		for _, m := range address.FindAllStringSubmatch(html, -1) {
			assert.True(t, m[1] == "data:," || c.url != "" && strings.HasPrefix(m[1], c.url+"/"), m[1])
		}
		assert.NotContains(t, html, "<script")
	}
}
