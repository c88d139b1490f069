package float

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/numerics"
)

// Three numbers: a large one, the same taken away, and a small one. The sum is
// the small one, whatever the brackets; in float32 it depends on the brackets.

const (
	cancelFirst = "cancel_first"
	smallFirst  = "small_first"
	bigFirst    = "big_first"
)

func threeNumbers() *demo.Demo {
	return &demo.Demo{
		ID: "three-numbers", Version: 1, Title: "Three numbers",
		Lead:   "Add a large number, its negative and a small one. Move the brackets, then look at the bits.",
		Limits: "Two additions by hand. It says nothing about how often a real sum meets such a cancellation; the next demos do.",
		Knobs: []demo.Knob{
			{Name: "brackets", Label: "Brackets", Doc: "Which two numbers are added first.", Max: 2, Options: []demo.Option{
				{Name: cancelFirst, Label: "(B − B) + s"}, {Name: smallFirst, Label: "(−B + s) + B"}, {Name: bigFirst, Label: "(B + s) − B"}}},
			{Name: "big", Label: "Large number B", Doc: "Rounded to float32 first.", Default: 1e8, Min: 1, Max: 1e12, Log: true},
			{Name: "small", Label: "Small number s", Doc: "Rounded to float32 first.", Default: 1, Min: 0, Max: 64, Step: 1},
		},
		Presets: []demo.Preset{
			{Name: "The small one first", State: "brackets=small_first", Says: "1 is less than half of the spacing at 100 million, so it is lost."},
			{Name: "Half a spacing", State: "brackets=small_first&small=4", Says: "−99,999,996 lies halfway between two float32 numbers; the one with the even last bit wins."},
			{Name: "Just over half", State: "brackets=small_first&small=5", Says: "5 is rounded up to a whole spacing: 8 comes back."},
			{Name: "Where odd numbers end", State: "brackets=big_first&big=16777216", Says: "Above 2^24 float32 has no odd numbers left."},
		},
		Bet: &demo.Bet{
			Question: "(−100,000,000 + 1) + 100,000,000 in float32 is",
			Options:  []string{"1", "0", "8", "something else"},
			Reveal:   "brackets=small_first",
			By:       []string{"result"},
			Answer: func(t demo.Task) int {
				switch t.(*threeRun).result {
				case 1:
					return 0
				case 0:
					return 1
				case 8:
					return 2
				}
				return 3
			},
			Feedback: []string{
				"1 is what real numbers give. Here −99,999,999 has no float32: the nearest is −100,000,000, and the 1 is gone before the last addition.",
				"−99,999,999 lies between two float32 numbers that are 8 apart and is rounded back to −100,000,000.",
				"8 would be right if 1 were more than half of the spacing; the spacing is 8, so 1 is rounded away. Try s = 5.",
				"Only two roundings happen, and the second is exact. The first takes −99,999,999 to the nearest float32, which is −100,000,000.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Rounding", TeX: `\mathrm{fl}(a + b) = (a + b)(1 + \delta),\quad |\delta| \le 2^{-24}`, Says: "each float32 addition returns the nearest float32 of the exact sum"},
			{Name: "Not associative", TeX: `\mathrm{fl}(\mathrm{fl}(-B + s) + B) \ne \mathrm{fl}(\mathrm{fl}(-B + B) + s)`, Says: "in general: the roundings fall in other places when the brackets move"},
		},
		NoChance: true,
		Start:    startThree,
	}
}

type threeRun struct {
	demo.Instant
	demo.Quiet
	brackets                 string
	big, small               float32
	partial, result, spacing float32
}

func startThree(v demo.Values, _ uint32) (demo.Task, error) {
	r := &threeRun{brackets: v.Option("brackets"), big: float32(v.Num("big")), small: float32(v.Num("small"))}
	r.partial, r.result = three(r.brackets, r.big, r.small)
	r.spacing = numerics.Spacing(r.big)
	return r, nil
}

// three adds in the order of the brackets and returns both roundings.
func three(brackets string, big, small float32) (partial, result float32) {
	switch brackets {
	case cancelFirst:
		partial = big - big
		return partial, partial + small
	case smallFirst:
		partial = -big + small
		return partial, partial + big
	}
	partial = big + small
	return partial, partial - big
}

// steps names the two additions with their numbers.
func (r *threeRun) steps() (first, second string) {
	b, s := text.Num(float64(r.big), 9), text.Num(float64(r.small), 9)
	p := text.Num(float64(r.partial), 9)
	switch r.brackets {
	case cancelFirst:
		return b + " − " + b, p + " + " + s
	case smallFirst:
		return "−" + b + " + " + s, p + " + " + b
	}
	return b + " + " + s, p + " − " + b
}

func (r *threeRun) Figures() []demo.Figure { return []demo.Figure{r.bits(), r.stairs()} }

