package planning

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

// The pictures and words of stack.

func (r *stackRun) Figures() []demo.Figure {
	return []demo.Figure{r.billFigure(), r.moneyFigure()}
}

// names are the steps on an axis.
func (r *stackRun) names() []string {
	out := []string{"strong alone"}
	for _, i := range r.order {
		out = append(out, "+ "+r.parts[i].name)
	}
	return out
}

// inOrder is what each part takes off the bill, in the order of the bars.
func (r *stackRun) inOrder() string {
	says := "In the order of the bars "
	for at, i := range r.order {
		p := &r.parts[i]
		says += [3]string{"", ", ", " and "}[at] + "the " + p.name
		if at == 0 {
			says += " takes off"
		}
		says += " " + usd(p.order.money)
	}
	if r.order[2] == 0 && r.hits > 0 {
		says += ", " + percent(r.lastCache()) + " of the strong model's bill"
	}
	return says + ". "
}

// bars is the picture of the bills in words.
func (r *stackRun) bars() string {
	says := "Bars: " + usd(r.steps[0].Cost) + " with the strong model alone"
	for at, i := range r.order {
		says += ", " + usd(r.steps[at+1].Cost) + " with the " + r.parts[i].name + " added"
	}
	return says + "."
}

func (r *stackRun) billFigure() demo.Figure {
	bill := none("bill", "bill", demo.Ink, demo.Bars)
	top := 0.0
	for i, p := range r.steps {
		bill.X, bill.Y = append(bill.X, float64(i)), append(bill.Y, p.Cost)
		top = max(top, p.Cost)
	}
	f := demo.Figure{
		ID: "bill", Title: "The bill, part by part", Kind: demo.Chart,
		X:      demo.Axis{Label: "In this order", Names: r.names()},
		Y:      demo.Axis{Label: "Bill", Unit: perThousand, Max: demo.Top(top), Digits: 3},
		Series: []demo.Series{bill},
		Alt:    r.bars(),
		Table: demo.Table{Caption: "What each part saves, in $ per 1,000 requests, and what it costs in points of right answers", Columns: []demo.Column{
			{Name: "Part"}, {Name: "Saves alone", Unit: "$", Digits: 3}, {Name: "In this order", Unit: "$", Digits: 3}, {Name: "Added last", Unit: "$", Digits: 3}, {Name: "Points alone", Digits: 2}, {Name: "Points in this order", Digits: 2}}},
	}
	sum := change{}
	for _, i := range r.order {
		p := &r.parts[i]
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.W(p.name), demo.N(p.alone.money), demo.N(p.order.money), demo.N(p.last.money), demo.N(100 * p.alone.accuracy), demo.N(100 * p.order.accuracy)})
		sum.money += p.alone.money
		sum.accuracy += p.alone.accuracy
	}
	all := between(r.steps[0], r.steps[3])
	f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.W("together"), demo.W("sum " + text.Num(sum.money, 3)), demo.N(all.money), demo.W(""), demo.W("sum " + text.Num(100*sum.accuracy, 2)), demo.N(100 * all.accuracy)})
	s := r.sampled
	f.Notes = []string{text.Whole(s.N) + " drawn requests gave a bill of " + usd(s.Cost.Mean) + " (95% interval " + usd(s.Cost.Lo) + " to " + usd(s.Cost.Hi) + ") and " + percent(s.Accuracy.Mean) + " right (" + percent(s.Accuracy.Lo) + " to " + percent(s.Accuracy.Hi) + "); the formulas say " +
		usd(r.steps[3].Cost) + " and " + percent(r.steps[3].Accuracy) + "."}
	return f
}

func (r *stackRun) moneyFigure() demo.Figure {
	f := demo.Figure{ID: "money", Title: "The frontier, moved", Kind: demo.Chart, Legend: true}
	top, low := r.curve[0], r.curve[0]
	for _, p := range r.curve {
		if p.Accuracy > top.Accuracy {
			top = p
		}
		if p.Accuracy < low.Accuracy {
			low = p
		}
	}
	f.X, f.Y = moneyAxes(r.steps[0], r.plain[0], r.plain[frontierPoints-1], r.stack.Route.Best(), top, low, r.curve[0], r.curve[frontierPoints-1])
	f.Series = []demo.Series{
		inMoney("plain", r.way, demo.Soft, r.plain[:]),
		inMoney("stack", "all three", demo.Ink, r.curve[:]),
		dot("strong", "strong", demo.Open, r.steps[0]),
		dot("yours", "yours", demo.Closed, r.steps[3]),
	}
	f.Alt = "Right answers against the bill. The curve of the whole stack lies to the left of that of the " + r.way + " alone; its highest point is " + percent(top.Accuracy) + " for " + usd(top.Cost) + ". Yours is " + percent(r.steps[3].Accuracy) + " for " + usd(r.steps[3].Cost) + "."
	f.Table = demo.Table{Caption: "After each part", Columns: []demo.Column{{Name: "Step"}, {Name: "Bill", Unit: "$", Digits: 3}, {Name: "Right", Unit: "%", Digits: 3}}}
	for i, name := range r.names() {
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.W(name), demo.N(r.steps[i].Cost), demo.N(100 * r.steps[i].Accuracy)})
	}
	return f
}

