package demo

import (
	"math"
	"strconv"
	"strings"

	"openloop/content/demo/text"
)

// Sweep runs a demo over every combination of several values of several knobs,
// and over several seeds.

// Range is one knob with the values that it takes in a sweep.
type Range struct {
	Knob   string
	Values []float64 // legal for the knob, in the order of the sweep
	text   string    // as it was given
}

// ParseSweep reads one range: rate=1:20:1 (first, last, step; the last is
// included if the steps meet it), rate=20:1:-1, rate=1,2,5 or
// policy=fifo,priority, or a single value. At most MaxRuns values, each once.
func ParseSweep(d *Demo, s string) (Range, *text.Problem) {
	name, list, ok := strings.Cut(s, "=")
	i := d.Index(name)
	switch {
	case !ok:
		return Range{}, &text.Problem{Kind: text.BadSyntax, Key: "set", Got: s, Legal: "knob=first:last:step, knob=a,b,c or knob=value"}
	case name == "seed":
		return Range{}, &text.Problem{Kind: text.BadSyntax, Key: "set", Got: s, Legal: "seeds as a list of their own, such as -seeds 1-3"}
	case i < 0:
		return Range{}, unknownKnob(d, name)
	}
	k := d.Knobs[i]
	if k.Writing != nil {
		return Range{}, &text.Problem{Kind: text.BadSyntax, Key: name, Got: list, Legal: "a knob that holds a number or an option; a text stands in the state"}
	}
	var values []float64
	var p *text.Problem
	if strings.Contains(list, ":") && !k.Choice() {
		values, p = k.steps(list)
	} else {
		for part := range strings.SplitSeq(list, ",") {
			var x float64
			if x, p = k.read(typed(part)); p != nil {
				break
			}
			values = append(values, x)
		}
	}
	if p != nil {
		return Range{}, p
	}
	seen := map[float64]bool{}
	for _, x := range values {
		if seen[x] {
			return Range{}, &text.Problem{Kind: text.Repeated, Key: name, Got: k.Text(x), Legal: "each value once"}
		}
		seen[x] = true
	}
	return Range{Knob: name, Values: values, text: s}, nil
}

// steps reads first:last:step.
func (k Knob) steps(list string) ([]float64, *text.Problem) {
	syntax := &text.Problem{Kind: text.BadSyntax, Key: k.Name, Got: list, Legal: "first:last:step, with a step that leads from the first to the last; " + k.Legal()}
	parts := strings.Split(list, ":")
	if len(parts) != 3 {
		return nil, syntax
	}
	first, p := k.read(typed(parts[0]))
	if p != nil {
		return nil, p
	}
	last, p := k.read(typed(parts[1]))
	if p != nil {
		return nil, p
	}
	step, ok := readNumber(typed(parts[2]))
	if !ok || step == 0 || math.IsInf(step, 0) || step > 0 && last < first || step < 0 && last > first {
		return nil, syntax
	}
	// Half a millionth of a step is rounding: 0:1:0.1 has eleven values.
	n := math.Floor((last-first)/step + 0.5e-6)
	if n >= MaxRuns {
		return nil, &text.Problem{Kind: text.TooMany, Key: k.Name, Got: list, Legal: "at most " + strconv.Itoa(MaxRuns) + " values"}
	}
	values := make([]float64, int(n)+1)
	for i := range values {
		x := first
		if i > 0 {
			x = round(first+float64(float64(i)*step), 12)
		}
		if step > 0 && x > last || step < 0 && x < last {
			x = last // by rounding only
		}
		x, p := k.read(text.Shortest(x))
		if p != nil {
			return nil, p // a fraction of a whole knob
		}
		values[i] = x
	}
	return values, nil
}

