package planning

import (
	"math"
	"slices"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner/route"
)

// The pictures and words of cascade.

func (r *cascadeRun) Figures() []demo.Figure {
	return []demo.Figure{r.moneyFigure(), r.billFigure()}
}

func (r *cascadeRun) moneyFigure() demo.Figure {
	strong := r.c.AlwaysStrong()
	f := demo.Figure{ID: "money", Title: "Right answers for the money", Kind: demo.Chart, Legend: true}
	f.X, f.Y = moneyAxes(r.c.AlwaysWeak(), strong, r.noisy[frontierPoints-1], r.clear.Best(), r.router.Best())
	clean := inMoney("clean", "no noise", demo.Soft, r.clean[:])
	if r.c.NoiseSD == 0 {
		clean.X, clean.Y = nil, nil // the same line
	}
	router := inMoney("router", "router", demo.Open, r.routed[:])
	slices.Reverse(router.X) // its name stands at its last point, which here is where no line is in the way
	slices.Reverse(router.Y)
	f.Series = []demo.Series{
		clean,
		router,
		inMoney("cascade", "cascade", demo.Closed, r.noisy[:]),
		dot("strong", "strong", demo.Ink, strong),
		dot("yours", "yours", demo.Closed, r.yours),
	}
	f.Marks = []demo.Mark{{At: strong.Cost, Label: "strong model alone"}}
	f.Alt = "Right answers against the bill. The cascade begins at " + usd(r.noisy[0].Cost) + " and " + percent(r.noisy[0].Accuracy) + " and ends, dearer than the strong model's " + usd(strong.Cost) + ", at " + usd(r.noisy[frontierPoints-1].Cost) +
		"; yours is at " + usd(r.yours.Cost) + " and " + percent(r.yours.Accuracy) + "."
	f.Table = demo.Table{Caption: "Ways to serve 1,000 requests", Columns: []demo.Column{{Name: "Way"}, {Name: "To the strong model", Unit: "%", Digits: 3}, {Name: "Bill", Unit: "$", Digits: 3}, {Name: "Right", Unit: "%", Digits: 3}}}
	add := func(way string, p route.Point) {
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.W(way), demo.N(100 * p.StrongFrac), demo.N(p.Cost), demo.N(100 * p.Accuracy)})
	}
	add("weak model", r.c.AlwaysWeak())
	add("yours", r.yours)
	add("yours, without noise", r.unnoised)
	if !math.IsNaN(r.sameFrac) {
		add("router for that money", r.same)
	}
	add("strong model", strong)
	f.Notes = []string{"The router has an AUC of " + text.Num(r.router.AUC, 2) + " and pays one model for each question. After the noise the cascade's signal has one of " + text.Num(r.c.EffectiveAUC(), 2) + "."}
	return f
}

func (r *cascadeRun) billFigure() demo.Figure {
	p := r.c.Prices
	bill := none("bill", "cascade", demo.Closed, demo.Line)
	first := none("first", "weak", demo.Soft, demo.Line)
	router := none("router", "router", demo.Open, demo.Line)
	top := max(p.Strong, p.Weak)
	for i := 0; i < frontierPoints; i += 2 {
		c, share := r.noisy[i], 100*r.noisy[i].StrongFrac
		bill.X, bill.Y = append(bill.X, share), append(bill.Y, c.Cost)
		first.X, first.Y = append(first.X, share), append(first.Y, r.noisy[0].Cost)
		router.X, router.Y = append(router.X, share), append(router.Y, r.routed[i].Cost)
		top = max(top, c.Cost)
	}
	f := demo.Figure{
		ID: "bill", Title: "The bill, by the share that goes to the strong model", Kind: demo.Chart,
		X:      demo.Axis{Label: "Escalated, or sent", Unit: "%", Max: 100, Digits: 3},
		Y:      demo.Axis{Label: "Bill", Unit: perThousand, Max: demo.Top(1.05 * top), Digits: 3},
		Series: []demo.Series{first, router, bill},
		Marks:  []demo.Mark{{At: 100 * r.share, Label: "yours", Knob: "escalate"}, {At: p.Strong, Level: true, Label: "strong model alone"}},
		Table:  demo.Table{Caption: "Bill of 1,000 requests by the share", Columns: []demo.Column{{Name: "Share", Unit: "%", Digits: 3}, {Name: "Cascade", Unit: "$", Digits: 3}, {Name: "Router", Unit: "$", Digits: 3}}},
	}
	if r.cross < 1 {
		f.Bands = []demo.Band{{From: 100 * r.cross, To: 100, Label: "dearer"}}
	}
	for i := 0; i < len(bill.X); i += 2 {
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.N(bill.X[i]), demo.N(bill.Y[i]), demo.N(router.Y[i])})
	}
	f.Alt = "The bill of the cascade rises from " + usd(bill.Y[0]) + " to " + usd(bill.Y[len(bill.Y)-1]) + " and crosses the strong model's " + usd(p.Strong) + " at " + percent(r.cross) + " escalated."
	return f
}

