package page

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/prose"
)

// TestMoved: old addresses lead on, with or without scripts, and take nobody's place.
func TestMoved(t *testing.T) {
	in := shelved()
	content := in.Content.(fstest.MapFS)
	content[movedFile] = file("# old new\n\nguide/oldest.html guide/first.html # why\nold.html guide/second.html#middle\nguide/oldest.html#part guide/second.html#there\n")
	out, err := Render(in)
	require.NoError(t, err)
	html := string(out.Files["guide/oldest.html"])
	for _, want := range []string{`data-moved="../guide/first.html"`, `data-parts="{&#34;part&#34;:&#34;../guide/second.html#there&#34;}"`, `<noscript><meta http-equiv="refresh" content="0; url=../guide/first.html"></noscript>`, `<a href="../guide/first.html">The first</a>`, `<a href="../guide/second.html#there">A part of it: `, `<script src="../assets/moved.js"></script>`, `content="noindex"`} {
		assert.Contains(t, html, want)
	}
	assert.Contains(t, string(out.Files["old.html"]), `data-moved="guide/second.html#middle"`)
	assert.NotContains(t, string(out.Files["index.html"])+string(out.Files["index.md"]), "oldest")

	all, err := Addresses(content, []prose.Page{{File: "data/one.md", Body: "## A part\n\nText.\n\n:::demo powers\nText.\n:::\n"}})
	require.NoError(t, err)
	for _, want := range []string{"about/hosts.html", "data/one.html", "data/one.html#a-part", "data/one.html#demo-powers", "glossary.html", "guide/first.html", "guide/oldest.html", "guide/oldest.html#part", "index.html", "old.html"} {
		assert.Contains(t, all, want)
	}
}

// TestMovedSections: a heading that was renamed answers to both ids, one that
// went to another page leaves a line that leads there.
func TestMovedSections(t *testing.T) {
	in := shelved()
	content := in.Content.(fstest.MapFS)
	content["guide/01-first.md"] = file("---\ntitle: The first\ndescription: One.\n---\n\n## New name\n\nText.\n")
	content[movedFile] = file("guide/first.html#old-name guide/first.html#new-name\nguide/first.html#gone about/hosts.html#here\n")
	out, err := Render(in)
	require.NoError(t, err)
	html := string(out.Files["guide/first.html"])
	assert.Contains(t, html, `<h2 id="new-name"><span id="old-name"></span>New name`)
	assert.Contains(t, html, `<p class="moved" id="gone" data-moved="../about/hosts.html#here">`)
	for text, want := range map[string]string{
		"guide/a.html": "moved.txt:1: a line is", "/a.html b.html": "moved.txt:1", "guide/first.html x.html": "there is a page at guide/first.html",
		"guide/first.html#old guide/first.html#none":     `guide/first.html has no heading with the id "none"`,
		"guide/first.html#new-name guide/first.html#new": "still has a section new-name",
		"guide/none.html#a guide/first.html":             "there is no page guide/none.html whose sections",
	} {
		content[movedFile] = file(text)
		_, err := Render(in)
		assert.ErrorContains(t, err, want, text)
	}
}
