package chart

import (
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"openloop/content/demo"
)

// finish adds what go-echarts has no field for, and takes out what it always
// writes: a palette that would beat every theme, an empty title and toolbox.
func finish(opt map[string]any, f demo.Figure) {
	delete(opt, "color")
	delete(opt, "title")
	delete(opt, "toolbox")
	opt["textStyle"] = map[string]any{"fontFamily": "inherit", "color": inkColor, "fontSize": fontSize}
	opt["legend"] = legend(f)
	tip := opt["tooltip"].(map[string]any)
	tip["confine"] = true
	tip["textStyle"] = map[string]any{"color": inkColor, "fontSize": fontSize}
	tip["axisPointer"] = map[string]any{"type": "line", "lineStyle": map[string]any{"color": softColor}}

	finishAxis(axisOf(opt, "xAxis"), f.X)
	y := axisOf(opt, "yAxis")
	finishAxis(y, f.Y)
	y["axisTick"] = map[string]any{"show": false}
	name := y["nameTextStyle"].(map[string]any)
	name["align"] = "left"

	for i, s := range opt["series"].([]any) {
		finishSeries(s.(map[string]any), f, i)
	}
	layout(opt, f, wideSize)
}

func axisOf(opt map[string]any, key string) map[string]any {
	return opt[key].([]any)[0].(map[string]any)
}

func finishAxis(axis map[string]any, a demo.Axis) {
	axis["nameTextStyle"] = map[string]any{"color": softColor, "fontSize": fontSize}
	delete(axis, "gridIndex")
	label := axis["axisLabel"].(map[string]any)
	delete(label, "showMinLabel") // null means "as it fits", which is the default
	delete(label, "showMaxLabel")
	if a.Log {
		axis["logBase"] = logBase(a)
	}
}

// logBase makes ticks powers of two where the range runs between powers of
// two, as batch sizes and lengths do: the smallest base that gives at most
// eight steps.
func logBase(a demo.Axis) int {
	if !power(a.Min) || !power(a.Max) {
		return 10
	}
	octaves := int(math.Log2(a.Max / a.Min))
	for k := 1; k <= 4; k++ {
		if octaves%k == 0 && octaves/k <= 8 {
			return 1 << k
		}
	}
	return 10
}

func power(v float64) bool {
	frac, _ := math.Frexp(v)
	return frac == 0.5
}

func finishSeries(s map[string]any, f demo.Figure, i int) {
	if i >= len(f.Series) {
		s["silent"] = true
		s["tooltip"] = map[string]any{"show": false}
		if s["id"] == marksID {
			line := s["markLine"].(map[string]any)
			line["silent"] = true
			line["precision"] = -1 // not rounded; two decimals would move a mark at 0.0355 to 0.04
			label := line["label"].(map[string]any)
			label["textBorderColor"], label["textBorderWidth"] = cardColor, 3 // readable over points and lines
			s["markArea"].(map[string]any)["silent"] = true
		} else {
			s["stackStrategy"] = "all" // or an interval around zero would be drawn in two parts
		}
		return
	}
	fig := f.Series[i]
	l := looks[fig.Role]
	if fig.Shape == demo.Bars {
		return
	}
	s["lineStyle"].(map[string]any)["type"] = l.dash
	if fig.Shape == demo.Ghosts {
		s["itemStyle"].(map[string]any)["borderType"] = ghostDash
	}
	if len(f.Series) == 1 || inLegend(f, fig) {
		return // the title or the legend says what it is
	}
	s["endLabel"] = map[string]any{
		"show": true, "formatter": "{a}", "color": l.color, "fontSize": fontSize, "fontWeight": "bold", "distance": 8,
		"lineHeight":      fontSize,                        // else echarts takes the width of a letter that the reader may have no font for, and lines of a name meet
		"textBorderColor": cardColor, "textBorderWidth": 3, // readable over the level or mark that crosses it
	}
}

// legend is needed only where names cannot stand on the lines: bars side by
// side, clouds of points, and points among which some did not happen. The browser puts those
// names in it that have no place of their own.
func legend(f demo.Figure) map[string]any {
	names := []string{}
	for _, s := range f.Series {
		if inLegend(f, s) {
			names = append(names, s.Name)
		}
	}
	out := map[string]any{
		"show": len(names) > 1 || ghosts(f), "data": names, "top": 0, "right": 8, "borderColor": lineColor, "itemWidth": 14, "itemHeight": 10, "itemGap": 20,
		"textStyle": map[string]any{"color": inkColor, "fontSize": fontSize}, "selectedMode": false,
	}
	switch {
	case f.Legend: // each with its own symbol
		out["left"] = 8
	case ghosts(f):
		out["itemStyle"] = map[string]any{"borderWidth": "inherit", "borderType": ghostDash}
	default:
		out["icon"] = "rect"
	}
	return out
}

