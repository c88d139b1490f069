package prose

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/content/tables"
	"openloop/planner/profile"
)

// The chapter on how wrong the planner is: its tables and figures, from the rows
// that content/tables keeps.

// percent is a share in per cent with one decimal and a sign.
func percent(share float64) string {
	if share <= -0.0005 {
		return "−" + tenths(-100*share)
	}
	return "+" + tenths(100*max(share, 0))
}

// predicted are the rows of the groups that have a prediction.
func predicted(groups ...string) []tables.PublishedRow {
	return slices.DeleteFunc(tables.Published(), func(r tables.PublishedRow) bool {
		return r.Predicted == 0 || len(groups) > 0 && !slices.Contains(groups, r.Group)
	})
}

// known is the published number of a row, which may only follow from the error.
func known(r tables.PublishedRow) float64 { return r.Predicted / (1 + r.Off) }

func publishedGroups() demo.Table {
	t := demo.Table{Caption: "Predicted against published, by group: size of the error in per cent", Columns: []demo.Column{
		{Name: "Group"}, {Name: "What"}, {Name: "Rows"}, {Name: "Mean"}, {Name: "Median"}, {Name: "Median with sign"}, {Name: "Worst row"}, {Name: "Target"},
	}}
	for _, g := range tables.PublishedGroups() {
		if g.MAPE == 0 {
			continue
		}
		target := "none"
		if g.Target > 0 {
			target = text.Num(100*g.Target, 3)
			if g.MAPE <= g.Target {
				target += ", met"
			} else {
				target += ", missed"
			}
		}
		t.Rows = append(t.Rows, []demo.Cell{demo.W(g.Name), demo.W(g.Says), demo.N(float64(g.Rows)), demo.W(tenths(100 * g.MAPE)), demo.W(tenths(100 * g.Median)),
			demo.W(percent(g.Bias)), demo.W(g.Worst), demo.W(target)})
	}
	return t
}

func publishedFolds() demo.Table {
	t := demo.Table{Caption: "Fitted without, then predicted", Columns: []demo.Column{{Name: "Left out"}, {Name: "Group"}, {Name: "Rows"}, {Name: "Mean error (%)"}}}
	for _, f := range tables.PublishedFolds() {
		t.Rows = append(t.Rows, []demo.Cell{demo.W(profile.NameOf(f.Without)), demo.W(f.Group), demo.N(float64(f.Rows)), demo.W(tenths(100 * f.MAPE))})
	}
	return t
}

func publishedFrees() demo.Table {
	t := demo.Table{Caption: "What was fitted", Columns: []demo.Column{{Name: "Parameter"}, {Name: "Rows of"}, {Name: "Value"}, {Name: "With one left out"}, {Name: "Mean error if 20% larger (%)"}}}
	for _, f := range tables.PublishedFrees() {
		t.Rows = append(t.Rows, []demo.Cell{demo.W(f.Name), demo.W(f.Group), demo.W(text.Num(f.Value, 3)), demo.W(text.Num(f.Lo, 3) + " to " + text.Num(f.Hi, 3)), demo.W(tenths(100 * f.MoreMAPE))})
	}
	return t
}

func publishedChoices() demo.Table {
	t := demo.Table{Caption: "What was not fitted, and the mean error of the dense rows, fitted again, if it were otherwise", Columns: []demo.Column{
		{Name: "Parameter"}, {Name: "Value"}, {Name: "From"}, {Name: "If lower"}, {Name: "Error (%)"}, {Name: "If higher"}, {Name: "Error (%)"},
	}}
	for _, c := range tables.PublishedChoices() {
		say := func(x float64) demo.Cell {
			if c.Unit == "s" {
				return demo.W(text.Num(1000*x, 3) + " ms")
			}
			return demo.W(text.Num(x, 3))
		}
		t.Rows = append(t.Rows, []demo.Cell{demo.W(c.Name), say(c.Value), demo.W(c.Source),
			say(c.Other[0]), demo.W(tenths(100 * c.MAPE[0])), say(c.Other[1]), demo.W(tenths(100 * c.MAPE[1]))})
	}
	return t
}

func publishedForms() demo.Table {
	t := demo.Table{Caption: "The same rows with a part of the equation left out, fitted again", Columns: []demo.Column{{Name: "Left out"}, {Name: "Mean error (%)"}}}
	for _, f := range tables.PublishedForms() {
		t.Rows = append(t.Rows, []demo.Cell{demo.W(f.Without), demo.W(tenths(100 * f.MAPE))})
	}
	return t
}

