package markdown

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// moved is a guide whose pages are built elsewhere.
type moved struct{ fake }

func (moved) Link(dest string) (string, error) {
	file, fragment, ok := strings.Cut(dest, "#")
	switch {
	case file == "":
		return dest, nil
	case ok:
		fragment = "#" + fragment
	}
	return "../to/" + strings.TrimSuffix(file, ".md") + ".html" + fragment, nil
}

// TestTwin: the author's text with everything filled in, and nothing left that
// only this guide understands.
func TestTwin(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "## A {#b}\n\nText *so* `{x}`, $x^2$.[^1]\n\n[^1]: Note.\n", "## A {#b}\n\nText *so* `{x}`, $x^2$.[^1]\n\n[^1]: Note."},
		{"value", "It is {{ value \"sums#batch=8\" \"error\" 3 }} wide.", "It is <sums#batch=8:3> wide."},
		{"spans", "[An [ULP]{.term} of *{{ value \"a\" \"error\" }}*,\nso]{claim=\"known\"}. [gaps]{.term is=\"ulp\"}!", "An ULP of *<a:-1>*,\nso. gaps!"},
		{"demo", "Before.\n\n:::demo sums {state=\"x=1\"}\nA [ULP]{.term} without scripts.\n:::\n\nAfter.", "Before.\n\nDemo: sums.\n\nAfter."},
		{"never closed", ":::demo sums\nText.", "Demo: sums."},
		{"table", ":::table waits {fold=\"All\"}\nRemark [ULP]{.term}.\n:::\n", "| a |\n|---|\n| 1 |\n\nRemark ULP."},
		{"figure", ":::figure errors\n:::\nNext.", "Figure: errors.\n\nNext."},
		{"stills side by side", "::::side\n:::figure sums#x=1\n**A.** One.\n:::\n\n:::figure sums#x=2\nTwo.\n:::\n::::\nNext.", "**A.** One.\n\nFigure: sums.\n\n\nTwo.\n\nFigure: sums.\n\nNext."},
		{"callouts", "::::warning\nA.\n:::aside\nB.\n:::\n::::\n\n:::note Read *this*\nC.\n:::", "**Warning.**\n\nA.\nB.\n\n**Read *this***\n\nC."},
		{"links", "[one](a.md#x), [a `b`](b.md) and [two *b*](a.md), [web](https://x.org/a.html), [here](#x), `](a.md`", "[one](../to/a.md#x), [a `b`](../to/b.md) and [two *b*](../to/a.md), [web](https://x.org/a.html), [here](#x), `](a.md`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := New().Convert(moved{}, "page.md", 1, []byte(c.in))
			require.NoError(t, err)
			assert.Equal(t, c.want, strings.TrimSpace(doc.Markdown))
		})
	}
	assert.Equal(t, "../guide/a.md#x", twinOf("../guide/a.html#x"))
	assert.Equal(t, "https://x.org/a.html", twinOf("https://x.org/a.html"))
	assert.Equal(t, "#x", twinOf("#x"))
}

// TestFootnotes: a note without a mark and a mark without a note are mistakes.
func TestFootnotes(t *testing.T) {
	_, err := New().Convert(fake{}, "page.md", 3, []byte("A[^1] b[^2] `[^code]`.\n\n```\n[^fence]\n```\n\n[^1]: One.\n[^3]: Three.\n"))
	require.Error(t, err)
	assert.Equal(t, "page.md:3: there is no note [^2]\npage.md:10: nothing leads to the note [^3]", err.Error())
	_, err = New().Convert(fake{}, "page.md", 1, []byte("A[^é] b[^é].\n\n[^é]: One.\n"))
	assert.NoError(t, err)
}

// TestSections: the words of each part, without marks.
func TestSections(t *testing.T) {
	doc, err := New().Convert(fake{}, "page.md", 1, []byte(strings.Join([]string{
		"Before, *in* one\nline and `a\\_b` c\\_d.", "", "## First [x](a.md) {#own}", "", "- one", "- {{ value \"a\" \"error\" }}", "", "```", "code", "```", "",
		":::table waits", "Remark.", ":::", "", ":::demo sums", "Fallback.", ":::", "", "| h |", "|---|", "| cell |", "", "### Second", "", "#### Deep", "", ":::note", "Note $x$.", ":::",
	}, "\n")))
	require.NoError(t, err)
	assert.Equal(t, []Section{
		{"", "", `Before, in one line and a\_b c_d.`},
		{"own", "First x", `one <a:-1> code Waits & "more" Remark. h cell`},
		{"second", "Second", "Deep Note ."},
	}, doc.Sections)
}
