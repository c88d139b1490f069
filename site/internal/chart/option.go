package chart

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"openloop/content/demo"
)

// Option is the echarts option for a figure, laid out for the wide size. It
// marshals to the same bytes every time: go-echarts' random ids and its
// palette are taken out, and json sorts the keys.
func Option(f demo.Figure) (map[string]any, error) {
	if err := check(f); err != nil {
		return nil, err
	}
	c := charts.NewLine()
	c.Animation = opts.Bool(false)
	c.SetGlobalOptions(
		charts.WithXAxisOpts(xAxis(f)),
		charts.WithYAxisOpts(yAxis(f)),
		charts.WithTooltipOpts(opts.Tooltip{
			Show: opts.Bool(true), Trigger: "axis", BackgroundColor: cardColor, BorderColor: lineColor,
			AxisPointer: &opts.AxisPointer{Type: "line"},
		}),
	)
	c.Aria = &opts.Aria{Enabled: opts.Bool(true), Label: &opts.AriaLabel{Description: f.Alt}}
	c.MultiSeries = series(f)

	raw, err := json.Marshal(c.JSON())
	if err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.ID, err)
	}
	var opt map[string]any
	if err := json.Unmarshal(raw, &opt); err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.ID, err)
	}
	finish(opt, f)
	return opt, nil
}

func xAxis(f demo.Figure) opts.XAxis {
	a := f.X
	min, max := limits(a)
	x := opts.XAxis{
		Type: axisType(a), Name: axisName(a), NameLocation: "middle", NameGap: 30,
		Min: min, Max: max, Scale: opts.Bool(true),
		AxisLabel: axisLabel(), AxisLine: axisLine(), AxisTick: axisTick(),
		SplitLine: &opts.SplitLine{Show: opts.Bool(false)},
	}
	if len(a.Names) > 0 {
		x.Data = a.Names
	}
	return x
}

// yAxis keeps zero in the picture unless the figure names its range: a cut
// axis makes small differences look large.
func yAxis(f demo.Figure) opts.YAxis {
	a := f.Y
	min, max := limits(a)
	y := opts.YAxis{
		Type: axisType(a), Name: axisName(a), NameLocation: "end", NameGap: 22,
		Min: min, Max: max,
		AxisLabel: axisLabel(), AxisLine: &opts.AxisLine{Show: opts.Bool(false)},
		SplitLine: &opts.SplitLine{Show: opts.Bool(len(a.Names) == 0), LineStyle: &opts.LineStyle{Color: lineColor}},
	}
	if len(a.Names) > 0 {
		y.Data = a.Names
	}
	return y
}

func axisType(a demo.Axis) string {
	switch {
	case len(a.Names) > 0:
		return "category"
	case a.Log:
		return "log"
	}
	return "value"
}

func axisName(a demo.Axis) string {
	if a.Unit == "" {
		return a.Label
	}
	return a.Label + " (" + a.Unit + ")"
}

func limits(a demo.Axis) (min, max any) {
	if a.Min == 0 && a.Max == 0 {
		return nil, nil
	}
	return a.Min, a.Max
}

func axisLabel() *opts.AxisLabel {
	return &opts.AxisLabel{Show: opts.Bool(true), Color: softColor, FontSize: fontSize, HideOverlap: opts.Bool(true)}
}

func axisLine() *opts.AxisLine {
	return &opts.AxisLine{Show: opts.Bool(true), LineStyle: &opts.LineStyle{Color: softColor}}
}

func axisTick() *opts.AxisTick {
	return &opts.AxisTick{Show: opts.Bool(true), LineStyle: &opts.LineStyle{Color: softColor}}
}

// points pairs x and y with six significant digits, which is finer than a
// pixel. NaN is a gap.
func points(x, y []float64) [][2]any {
	p := make([][2]any, len(x))
	for i := range x {
		p[i] = [2]any{short(x[i]), short(y[i])}
	}
	return p
}

func short(v float64) any {
	if math.IsNaN(v) {
		return nil
	}
	return json.RawMessage(strconv.FormatFloat(v, 'g', 6, 64))
}

// labelRoom is the width that the names at the ends of lines need, up to
// most; a longer name is broken into lines.
func labelRoom(f demo.Figure, most int) int {
	room := 18
	if len(f.Series) == 1 {
		return room
	}
	for _, s := range f.Series {
		if inLegend(f, s) {
			continue
		}
		if w := int(charWidth*fontSize*float64(utf8.RuneCountInString(s.Name))) + 16; w > room {
			room = w
		}
	}
	return min(room, most)
}
