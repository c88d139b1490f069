package float

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/content/tables"
)

// What the run of greedy-decoder shows.

func (r *greedyRun) Figures() []demo.Figure { return []demo.Figure{r.strips(), r.shareFigure()} }

// agreed is how many tokens of the shown seed are equal before the first
// difference.
func (r *greedyRun) agreed() int { return r.partings[0] }

func (r *greedyRun) strips() demo.Figure {
	f := demo.Figure{
		ID: "texts", Title: "The same request twice", Kind: demo.Strips,
		Strips: []demo.Strip{{Label: "alone"}, {Label: "in company"}, {Label: "requests in the step"}},
		Table:  demo.Table{Caption: "Tokens", Columns: []demo.Column{{Name: "Token"}, {Name: "Alone"}, {Name: "In company"}, {Name: "Batch", Unit: "requests"}}},
		Notes:  []string{"Cells after the texts have parted are marked even where they agree: from there on the two answer different texts."},
	}
	for i, a := range r.alone {
		gone := i >= r.agreed()
		f.Strips[0].Cells = append(f.Strips[0].Cells, demo.StripCell{Text: token(a)})
		f.Strips[1].Cells = append(f.Strips[1].Cells, demo.StripCell{Text: token(r.among[i]), Differ: gone})
		f.Strips[2].Cells = append(f.Strips[2].Cells, demo.StripCell{Text: text.Whole(r.batch[i])})
		if r.inTable(i) {
			f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.N(float64(i + 1)), demo.W(token(a)), demo.W(token(r.among[i])), demo.N(float64(r.batch[i]))})
		}
	}
	if r.agreed() == r.tokens {
		f.Alt = "Both texts agree in all " + text.Whole(r.tokens) + " tokens."
	} else {
		f.Alt = "Two rows of " + text.Whole(r.tokens) + " tokens. They agree for " + text.Count(r.agreed(), "token", "tokens") + " and part at token " + text.Whole(r.agreed()+1) + "."
	}
	return f
}

// inTable keeps the 20 tokens around the parting, or the first 20.
func (r *greedyRun) inTable(i int) bool {
	const rows = 20
	from := 0
	if r.agreed() < r.tokens {
		from = min(max(r.agreed()-rows/2, 0), max(r.tokens-rows, 0))
	}
	return i >= from && i < from+rows
}

func (r *greedyRun) shareFigure() demo.Figure {
	f := demo.Figure{
		ID: "parted", Title: "Share of seeds whose texts have parted", Kind: demo.Chart,
		X:     demo.Axis{Label: "Tokens", Min: 0, Max: float64(r.tokens), Digits: 3},
		Y:     demo.Axis{Label: "Parted", Unit: "% of seeds", Min: 0, Max: 100, Digits: 3},
		Table: demo.Table{Caption: "Share of seeds that have parted", Columns: []demo.Column{{Name: "Tokens"}, {Name: "Parted", Unit: "%", Digits: 3}, {Name: "From", Unit: "%", Digits: 3}, {Name: "To", Unit: "%", Digits: 3}}},
	}
	live := demo.Series{ID: "live", Name: text.Whole(len(r.partings)) + " seeds, now", Role: demo.Ink, Shape: demo.StepLine}
	for m := 0; m <= r.tokens; m++ {
		lo, hi := demo.Wilson(r.partedCount(m), len(r.partings))
		live.X, live.Y = append(live.X, float64(m)), append(live.Y, 100*r.parted(m))
		live.Lo, live.Hi = append(live.Lo, 100*lo), append(live.Hi, 100*hi)
		if m%8 == 0 && m > 0 {
			f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.N(float64(m)), demo.N(100 * r.parted(m)), demo.N(100 * lo), demo.N(100 * hi)})
		}
	}
	long := demo.Series{ID: "table", Name: text.Whole(tables.PartingSeeds) + " seeds, long run", Role: demo.Soft, Shape: demo.StepLine}
	f.Notes = []string{"The band is Wilson's 95% interval."}
	if t, ok := r.table(); ok {
		for m := 0; m <= r.tokens; m++ {
			long.X, long.Y = append(long.X, float64(m)), append(long.Y, 100*float64(t.Parted(m))/tables.PartingSeeds)
		}
		f.Notes = append(f.Notes, "The long run is seeds 1 to "+text.Whole(tables.PartingSeeds)+" with these settings, computed by the same code and kept with the site: "+
			text.Percent(float64(t.Parted(r.tokens))/tables.PartingSeeds, 3)+" have parted by token "+text.Whole(r.tokens)+".")
	}
	f.Series = []demo.Series{live, long}
	lo, hi := demo.Wilson(r.partedCount(r.tokens), len(r.partings))
	way := "rising to "
	if r.partedCount(r.tokens) == 0 {
		way = "staying at "
	}
	f.Alt = "Share of " + text.Whole(len(r.partings)) + " seeds that have parted, " + way + text.Percent(r.parted(r.tokens), 3) + " at token " + text.Whole(r.tokens) +
		", 95% interval " + text.Percent(lo, 2) + " to " + text.Percent(hi, 2) + "."
	return f
}

