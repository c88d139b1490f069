package prose

import (
	"math"
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/content/tables"
)

// What the other fits miss of their points: a figure for each kind of step of four
// data sets. A dot is the median of the points in one bin; where a bin has many,
// a gray band holds nine of ten.

// residualPicture is what a figure says beside its numbers.
type residualPicture struct {
	id, title, x, note string
	min, max           float64 // of x
}

var residualPictures = []residualPicture{
	{"vidur-few", "What the line misses up to 128 tokens", "tokens in the step", "A dot: the median over the models and splits of one GPU at one number of tokens.", 1, 200},
	{"vidur-many", "What the line misses from 2,048 tokens", "tokens in the step", "A dot: the median over the models and splits of one GPU at one number of tokens. Beyond 4,096 there are two models on the A100 only.", 1500, 50_000},
	{"splitwise-prefill", "What the fit misses of prompts", "tokens of all prompts", "A dot: one fit, one batch and one length of prompts, run five times or more. BLOOM-176B on 8 GPUs, Llama 2 70B on 2, 4 and 8.", 100, 50_000},
	{"splitwise-decode", "What the fit misses of decode steps", "tokens in KV, all sequences", "A dot: one fit, one batch, and loads whose KV lies between two powers of two.", 100, 50_000},
	{"llmservingsim-prefill", "What the plane misses of prefills", "new tokens of the step", "A dot: the median of one fit's steps between two powers of two, with 0 to 16,384 tokens cached. 8B is Llama 3.1 8B, 32B Qwen3 32B.", 50, 3000},
	{"llmservingsim-decode", "What the plane misses of decode steps", "tokens in KV, all sequences", "A dot: the median of one fit's steps between two powers of two. 8B is Llama 3.1 8B, 32B Qwen3 32B.", 10, 1e7},
	{"llm-inference-bench-batches", "What the fit misses of batches", "sequences × their length (tokens)", "A dot: the median over the fits of one framework at one batch and length.", 100, 1e6},
}

// residualRoles are the colors of the groups, in their order.
var residualRoles = []demo.Role{demo.Ink, demo.Open, demo.Closed, demo.Bad, demo.Soft}

func residualFigures() []Figure {
	out := make([]Figure, 0, len(residualPictures))
	for _, p := range residualPictures {
		out = append(out, Figure{p.id, p.figure})
	}
	return out
}

func (p residualPicture) figure() demo.Figure {
	r, _ := tables.ResidualsOf(p.id)
	f := demo.Figure{
		Title: p.title, Legend: true, Notes: []string{p.note},
		X:     demo.Axis{Label: p.x, Min: p.min, Max: p.max, Log: true, Digits: 3},
		Y:     demo.Axis{Label: "fit over measured, less 1", Unit: "%", Digits: 2},
		Marks: []demo.Mark{{At: 10, Level: true, Label: "±10%"}, {At: -10, Level: true}},
	}
	for i, g := range r.Groups {
		f.Series = append(f.Series, demo.Series{ID: "group" + text.Whole(i), Name: g.Name, Role: residualRoles[i], Shape: demo.Points})
	}
	lo, hi := -12.0, 12.0
	for _, d := range r.Dots {
		s := &f.Series[d.Group]
		s.X, s.Y = append(s.X, d.X), append(s.Y, 100*d.Off)
		lo, hi = min(lo, 100*d.Off), max(hi, 100*d.Off)
	}
	if len(r.Edges) > 0 {
		s := demo.Series{ID: "most", Name: "all", Role: demo.Soft, Shape: demo.Line}
		for _, e := range r.Edges {
			s.X, s.Y = append(s.X, e.X), append(s.Y, 100*e.Mid)
			s.Lo, s.Hi = append(s.Lo, 100*e.Lo), append(s.Hi, 100*e.Hi)
			lo, hi = min(lo, 100*e.Lo), max(hi, 100*e.Hi)
		}
		f.Series = append(f.Series, s)
		f.Notes = append(f.Notes, "The line is the median of all points near it; nine of ten lie in the gray band.")
	}
	f.Y.Min, f.Y.Max = 5*math.Floor(lo/5), 5*math.Ceil(hi/5)
	f.Table = residualGroups(r)
	f.Alt = residualAlt(r)
	return f
}

// unbroken keeps a cell of a table in one line.
var unbroken = strings.NewReplacer(" ", "\u00a0", "-", "\u2011")

func residualGroups(r tables.Residuals) demo.Table {
	t := demo.Table{Caption: "Errors over all points", Columns: []demo.Column{{Name: "Points of"}, {Name: "Fits"}, {Name: "Mean size", Unit: "%", Digits: 2},
		{Name: "Nine of ten", Unit: "%"}, {Name: "Largest", Unit: "%"}, {Name: "Within ±10%"}}}
	for _, g := range r.Groups {
		t.Rows = append(t.Rows, []demo.Cell{demo.W(unbroken.Replace(g.Name)), demo.N(float64(g.Fits)), demo.N(100 * g.MeanFrac),
			demo.W(unbroken.Replace(percent(g.LowFrac) + " to " + percent(g.HighFrac))), demo.W(percent(g.WorstFrac)), demo.W(unbroken.Replace(text.Whole(g.WithinATenthPoints) + " of " + text.Whole(g.Points)))})
	}
	return t
}

func residualAlt(r tables.Residuals) string {
	best, worst, points, within := r.Groups[0], r.Groups[0], 0, 0
	for _, g := range r.Groups {
		if g.MeanFrac < best.MeanFrac {
			best = g
		}
		if g.MeanFrac > worst.MeanFrac {
			worst = g
		}
		points, within = points+g.Points, within+g.WithinATenthPoints
	}
	return text.Num(100*float64(within)/float64(points), 3) + "% of " + text.Whole(points) + " points are within 10% of their fit; the mean size of the error is " +
		text.Num(100*best.MeanFrac, 2) + "% for " + best.Name + " and " + text.Num(100*worst.MeanFrac, 2) + "% for " + worst.Name + "."
}
