package float

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/numerics"
)

// How near a tie must be before the order of addition can decide it: pairs of
// random logits, moved to an exact gap, added in two orders.

func nearTies() *demo.Demo {
	return &demo.Demo{
		ID: "near-ties", Version: 1, Title: "How near is a near tie?",
		Lead:   "The chance that two orders of addition pick different winners, for an exact gap between the logits. Pick the length of the sums.",
		Limits: "Errors of random rows, with the gap put in afterwards; real near ties sit at smaller logits and flip somewhat less. One reduction, with nothing rounded to bf16 after it.",
		Knobs: []demo.Knob{
			{Name: "length", Label: "Numbers in a logit", Doc: "Products of bf16 numbers that are added up.", Max: 2, Options: []demo.Option{{Name: "1024", Label: "1,024"}, {Name: "4096", Label: "4,096"}, {Name: "7168", Label: "7,168"}}},
			{Name: "orders", Label: "Two orders", Doc: "Which orders are compared.", Max: 3, Options: []demo.Option{
				{Name: "seq_split4", Label: "left to right, split in 4"}, {Name: "split2_split8", Label: "split in 2, split in 8"}, {Name: "seq_pairwise", Label: "left to right, pairs"}, {Name: "split1_split16", Label: "uncut, split in 16"}}},
			{Name: "pairs", Label: "Pairs", Unit: "pairs", Doc: "More pairs, narrower intervals, longer wait.", Default: 500, Min: 50, Max: 20000, Whole: true, Log: true},
		},
		Presets: []demo.Preset{
			{Name: "Longer sums", State: "length=4096", Says: "Larger sums round more coarsely, so wider gaps can flip."},
			{Name: "The longest", State: "length=7168", Says: "At a gap of 0.00001 about one pair in three flips."},
			{Name: "Two splits", State: "length=4096&orders=split2_split8", Says: "Both orders err less than left to right, so a flip needs a nearer tie; at an exact tie they disagree as often."},
			{Name: "More pairs", State: "pairs=4000", Says: "The same shares, better known."},
		},
		Bet: &demo.Bet{
			Question: "Now 4,096 numbers in a logit instead of 1,024. How often do the two orders disagree at an exact gap of 0.00001?",
			Options:  []string{"under 1%", "1% to 10%", "10% to 40%", "over 40%"},
			Reveal:   "length=4096",
			By:       []string{"flip_at_1e5"},
			Answer: func(t demo.Task) int {
				share := t.(*tiesRun).share(gapIndex1e5)
				switch {
				case share < 0.01:
					return 0
				case share < 0.1:
					return 1
				case share <= 0.4:
					return 2
				}
				return 3
			},
			Feedback: []string{
				"That is about right for 1,024 numbers. Four times as many make the sums twice as large and their errors more than four times: the gap is now inside them.",
				"More than that: the error of the difference grows about five times from 1,024 to 4,096 numbers in left to right order, and 0.00001 is now below it.",
				"The typical error of the difference is about 0.000015 for left to right, so a gap of 0.00001 lies inside it.",
				"Not quite: even an exact tie flips in only about 43% of pairs, since both orders may err to the same side.",
			},
		},
		Equations: []demo.Equation{
			{Name: "A flip", TeX: `[\,g + \varepsilon_B - \varepsilon_A > 0\,] \ne [\,g + \varepsilon'_B - \varepsilon'_A > 0\,]`, Says: "the errors of two logits in one order and in the other, for an exact gap g"},
			{Name: "Interval", TeX: `\frac{p + z^2/2N \pm z\sqrt{p(1-p)/N + z^2/4N^2}}{1 + z^2/N}`, Says: "Wilson's 95% interval for a share p of N pairs, z = 1.96"},
		},
		Start: startTies,
	}
}

// tieGaps are the exact gaps asked about, in logit units.
func tieGaps() []float64 { return []float64{0, 1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 1e-3} }

const gapIndex1e5, gapIndex1e4 = 3, 5

func gapText(i int) string { return text.Num(tieGaps()[i], 1) }

type tiesRun struct {
	demo.Quiet
	length  int
	orders  [2]numerics.Order
	want    int
	rand    numerics.Rand
	row     []float32
	scratch []float32

	done  int
	flips []int // by gap
	sum2  [2]float64
}

func startTies(v demo.Values, seed uint32) (demo.Task, error) {
	r := &tiesRun{want: v.Int("pairs"), rand: numerics.NewRand(scramble(seed)), flips: make([]int, len(tieGaps()))}
	switch v.Option("length") {
	case "1024":
		r.length = 1024
	case "4096":
		r.length = 4096
	default:
		r.length = 7168
	}
	switch v.Option("orders") {
	case "seq_split4":
		r.orders = [2]numerics.Order{numerics.Sequential, numerics.SplitK(4)}
	case "split2_split8":
		r.orders = [2]numerics.Order{numerics.SplitK(2), numerics.SplitK(8)}
	case "seq_pairwise":
		r.orders = [2]numerics.Order{numerics.Sequential, numerics.Pairwise}
	default:
		r.orders = [2]numerics.Order{numerics.SplitK(1), numerics.SplitK(16)}
	}
	r.row, r.scratch = make([]float32, r.length), make([]float32, r.length)
	return r, nil
}

func (r *tiesRun) Step(budget int) bool {
	const perMicrosecond = 90 // values, added three times
	for n := 0; r.done < r.want && n <= budget*perMicrosecond; n += 2 * r.length {
		r.pair()
		r.done++
	}
	return r.done == r.want
}

func (r *tiesRun) Progress() float64 { return float64(r.done) / float64(r.want) }

