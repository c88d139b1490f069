package protocol

import (
	"errors"

	"openloop/content/demo"
)

// A demo for the tests: it counts to its size, and its sum depends on the seed.
var toy = &demo.Demo{
	ID: "toy", Version: 1, Title: "Toy", Lead: "Turn it.", Limits: "Nothing.",
	Knobs: []demo.Knob{
		{Name: "size", Label: "Size", Unit: "tokens", Doc: "How long.", Default: 100, Min: 1, Max: 100_000, Whole: true, Log: true},
		{Name: "rate", Label: "Rate", Unit: "requests/s", Doc: "How fast.", Default: 8, Min: 0.5, Max: 20, Step: 0.5},
		{Name: "mode", Label: "Mode", Doc: "Which.", Options: []demo.Option{{Name: "plain", Label: "Plain"}, {Name: "broken", Label: "Cannot run"}, {Name: "panic", Label: "Fails"}}},
	},
	Bet: &demo.Bet{Question: "?", Options: []string{"a", "b"}, Feedback: []string{"no <b>", "yes"}, Reveal: "rate=20", By: []string{"sum"},
		Answer: func(demo.Task) int { return 1 }},
	Start: func(v demo.Values, seed uint32) (demo.Task, error) {
		if v.Option("mode") == "broken" {
			return nil, errors.New("mode broken does not go with anything")
		}
		return &count{v: v, seed: seed}, nil
	},
}

type count struct {
	v    demo.Values
	seed uint32
	at   int
}

func (c *count) Step(budget int) bool {
	if c.v.Option("mode") == "panic" {
		panic(errors.New("index out of range"))
	}
	c.at = min(c.at+budget, c.v.Int("size"))
	return c.at == c.v.Int("size")
}
func (c *count) Progress() float64 { return float64(c.at) / c.v.Num("size") }
func (c *count) sum() float64      { return float64(c.seed) * c.v.Num("rate") }
func (c *count) Figures() []demo.Figure {
	return []demo.Figure{{ID: "curve", Title: "Curve", Alt: "Up.", Series: []demo.Series{{ID: "s", X: []float64{0, 1}, Y: []float64{0, c.sum()}}}}}
}
func (c *count) Summary() demo.Sentence { return demo.Say("It ", "counts", ".") }
func (c *count) Metrics() []demo.Metric {
	return []demo.Metric{{Name: "sum", Label: "Sum", Value: c.sum(), Digits: 3, Spread: true}}
}
func (c *count) Records() demo.Table {
	return demo.Table{Columns: []demo.Column{{Name: "sum"}}, Rows: [][]demo.Cell{{demo.N(c.sum())}}}
}
func (c *count) Events() []demo.Event { return nil }
