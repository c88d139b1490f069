package demo

import (
	"errors"

	"openloop/content/demo/text"
)

// A small demo for the tests of this package: it spends one unit of work for
// each request and sums a pseudo-random sequence, so that its numbers depend
// on every knob and on the seed.
var toy = &Demo{
	ID: "toy", Version: 1, Title: "A toy <demo>", Lead: "Turn it.", Limits: "It shows nothing.",
	Knobs: []Knob{
		{Name: "rate", Label: "Rate", Unit: "requests/s", Doc: "How fast.", Default: 8, Min: 0.5, Max: 20, Step: 0.5},
		{Name: "batch", Label: "Batch", Unit: "requests", Doc: "How many.", Default: 8, Min: 1, Max: 4096, Whole: true, Log: true},
		{Name: "scale", Label: "Scale", Doc: "How large.", Default: 0.06, Min: 0.001, Max: 10, Log: true},
		{Name: "policy", Label: "Policy", Doc: "Which.", Options: []Option{{"fifo", "First come"}, {"priority", "Priority"}, {"broken", "Cannot run"}}},
		{Name: "fused", Label: "Fused", Doc: "Whether.", Default: 1, Options: []Option{{"off", "Off"}, {"on", "On"}}},
		{Name: "offset", Label: "Offset", Unit: "ms", Doc: "From where.", Default: 0, Min: -10, Max: 10, Step: 1, Whole: true, More: true},
	},
	Presets: []Preset{{Name: "Fast", State: "rate=20&seed=3", Says: "See."}},
	Bet: &Bet{Question: "Which?", Options: []string{"low", "high"}, Reveal: "rate=20&seed=3", By: []string{"sum"}, Feedback: []string{"No, <it> is high.", "Yes."},
		Answer: func(t Task) int {
			if t.Metrics()[0].Value > 0 {
				return 1
			}
			return 0
		}},
	Start: startToy,
}

type toyTask struct {
	v     Values
	left  int
	total int
	state uint32
	sum   float64
}

func startToy(v Values, seed uint32) (Task, error) {
	if v.Option("policy") == "broken" {
		return nil, errors.New("policy broken needs a batch of two <or more>")
	}
	return &toyTask{v: v, left: v.Int("batch"), total: v.Int("batch"), state: seed}, nil
}

func (t *toyTask) Step(budget int) bool {
	for ; budget > 0 && t.left > 0; budget-- {
		t.left--
		t.state = t.state*1664525 + 1013904223
		t.sum += float64(t.v.Num("rate") * float64(t.state>>8))
	}
	return t.left == 0
}

func (t *toyTask) Progress() float64 { return 1 - float64(t.left)/float64(t.total) }

func (t *toyTask) Figures() []Figure {
	return []Figure{
		{ID: "curve", Title: "Curve", Alt: "It rises.", X: Axis{Label: "x", Max: 2}, Y: Axis{Label: "y", Unit: "ms"},
			Series: []Series{
				{ID: "a", Name: "A & B", X: []float64{0, 1, 2}, Y: []float64{0, t.sum, 1}, Lo: []float64{0, 0, 0}, Hi: []float64{1, t.sum, 2}},
				{ID: "none", Name: "None"},
				{ID: "b", Name: "B", X: []float64{1}, Y: []float64{0.1}},
			},
			Bands: []Band{{0, 1, "first"}}, Marks: []Mark{{At: 1, Level: true, Label: "limit"}}, Notes: []string{"a < b"},
			Table: Table{Caption: "The curve", Columns: []Column{{"x", "", 0}, {"y", "ms", 3}}, Rows: [][]Cell{{N(0), N(0)}, {W("max"), N(t.sum)}}}},
		{ID: "bits", Title: "Bits", Alt: "One bit.", Kind: Bits, Bits: []BitRow{{Label: "one", Value: 1, Ref: 1.0000001, ULPs: -1, Says: "less"}}},
		{ID: "rows", Title: "Rows", Alt: "Words.", Kind: Strips, Strips: []Strip{{Label: "alone", Cells: []StripCell{{"the", false}, {"<cat>", true}}}}},
	}
}

func (t *toyTask) Summary() Sentence { return Say("The sum is ", text.Num(t.sum, 3), ".") }

func (t *toyTask) Metrics() []Metric {
	return []Metric{
		{Name: "sum", Label: "Sum", Unit: "ms", Value: t.sum, Digits: 3, Spread: true},
		{Name: "count", Label: "Count", Value: float64(t.total)},
	}
}

func (t *toyTask) Records() Table {
	return Table{Columns: []Column{{"index", "", 0}, {"sum", "ms", 3}, {"policy", "", 0}},
		Rows: [][]Cell{{N(1), N(t.sum), W(t.v.Option("policy"))}, {N(2), N(0.1), W("a, \"b\"")}}}
}

func (t *toyTask) Events() []Event { return []Event{{At: 1.5, Says: Say("It ", "broke", ".")}} }
