package prose

import (
	"cmp"
	"slices"

	"openloop/content/demo"
	"openloop/content/tables"
	"openloop/planner/profile"
)

// What the planes of package profile miss of the points that they were laid
// through: one figure for prefill, one for decode, Llama-3.1-8B on one GPU.

// residualGPUs have a series each; the others share the last one.
var residualGPUs = []struct {
	id   string
	role demo.Role
}{{"a100-80gb-sxm", demo.Ink}, {"h100-sxm", demo.Open}, {"b200-sxm", demo.Closed}, {"l40s", demo.Bad}}

// residuals are plane over point, less 1, in per cent.
func residuals(prefill bool, x func(tables.ComposedPoint) float64) []demo.Series {
	out := make([]demo.Series, 0, len(residualGPUs)+1)
	slot := map[string]int{}
	for i, g := range residualGPUs {
		slot[g.id] = i
		out = append(out, demo.Series{ID: g.id, Name: profile.NameOf(g.id), Role: g.role, Shape: demo.Points})
	}
	out = append(out, demo.Series{ID: "others", Name: "four others", Role: demo.Soft, Shape: demo.Points})
	points := slices.DeleteFunc(tables.ComposedPoints(), func(p tables.ComposedPoint) bool { return p.Prefill != prefill || p.FP8 })
	slices.SortStableFunc(points, func(a, b tables.ComposedPoint) int { return cmp.Compare(x(a), x(b)) })
	for _, p := range points {
		i, ok := slot[p.GPU]
		if !ok {
			i = len(out) - 1
		}
		out[i].X, out[i].Y = append(out[i].X, x(p)), append(out[i].Y, 100*(plane(p)/p.Seconds-1))
	}
	return out
}

func plane(p tables.ComposedPoint) float64 {
	c, _ := profile.Calibrated(p.GPU, "llama-3.1-8b", profile.BF16, 1)
	if p.Prefill {
		return c.PrefillSeconds(float64(p.NewTokens), 0)
	}
	return c.DecodeSeconds(float64(p.Batch), float64(p.Batch*p.KVTokens))
}

func composedPrefill() demo.Figure {
	return residualFigure(true, "What the plane misses of prefills",
		demo.Axis{Label: "tokens of the prompt", Min: 200, Max: 20_000, Log: true, Digits: 3},
		func(p tables.ComposedPoint) float64 { return float64(p.NewTokens) })
}

func composedDecode() demo.Figure {
	return residualFigure(false, "What the plane misses of decode steps",
		demo.Axis{Label: "tokens in KV, all sequences", Min: 100, Max: 1e6, Log: true, Digits: 3},
		func(p tables.ComposedPoint) float64 { return float64(p.Batch * p.KVTokens) })
}

func residualFigure(prefill bool, title string, x demo.Axis, of func(tables.ComposedPoint) float64) demo.Figure {
	f := demo.Figure{
		Title: title, X: x, Y: demo.Axis{Label: "plane over composed step, less 1", Unit: "%", Digits: 2},
		Series: residuals(prefill, of),
		Legend: true,
		Notes:  []string{"Llama-3.1-8B in bf16 on one GPU."},
		Table:  residualTable(prefill),
	}
	f.Alt = "Points around zero, one color for each of four GPUs: mean sizes are in the table."
	return f
}

func residualTable(prefill bool) demo.Table {
	t := demo.Table{Caption: "Fits of Llama-3.1-8B on one GPU in bf16", Columns: []demo.Column{{Name: "GPU"}, {Name: "Points"}, {Name: "Mean error", Unit: "%", Digits: 2}, {Name: "R²", Digits: 4}}}
	for _, c := range profile.Calibrations() {
		if c.ModelID != "llama-3.1-8b" || c.TP != 1 || c.Weights != profile.BF16 || c.Dataset != "aiconfigurator" {
			continue
		}
		fit := c.Decode
		if prefill {
			fit = c.Prefill
		}
		t.Rows = append(t.Rows, []demo.Cell{demo.W(profile.NameOf(c.GPUID)), demo.N(float64(fit.Points)), demo.N(100 * fit.MAPEFrac), demo.N(fit.R2)})
	}
	return t
}
