package protocol

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
)

// A text of a link is told in full and comes back with it; a loose one stays,
// whatever link comes, and is never repeated.
func TestWriting(t *testing.T) {
	d := *toy
	d.Knobs = append(append([]demo.Knob(nil), toy.Knobs...),
		demo.Knob{Name: "line", Label: "Line", Doc: "What.", Writing: &demo.Writing{Max: 100, Lines: 2}},
		demo.Knob{Name: "log", Label: "Log", Doc: "More.", Writing: &demo.Writing{Max: 200_000, Lines: 9, Loose: true}})
	require.Empty(t, d.Check())
	c := &client{T: t, host: Host{Demos: []*demo.Demo{&d}}}
	h := c.open("line=%3Cb%3E&log=no")
	assert.Equal(t, "v=1&seed=7&line=%3Cb%3E", h.State)
	assert.Equal(t, knob{Name: "line", Text: "<b>"}, h.Knobs[3])
	c.finish(Step, h.Handle, 1000)

	long := strings.Repeat("log=x & y\n", 20_000)
	require.Len(t, long, 200_000)
	require.Equal(t, Done, c.call(Set, h.Handle, "log="+long, 0))
	assert.Less(t, len(c.host.Text()), 2000, "the head repeats what the page has")
	assert.Contains(t, string(c.host.Text()), `"name":"log","loose":true`)
	assert.Equal(t, More, c.call(Frame, h.Handle, "", 0), "another text is another run")
	for _, keep := range []int32{0, 1} {
		require.Equal(t, Done, c.call(Restore, h.Handle, "line=back", keep))
		assert.Equal(t, "v=1&seed=7&line=back", read[head](c).State)
		c.finish(Step, h.Handle, 1000)
		require.Equal(t, Done, c.call(CSV, h.Handle, "", 0))
		assert.Contains(t, string(c.host.Text()), "# log: 199999 bytes, FNV-1a ", "the blank at the end does not count")
	}
	require.Equal(t, Problem, c.call(Set, h.Handle, "log="+long+"more", 0))
	require.Equal(t, Done, c.call(Set, h.Handle, "log=", 0))
	c.finish(Step, h.Handle, 1000)
	require.Equal(t, Done, c.call(CSV, h.Handle, "", 0))
	assert.NotContains(t, string(c.host.Text()), "FNV")
}

// TestRoomForLooseTexts: what a sender cuts to MaxInput still is more than any box
// of such a text takes, or its demo reads, so that no text fails in between.
func TestRoomForLooseTexts(t *testing.T) {
	for _, d := range catalog.All() {
		for _, k := range d.Knobs {
			if k.Writing != nil && k.Writing.Loose {
				assert.GreaterOrEqual(t, k.Writing.Max, MaxInput-len(k.Name)-len("="), "%s, %s: a text that is cut must get in", d.ID, k.Name)
			}
		}
	}
}
