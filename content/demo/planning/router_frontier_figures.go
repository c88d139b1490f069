package planning

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner/route"
)

// The pictures and words of router-frontier.

func (r *frontierRun) Figures() []demo.Figure {
	return []demo.Figure{r.moneyFigure(), r.worthFigure()}
}

func (r *frontierRun) moneyFigure() demo.Figure {
	prices := r.router.Prices
	f := demo.Figure{ID: "money", Title: "Right answers for the money", Kind: demo.Chart, Legend: true}
	f.X, f.Y = moneyAxes(r.router.AlwaysWeak(), r.router.AlwaysStrong(), r.oracle)
	coin := []route.Point{r.router.AlwaysWeak(), r.router.AlwaysStrong()}
	oracle := []route.Point{r.router.AlwaysWeak(), r.oracle, r.router.OracleAt(1 - r.router.Rates.Lam), r.router.AlwaysStrong()}
	curve, beaten := r.curve[:], r.beaten()
	yours := r.yours
	sets := none("sets", "measured", demo.Soft, demo.Points)
	if r.shown {
		for _, s := range r.sets {
			sets.X, sets.Y = append(sets.X, s.Cost.Mean), append(sets.Y, 100*s.Accuracy.Mean)
		}
	} else {
		curve, beaten = nil, nil
		yours = r.router.Random(r.share)
	}
	f.Series = []demo.Series{
		inMoney("oracle", "oracle", demo.Open, oracle),
		inMoney("coin", "coin", demo.Soft, coin),
		inMoney("router", "router", demo.Ink, curve),
		inMoney("beaten", "no better", demo.Bad, beaten),
		sets,
		dot("yours", "yours", demo.Closed, yours),
		none("best", "best", demo.Ink, demo.Points),
	}
	if r.shown {
		f.Series[6] = dot("best", "best", demo.Ink, r.best)
	}
	f.Marks = []demo.Mark{{At: prices.Weak, Label: "weak"}, {At: prices.Strong, Label: "strong"}}
	f.Alt = "Right answers against the bill of 1,000 requests. The weak model costs " + usd(prices.Weak) + " and gets " + percent(r.router.Rates.Weak) + ", the strong one " + usd(prices.Strong) + " and " +
		percent(r.router.Rates.Strong) + "; an oracle gets " + percent(r.oracle.Accuracy) + " for " + usd(r.oracle.Cost) + ". "
	if r.shown {
		f.Alt += "The router's curve rises from the first towards its highest point, " + percent(r.top.Accuracy) + " for " + usd(r.top.Cost) + "; yours is at " + percent(r.yours.Accuracy) + " for " + usd(r.yours.Cost) + "."
		one := r.sets[0].Accuracy
		f.Notes = append(f.Notes, "The gray dots are 24 evaluations of your threshold with "+text.Whole(r.asked)+" questions each. The first alone would say "+percent(one.Mean)+", 95% interval "+percent(one.Lo)+" to "+percent(one.Hi)+".")
	} else {
		f.Alt += "The curve of the router is hidden."
		f.Notes = append(f.Notes, "Yours is drawn as a coin would have it. Hidden: where the router's curve runs between the coin's line and the oracle's.")
	}
	f.Table = r.table()
	return f
}

// table has the ways to serve, and the router's only if they are shown.
func (r *frontierRun) table() demo.Table {
	t := demo.Table{Caption: "Ways to serve 1,000 requests", Columns: []demo.Column{{Name: "Way"}, {Name: "To the strong model", Unit: "%", Digits: 3}, {Name: "Bill", Unit: "$", Digits: 3}, {Name: "Right", Unit: "%", Digits: 3}, {Name: "Worth less bill", Unit: "$", Digits: 3}}}
	add := func(way string, p route.Point) {
		t.Rows = append(t.Rows, []demo.Cell{demo.W(way), demo.N(100 * p.StrongFrac), demo.N(p.Cost), demo.N(100 * p.Accuracy), demo.N(net(p, r.worth))})
	}
	add("weak model", r.router.AlwaysWeak())
	add("coin, as many as yours", r.router.Random(r.share))
	if r.shown {
		add("yours", r.yours)
		add("best for the worth", r.best)
		add("most right", r.top)
	}
	add("strong model", r.router.AlwaysStrong())
	add("oracle", r.oracle)
	return t
}