func (r *stackRun) Summary() demo.Sentence {
	a, b := r.steps[0], r.steps[3]
	out := demo.Say("The bill goes from "+usd(a.Cost)+" to ", usd(b.Cost), ", right answers go from "+percent(a.Accuracy)+" to ", percent(b.Accuracy), ". "+r.inOrder())
	if r.prices.Strong <= r.prices.Weak {
		out = append(out, demo.Span{Text: ratioText(r.prices) + ": nothing is saved by asking the weak one. "})
	}
	most, at := "", 0.0
	for _, p := range r.parts {
		if p.last.money > at {
			most, at = p.name, p.last.money
		}
	}
	if most == "" {
		return append(out, demo.Span{Text: "No part saves anything beyond the others."})
	}
	out = append(out, demo.Say("Taken away again, the "+most+" would be missed most: it saves "+usd(at)+" that nothing else saves.")...)
	if lost := r.parts[0].order.accuracy; lost > 0.0005 {
		out = append(out, demo.Span{Text: " The cache costs " + points(lost) + " of right answers: " + percent(r.cached.False) + " of the requests are false hits."})
	}
	return out
}

func (r *stackRun) Metrics() []demo.Metric {
	a, b := r.steps[0], r.steps[3]
	out := []demo.Metric{
		{Name: "strong_cost", Label: "Bill, strong model alone", Unit: "$", Value: a.Cost, Digits: 3},
		{Name: "strong_accuracy", Label: "Right answers, strong model alone", Unit: "%", Value: 100 * a.Accuracy, Digits: 3},
		{Name: "cost", Label: "Bill, all together", Unit: "$", Value: b.Cost, Digits: 4},
		{Name: "cost_part", Label: "The same, of the strong model's", Unit: "%", Value: 100 * b.Cost / a.Cost, Digits: 3},
		{Name: "accuracy", Label: "Right answers, all together", Unit: "%", Value: 100 * b.Accuracy, Digits: 3},
		{Name: "false_hits", Label: "False hits", Unit: "%", Value: 100 * r.cached.False, Digits: 3},
		{Name: "drawn_cost", Label: "Bill of the drawn requests", Unit: "$", Value: r.sampled.Cost.Mean, Digits: 4, Spread: true},
		{Name: "drawn_accuracy", Label: "Right answers of the drawn requests", Unit: "%", Value: 100 * r.sampled.Accuracy.Mean, Digits: 3, Spread: true},
		{Name: "drawn_off", Label: "Drawn bill, half widths of its interval from the formula", Value: halves(r.sampled.Cost.Mean-b.Cost, r.sampled.Cost.Hi-r.sampled.Cost.Mean), Digits: 2},
	}
	for i, p := range r.parts {
		name := [3]string{"cache", "way", "tier"}[i]
		out = append(out,
			demo.Metric{Name: name + "_alone", Label: "Saved by the " + p.name + " alone", Unit: "$", Value: p.alone.money, Digits: 3},
			demo.Metric{Name: name + "_order", Label: "Saved by the " + p.name + " in this order", Unit: "$", Value: p.order.money, Digits: 3},
			demo.Metric{Name: name + "_last", Label: "Saved by the " + p.name + " added last", Unit: "$", Value: p.last.money, Digits: 3},
			demo.Metric{Name: name + "_points", Label: "Right answers it costs", Unit: "points", Value: 100 * p.order.accuracy, Digits: 2})
	}
	return append(out, demo.Metric{Name: "cache_last_part", Label: "The same, of the strong model's bill", Unit: "%", Value: 100 * r.lastCache(), Digits: 2})
}

// lastCache is what the cache saves when the others are there, as a share of the
// strong model's bill.
func (r *stackRun) lastCache() float64 { return r.parts[0].last.money / r.steps[0].Cost }

// halves is a difference in half widths; 0 where there is none.
func halves(difference, half float64) float64 {
	if half <= 0 {
		return 0
	}
	return math.Abs(difference) / half
}

// Records has the steps and what each part does, and what the drawn requests
// came to.
func (r *stackRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "step"}, {Name: "bill", Unit: "$", Digits: 4}, {Name: "right", Unit: "%", Digits: 4}, {Name: "saved_alone", Unit: "$", Digits: 4}, {Name: "saved_in_order", Unit: "$", Digits: 4}, {Name: "saved_last", Unit: "$", Digits: 4}}}
	for at, step := range r.steps {
		name, p := "strong", part{}
		if at > 0 {
			i := r.order[at-1]
			name, p = [3]string{"cache", r.way, "tier"}[i], r.parts[i]
		}
		t.Rows = append(t.Rows, []demo.Cell{demo.W(name), demo.N(step.Cost), demo.N(100 * step.Accuracy), demo.N(p.alone.money), demo.N(p.order.money), demo.N(p.last.money)})
	}
	s := r.sampled
	none := demo.N(0)
	t.Rows = append(t.Rows, []demo.Cell{demo.W("drawn"), demo.N(s.Cost.Mean), demo.N(100 * s.Accuracy.Mean), none, none, none})
	return t
}