func (r *greedyRun) Summary() demo.Sentence {
	n := r.partedCount(r.tokens)
	parted := text.Whole(n) + " of " + text.Whole(len(r.partings)) + " seeds " + text.Verb(n, "has", "have") + " parted"
	tail := " Within " + text.Whole(r.tokens) + " tokens " + parted + "."
	switch {
	case r.invariant:
		return demo.Say("With one order for every batch both texts agree to the end, and ", parted, ".")
	case r.agreed() < r.tokens:
		return demo.Say("Temperature 0, same seed, same prompt: the texts agree for "+text.Count(r.agreed(), "token", "tokens")+" and ", "part at token "+text.Whole(r.agreed()+1), "."+tail)
	}
	return demo.Say("For this seed both texts ", "agree in all "+text.Whole(r.tokens)+" tokens", "."+tail)
}

func (r *greedyRun) Events() []demo.Event { return r.parting }

func (r *greedyRun) Metrics() []demo.Metric {
	lo, hi := demo.Wilson(r.partedCount(r.tokens), len(r.partings))
	long := math.NaN() // no long run with these settings
	if t, ok := r.table(); ok {
		long = 100 * float64(t.Parted(r.tokens)) / tables.PartingSeeds
	}
	return []demo.Metric{
		{Name: "agreed", Label: "Tokens in agreement", Unit: "tokens", Value: float64(r.agreed()), Spread: true},
		{Name: "parted", Label: "Seeds that have parted", Unit: "%", Value: 100 * r.parted(r.tokens), Digits: 3},
		{Name: "parted_from", Label: "Seeds that have parted, 95% interval from", Unit: "%", Value: 100 * lo, Digits: 3},
		{Name: "parted_to", Label: "Seeds that have parted, 95% interval to", Unit: "%", Value: 100 * hi, Digits: 3},
		{Name: "parted_half", Label: "Seeds that have parted at half of the tokens", Unit: "%", Value: 100 * r.parted(r.tokens/2), Digits: 3},
		{Name: "seeds", Label: "Seeds run", Value: float64(len(r.partings))},
		{Name: "parted_long", Label: "Seeds that have parted, long run", Unit: "%", Value: long, Digits: 3},
	}
}

// Records has the tokens of the shown seed and the counts over the seeds.
func (r *greedyRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{
		{Name: "token"}, {Name: "batch", Unit: "requests"}, {Name: "alone"}, {Name: "among"}, {Name: "parted", Unit: "seeds"}, {Name: "seeds"},
	}}
	for i := range r.alone {
		t.Rows = append(t.Rows, []demo.Cell{
			demo.N(float64(i + 1)), demo.N(float64(r.batch[i])), demo.N(float64(r.alone[i])), demo.N(float64(r.among[i])),
			demo.N(float64(r.partedCount(i + 1))), demo.N(float64(len(r.partings))),
		})
	}
	return t
}
