package page

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/site/internal/engine"
	"openloop/site/internal/fixture"
)

// TestWritingMarkup: a text stands in a box of its own before the answer, and
// nothing that is written in it, or comes by a link, is markup.
func TestWritingMarkup(t *testing.T) {
	d := fixture.Plain()
	d.Knobs = []demo.Knob{
		{Name: "line", Label: "Line", Doc: "What.", Writing: &demo.Writing{Default: `</textarea><b>"&`, Max: 100, Lines: 4}},
		{Name: "size", Label: "Size", Doc: "How large.", Max: 9},
	}
	d.Presets = []demo.Preset{{Name: "Hostile", State: "line=%3Cscript%3E", Says: "See."}}
	require.Empty(t, d.Check())
	in := input(small())
	in.Engine = engine.New([]demo.Module{{Name: "curves", Demos: []*demo.Demo{fixture.Powers()}}, {Name: "words", Demos: []*demo.Demo{d}}}, drawn(), map[string]string{"curves": "test", "words": "test-writing"})
	out, err := Render(in)
	require.NoError(t, err)
	html := string(out.Files["embed/plain.html"])
	for _, want := range []string{
		`<ol-demo class="demo demo-writes" `, `<div class="knob writing" data-knob="line"><label for="demo-plain-line">Line</label>`,
		`<textarea id="demo-plain-line" data-box rows="4" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="demo-plain-line-doc demo-plain-line-problem">&lt;/textarea&gt;&lt;b&gt;&#34;&amp;</textarea>`,
		`&amp;v=1&amp;seed=7&amp;line=%3Cscript%3E" data-preset`, `<input type="range" data-slider min="0"`,
	} {
		assert.Contains(t, strings.ReplaceAll(html, "v=2", "v=1"), want)
	}
	assert.Less(t, strings.Index(html, "<textarea"), strings.Index(html, "data-say>"), "the text stands before the answer")
	assert.Equal(t, 1, strings.Count(html, "data-knobs"))
}