// pair makes two rows and asks for every gap whether the orders disagree. All
// of it is exact: errors and gaps are whole counts of 2^-46.
func (r *tiesRun) pair() {
	a, b := r.errors(), r.errors()
	for i, g := range tieGaps() {
		gap := int64(float64(g*unitsPerOne) + 0.5)
		if (gap+b[0]-a[0] > 0) != (gap+b[1]-a[1] > 0) {
			r.flips[i]++
		}
	}
	for i := range r.sum2 {
		d := fromUnits(b[i] - a[i])
		r.sum2[i] += float64(d * d)
	}
}

// errors are the errors of the next row's sum in both orders, in 2^-46.
func (r *tiesRun) errors() (e [2]int64) {
	r.rand.Fill(bf16Kind, r.row)
	exact := exactUnits(r.row)
	for i, o := range r.orders {
		e[i] = units(sumIn(o, r.row, r.scratch)) - exact
	}
	return e
}

func (r *tiesRun) share(gap int) float64 { return float64(r.flips[gap]) / float64(r.done) }

// pairError is the RMS error of the difference of two logits in order i.
func (r *tiesRun) pairError(i int) float64 { return demo.RMS(r.sum2[i], r.done) }

func (r *tiesRun) Figures() []demo.Figure {
	f := demo.Figure{
		ID: "share", Title: "Share of pairs whose winner depends on the order", Kind: demo.Chart,
		X:     demo.Axis{Label: "Exact gap between the logits"},
		Y:     demo.Axis{Label: "Pairs that flip", Unit: "%", Min: 0, Max: 60, Digits: 3},
		Table: demo.Table{Caption: "Share of pairs that flip, with 95% intervals", Columns: []demo.Column{{Name: "Exact gap", Digits: 1}, {Name: "Flip", Unit: "%", Digits: 3}, {Name: "From", Unit: "%", Digits: 3}, {Name: "To", Unit: "%", Digits: 3}}},
	}
	s := demo.Series{ID: "flips", Name: "flip", Role: demo.Ink, Shape: demo.Line}
	for i, g := range tieGaps() {
		f.X.Names = append(f.X.Names, text.Num(g, 1))
		lo, hi := demo.Wilson(r.flips[i], r.done)
		s.X, s.Y = append(s.X, float64(i)), append(s.Y, 100*r.share(i))
		s.Lo, s.Hi = append(s.Lo, 100*lo), append(s.Hi, 100*hi)
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.N(g), demo.N(100 * r.share(i)), demo.N(100 * lo), demo.N(100 * hi)})
	}
	f.Series = []demo.Series{s}
	f.Alt = "Share of pairs that flip, falling from " + text.Percent(r.share(0), 2) + " at an exact tie to " + text.Percent(r.share(gapIndex1e5), 2) +
		" at a gap of " + gapText(gapIndex1e5) + " and " + text.Percent(r.share(gapIndex1e4), 2) + " at " + gapText(gapIndex1e4) + "."
	f.Notes = []string{
		"Typical error (RMS) of the difference of two logits: " + text.Num(r.pairError(0), 2) + " in " + orderLabel(r.orders[0]) + ", " + text.Num(r.pairError(1), 2) + " in " + orderLabel(r.orders[1]) + ".",
		"The band is Wilson's 95% interval for " + text.Count(r.done, "pair", "pairs") + ".",
	}
	return []demo.Figure{f}
}

func (r *tiesRun) Summary() demo.Sentence {
	lo, hi := demo.Wilson(r.flips[gapIndex1e5], r.done)
	return demo.Say("Sums of "+text.Whole(r.length)+" numbers: an exact tie is decided by the order in "+text.Percent(r.share(0), 2)+" of pairs, a gap of "+gapText(gapIndex1e5)+" in ",
		text.Percent(r.share(gapIndex1e5), 2), " (95% interval "+text.Percent(lo, 2)+" to "+text.Percent(hi, 2)+"), a gap of "+gapText(gapIndex1e4)+" in "+text.Percent(r.share(gapIndex1e4), 2)+
			". A flip needs a gap of the size of the rounding error.")
}

func (r *tiesRun) Metrics() []demo.Metric {
	return []demo.Metric{
		{Name: "flip_at_0", Label: "Flips at an exact tie", Unit: "%", Value: 100 * r.share(0), Digits: 3, Spread: true},
		{Name: "flip_at_1e6", Label: "Flips at a gap of 0.000001", Unit: "%", Value: 100 * r.share(1), Digits: 3, Spread: true},
		{Name: "flip_at_1e5", Label: "Flips at a gap of 0.00001", Unit: "%", Value: 100 * r.share(gapIndex1e5), Digits: 3, Spread: true},
		{Name: "flip_at_1e4", Label: "Flips at a gap of 0.0001", Unit: "%", Value: 100 * r.share(gapIndex1e4), Digits: 3},
		{Name: "error_first", Label: "RMS error of a difference, first order", Value: r.pairError(0), Digits: 2},
		{Name: "error_second", Label: "RMS error of a difference, second order", Value: r.pairError(1), Digits: 2},
		{Name: "pairs", Label: "Pairs", Value: float64(r.done)},
	}
}

func (r *tiesRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "exact_gap", Digits: 1}, {Name: "flips", Unit: "pairs"}, {Name: "pairs"}, {Name: "share", Digits: 4}, {Name: "share_from", Digits: 4}, {Name: "share_to", Digits: 4}}}
	for i, g := range tieGaps() {
		lo, hi := demo.Wilson(r.flips[i], r.done)
		t.Rows = append(t.Rows, []demo.Cell{demo.N(g), demo.N(float64(r.flips[i])), demo.N(float64(r.done)), demo.N(r.share(i)), demo.N(lo), demo.N(hi)})
	}
	return t
}
