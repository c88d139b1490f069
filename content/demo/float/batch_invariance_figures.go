package float

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/numerics"
	"openloop/numerics/kernel"
)

// What the run of batch-invariance shows.

func candidate(i int) string { return string("AB"[i]) }

func (r *invarianceRun) Figures() []demo.Figure {
	return []demo.Figure{r.gapFigure(), r.bitsFigure()}
}

func (r *invarianceRun) unit() string {
	if r.rule == ruleNorm {
		return "threads"
	}
	return "parts"
}

func (r *invarianceRun) gapFigure() demo.Figure {
	gap := demo.Series{ID: "gap", Name: "B − A", Role: demo.Soft, Shape: demo.StepLine}
	wins := []demo.Series{{ID: "a", Name: "A wins", Role: demo.Ink, Shape: demo.Points}, {ID: "b", Name: "B wins", Role: demo.Bad, Shape: demo.Points}}
	table := demo.Table{
		Caption: "Batches at which the order changes",
		Columns: []demo.Column{{Name: "From batch"}, {Name: "Order", Unit: r.unit()}, {Name: "B − A", Unit: "ULP"}, {Name: "Winner"}},
	}
	low, high := min(0, r.exactGapULPs()), max(0, r.exactGapULPs())
	for batch := 1; batch <= r.most; batch++ {
		x, y := float64(batch), float64(r.gap(batch))
		low, high = min(low, y), max(high, y)
		gap.X, gap.Y = append(gap.X, x), append(gap.Y, y)
		w := &wins[r.winner(batch)]
		w.X, w.Y = append(w.X, x), append(w.Y, y)
		if n := r.at(batch).count; batch == 1 || n != r.at(batch-1).count {
			table.Rows = append(table.Rows, []demo.Cell{demo.N(x), demo.N(float64(n)), demo.N(y), demo.W(candidate(r.winner(batch)))})
		}
	}
	notes := r.notes()
	if most := 20; len(table.Rows) > most {
		table.Rows = table.Rows[:most]
		notes = append(notes, "The table stops at "+text.Whole(most)+" rows; the CSV has every batch.")
	}
	bottom, top := demo.RoundRange(low, high)
	tie := "tie: A wins"
	if distanceOf(r.exactGapULPs()) < 0.1*(high-low) {
		tie = "" // the label of the exact gap would lie on it
	}
	return demo.Figure{
		ID: "gap", Title: "Computed lead of B over A at each batch", Kind: demo.Chart,
		Alt: "B's lead over A against the batch, 1 to " + text.Whole(r.most) + ". A wins at " + text.Whole(len(wins[0].X)) + " batch sizes, B at " + text.Whole(len(wins[1].X)) +
			". At batch " + text.Whole(r.batch) + " the lead is " + text.Signed(r.gap(r.batch)) + " ULP and " + candidate(r.winner(r.batch)) + " wins.",
		X:      demo.Axis{Label: "Batch", Unit: "requests", Min: 1, Max: float64(r.most), Digits: 3},
		Y:      demo.Axis{Label: "Logit B − logit A", Unit: "ULP", Min: bottom, Max: top, Digits: 3},
		Series: append([]demo.Series{gap}, wins...),
		Marks: []demo.Mark{
			{At: 0, Level: true, Label: tie},
			{At: r.exactGapULPs(), Level: true, Label: "exact"},
			{At: float64(r.batch), Label: "batch"},
		},
		Table: table,
		Notes: notes,
	}
}

func (r *invarianceRun) notes() []string {
	who := "A and B are the rows of seeds " + text.Shortest(float64(r.a.seed)) + " and " + text.Shortest(float64(r.b.seed)) + " (kind bf16dot, " + text.Whole(r.length) + " numbers)"
	if r.search == nil {
		who += "; this pair is known from a search outside this page."
	} else {
		who += ", the closest of " + text.Whole(r.search.want) + " candidates."
	}
	rule := "The split is that of " + ruleName(r.rule) + " on an " + kernel.GPUs()[0].Name + " for a length of " + text.Whole(r.told) + ", borrowed for this one sum."
	if r.invariant {
		least, most := kernel.CostRange()
		rule = "One order for all batches. Measured price in whole runs: " + text.Num(least, 4) + " to " + text.Num(most, 4) + " times the time."
	}
	return []string{who, rule}
}

func ruleName(rule string) string {
	switch rule {
	case ruleAttention:
		return "FlashAttention-2 with " + text.Whole(borrowedHeads) + " KV heads"
	case ruleMatmul:
		return "a product with " + text.Whole(borrowedColumns) + " columns (a model of split-K)"
	}
	return "vLLM's RMS norm"
}

