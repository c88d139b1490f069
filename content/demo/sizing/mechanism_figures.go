package sizing

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
)

func (r *mechanismRun) Figures() []demo.Figure {
	return []demo.Figure{r.effectFigure(), r.equationFigure()}
}

// effectFigure is the quantity against what makes it large.
func (r *mechanismRun) effectFigure() demo.Figure {
	f := demo.Figure{
		ID: "effect", Title: r.m.title, Kind: demo.Chart, Y: r.m.y,
		X:     demo.Axis{Label: "Context", Unit: "tokens", Max: r.m.until, Digits: 5},
		Table: demo.Table{Caption: r.m.title, Columns: []demo.Column{{Name: "Context", Unit: "tokens", Digits: 5}, {Name: r.m.names[0], Unit: r.m.y.Unit, Digits: 3}, {Name: r.m.names[1], Unit: r.m.y.Unit, Digits: 3}}},
	}
	mark := demo.Mark{At: r.o.context, Label: text.Whole(int(r.o.context)), Knob: "context"}
	if r.m.byBatch {
		f.X = demo.Axis{Label: "Batch", Unit: "requests", Max: r.m.until, Digits: 3}
		f.Table.Columns[0] = demo.Column{Name: "Batch", Unit: "requests", Digits: 3}
		mark = demo.Mark{At: r.o.batch, Label: text.Whole(int(r.o.batch)), Knob: "batch"}
	}
	f.Marks = []demo.Mark{mark}
	top := 0.0
	roles := [3]demo.Role{demo.Closed, demo.Open, demo.Soft}
	for k, id := range [3]string{"without", "with", "third"} {
		s := demo.Series{ID: id, Name: r.m.names[k], Role: roles[k], Shape: demo.Line}
		for i, x := range r.xs {
			if r.m.names[k] == "" || r.ys[k][i] < 0 {
				continue // nothing there, or no time left for it
			}
			s.X, s.Y = append(s.X, x), append(s.Y, r.ys[k][i])
			top = max(top, r.ys[k][i])
		}
		f.Series = append(f.Series, s)
	}
	if f.Y.Max == 0 {
		f.Y.Max = demo.Top(top)
	}
	if r.m.names[2] != "" {
		f.Table.Columns = append(f.Table.Columns, demo.Column{Name: r.m.names[2], Unit: r.m.y.Unit, Digits: 3})
	}
	for i := 7; i < len(r.xs); i += 8 {
		f.Table.Rows = append(f.Table.Rows, r.row(demo.N(r.xs[i]), [3]float64{r.ys[0][i], r.ys[1][i], r.ys[2][i]}))
	}
	f.Table.Rows = append(f.Table.Rows, r.row(demo.W(text.Whole(int(r.x))+", at the mark"), r.at))
	f.Alt = r.m.y.Label + r.where() + ": " + r.m.names[0] + " " + r.amount(0) + ", " + r.m.names[1] + " " + r.amount(1) + "."
	return f
}

func (r *mechanismRun) row(x demo.Cell, y [3]float64) []demo.Cell {
	cells := []demo.Cell{x}
	for k := range y {
		switch {
		case k == 2 && r.m.names[2] == "":
		case y[k] < 0:
			cells = append(cells, demo.W("no time left"))
		default:
			cells = append(cells, demo.N(y[k]))
		}
	}
	return cells
}

// equationFigure is what the two numbers at the mark are made of.
func (r *mechanismRun) equationFigure() demo.Figure {
	f := demo.Figure{ID: "equation", Title: "The numbers at the mark", Kind: demo.Steps, Steps: r.m.steps(r.x, &r.o)}
	f.Table = demo.Table{Caption: f.Title, Columns: []demo.Column{{Name: "What"}, {Name: "Value"}}}
	for i := range f.Steps {
		f.Steps[i].Key = text.Whole(i)
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.W(f.Steps[i].Name), demo.W(f.Steps[i].Value)})
	}
	f.Alt = r.m.option.Label + ", with its numbers: " + text.Count(len(f.Steps), "line", "lines") + "."
	return f
}
