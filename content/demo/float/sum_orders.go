package float

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/numerics"
)

// One row of numbers, every order of addition, and the exact sum rounded once.

func sumOrders() *demo.Demo {
	return &demo.Demo{
		ID: "sum-orders", Version: 1, Title: "One sum, many orders",
		Lead:   "The same numbers, added as different kernels add them. Change the kind of numbers and how many there are.",
		Limits: "Additions are plain float32, as in a GPU's ordinary cores. A tensor core adds groups of products at once and its inside is not published. Values are random, without the outliers of a real model.",
		Knobs: []demo.Knob{
			{Name: "kind", Label: "Numbers", Doc: "What is added.", Default: 4, Max: 5, Options: []demo.Option{
				{Name: "u01", Label: "even in 0 to 1"}, {Name: "sym", Label: "even in −1 to 1"}, {Name: "wide", Label: "even, times 2^−8 to 2^7"},
				{Name: "dot", Label: "products of two float32"}, {Name: "bf16dot", Label: "products of two bf16"}, {Name: "sq", Label: "squares of bf16"}}},
			{Name: "n", Label: "How many", Unit: "numbers", Doc: "Length of the row.", Default: 1024, Min: 1, Max: 65536, Whole: true, Log: true, Step: 2},
			{Name: "shape", Label: "Shape drawn", Doc: "The order that is drawn below, on 16 numbers.", Max: 4, Options: shapeOptions()},
		},
		Presets: []demo.Preset{
			{Name: "Squares", State: "kind=sq&n=4096", Says: "Adding squares to a growing total rounds the same way again and again."},
			{Name: "Positive numbers", State: "kind=u01&n=16384&shape=pairwise", Says: "Left to right is off by some 20 ULPs (RMS over seeds; seed 7 is lucky), and by twice that for four times as many numbers; pairs stay within one or two."},
			{Name: "Kahan is not exact", State: "kind=wide&n=1024&seed=77", Says: "A sum that cancels ends 5 ULP off even with compensation."},
			{Name: "Two is too few", State: "kind=u01&n=2", Says: "Two numbers have only one sum; from three on the brackets can matter."},
		},
		Bet: &demo.Bet{
			Question: "Only 64 products of bf16 numbers instead of 1,024. How many different results do the orders give?",
			Options:  []string{"1: all agree", "2", "3 or more"},
			Reveal:   "n=64",
			By:       []string{"distinct"},
			Answer:   func(t demo.Task) int { return min(t.(*ordersRun).distinct(), 3) - 1 },
			Feedback: []string{
				"A product of two bf16 numbers has at most 16 significant bits, so 64 of them often fit the 24 bits of float32 without rounding.",
				"A short sum of bf16 products rounds rarely. When a rounding happens in some orders only, results split in two.",
				"Three or more needs several roundings in different places. Sums of 64 bf16 products seldom have them; sums of 1,024 do.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Left to right", TeX: `|\hat{s} - s| \le (n-1)\,u \sum |x_i|`, Says: "worst case, with u = 2^-24 for float32; here and below terms of u squared are left out"},
			{Name: "Pairs", TeX: `|\hat{s} - s| \le \lceil \log_2 n \rceil\,u \sum |x_i|`, Says: "each number passes through log n additions only"},
			{Name: "Split in K parts", TeX: `|\hat{s} - s| \le (\lceil n/K \rceil + K - 2)\,u \sum |x_i|`, Says: "the parts, then the K results"},
		},
		Start: startOrders,
	}
}

// comparedOrders are the float32 orders of the golden file.
func comparedOrders() []numerics.Order {
	return []numerics.Order{
		numerics.Sequential, numerics.Pairwise, numerics.Halving, numerics.Strided,
		numerics.SplitK(2), numerics.SplitK(4), numerics.SplitK(8), numerics.SplitK(16),
		numerics.Block(256), numerics.Block(1024), numerics.Kahan,
	}
}

type orderSum struct {
	order numerics.Order
	ok    bool // false where the order is undefined
	sum   float32
	ulps  int64 // from the exact sum rounded once
}

type ordersRun struct {
	demo.Instant
	demo.Quiet
	kind  numerics.Kind
	shape string
	n     int
	sums  []orderSum
	exact float32
	f64   float64
}

