package demo

import (
	"errors"
	"math"
	"slices"

	"openloop/content/demo/text"
)

// MaxRuns is how many runs one sweep or one list of seeds may ask for.
const MaxRuns = 100_000

// batch runs many states of one demo, one after the other, a slice at a time,
// and keeps the metrics of each. Spread and Sweep are built on it.
type batch struct {
	states  []State
	running Task      // the run of states[len(done)], or nil
	done    []outcome // one for each finished run
	metrics []Metric  // every metric that came, as the first run gave it
}

// outcome is what is kept of one run.
type outcome struct {
	values []float64 // parallel to batch.metrics as it was then
	err    error     // why it could not start
}

// Step is that of Task. A task does not say how much of its budget it used, so
// the runs get small budgets that count in full.
func (b *batch) Step(budget int) bool {
	const bite = 500
	for budget > 0 && len(b.done) < len(b.states) {
		budget -= bite
		if b.running == nil {
			t, err := Start(b.states[len(b.done)])
			if err != nil {
				b.done = append(b.done, outcome{err: err})
				continue
			}
			b.running = t
		}
		if b.running.Step(min(bite, budget+bite)) {
			b.keep(b.running.Metrics())
			b.running = nil
		}
	}
	return len(b.done) == len(b.states)
}

// Progress is that of Task.
func (b *batch) Progress() float64 {
	runs := float64(len(b.done))
	if b.running != nil {
		runs += b.running.Progress()
	}
	return runs / float64(len(b.states))
}

func (b *batch) keep(metrics []Metric) {
	for _, m := range metrics {
		if b.index(m.Name) < 0 {
			b.metrics = append(b.metrics, m)
		}
	}
	values := make([]float64, len(b.metrics))
	for i := range values {
		values[i] = math.NaN()
	}
	for _, m := range metrics {
		values[b.index(m.Name)] = m.Value
	}
	b.done = append(b.done, outcome{values: values})
}

func (b *batch) index(name string) int {
	return slices.IndexFunc(b.metrics, func(m Metric) bool { return m.Name == name })
}

// value is metric i of a run; NaN if the run does not have it.
func (o outcome) value(i int) float64 {
	if i >= len(o.values) {
		return math.NaN()
	}
	return o.values[i]
}

// failed counts the runs that could not start.
func (b *batch) failed() int {
	n := 0
	for _, o := range b.done {
		if o.err != nil {
			n++
		}
	}
	return n
}

// records is one row for each run: what leads says of its state, then every
// metric, then, if any run could not start, a column that says why.
func (b *batch) records(columns []Column, leads func(State) []Cell) Table {
	for _, m := range b.metrics {
		columns = append(columns, Column{Name: m.Name, Unit: m.Unit, Digits: m.Digits})
	}
	problems := b.failed() > 0
	if problems {
		columns = append(columns, Column{Name: "problem"})
	}
	rows := make([][]Cell, len(b.done))
	for r, o := range b.done {
		row := leads(b.states[r])
		for i := range b.metrics {
			row = append(row, N(o.value(i)))
		}
		if problems {
			row = append(row, W(reason(o.err)))
		}
		rows[r] = row
	}
	return Table{Columns: columns, Rows: rows}
}

// reason is why a run could not start, without the link that a row of knobs
// repeats anyway.
func reason(err error) string {
	if err == nil {
		return ""
	}
	var p text.Problem
	if errors.As(err, &p) {
		return p.Legal
	}
	return err.Error()
}

// typable is a number that a terminal shows as it can be typed: in full and
// without separators.
func typable(x float64) Cell { return Cell{Num: x, Text: text.Shortest(x)} }
