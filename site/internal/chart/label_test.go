package chart

import (
	"math"
	"regexp"
	"strconv"
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

// A level is drawn where it is, not at two decimals of it, in the static
// picture and, by the same option, in the live one.
func TestLevelsAreNotRounded(t *testing.T) {
	f := demo.Figure{
		ID: "f", Title: "t", Alt: "a.", X: demo.Axis{Label: "x", Min: 0, Max: 1}, Y: demo.Axis{Label: "y", Min: 0.01, Max: 10, Log: true},
		Series: []demo.Series{{ID: "a", Name: "a", X: []float64{0, 1}, Y: []float64{1, 1}}},
		Marks:  []demo.Mark{{At: 0.0355, Level: true, Label: "p99"}},
	}
	d, err := renderer().Draw("f", f)
	require.NoError(t, err)
	m := regexp.MustCompile(`<path d="M62 ([\d.]+)h\d+" [^>]*stroke-dasharray`).FindStringSubmatch(d.Wide)
	require.NotNil(t, m, d.Wide)
	y, err := strconv.ParseFloat(m[1], 64)
	require.NoError(t, err)
	bottom, height := float64(wideSize.height-wideSize.bottom), float64(wideSize.height-wideSize.top-wideSize.bottom)
	assert.InDelta(t, bottom-height*math.Log10(0.0355/0.01)/3, y, 0.6)
	assert.Contains(t, string(d.Option), `"precision":-1`)
	assert.Regexp(t, `<text[^>]* paint-order="stroke"[^>]*>p99</text>`, d.Wide, "readable over what it stands on")
}
