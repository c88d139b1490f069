package chart

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
)

// TestLegendOfClouds: points of a figure that asks for it are named above the
// plot, which makes room; lines keep their names at their ends.
func TestLegendOfClouds(t *testing.T) {
	f := demo.Figure{ID: "clouds", Alt: "x", Legend: true, X: demo.Axis{Label: "x"}, Y: demo.Axis{Label: "y"}, Series: []demo.Series{
		{ID: "l", Name: "line", X: []float64{1, 2}, Y: []float64{1, 2}},
		{ID: "a", Name: "some", Shape: demo.Points, X: []float64{1, 2}, Y: []float64{1, 2}},
		{ID: "b", Name: "more", Role: demo.Open, Shape: demo.Points, X: []float64{1, 2}, Y: []float64{2, 1}},
	}}
	opt, err := Option(f)
	require.NoError(t, err)
	legend := opt["legend"].(map[string]any)
	assert.Equal(t, true, legend["show"])
	assert.Equal(t, []string{"some", "more"}, legend["data"])
	assert.NotContains(t, legend, "icon", "each has its own symbol")
	top := func(opt map[string]any) int { return number(opt["grid"].(map[string]any)["top"]) }
	assert.Equal(t, wideSize.top+wideSize.legend, top(opt))
	assert.Equal(t, narrowSize.top+narrowSize.legend, top(narrowed(opt, narrowSize)))
	for _, s := range opt["series"].([]any) {
		if s := s.(map[string]any); s["id"] != marksID {
			assert.Equal(t, s["id"] == "l", s["endLabel"] != nil, s["id"])
		}
	}

	f.Legend = false
	opt, err = Option(f)
	require.NoError(t, err)
	assert.Equal(t, false, opt["legend"].(map[string]any)["show"])
	assert.Equal(t, wideSize.top, top(opt))
	assert.Equal(t, narrowSize.top, top(narrowed(opt, narrowSize)))
}
