package page

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
)

// TestTwins: a page as Markdown, with its number, its demo and its table.
func TestTwins(t *testing.T) {
	out, err := Render(shelved())
	require.NoError(t, err)
	first := string(out.Files["guide/first.md"])
	for _, want := range []string{
		"# The first\n\n> A lede.\n\n## Start\n\nA power is 27. It grows.\nSee [second](../guide/second.md#middle).\n",
		"**Demo: Powers & roots.** Move the base.\n\nThe last is a power \\< all.\n\n- Powers: The curve bends.\n- As bits: ",
		"Run it: [Powers & roots](../embed/powers.html#v=1&seed=7&base=3), or `openloop run powers 'v=1&seed=7&base=3'`.\n",
	} {
		assert.Contains(t, first, want)
	}
	assert.NotContains(t, first, "You see a curve.")
	assert.Contains(t, string(out.Files["guide/second.md"]), "**Table: Squares**\n\n| Number | Square |\n| --- | --- |\n| two | 4 |\n")
	assert.Contains(t, string(out.Files["data/one.md"]), "**Figure: A curve.** It rises.\n\n- Look up.\n\n| x |\n| --- |\n| 1 |\n\nA remark.\n")
	assert.Contains(t, string(out.Files["index.md"]), "## Chapters\n\n- [The first](guide/first.md)\n- [The second](guide/second.md)\n")
	assert.Contains(t, string(out.Files["guide/first.html"]), `<link rel="alternate" type="text/markdown" href="../guide/first.md">`)
	assert.NotContains(t, string(out.Files["embed/powers.html"])+string(out.Files["404.html"]), "text/markdown")
}

func TestIntroduction(t *testing.T) {
	out, err := Render(shelved())
	require.NoError(t, err)
	text := string(out.Files[introduction])
	assert.True(t, strings.HasPrefix(text, "# Openloop\n\n> "))
	for _, want := range []string{"\n## Guide\n\n- [The first](guide/first.md): About powers.\n", "\n## About\n\n- [For hosts](about/hosts.md): D.\n", "\n## Demos\n\n- [Powers & roots](embed/powers.html): Move the base.\n", "\n## Optional\n\n- [Glossary](glossary.md): Words.\n"} {
		assert.Contains(t, text, want)
	}
	in := shelved()
	in.SiteURL = "https://example.org/x"
	out, err = Render(in)
	require.NoError(t, err)
	assert.Contains(t, string(out.Files[introduction]), "](https://example.org/x/guide/first.md)")
}

// TestOutsideNeedsAnAddress: what must be absolute is there when somebody says
// where the site will be, and only then.
func TestOutsideNeedsAnAddress(t *testing.T) {
	out, err := Render(shelved())
	require.NoError(t, err)
	assert.NotContains(t, out.Files, siteMap)
	assert.NotContains(t, out.Files, "cards/guide/first.png")
	assert.NotContains(t, string(out.Files["guide/first.html"]), "og:")

	in := shelved()
	in.SiteURL = "https://example.org/x/"
	out, err = Render(in)
	require.NoError(t, err)
	var set struct {
		URLs []string `xml:"url>loc"`
	}
	require.NoError(t, xml.Unmarshal(out.Files[siteMap], &set))
	assert.Equal(t, "https://example.org/x/", set.URLs[0])
	assert.Contains(t, set.URLs, "https://example.org/x/data/")
	assert.Contains(t, set.URLs, "https://example.org/x/about/trainers.html")
	assert.NotContains(t, strings.Join(set.URLs, " "), "embed/")
	html := string(out.Files["guide/first.html"])
	assert.Contains(t, html, `<meta property="og:image" content="https://example.org/x/cards/guide/first.png">`)
	_, says, _ := strings.Cut(html, `<script type="application/ld+json">`)
	says, _, _ = strings.Cut(says, "</script>")
	var about map[string]any
	require.NoError(t, json.Unmarshal([]byte(says), &about), says)
	assert.Equal(t, []any{"LearningResource", "The first", "https://example.org/x/guide/first.html"}, []any{about["@type"], about["name"], about["url"]})
	_, err = png.Decode(bytes.NewReader(out.Files["cards/guide/first.png"]))
	require.NoError(t, err)
	assert.NotContains(t, string(out.Files["embed/powers.html"]), "og:image", "a demo alone is not what a link should show")
}

func TestSayTable(t *testing.T) {
	nan := demo.N(0)
	nan.Num -= nan.Num / nan.Num // 0/0
	got := sayTable(demo.Table{Caption: "C|", Columns: []demo.Column{{Name: "a", Unit: "ms", Digits: 2}, {Name: "b"}}, Rows: [][]demo.Cell{{demo.N(1.234), demo.W("x|*y*")}, {nan, demo.W("")}}})
	assert.Equal(t, "**Table: C\\|**\n\n| a (ms) | b |\n| --- | --- |\n| 1.2 | x\\|\\*y\\* |\n| – |  |\n\n", got)
}