func (r *frontierRun) worthFigure() demo.Figure {
	curve := none("worth", "router", demo.Ink, demo.Line)
	coin := none("coin", "coin", demo.Soft, demo.Line)
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range r.curve {
		flat, y := net(r.router.Random(p.StrongFrac), r.worth), net(p, r.worth)
		coin.X, coin.Y = append(coin.X, 100*p.StrongFrac), append(coin.Y, flat)
		curve.X, curve.Y = append(curve.X, 100*p.StrongFrac), append(curve.Y, y)
		lo, hi = min(lo, flat, y), max(hi, flat, y)
	}
	f := demo.Figure{
		ID: "worth", Title: "What a threshold is worth, if a right answer is worth " + usd(r.worth), Kind: demo.Chart,
		X:     demo.Axis{Label: "Sent to the strong model", Unit: "%", Max: 100, Digits: 3},
		Y:     demo.Axis{Label: "Worth less bill", Unit: perThousand, Digits: 3},
		Marks: []demo.Mark{{At: 100 * r.share, Label: "yours", Knob: "share"}},
		Table: demo.Table{Caption: "Worth less bill, by the share sent", Columns: []demo.Column{{Name: "Sent", Unit: "%", Digits: 3}, {Name: "Coin", Unit: "$", Digits: 4}, {Name: "Router", Unit: "$", Digits: 4}}},
	}
	f.Y.Min, f.Y.Max = tidy(lo-float64(0.02*(hi-lo)), hi+float64(0.02*(hi-lo)))
	for i := 0; i < frontierPoints; i += 4 {
		router := demo.W("hidden")
		if r.shown {
			router = demo.N(curve.Y[i])
		}
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.N(coin.X[i]), demo.N(coin.Y[i]), router})
	}
	best := none("best", "best", demo.Ink, demo.Points)
	if r.shown {
		best.X, best.Y = []float64{100 * r.best.StrongFrac}, []float64{net(r.best, r.worth)}
		f.Alt = "Worth less bill of 1,000 requests against the share sent. It is highest at " + percent(r.best.StrongFrac) + ", " + usd(net(r.best, r.worth)) + "; at yours it is " + usd(net(r.yours, r.worth)) + "."
	} else {
		curve.X, curve.Y = nil, nil
		f.Alt = "Worth less bill of 1,000 requests against the share sent, for a coin: from " + usd(coin.Y[0]) + " when none is sent to " + usd(coin.Y[frontierPoints-1]) + " when all are. The router's curve is hidden."
	}
	f.Series = []demo.Series{coin, curve, best}
	return f
}

func (r *frontierRun) Summary() demo.Sentence {
	if !r.shown {
		flat := r.router.Random(r.share)
		return demo.Say("A coin that sends "+percent(r.share)+" to the strong model costs "+usd(flat.Cost)+" per 1,000 requests and gets "+percent(flat.Accuracy)+" right. An oracle sends ", percent(r.oracle.StrongFrac)+" and gets "+percent(r.oracle.Accuracy),
			"; the strong model alone gets "+percent(r.router.Rates.Strong)+", because "+percent(r.router.Rates.Lam)+" of the questions only the weak one answers right. "+ratioText(r.router.Prices)+". Place your share; then show the curve.")
	}
	whose := "Yours sends "
	if r.share == usualShare { // perhaps nobody has put it there
		whose = "The share as it opens sends "
	}
	out := demo.Say(whose+percent(r.share)+" for ", usd(r.yours.Cost)+" and "+percent(r.yours.Accuracy)+" right", ". ")
	return append(append(out, r.regretText()...), demo.Span{Text: " " + r.verdict()})
}

// regretText compares yours with the best threshold.
func (r *frontierRun) regretText() demo.Sentence {
	lost := r.regret()
	if lost < 0.005*max(r.yours.Cost, r.best.Cost) {
		return demo.Say("That is ", "within a hair of the best", " threshold for answers worth "+usd(r.worth)+".")
	}
	return demo.Say("For answers worth "+usd(r.worth)+" the best sends "+percent(r.best.StrongFrac)+": "+differs(r.best.Cost-r.yours.Cost, usd, "at the same price", "dearer", "cheaper")+" and "+moreRight(r.best.Accuracy-r.yours.Accuracy)+". That gives away ",
		usd(lost)+" per 1,000 requests", ".")
}

// verdict says what kind of pair and router this is.
func (r *frontierRun) verdict() string {
	p, rates := r.router.Prices, r.router.Rates
	equal := math.Abs(rates.Pi-rates.Lam) < 1e-12
	switch {
	case r.router.AUC == 0.5 && p.Strong <= p.Weak && !equal:
		return "The score tells nothing and the better model is not the dearer one: send everything there."
	case r.router.AUC == 0.5:
		return "With an AUC of 0.5 the score tells nothing: the curve is the coin's line."
	case p.Strong < p.Weak:
		return "The strong model is the cheaper one: the weak one is asked only where it is likelier to be right."
	case p.Strong == p.Weak:
		return "Both models cost the same, so only right answers count: the best threshold is the top of the curve."
	case r.router.AUC == 1:
		return "With an AUC of 1 the curve is the oracle's as far as " + percent(rates.Pi) + "; every question more loses right answers."
	case r.yours.StrongFrac > r.top.StrongFrac+1e-9:
		return "Past " + percent(r.top.StrongFrac) + " every question more costs money and right answers: the curve bends down."
	case equal:
		return "Both models are equally good alone; together they reach " + percent(r.top.Accuracy) + "."
	}
	if match, ok := r.router.Reach(rates.Strong); ok {
		return "As often right as the strong model is had for " + usd(match.Cost) + ", " + percent(match.Cost/p.Strong) + " of its bill."
	}
	return "No threshold is as often right as the strong model alone."
}

