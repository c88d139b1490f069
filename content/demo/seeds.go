package demo

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"openloop/content/demo/text"
)

// One seed is one story. Spread tells the same one again over many seeds and
// says how far the numbers move.

// SeedsFrom is n seeds from first on; after the largest comes 1.
func SeedsFrom(first uint32, n int) []uint32 {
	seeds := make([]uint32, n)
	for i := range seeds {
		seeds[i] = first
		first++
		if first == 0 {
			first = 1
		}
	}
	return seeds
}

// ParseSeeds reads a list such as 1-30 or 1,2,10-12: rising ranges and single
// seeds, each seed once, at most MaxRuns of them.
func ParseSeeds(s string) ([]uint32, *text.Problem) {
	const legal = "seeds and rising ranges such as 1-30 or 1,2,10-12, each seed once, within 1 to 4294967295"
	fail := func(kind text.ProblemKind, legal string) ([]uint32, *text.Problem) {
		return nil, &text.Problem{Kind: kind, Key: "seeds", Got: s, Legal: legal}
	}
	var seeds []uint32
	seen := map[uint32]bool{}
	for part := range strings.SplitSeq(s, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		first, p1 := readSeed(from)
		last, p2 := first, p1
		if isRange {
			last, p2 = readSeed(to)
		}
		if p1 != nil || p2 != nil || last < first {
			return fail(text.BadSyntax, legal)
		}
		if n := uint64(last-first) + 1; n+uint64(len(seeds)) > MaxRuns {
			return fail(text.TooMany, "at most "+strconv.Itoa(MaxRuns)+" seeds")
		}
		for _, seed := range SeedsFrom(first, int(last-first)+1) {
			if seen[seed] {
				return fail(text.BadSyntax, legal)
			}
			seen[seed] = true
			seeds = append(seeds, seed)
		}
	}
	return seeds, nil
}

// Spread starts the same run over several seeds, from 1 to MaxRuns of them.
// The task's Metrics are, for each metric with Spread set, its lowest value,
// median and highest value (names with _min, _median and _max), then runs and
// failed. Figures has one chart for each such metric, Records one row for each
// seed with all metrics. The error is that of Start, for the first seed.
func Spread(s State, seeds []uint32) (Task, error) {
	if len(seeds) < 1 || len(seeds) > MaxRuns {
		return nil, text.Problem{Kind: text.OutOfRange, Key: "seeds", Got: strconv.Itoa(len(seeds)), Legal: "1 to " + strconv.Itoa(MaxRuns)}
	}
	states := make([]State, len(seeds))
	for i, seed := range seeds {
		states[i] = s
		states[i].Seed = seed
	}
	if _, err := Start(states[0]); err != nil {
		return nil, err
	}
	return &spread{batch{states: states}, seeds}, nil
}

type spread struct {
	batch
	seeds []uint32
}

// Head is the seeds, for the heads of files.
func (t *spread) Head() []Pair { return []Pair{{"seeds", seedList(t.seeds)}} }

// seedList writes seeds as ParseSeeds reads them.
func seedList(seeds []uint32) string {
	var out []string
	for i := 0; i < len(seeds); i++ {
		first := i
		for i+1 < len(seeds) && seeds[i+1] == seeds[i]+1 {
			i++
		}
		part := strconv.FormatUint(uint64(seeds[first]), 10)
		if i > first {
			part += "-" + strconv.FormatUint(uint64(seeds[i]), 10)
		}
		out = append(out, part)
	}
	return strings.Join(out, ",")
}

// extent is how one metric moved.
type extent struct {
	Metric
	low, median, high float64 // NaN if no run has a number
	lowSeed, highSeed uint32  // the first seed that gave it
}

func (t *spread) extents() []extent {
	var out []extent
	for i, m := range t.metrics {
		if !m.Spread {
			continue
		}
		e := extent{Metric: m, low: math.NaN(), high: math.NaN()}
		var values []float64
		for r, o := range t.done {
			x := o.value(i)
			if math.IsNaN(x) {
				continue
			}
			values = append(values, x)
			if !(x >= e.low) {
				e.low, e.lowSeed = x, t.states[r].Seed
			}
			if !(x <= e.high) {
				e.high, e.highSeed = x, t.states[r].Seed
			}
		}
		e.median = median(values)
		out = append(out, e)
	}
	return out
}