func publishedRows() demo.Table {
	t := demo.Table{Caption: "Every row with a prediction, by group, in output tokens/s of the whole server unless another unit is given", Columns: []demo.Column{
		{Name: "Row"}, {Name: "GPU"}, {Name: "Model"}, {Name: "Weights"}, {Name: "Split"}, {Name: "Prompt/answer"},
		{Name: "Published"}, {Name: "Predicted"}, {Name: "Off (%)"}, {Name: "Of the peaks (%)"},
	}}
	for _, r := range predicted() {
		published := demo.W("at the source")
		if r.Published > 0 {
			published = demo.W(text.Num(r.Published, 4) + unitOf(r))
		}
		guess := text.Num(r.Predicted, 3) + unitOf(r)
		if r.High > 0 {
			guess += " (" + text.Num(r.Low, 2) + " to " + text.Num(r.High, 2) + ")"
		}
		t.Rows = append(t.Rows, []demo.Cell{demo.W(r.ID), demo.W(profile.NameOf(r.GPU)), demo.W(profile.NameOf(r.Model)), demo.W(r.Weight), demo.W(splitOf(r)), demo.W(lengths(r)),
			published, demo.W(guess), demo.W(percent(r.Off)), demo.W(text.Num(100*r.Bound, 2))})
	}
	return t
}

func splitOf(r tables.PublishedRow) string {
	if r.AtOnce > 0 {
		return r.Split + ", " + strconv.Itoa(r.AtOnce) + " at once"
	}
	return r.Split
}

// unitOf is the unit of a row if it is not that of most.
func unitOf(r tables.PublishedRow) string {
	if r.Unit == "tok/s" {
		return ""
	}
	return "\u00a0" + r.Unit
}

func lengths(r tables.PublishedRow) string {
	one := func(x float64) string {
		if x == 0 {
			return "?"
		}
		return text.Num(x, 4)
	}
	return one(r.Prompt) + "/" + one(r.Output)
}

// rowLink leads from the id of a row to its source, and from a GPU or model to
// where its numbers are from.
func rowLink(rows []tables.PublishedRow) func(row, column int) string {
	return func(row, column int) string {
		r := rows[row]
		switch column {
		case 0:
			return r.Source
		case 1:
			if _, ok := profile.FindGPU(r.GPU); ok {
				return "../data/gpus.html#" + r.GPU
			}
		case 2:
			if m, ok := profile.FindModel(r.Model); ok {
				return "../data/models.html#" + Anchor(m.ID)
			}
		}
		return ""
	}
}

// Anchor is an id as part of an address.
func Anchor(id string) string { return demo.Anchor(id) }

func silentRows() []tables.PublishedRow {
	return slices.DeleteFunc(tables.Published(), func(r tables.PublishedRow) bool { return r.Predicted != 0 })
}

func publishedSilent() demo.Table {
	t := demo.Table{Caption: "Rows without a prediction", Columns: []demo.Column{{Name: "Row"}, {Name: "GPU"}, {Name: "Model"}, {Name: "Why"}}}
	for _, r := range silentRows() {
		t.Rows = append(t.Rows, []demo.Cell{demo.W(r.ID), demo.W(profile.NameOf(r.GPU)), demo.W(profile.NameOf(r.Model)), demo.W(r.Why)})
	}
	return t
}

// publishedSeries are the groups of the two figures.
func publishedSeries(point func(tables.PublishedRow) (x, y float64)) []demo.Series {
	out := []demo.Series{
		{ID: "dense", Name: "dense", Role: demo.Ink, Shape: demo.Points},
		{ID: "experts", Name: "experts", Role: demo.Closed, Shape: demo.Points},
		{ID: "few", Name: "few requests", Role: demo.Open, Shape: demo.Points},
		{ID: "mlperf", Name: "MLPerf", Role: demo.Soft, Shape: demo.Points},
		{ID: "others", Name: "other hardware", Role: demo.Bad, Shape: demo.Points},
	}
	slot := map[string]int{"dense": 0, "experts": 1, "few requests": 2, "MLPerf": 3}
	rows := predicted()
	slices.SortStableFunc(rows, func(a, b tables.PublishedRow) int { return cmp.Compare(known(a), known(b)) })
	for _, r := range rows {
		i, ok := slot[r.Group]
		if !ok {
			i = 4
		}
		if x, y := point(r); x > 0 {
			out[i].X, out[i].Y = append(out[i].X, x), append(out[i].Y, y)
		}
	}
	return out
}

// throughput is a row's two numbers if they are tokens/s.
func throughput(r tables.PublishedRow) (x, y float64) {
	if r.Unit != "tok/s" && r.Unit != "tok/s/GPU" {
		return 0, 0
	}
	return known(r), r.Predicted
}