// Sweep starts a run for each combination of the ranges (the last one varies
// fastest) and of the seeds (fastest of all; nil means the seed of s). Records
// has one row for each run: the swept knobs (as set_ and their names, which may
// be those of metrics too), the seed, all metrics, and in the last column why a
// run could not start. The error is a text.Problem: a knob
// given twice, or more than MaxRuns runs.
func Sweep(s State, ranges []Range, seeds []uint32) (Task, error) {
	if len(seeds) == 0 {
		seeds = []uint32{s.Seed}
	}
	states := []State{s}
	seen := map[string]bool{}
	for _, r := range ranges {
		if seen[r.Knob] {
			return nil, text.Problem{Kind: text.Repeated, Key: r.Knob, Got: r.text, Legal: "each knob once"}
		}
		seen[r.Knob] = true
		if n := len(r.Values); n == 0 || len(states) > MaxRuns/n {
			return nil, tooMany(ranges, seeds)
		}
		i := s.Demo.Index(r.Knob)
		var next []State
		for _, base := range states {
			for _, x := range r.Values {
				one := base
				one.Values = base.Values.with(i, x)
				next = append(next, one)
			}
		}
		states = next
	}
	if len(states) > MaxRuns/len(seeds) {
		return nil, tooMany(ranges, seeds)
	}
	t := &sweep{ranges: ranges, seeds: seeds}
	for _, base := range states {
		for _, seed := range seeds {
			base.Seed = seed
			t.states = append(t.states, base)
		}
	}
	return t, nil
}

// tooMany spells out the product: "20 × 30 × 1000 runs".
func tooMany(ranges []Range, seeds []uint32) text.Problem {
	var counts []string
	for _, r := range ranges {
		counts = append(counts, strconv.Itoa(len(r.Values)))
	}
	counts = append(counts, strconv.Itoa(len(seeds)))
	return text.Problem{Kind: text.TooMany, Key: "sweep", Got: strings.Join(counts, " × ") + " runs", Legal: "1 to " + strconv.Itoa(MaxRuns) + " runs"}
}

type sweep struct {
	batch
	ranges []Range
	seeds  []uint32
}

// Head is the ranges, if there are any, and the seeds, for the heads of files.
func (t *sweep) Head() []Pair {
	var set []string
	for _, r := range t.ranges {
		set = append(set, r.text)
	}
	seeds := Pair{"seeds", seedList(t.seeds)}
	if len(set) == 0 {
		return []Pair{seeds}
	}
	return []Pair{{"set", strings.Join(set, " ")}, seeds}
}

// Records is that of Task.
func (t *sweep) Records() Table {
	var columns []Column
	for _, r := range t.ranges {
		k := t.states[0].Demo.Knobs[t.states[0].Demo.Index(r.Knob)]
		columns = append(columns, Column{Name: "set_" + k.Name, Unit: k.Unit})
	}
	columns = append(columns, Column{Name: "seed"})
	return t.records(columns, func(s State) []Cell {
		var row []Cell
		for _, r := range t.ranges {
			i := s.Demo.Index(r.Knob)
			if k := s.Demo.Knobs[i]; k.Choice() {
				row = append(row, W(k.Text(s.Values.At(i))))
			} else {
				row = append(row, typable(s.Values.At(i)))
			}
		}
		return append(row, typable(float64(s.Seed)))
	})
}

// Metrics is that of Task.
func (t *sweep) Metrics() []Metric {
	return []Metric{
		{Name: "runs", Label: "Runs", Value: float64(len(t.done) - t.failed())},
		{Name: "failed", Label: "Combinations that cannot run", Value: float64(t.failed())},
	}
}

// Summary is that of Task.
func (t *sweep) Summary() Sentence {
	out := Say("", text.Count(len(t.done)-t.failed(), "run", "runs"))
	if n := t.failed(); n > 0 {
		out = append(out, Say("; ", text.Count(n, "combination", "combinations"), " could not run")...)
	}
	return append(out, Span{Text: "."})
}

// Figures is that of Task: a sweep is a table.
func (t *sweep) Figures() []Figure { return nil }

// Events is that of Task.
func (t *sweep) Events() []Event { return nil }