func (r *invarianceRun) bitsFigure() demo.Figure {
	first, now := r.at(1), r.at(r.batch)
	here := "batch " + text.Whole(r.batch)
	says := func(batch, i int) string {
		if r.winner(batch) == i {
			return "wins"
		}
		return ""
	}
	row := func(label string, x, ref float32, says string) demo.BitRow {
		return demo.BitRow{Label: label, Value: x, Ref: ref, ULPs: numerics.ULPs(x, ref), Says: says}
	}
	f := demo.Figure{ID: "bits", Title: "The same two logits at batch 1 and at " + here, Kind: demo.Bits}
	f.Bits = []demo.BitRow{
		row("A, batch 1", first.a, first.a, says(1, 0)), row("A, "+here, now.a, first.a, says(r.batch, 0)),
		row("B, batch 1", first.b, first.b, says(1, 1)), row("B, "+here, now.b, first.b, says(r.batch, 1)),
	}
	movedA, movedB := r.moved()
	f.Alt = "Logit A moves by " + text.Signed(movedA) + " ULP and logit B by " + text.Signed(movedB) + " ULP from batch 1 to " + here + "."
	f.Notes = []string{"Marked bits differ from batch 1."}
	if r.batch == 1 {
		f.Title = "The two logits at batch 1"
		f.Bits = []demo.BitRow{f.Bits[0], f.Bits[2]}
		f.Alt = "At batch 1 logit A is " + text.Num(float64(now.a), 9) + " and logit B " + text.Num(float64(now.b), 9) + "."
		f.Notes = nil
	}
	f.Table = demo.Table{Caption: "Both logits", Columns: []demo.Column{{Name: "Logit"}, {Name: "Value", Digits: 9}, {Name: "Bits"}, {Name: "From batch 1", Unit: "ULP"}}}
	for _, b := range f.Bits {
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.W(b.Label), demo.N(float64(b.Value)), demo.W(hexOf(b.Value)), demo.N(float64(b.ULPs))})
	}
	return f
}

func (r *invarianceRun) Summary() demo.Sentence {
	one, now := r.winner(1), r.winner(r.batch)
	exact := "Exactly, " + candidate(r.exactWinner()) + " leads by " + text.Num(distanceOf(r.exactGap()), 2) + ". "
	end := " The winner " + howOften(r.flips()) + " up to batch " + text.Whole(r.most) + "."
	switch {
	case r.invariant && one == r.exactWinner():
		return demo.Say(exact+"With one order ", candidate(one)+" wins at every batch", ".")
	case r.invariant:
		return demo.Say(exact+"With one order ", candidate(one)+" wins at every batch", ": reproducible, and not the exact winner.")
	case one != now:
		return demo.Say(exact+"Alone in the batch, "+candidate(one)+" wins; among "+text.Whole(r.batch)+" requests ", candidate(now)+" wins", ", with the same numbers."+end)
	}
	if r.batch == 1 {
		return demo.Say(exact+"Alone, ", candidate(now)+" wins", "."+end)
	}
	return demo.Say(exact+"At batch 1 and at batch "+text.Whole(r.batch)+" ", candidate(now)+" wins", "."+end)
}

func howOften(flips int) string {
	switch flips {
	case 0:
		return "never changes"
	case 1:
		return "changes once"
	}
	return "changes " + text.Whole(flips) + " times"
}

func distanceOf(x float64) float64 { return max(x, -x) }

func (r *invarianceRun) Metrics() []demo.Metric {
	winners := 1.0
	if r.flips() > 0 {
		winners = 2
	}
	least, most := kernel.CostRange()
	movedA, movedB := r.moved()
	return []demo.Metric{
		{Name: "winner_alone", Label: "Winner at batch 1 (0 is A, 1 is B)", Value: float64(r.winner(1))},
		{Name: "winner", Label: "Winner at this batch (0 is A, 1 is B)", Value: float64(r.winner(r.batch))},
		{Name: "winners", Label: "Different winners over all batches", Value: winners, Spread: true},
		{Name: "flips", Label: "Changes of winner", Value: float64(r.flips()), Spread: true},
		{Name: "exact_winner", Label: "Exact winner (0 is A, 1 is B)", Value: float64(r.exactWinner())},
		{Name: "exact_gap", Label: "Exact gap B − A", Value: r.exactGap(), Digits: 3, Spread: true},
		{Name: "exact_gap_ulps", Label: "Exact gap B − A", Unit: "ULP", Value: r.exactGapULPs(), Digits: 3},
		{Name: "gap", Label: "Computed gap B − A", Unit: "ULP", Value: float64(r.gap(r.batch))},
		{Name: "gap_alone", Label: "Computed gap B − A at batch 1", Unit: "ULP", Value: float64(r.gap(1))},
		{Name: "moved_a", Label: "Logit A, against batch 1", Unit: "ULP", Value: float64(movedA)},
		{Name: "moved_b", Label: "Logit B, against batch 1", Unit: "ULP", Value: float64(movedB)},
		{Name: "splits_alone", Label: "Order at batch 1", Unit: r.unit(), Value: float64(r.at(1).count)},
		{Name: "splits", Label: "Order at this batch", Unit: r.unit(), Value: float64(r.at(r.batch).count)},
		{Name: "cost_least", Label: "Least measured cost of one order", Unit: "times", Value: least, Digits: 4},
		{Name: "cost_most", Label: "Largest measured cost of one order", Unit: "times", Value: most, Digits: 4},
	}
}

func (r *invarianceRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{
		{Name: "batch", Unit: "requests"}, {Name: "order", Unit: r.unit()}, {Name: "logit_a", Digits: 9}, {Name: "logit_b", Digits: 9},
		{Name: "bits_a"}, {Name: "bits_b"}, {Name: "gap", Unit: "ULP"}, {Name: "winner"},
	}}
	for batch := 1; batch <= r.most; batch++ {
		at := r.at(batch)
		t.Rows = append(t.Rows, []demo.Cell{
			demo.N(float64(batch)), demo.N(float64(at.count)), demo.N(float64(at.a)), demo.N(float64(at.b)),
			demo.W(hexOf(at.a)), demo.W(hexOf(at.b)), demo.N(float64(r.gap(batch))), demo.W(candidate(r.winner(batch))),
		})
	}
	return t
}