func (r *cascadeRun) Summary() demo.Sentence {
	strong := r.c.AlwaysStrong()
	out := demo.Say("Escalating "+percent(r.share)+" costs ", usd(r.yours.Cost)+" and gets "+percent(r.yours.Accuracy)+" right", "; the strong model alone costs "+usd(strong.Cost)+" and gets "+percent(strong.Accuracy)+". "+r.vainText()+" ")
	return append(append(out, r.crossText()...), demo.Span{Text: " " + r.besideText()})
}

// vainText is what the escalated requests brought.
func (r *cascadeRun) vainText() string {
	if r.share == 0 {
		return "Nothing is escalated."
	}
	repaired, spoiled := r.c.Gain(r.share)
	out := "Of 100 escalated, " + text.Num(100*repaired/r.share, 2) + " become right"
	if spoiled > 0 {
		out += " and " + text.Num(100*spoiled/r.share, 2) + " become wrong"
	}
	return out + "; the others are paid twice for the same verdict."
}

// crossText is where the cascade no longer pays.
func (r *cascadeRun) crossText() demo.Sentence {
	p := r.c.Prices
	switch _, pays := r.c.CrossOver(); {
	case !pays:
		return demo.Say("", "It is dearer than the strong model alone whatever it escalates", ", because the first answer alone costs more.")
	case r.cross == 0:
		return demo.Say("The first answer alone costs as much as the strong model: ", "a cascade never pays", ".")
	case r.dearer():
		return demo.Say("", "Past "+percent(r.cross)+" it is dearer than the strong model alone", ", at "+text.Num(p.Strong/p.Weak, 2)+" to 1.")
	}
	return demo.Say("At "+text.Num(p.Strong/p.Weak, 2)+" to 1 it becomes dearer than the strong model alone ", "past "+percent(r.cross), ".")
}

// besideText is the router for the same money.
func (r *cascadeRun) besideText() string {
	switch {
	case math.IsNaN(r.sameFrac):
		return "The strong model is not the dearer one: a router has nothing to save either."
	case r.sameFrac >= 1:
		return "A router could send everything to the strong model for that money."
	}
	return "A router with an AUC of " + text.Num(r.router.AUC, 2) + " sends " + percent(r.sameFrac) + " for that money: " + moreRight(r.same.Accuracy-r.yours.Accuracy) + "."
}

func (r *cascadeRun) Metrics() []demo.Metric {
	rates := r.c.Rates
	repaired, spoiled := r.c.Gain(r.share)
	same := math.NaN()
	if !math.IsNaN(r.sameFrac) {
		same = 100 * r.same.Accuracy
	}
	ofHundred := func(x float64) float64 {
		if r.share == 0 {
			return math.NaN()
		}
		return 100 * x / r.share
	}
	return []demo.Metric{
		{Name: "repaired_of_100", Label: "Of 100 escalated, become right", Value: ofHundred(repaired), Digits: 2},
		{Name: "spoiled_of_100", Label: "Of 100 escalated, become wrong", Value: ofHundred(spoiled), Digits: 2},
		{Name: "cost", Label: "Bill of 1,000 requests", Unit: "$", Value: r.yours.Cost, Digits: 3},
		{Name: "cost_part", Label: "The same, of the strong model's bill", Unit: "%", Value: 100 * r.yours.Cost / r.c.Prices.Strong, Digits: 3},
		{Name: "accuracy", Label: "Right answers", Unit: "%", Value: 100 * r.yours.Accuracy, Digits: 3},
		{Name: "clear_accuracy", Label: "Right answers without noise", Unit: "%", Value: 100 * r.unnoised.Accuracy, Digits: 3},
		{Name: "strong_accuracy", Label: "Right answers of the strong model", Unit: "%", Value: 100 * rates.Strong, Digits: 3},
		{Name: "cross", Label: "Dearer than the strong model past", Unit: "%", Value: 100 * r.cross, Digits: 3},
		{Name: "auc_left", Label: "AUC after the noise", Value: r.c.EffectiveAUC(), Digits: 3},
		{Name: "repaired", Label: "Wrong answers that became right", Unit: "%", Value: 100 * repaired, Digits: 3},
		{Name: "spoiled", Label: "Right answers that became wrong", Unit: "%", Value: 100 * spoiled, Digits: 3},
		{Name: "repairable", Label: "Errors of the weak model that the strong one repairs", Unit: "%", Value: 100 * rates.StrongGivenWeakWrong(), Digits: 3},
		{Name: "router_share", Label: "Sent by a router for that money", Unit: "%", Value: 100 * r.sameFrac, Digits: 3},
		{Name: "router_accuracy", Label: "Its right answers", Unit: "%", Value: same, Digits: 3},
	}
}

// Records is all curves.
func (r *cascadeRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "share", Unit: "%"}, {Name: "cascade_bill", Unit: "$", Digits: 4}, {Name: "cascade_right", Unit: "%", Digits: 4}, {Name: "clear_right", Unit: "%", Digits: 4}, {Name: "router_bill", Unit: "$", Digits: 4}, {Name: "router_right", Unit: "%", Digits: 4}}}
	for i, p := range r.noisy {
		t.Rows = append(t.Rows, []demo.Cell{demo.N(100 * p.StrongFrac), demo.N(p.Cost), demo.N(100 * p.Accuracy), demo.N(100 * r.clean[i].Accuracy), demo.N(r.routed[i].Cost), demo.N(100 * r.routed[i].Accuracy)})
	}
	return t
}