// median is the middle value, or the mean of the two in the middle; NaN of
// nothing. It sorts its argument.
func median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	if n%2 == 1 {
		return values[n/2]
	}
	return float64(values[n/2-1]/2) + float64(values[n/2]/2)
}

// says is a value of the metric for people, with its unit.
func (e extent) says(x float64) string { return text.WithUnit(text.Num(x, e.digits(x)), e.Unit) }

// digits is the metric's, but a median of whole numbers may end in .5.
func (e extent) digits(x float64) int {
	if e.Digits == 0 && x != math.Trunc(x) {
		return 9
	}
	return e.Digits
}

// cell is a value of the panel, all of them to the digits that they need.
func (e extent) cell(x float64) Cell { return W(text.Num(x, e.digits(x))) }

// Metrics is that of Task.
func (t *spread) Metrics() []Metric {
	var out []Metric
	for _, e := range t.extents() {
		for _, part := range [...]struct {
			name, label string
			value       float64
		}{{"_min", "lowest", e.low}, {"_median", "median", e.median}, {"_max", "highest", e.high}} {
			m := e.Metric
			m.Name, m.Label, m.Value, m.Spread = m.Name+part.name, m.Label+", "+part.label, part.value, false
			m.Digits = e.digits(part.value)
			out = append(out, m)
		}
	}
	return append(out,
		Metric{Name: "runs", Label: "Runs", Value: float64(len(t.done) - t.failed())},
		Metric{Name: "failed", Label: "Seeds that cannot run", Value: float64(t.failed())})
}

// Summary is that of Task.
func (t *spread) Summary() Sentence {
	runs := len(t.done) - t.failed()
	out := Say("Over ", text.Count(runs, "seed", "seeds"), ":")
	all := t.extents()
	for i, e := range all[:min(len(all), told)] {
		if i > 0 {
			out = append(out, Span{Text: ";"})
		}
		out = append(out, Say(" "+e.Label+" from ", e.says(e.low), " to ", e.says(e.high), ", median ", e.says(e.median))...)
	}
	if n := t.failed(); n > 0 {
		out = append(out, Say("; ", text.Count(n, "seed", "seeds"), " could not run")...)
	}
	if len(all) > told {
		return append(out, Span{Text: ". The others are below."})
	}
	return append(out, Span{Text: "."})
}

// told is how many of the numbers are in the sentence.
const told = 3

// Figures is that of Task.
func (t *spread) Figures() []Figure {
	var out []Figure
	for _, e := range t.extents() {
		i := t.index(e.Name)
		s := Series{ID: "runs", Name: e.Label, Shape: Points}
		for r, o := range t.done {
			if x := o.value(i); !math.IsNaN(x) {
				s.X, s.Y = append(s.X, float64(r+1)), append(s.Y, x)
			}
		}
		f := Figure{ID: e.Name, Title: e.Label + " over " + text.Count(len(t.done), "seed", "seeds"), Kind: Chart,
			X: Axis{Label: "Run"}, Y: Axis{Label: e.Label, Unit: e.Unit, Digits: e.Digits}, Series: []Series{s}}
		f.Alt = text.Count(len(s.Y), "point", "points") + " from " + e.says(e.low) + " to " + e.says(e.high) + "."
		if !math.IsNaN(e.median) {
			f.Marks = []Mark{{At: e.median, Level: true, Label: "median"}}
		}
		f.Table = Table{Caption: f.Title, Columns: []Column{{Name: "What"}, {Name: e.Label, Unit: e.Unit, Digits: e.Digits}, {Name: "Seed"}},
			Rows: [][]Cell{
				{W("lowest"), e.cell(e.low), seedCell(e.lowSeed)},
				{W("median"), e.cell(e.median), W("")},
				{W("highest"), e.cell(e.high), seedCell(e.highSeed)},
			}}
		out = append(out, f)
	}
	return out
}

// seedCell is a seed as it can be typed, without separators.
func seedCell(seed uint32) Cell {
	if seed == 0 {
		return W("")
	}
	return W(strconv.FormatUint(uint64(seed), 10))
}

// Records is that of Task: one row for each seed, NaN where it could not run.
func (t *spread) Records() Table {
	return t.records([]Column{{Name: "seed"}}, func(s State) []Cell { return []Cell{typable(float64(s.Seed))} })
}

// Events is that of Task.
func (t *spread) Events() []Event { return nil }