func (r *threeRun) bits() demo.Figure {
	first, second := r.steps()
	exact := float32(0)
	switch r.brackets {
	case smallFirst:
		exact = -r.big
	case bigFirst:
		exact = r.big
	}
	rows := []demo.BitRow{
		{Label: first, Value: r.partial, Ref: exact, ULPs: numerics.ULPs(r.partial, exact), Says: "against the large number alone"},
		{Label: second, Value: r.result, Ref: r.small, ULPs: numerics.ULPs(r.result, r.small), Says: "against s, the exact sum"},
	}
	if r.brackets == cancelFirst {
		rows[0].Says = "exact"
	}
	return demo.Figure{
		ID: "bits", Title: "Both additions, bit by bit", Kind: demo.Bits, Bits: rows,
		Alt: "Two float32 values: " + first + " gives " + text.Num(float64(r.partial), 9) + ", then " + second + " gives " + text.Num(float64(r.result), 9) + ".",
		Table: demo.Table{
			Caption: "Both additions",
			Columns: []demo.Column{{Name: "Addition"}, {Name: "Result", Digits: 9}, {Name: "Bits"}},
			Rows: [][]demo.Cell{
				{demo.W(first), demo.N(float64(r.partial)), demo.W(text.Hex32(math.Float32bits(r.partial)))},
				{demo.W(second), demo.N(float64(r.result)), demo.W(text.Hex32(math.Float32bits(r.result)))},
			},
		},
		Notes: []string{r.apart()},
	}
}

// stairs draws the result for every small number up to two spacings.
func (r *threeRun) stairs() demo.Figure {
	const cells = 16
	most := 2 * max(float64(r.spacing), float64(r.small))
	exact := demo.Series{ID: "exact", Name: "exact", Role: demo.Soft, Shape: demo.Line, X: []float64{0, most}, Y: []float64{0, most}}
	got := demo.Series{ID: "float32", Name: "float32", Role: demo.Ink, Shape: demo.StepLine}
	table := demo.Table{Caption: "Result for each small number", Columns: []demo.Column{{Name: "s", Digits: 4}, {Name: "Result", Digits: 9}}}
	for i := range 10*cells + 1 {
		s := float32(float64(most*float64(i)) / (10 * cells))
		_, sum := three(r.brackets, r.big, s)
		got.X = append(got.X, float64(s))
		got.Y = append(got.Y, float64(sum))
		if i%10 == 0 {
			table.Rows = append(table.Rows, []demo.Cell{demo.N(float64(s)), demo.N(float64(sum))})
		}
	}
	return demo.Figure{
		ID: "stairs", Title: "Result for every small number", Kind: demo.Chart,
		Alt: "The result against s from 0 to " + text.Num(most, 6) + ". At s = " + text.Num(float64(r.small), 6) + " it is " + text.Num(float64(r.result), 9) + ".",
		X:   demo.Axis{Label: "Small number s", Min: 0, Max: most, Digits: 3}, Y: demo.Axis{Label: "Result", Min: 0, Max: most + float64(r.spacing), Digits: 3},
		Series: []demo.Series{exact, got},
		Marks:  []demo.Mark{{At: float64(r.small), Label: "s", Knob: "small"}},
		Table:  table,
	}
}

func (r *threeRun) Summary() demo.Sentence {
	first, second := r.steps()
	s := text.Num(float64(r.result), 9)
	exact := text.Num(float64(r.small), 9)
	if r.result == r.small {
		return demo.Say("("+first+") first, then "+second+": ", s, ", which is exact. "+r.apart())
	}
	return demo.Say("("+first+") is rounded to "+text.Num(float64(r.partial), 9)+", so the sum is ", s, " and not ", exact, ". "+r.apart())
}

// apart says how coarse float32 is from B upward.
func (r *threeRun) apart() string {
	return "Above " + text.Num(float64(r.big), 9) + " float32 numbers are " + text.Num(float64(r.spacing), 6) + " apart."
}

func (r *threeRun) Metrics() []demo.Metric {
	return []demo.Metric{
		{Name: "result", Label: "Result", Value: float64(r.result), Digits: 9},
		{Name: "exact", Label: "Exact sum", Value: float64(r.small), Digits: 9},
		{Name: "spacing", Label: "Spacing of float32 at B", Value: float64(r.spacing), Digits: 6},
		{Name: "ulps", Label: "Distance from exact", Unit: "ULP", Value: float64(numerics.ULPs(r.result, r.small))},
	}
}

func (r *threeRun) Records() demo.Table {
	first, second := r.steps()
	row := func(step string, x float32) []demo.Cell {
		return []demo.Cell{demo.W(step), demo.W(text.Hex32(math.Float32bits(x))), demo.N(float64(x))}
	}
	return demo.Table{
		Columns: []demo.Column{{Name: "step"}, {Name: "bits"}, {Name: "value", Digits: 9}},
		Rows:    [][]demo.Cell{row("big", r.big), row("small", r.small), row(first, r.partial), row(second, r.result)},
	}
}
