package chart

import "openloop/content/demo"

// Colors are the names that style.css gives a value for each theme.
const (
	inkColor  = "var(--ink)"
	softColor = "var(--soft)"
	lineColor = "var(--line)"
	cardColor = "var(--card)"
)

// look is how a role appears. No two roles share both dash and symbol, so
// that color is never the only difference.
type look struct {
	color  string
	width  float32
	dash   any // echarts lineStyle.type
	symbol string
}

var looks = map[demo.Role]look{
	demo.Ink:    {inkColor, 2.2, "solid", "circle"},
	demo.Soft:   {softColor, 1.6, []int{2, 3}, "emptyCircle"},
	demo.Open:   {"var(--open)", 2.4, "solid", "rect"},
	demo.Closed: {"var(--closed)", 2.4, []int{7, 4}, "diamond"},
	demo.Bad:    {"var(--bad)", 2.4, []int{9, 3, 2, 3}, "triangle"},
}

// ghostDash is the outline of a point that did not happen: echarts' own dashes
// are too long for it.
var ghostDash = []float64{2.4, 1.8}

// size is one width that figures are drawn for. The drawing is scaled to its
// column, so text is larger in a narrow one relative to the plot.
type size struct {
	name          string
	width, height int
	left          int // room for the labels of the y axis
	top, bottom   int
	label         int // most room at the right for the names of lines
	split         int // about how many ticks
	legend        int // more room above for a legend of clouds
}

var (
	wideSize   = size{name: "w", width: 640, height: 330, left: 62, top: 46, bottom: 50, label: 150, split: 6, legend: 26}
	narrowSize = size{name: "n", width: 360, height: 320, left: 54, top: 46, bottom: 50, label: 92, split: 4, legend: 64}
)

// fontSize is for every text of a chart, in the units of its size. Both
// sizes are shown at close to their own width.
const fontSize = 13

// charWidth is a generous mean width of a bold character as a share of fontSize.
const charWidth = 0.64

// mostSymbols is the number of points up to which a line shows each of them.
const mostSymbols = 40
