package chart

import (
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"

	"openloop/content/demo"
)

// marksID is the helper series that carries marks and bands.
const marksID = "ol:marks"

func series(f demo.Figure) []charts.SingleSeries {
	var all []charts.SingleSeries
	for _, s := range f.Series {
		if s.Shape == demo.Bars {
			all = append(all, bars(s))
		} else {
			all = append(all, line(s))
		}
	}
	for _, s := range f.Series {
		if s.Lo != nil {
			all = append(all, interval(s)...)
		}
	}
	return append(all, marks(f))
}

// line draws points too, as a line that cannot be seen: that way their name
// stands at the last point as it does on a line, and moves with live data.
func line(s demo.Series) charts.SingleSeries {
	l := looks[s.Role]
	out := charts.SingleSeries{
		Type: types.ChartLine, Id: s.ID, Name: s.Name, Data: points(s.X, s.Y),
		Symbol: l.symbol, SymbolSize: 6, ShowSymbol: opts.Bool(len(s.X) <= mostSymbols),
		LineStyle:   &opts.LineStyle{Color: l.color, Width: l.width},
		ItemStyle:   &opts.ItemStyle{Color: l.color},
		LabelLayout: &opts.LabelLayout{MoveOverlap: "shiftY"},
		Emphasis:    &opts.Emphasis{Focus: "none"},
	}
	switch s.Shape {
	case demo.StepLine:
		out.Step = "end"
		if s.Role == demo.Soft {
			out.ShowSymbol = opts.Bool(false) // context under the points of other series
		}
	case demo.Points:
		out.LineStyle.Opacity = opts.Float(0)
		out.ShowSymbol = opts.Bool(true)
		out.SymbolSize = 7
	case demo.Ghosts:
		out.LineStyle.Opacity = opts.Float(0)
		out.ShowSymbol = opts.Bool(true)
		out.SymbolSize = 9 // room for the gaps of its outline
		out.Symbol = strings.ToLower(strings.TrimPrefix(l.symbol, "empty"))
		out.ItemStyle = &opts.ItemStyle{Color: cardColor, BorderColor: l.color, BorderWidth: 1.3}
	}
	return out
}

func bars(s demo.Series) charts.SingleSeries {
	l := looks[s.Role]
	return charts.SingleSeries{
		Type: types.ChartBar, Id: s.ID, Name: s.Name, Data: points(s.X, s.Y),
		BarMaxWidth: "44",
		ItemStyle:   &opts.ItemStyle{Color: l.color, BorderColor: l.color, Opacity: opts.Float(barOpacity(s.Role))},
		Emphasis:    &opts.Emphasis{Focus: "none"},
	}
}

// barOpacity tells bars of different roles apart in gray.
func barOpacity(r demo.Role) float32 {
	switch r {
	case demo.Soft:
		return 0.45
	case demo.Closed:
		return 0.75
	}
	return 1
}

func interval(s demo.Series) []charts.SingleSeries {
	width := make([]float64, len(s.Lo))
	for i := range width {
		width[i] = s.Hi[i] - s.Lo[i]
	}
	edge := func(part string, y []float64) charts.SingleSeries {
		out := charts.SingleSeries{
			Type: types.ChartLine, Id: s.ID + ":" + part, Stack: s.ID, Data: points(s.X, y), Symbol: "none",
			LineStyle: &opts.LineStyle{Opacity: opts.Float(0)},
			ItemStyle: &opts.ItemStyle{Color: looks[s.Role].color},
		}
		if s.Shape == demo.StepLine {
			out.Step = "end"
		}
		return out
	}
	lo, hi := edge("lo", s.Lo), edge("hi", width)
	hi.AreaStyle = &opts.AreaStyle{Color: looks[s.Role].color, Opacity: opts.Float(0.16)}
	return []charts.SingleSeries{lo, hi}
}

// levelLabel puts the name of a level above its line if it is the
// highest, else below, so that two names close to each other can be read.
func levelLabel(all []demo.Mark, m demo.Mark) string {
	for _, other := range all {
		if other.Level && other.At > m.At {
			return "insideEndBottom"
		}
	}
	return "insideEndTop"
}

// marks is there in every figure, even without marks, because a later state
// of the same demo may have some.
func marks(f demo.Figure) charts.SingleSeries {
	lines := []any{}
	for _, m := range f.Marks {
		if m.Level {
			lines = append(lines, map[string]any{"yAxis": short(m.At), "name": m.Label, "label": map[string]any{"position": levelLabel(f.Marks, m)}})
		} else {
			lines = append(lines, map[string]any{"xAxis": short(m.At), "name": m.Label})
		}
	}
	areas := []any{}
	for _, b := range f.Bands {
		from := map[string]any{"xAxis": short(b.From), "name": b.Label}
		if b.From > (f.X.Min+f.X.Max)/2 && f.X.Max > f.X.Min { // its name goes to the left, where there is room
			from["label"] = map[string]any{"position": "insideTopRight"}
		}
		areas = append(areas, [2]any{from, map[string]any{"xAxis": short(b.To)}})
	}
	label := &opts.Label{Show: opts.Bool(true), Formatter: "{b}", Color: softColor, FontSize: fontSize}
	inside := *label
	inside.Position = "insideTopLeft"
	return charts.SingleSeries{
		Type: types.ChartLine, Id: marksID, Data: []any{}, Symbol: "none",
		MarkLines: &opts.MarkLines{Data: lines, MarkLineStyle: opts.MarkLineStyle{
			Symbol: []string{"none", "none"}, Label: label,
			LineStyle: &opts.LineStyle{Color: softColor, Width: 1.2, Type: "dashed"},
		}},
		MarkAreas: &opts.MarkAreas{Data: areas, MarkAreaStyle: opts.MarkAreaStyle{
			Label: &inside, ItemStyle: &opts.ItemStyle{Color: lineColor, BorderColor: lineColor, Opacity: opts.Float(0.45)},
		}},
	}
}