func startOrders(v demo.Values, seed uint32) (demo.Task, error) {
	kind, ok := numerics.ParseKind(v.Option("kind"))
	if !ok {
		panic("demo: sum-orders offers a kind that package numerics does not know")
	}
	row := make([]float32, v.Int("n"))
	scratch := make([]float32, len(row))
	numerics.Fill(kind, seed, row)
	r := &ordersRun{kind: kind, shape: v.Option("shape"), n: len(row), exact: numerics.ExactSum(row), f64: numerics.SumFloat64(row)}
	for _, o := range comparedOrders() {
		s := orderSum{order: o}
		if s.sum, s.ok = numerics.Sum(o, row, scratch); s.ok {
			s.ulps = numerics.ULPs(s.sum, r.exact)
		}
		r.sums = append(r.sums, s)
	}
	return r, nil
}

// distinct counts the different bit patterns.
func (r *ordersRun) distinct() int {
	seen := map[uint32]bool{}
	for _, s := range r.sums {
		if s.ok {
			seen[math.Float32bits(s.sum)] = true
		}
	}
	return len(seen)
}

// exactCount is the number of orders that end at the exact sum, of how many.
func (r *ordersRun) exactCount() (hits, of int) {
	for _, s := range r.sums {
		if s.ok {
			of++
			if s.ulps == 0 {
				hits++
			}
		}
	}
	return hits, of
}

// worst is the defined order that ends furthest from exact; the first one wins
// a tie.
func (r *ordersRun) worst() orderSum {
	w := r.sums[0]
	for _, s := range r.sums {
		if s.ok && distance(s.ulps) > distance(w.ulps) {
			w = s
		}
	}
	return w
}

func distance(ulps int64) int64 { return max(ulps, -ulps) }

// orderLabel names an order for people.
func orderLabel(o numerics.Order) string {
	switch o {
	case numerics.Sequential:
		return "left to right"
	case numerics.Pairwise:
		return "pairs"
	case numerics.Halving:
		return "halves"
	case numerics.Strided:
		return "strided"
	case numerics.Kahan:
		return "Kahan"
	}
	n := text.Whole(o.Parts())
	if o == numerics.SplitK(o.Parts()) {
		return "split in " + n
	}
	return n + " threads"
}

// orderShort names an order where eleven must fit side by side: K parts, T
// threads.
func orderShort(o numerics.Order) string {
	switch o {
	case numerics.Sequential:
		return "l to r"
	case numerics.Pairwise, numerics.Halving, numerics.Strided, numerics.Kahan:
		return orderLabel(o)
	}
	n := text.Shortest(float64(o.Parts()))
	if o == numerics.SplitK(o.Parts()) {
		return "K=" + n
	}
	return "T=" + n
}

func (r *ordersRun) Figures() []demo.Figure {
	return []demo.Figure{r.bits(), r.errors(), shapeFigure(r.shape)}
}

func (r *ordersRun) bits() demo.Figure {
	f := demo.Figure{ID: "bits", Title: "Each order's result against the exact sum", Kind: demo.Bits}
	f.Bits = []demo.BitRow{{Label: "exact, rounded once", Value: r.exact, Ref: r.exact}}
	f.Table = demo.Table{Caption: "Sum in each order", Columns: []demo.Column{{Name: "Order"}, {Name: "Sum", Digits: 9}, {Name: "Bits"}, {Name: "From exact", Unit: "ULP"}}}
	f.Table.Rows = [][]demo.Cell{{demo.W("exact, rounded once"), demo.N(float64(r.exact)), demo.W(hexOf(r.exact)), demo.N(0)}}
	for _, s := range r.sums {
		label := orderLabel(s.order)
		if !s.ok {
			f.Notes = append(f.Notes, "The strided order needs a power of two, so it has no result here.")
			continue
		}
		f.Bits = append(f.Bits, demo.BitRow{Label: label, Value: s.sum, Ref: r.exact, ULPs: s.ulps})
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.W(label), demo.N(float64(s.sum)), demo.W(hexOf(s.sum)), demo.N(float64(s.ulps))})
	}
	f.Alt = "Bit patterns of the sum in " + text.Whole(len(f.Bits)-1) + " orders: " + text.Count(r.distinct(), "pattern", "different patterns") +
		". The exact sum is " + text.Num(float64(r.exact), 9) + "."
	return f
}

