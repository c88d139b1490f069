package chart

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
)

// Coordinates may be rounded to what a screen can show; what a label says may
// not.
func TestLabelsKeepTheirDigits(t *testing.T) {
	got, err := clean("<svg width=\"640\" height=\"330\" viewBox=\"0 0 640 330\"><text x=\"1.2345\">0.0001</text></svg>")
	require.NoError(t, err)
	assert.Contains(t, got, ">0.0001<")
	assert.Contains(t, got, `x="1.2"`)
}

// The only line of a figure needs no name beside it; two lines do.
func TestOneLineHasNoLabel(t *testing.T) {
	line := func(id string) demo.Series {
		return demo.Series{ID: id, Name: id, X: []float64{1, 2}, Y: []float64{1, 2}}
	}
	for n, series := range map[int][]demo.Series{1: {line("a")}, 2: {line("a"), line("b")}} {
		opt, err := Option(demo.Figure{ID: "f", Title: "t", Alt: "a.", X: demo.Axis{Label: "x"}, Y: demo.Axis{Label: "y"}, Series: series})
		require.NoError(t, err)
		_, labeled := opt["series"].([]any)[0].(map[string]any)["endLabel"]
		assert.Equal(t, n > 1, labeled, "%d lines", n)
	}
}