func (r *frontierRun) Metrics() []demo.Metric {
	rates, p := r.router.Rates, r.router.Prices
	match, matched := r.router.Reach(rates.Strong)
	matchCost, matchPart := math.NaN(), math.NaN()
	if matched {
		matchCost, matchPart = match.Cost, 100*match.Cost/p.Strong
	}
	orNone := func(x float64, ok bool) float64 {
		if !ok {
			return math.NaN()
		}
		return x
	}
	apgr := orNone(r.router.APGR())
	cpt50, cpt80 := orNone(r.router.CPT(0.5)), orNone(r.router.CPT(0.8))
	one := r.sets[0].Accuracy
	return []demo.Metric{
		{Name: "cost", Label: "Bill of 1,000 requests", Unit: "$", Value: r.yours.Cost, Digits: 3},
		{Name: "accuracy", Label: "Right answers", Unit: "%", Value: 100 * r.yours.Accuracy, Digits: 3},
		{Name: "coin_accuracy", Label: "Right answers of a coin for the same money", Unit: "%", Value: 100 * r.router.Random(r.share).Accuracy, Digits: 3},
		{Name: "measured", Label: "Right answers in one evaluation", Unit: "%", Value: 100 * one.Mean, Digits: 3, Spread: true},
		{Name: "measured_low", Label: "Lower end of its interval", Unit: "%", Value: 100 * one.Lo, Digits: 3},
		{Name: "measured_high", Label: "Upper end of its interval", Unit: "%", Value: 100 * one.Hi, Digits: 3},
		{Name: "regret", Label: "Given away against the best threshold", Unit: perThousand, Value: r.regret(), Digits: 3},
		{Name: "best_share", Label: "Best share", Unit: "%", Value: 100 * r.best.StrongFrac, Digits: 3},
		{Name: "best_cost", Label: "Its bill", Unit: "$", Value: r.best.Cost, Digits: 3},
		{Name: "best_accuracy", Label: "Its right answers", Unit: "%", Value: 100 * r.best.Accuracy, Digits: 3},
		{Name: "top_share", Label: "Share with the most right answers", Unit: "%", Value: 100 * r.top.StrongFrac, Digits: 3},
		{Name: "top_accuracy", Label: "Its right answers", Unit: "%", Value: 100 * r.top.Accuracy, Digits: 4},
		{Name: "match_cost", Label: "Bill to be right as often as the strong model", Unit: "$", Value: matchCost, Digits: 3},
		{Name: "match_part", Label: "The same, of the strong model's bill", Unit: "%", Value: matchPart, Digits: 2},
		{Name: "weak_accuracy", Label: "Right answers of the weak model", Unit: "%", Value: 100 * rates.Weak, Digits: 3},
		{Name: "strong_accuracy", Label: "Right answers of the strong model", Unit: "%", Value: 100 * rates.Strong, Digits: 3},
		{Name: "only_strong", Label: "Only the strong model right", Unit: "%", Value: 100 * rates.Pi, Digits: 3},
		{Name: "only_weak", Label: "Only the weak model right", Unit: "%", Value: 100 * rates.Lam, Digits: 2},
		{Name: "oracle_share", Label: "Sent by an oracle", Unit: "%", Value: 100 * r.oracle.StrongFrac, Digits: 3},
		{Name: "oracle_accuracy", Label: "Right answers of an oracle", Unit: "%", Value: 100 * r.oracle.Accuracy, Digits: 3},
		{Name: "oracle_cost", Label: "Bill of an oracle", Unit: "$", Value: r.oracle.Cost, Digits: 3},
		{Name: "apgr", Label: "APGR", Value: apgr, Digits: 3},
		{Name: "cpt50", Label: "Share for half of the gap", Unit: "%", Value: 100 * cpt50, Digits: 3},
		{Name: "cpt80", Label: "Share for 80% of the gap", Unit: "%", Value: 100 * cpt80, Digits: 3},
	}
}

// Records is the curve, and the evaluations of yours, which are numbered.
func (r *frontierRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "evaluation"}, {Name: "share", Unit: "%"}, {Name: "bill", Unit: "$", Digits: 4}, {Name: "router_right", Unit: "%", Digits: 4}, {Name: "coin_right", Unit: "%", Digits: 4}, {Name: "oracle_right", Unit: "%", Digits: 4}, {Name: "worth", Unit: "$", Digits: 4}}}
	add := func(number int, p route.Point) {
		t.Rows = append(t.Rows, []demo.Cell{demo.N(float64(number)), demo.N(100 * p.StrongFrac), demo.N(p.Cost), demo.N(100 * p.Accuracy), demo.N(100 * r.router.Random(p.StrongFrac).Accuracy), demo.N(100 * r.router.OracleAt(p.StrongFrac).Accuracy), demo.N(net(p, r.worth))})
	}
	for _, p := range r.curve {
		add(0, p)
	}
	for i, s := range r.sets {
		add(i+1, route.Point{StrongFrac: s.StrongFrac.Mean, Accuracy: s.Accuracy.Mean, Cost: s.Cost.Mean})
	}
	return t
}