// inLegend says whether the name of a series is in the legend.
func inLegend(f demo.Figure, s demo.Series) bool {
	return s.Shape == demo.Bars || s.Shape == demo.Ghosts || s.Shape == demo.Points && (f.Legend || ghosts(f))
}

func ghosts(f demo.Figure) bool {
	return slices.ContainsFunc(f.Series, func(s demo.Series) bool { return s.Shape == demo.Ghosts })
}

// layout sets what depends on the size of the drawing.
func layout(opt map[string]any, f demo.Figure, s size) {
	room := labelRoom(f, s.label)
	if f.Legend {
		s.top += s.legend
	}
	opt["grid"] = grid(s, room)
	setRoom(opt, s, room)
	setNames(opt, s, room)
}

func grid(s size, room int) map[string]any {
	return map[string]any{"left": s.left, "right": room, "top": s.top, "bottom": s.bottom}
}

// setNames shows the name of every category, at an angle where they do not fit
// side by side.
func setNames(opt map[string]any, s size, room int) {
	x := axisOf(opt, "xAxis")
	names, ok := x["data"].([]any)
	if !ok || len(names) == 0 {
		return
	}
	longest := 0
	for _, n := range names {
		longest = max(longest, int(charWidth*fontSize*float64(utf8.RuneCountInString(n.(string)))))
	}
	label := x["axisLabel"].(map[string]any)
	label["interval"] = 0
	if slot := (s.width - s.left - room) / len(names); longest+6 <= slot {
		return
	}
	label["rotate"] = 40
	drop := min(longest*64/100, 110) // sin 40°
	opt["grid"].(map[string]any)["bottom"] = s.bottom + drop - 8
	x["nameGap"] = 22 + drop
}

func setRoom(opt map[string]any, s size, room int) {
	for _, v := range opt["series"].([]any) {
		if end, ok := v.(map[string]any)["endLabel"].(map[string]any); ok {
			end["width"] = (room - 12) * 5 / 6 // fonts differ, and the estimate is not generous
			end["overflow"] = "break"
		}
	}
	axisOf(opt, "yAxis")["nameTextStyle"].(map[string]any)["padding"] = []int{0, 0, 0, 4 - s.left}
	for _, key := range []string{"xAxis", "yAxis"} {
		axis := axisOf(opt, key)
		axis["splitNumber"] = s.split
		if base, ok := axis["logBase"]; ok && base != 10 {
			axis["splitNumber"] = 8
		}
	}
}

// narrowed is a copy of an option for a smaller size than the wide one.
func narrowed(opt map[string]any, to size) map[string]any {
	n := clone(opt).(map[string]any)
	was := n["grid"].(map[string]any)
	room := min(number(was["right"]), to.label)
	if number(was["top"]) > wideSize.top { // there is a legend, of more lines here
		to.top += to.legend
	}
	n["grid"] = grid(to, room)
	setRoom(n, to, room)
	setNames(n, to, room)
	return n
}

// sampled is a copy of an option in which a line has no more points than can
// be seen: a still picture is read by nobody, and weighs.
func sampled(opt map[string]any) map[string]any {
	out := clone(opt).(map[string]any)
	for _, v := range out["series"].([]any) {
		if s := v.(map[string]any); s["type"] == "line" && s["showSymbol"] != true {
			s["sampling"] = "lttb"
		}
	}
	return out
}

// emptied is a copy of an option with empty slots: no points, marks, bands or
// description.
func emptied(opt map[string]any) map[string]any {
	e := clone(opt).(map[string]any)
	delete(e["aria"].(map[string]any), "label")
	for _, v := range e["series"].([]any) {
		s := v.(map[string]any)
		s["data"] = []any{}
		for _, carrier := range []string{"markLine", "markArea"} {
			if m, ok := s[carrier].(map[string]any); ok {
				m["data"] = []any{}
			}
		}
	}
	return e
}

func number(v any) int {
	switch n := v.(type) {
	case int:
		return n
	case float64:
		return int(n)
	}
	panic("chart: not a number: " + strconv.Quote("grid.right"))
}

func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = clone(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = clone(e)
		}
		return out
	}
	return v
}