func (r *ordersRun) errors() demo.Figure {
	f := demo.Figure{
		ID: "errors", Title: "Distance from the exact sum", Kind: demo.Chart,
		X: demo.Axis{Label: "Order"}, Y: demo.Axis{Label: "Distance", Unit: "ULP", Digits: 4},
		Table: demo.Table{Caption: "Distance from the exact sum", Columns: []demo.Column{{Name: "Order"}, {Name: "Distance", Unit: "ULP"}}},
	}
	bars := demo.Series{ID: "ulps", Name: "distance", Role: demo.Ink, Shape: demo.Bars}
	for i, s := range r.sums {
		f.X.Names = append(f.X.Names, orderShort(s.order))
		if s.ok {
			bars.X = append(bars.X, float64(i))
			bars.Y = append(bars.Y, float64(s.ulps))
			f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.W(orderLabel(s.order)), demo.N(float64(s.ulps))})
		}
	}
	f.Series = []demo.Series{bars}
	f.Notes = []string{"l to r is left to right, K is the number of parts, T the number of threads."}
	w := r.worst()
	f.Alt = "Bars of the signed distance from the exact sum. Furthest is " + orderLabel(w.order) + " with " + text.Signed(w.ulps) + " ULP."
	return f
}

func (r *ordersRun) Summary() demo.Sentence {
	hits, of := r.exactCount()
	w := r.worst()
	if hits == of {
		return demo.Say("All "+text.Whole(of)+" orders give ", text.Num(float64(r.exact), 9), ", the exact sum rounded once.")
	}
	return demo.Say("The same "+text.Count(r.n, "number", "numbers")+", ", text.Count(r.distinct(), "result", "different results"),
		" from "+text.Whole(of)+" orders. "+text.Whole(hits)+" of them "+text.Verb(hits, "ends", "end")+" at the exact sum; furthest is "+orderLabel(w.order)+" with ",
		text.Signed(w.ulps)+" ULP", ".")
}

func (r *ordersRun) Metrics() []demo.Metric {
	hits, of := r.exactCount()
	return []demo.Metric{
		{Name: "distinct", Label: "Different results", Value: float64(r.distinct()), Spread: true},
		{Name: "orders", Label: "Orders compared", Value: float64(of)},
		{Name: "exact_orders", Label: "Orders that end at the exact sum", Value: float64(hits), Spread: true},
		{Name: "seq_ulps", Label: "Left to right, from exact", Unit: "ULP", Value: float64(r.sums[0].ulps), Spread: true},
		{Name: "pairwise_ulps", Label: "Pairs, from exact", Unit: "ULP", Value: float64(r.sums[1].ulps), Spread: true},
		{Name: "worst_ulps", Label: "Furthest from exact", Unit: "ULP", Value: float64(distance(r.worst().ulps)), Spread: true},
		{Name: "exact", Label: "Exact sum, rounded once", Value: float64(r.exact), Digits: 9},
	}
}

// Records has a row for each method of the golden file, by its name there.
func (r *ordersRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "order"}, {Name: "bits"}, {Name: "value", Digits: 9}, {Name: "ulps_from_exact", Unit: "ULP"}}}
	for _, s := range r.sums {
		row := []demo.Cell{demo.W(s.order.String()), demo.W(""), demo.W(""), demo.W("")}
		if s.ok {
			row = []demo.Cell{demo.W(s.order.String()), demo.W(hexOf(s.sum)), demo.N(float64(s.sum)), demo.N(float64(s.ulps))}
		}
		t.Rows = append(t.Rows, row)
	}
	b := math.Float64bits(r.f64)
	wide := text.Hex32(uint32(b>>32)) + text.Hex32(uint32(b))[2:]
	t.Rows = append(t.Rows,
		[]demo.Cell{demo.W("f64seq"), demo.W(wide), demo.N(r.f64), demo.N(float64(numerics.ULPs(float32(r.f64), r.exact)))},
		[]demo.Cell{demo.W("exact32"), demo.W(hexOf(r.exact)), demo.N(float64(r.exact)), demo.N(0)})
	return t
}

func hexOf(x float32) string { return text.Hex32(math.Float32bits(x)) }
