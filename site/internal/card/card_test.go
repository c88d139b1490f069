package card

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDraw(t *testing.T) {
	long := strings.Repeat("A long sentence about serving that goes on. ", 12)
	for _, c := range []struct{ title, says, place string }{
		{"Glossary", "One definition for each term.", ""},
		{strings.Repeat("What a throughput number needs ", 6), long, "Guide"},
		{"Unbreakable" + strings.Repeat("x", 90), "Δ é “quotes” –", "Data"},
		{"", "", ""},
	} {
		raw, err := Draw(c.title, c.says, c.place)
		require.NoError(t, err)
		again, err := Draw(c.title, c.says, c.place)
		require.NoError(t, err)
		assert.Equal(t, raw, again, "the same words, the same bytes")
		img, err := png.Decode(bytes.NewReader(raw))
		require.NoError(t, err)
		assert.Equal(t, [2]int{Width, Height}, [2]int{img.Bounds().Dx(), img.Bounds().Dy()})
		assert.Less(t, len(raw), 60_000)
	}
	one, err := Draw("One", "", "")
	require.NoError(t, err)
	two, err := Draw("Two", "", "")
	require.NoError(t, err)
	assert.NotEqual(t, one, two)
}

// TestWrap: lines fit, nothing is lost but what is said to be.
func TestWrap(t *testing.T) {
	c := &canvas{}
	words := strings.Repeat("some words ", 30)
	lines := c.wrap(words, 34, false, 99)
	assert.Greater(t, len(lines), 3)
	assert.Equal(t, strings.Fields(words), strings.Fields(strings.Join(lines, " ")))
	cut := c.wrap(words, 34, false, 2)
	require.Len(t, cut, 2)
	assert.Equal(t, lines[0], cut[0])
	assert.True(t, strings.HasSuffix(cut[1], " …"))
}