func publishedScatter() demo.Figure {
	f := demo.Figure{
		Title: "Published and predicted output tokens/s",
		X:     demo.Axis{Label: "published", Unit: "tokens/s", Min: 100, Max: 200_000, Log: true, Digits: 3},
		Y:     demo.Axis{Label: "predicted", Unit: "tokens/s", Min: 100, Max: 200_000, Log: true, Digits: 3},
		Notes: []string{"Rows in seconds are left out."}, Legend: true,
	}
	f.Alt = "Points of five groups along the diagonal. " + spreadWords()
	f.Series = append(diagonals(), publishedSeries(throughput)...)
	f.Table = publishedPoints(f.Title, demo.Column{Name: "Predicted", Unit: "tokens/s", Digits: 3}, throughput)
	return f
}

// publishedPoints is the data table of a figure: a row for each of its points,
// with what y is of it.
func publishedPoints(title string, y demo.Column, point func(tables.PublishedRow) (x, y float64)) demo.Table {
	t := demo.Table{Caption: title, Columns: []demo.Column{{Name: "Row"}, {Name: "Group"}, {Name: "Published", Unit: "tokens/s", Digits: 4}, y}}
	for _, r := range predicted() {
		x, y := point(r)
		if x == 0 {
			continue
		}
		published := demo.N(r.Published)
		if r.Published == 0 {
			published = demo.W("at the source")
		}
		t.Rows = append(t.Rows, []demo.Cell{demo.W(r.ID), demo.W(r.Group), published, demo.N(y)})
	}
	return t
}

// diagonals are the line of equal numbers and, as one series with a gap, those of
// 25% more and less; of so many points that they are drawn without marks.
func diagonals() []demo.Series {
	const points = 48
	along := func(s *demo.Series, by float64) {
		lo, hi := 100/min(by, 1), 200_000/max(by, 1)
		for i := range points {
			x := lo * math.Pow(hi/lo, float64(i)/(points-1))
			s.X, s.Y = append(s.X, x), append(s.Y, x*by)
		}
	}
	same := demo.Series{ID: "same", Name: "equal", Role: demo.Ink, Shape: demo.Line}
	sides := demo.Series{ID: "sides", Name: "25% off", Role: demo.Soft, Shape: demo.Line}
	along(&same, 1)
	along(&sides, 1.25)
	sides.X, sides.Y = append(sides.X, 100), append(sides.Y, math.NaN())
	along(&sides, 0.75)
	return []demo.Series{same, sides}
}

func publishedErrors() demo.Figure {
	f := demo.Figure{
		Title:  "Error of each row",
		X:      demo.Axis{Label: "published", Unit: "tokens/s", Min: 100, Max: 200_000, Log: true, Digits: 3},
		Y:      demo.Axis{Label: "predicted over published, less 1", Unit: "%", Min: -40, Max: 60, Digits: 3},
		Marks:  []demo.Mark{{At: 25, Level: true, Label: "+25%"}, {At: 10, Level: true, Label: "+10%"}, {At: -10, Level: true, Label: "−10%"}, {At: -25, Level: true, Label: "−25%"}},
		Notes:  []string{"Without MLPerf, whose prompts are not known. Targets of the means: 10% for dense models, 25% for experts."},
		Legend: true,
	}
	f.Alt = "Errors in per cent against the published number. " + spreadWords()
	point := func(r tables.PublishedRow) (x, y float64) {
		if x, _ = throughput(r); r.Group == "MLPerf" {
			x = 0
		}
		return x, 100 * r.Off
	}
	f.Series = publishedSeries(point)
	f.Series = slices.DeleteFunc(f.Series, func(s demo.Series) bool { return len(s.X) == 0 })
	f.Table = publishedPoints(f.Title, demo.Column{Name: "Off", Unit: "%", Digits: 3}, point)
	return f
}

// spreadWords says for both figures what can be seen.
func spreadWords() string {
	out := ""
	for _, g := range tables.PublishedGroups() {
		if g.MAPE > 0 {
			out += g.Name + ": " + strconv.Itoa(g.Rows) + " rows, mean error " + tenths(100*g.MAPE) + "%. "
		}
	}
	return out
}

// quantile is the share q of the sizes of the errors of a group, nearest rank.
func quantile(group string, q float64) float64 {
	var size []float64
	for _, r := range predicted(group) {
		size = append(size, math.Abs(r.Off))
	}
	slices.Sort(size)
	return size[int(math.Ceil(q*float64(len(size))))-1]
}
