package planning

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner/route"
)

// A threshold that was best for one traffic, after the traffic has changed.

const (
	mixLow, mixHigh = -2.0, 4.0 // thresholds that are drawn
	mixPoints       = 61
)

// easyRates are questions that both models nearly always answer: made up, to
// stand for small talk and simple look-ups.
func easyRates() route.Rates { return route.RatesOf(0.9, 0.04, 0.02) }

func movingMix() *demo.Demo {
	return &demo.Demo{
		ID: "moving-mix", Version: 1, NoChance: true, Title: "The mix moves, the threshold stays",
		Lead:   "The threshold was best for GSM8K alone. Since then easy questions have joined. Move their share, then look for the new best threshold.",
		Limits: "The easy questions are made up: 90% right with the weak model, 4% only with the strong, 2% only with the weak. The scores of both kinds are taken to spread alike, so the router is as good on either; a real one may be worse on questions that it was not trained for, and then more is lost.",
		Knobs: []demo.Knob{
			{Name: "easy", Label: "Easy questions", Unit: "%", Doc: "Their share of today's traffic. When the threshold was set it was 0.", Default: 60, Max: 100, Step: 5},
			{Name: "threshold", Label: "Threshold", Doc: "On the score, in units of its spread: questions above it go to the strong model.", Default: 0.5, Min: mixLow, Max: mixHigh, Step: 0.05},
			aucKnob("auc", "AUC of the router", "How often a question that only the strong model answers right scores above another.", 0.8),
			worthKnob(), strongKnob(strongPrice), weakKnob(),
		},
		Presets: []demo.Preset{
			{Name: "As it was", State: "easy=0", Says: "The day on which the threshold was set: nothing is given away."},
			{Name: "Set anew", State: "threshold=1.15", Says: "A higher threshold for the new mix: the same router, and nothing given away again."},
			{Name: "Answers worth a dollar", State: "worth=1", Says: "The best threshold depends on what an answer is worth, too: here far fewer should stay with the weak model."},
		},
		Bet: &demo.Bet{
			Question: "The threshold was set for GSM8K. Now 80% of the questions are easy ones, and nobody has touched it. What part of today's bill does it give away, against the threshold that would be best today?",
			Options:  []string{"nothing: easy questions score low by themselves", "about a tenth", "about a third", "more than half"},
			Reveal:   "easy=80",
			By:       []string{"lost", "wasted"},
			Answer: func(t demo.Task) int {
				switch part := t.(*mixRun).wasted(); {
				case part < 0.03:
					return 0
				case part < 0.2:
					return 1
				case part < 0.45:
					return 2
				}
				return 3
			},
			Feedback: []string{
				"They do not: a score says which questions gain from the strong model, and there are fewer of those. All others score as before.",
				"More: the questions that gain nothing from the strong model have become many, and the threshold still lets a third of them through.",
				"It goes on sending the share of useless questions that was worth it when useful ones were common.",
				"Less: what is still worth sending is sent by this threshold, too.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Best threshold", TeX: `t^* = \frac d2 + \frac1d \ln\frac{\lambda v + (1-\pi)(c_s-c_w)}{\pi\,(v - c_s + c_w)}`, Says: "π and λ, the shares that only the strong and only the weak model answers right, are those of the traffic: when they move, so does t*"},
			{Name: "Given away", TeX: `v\,(A^* - A) - (c^* - c)`, Says: "v the worth of a right answer, A right answers and c the bill, with a star for the best threshold"},
		},
		Start: startMix,
	}
}

type mixRun struct {
	demo.Instant
	demo.Quiet
	easy, threshold, worth float64
	then, now              route.Router
	thenBest, best, yours  route.Point
}

func startMix(v demo.Values, _ uint32) (demo.Task, error) {
	r := &mixRun{easy: v.Num("easy") / 100, threshold: v.Num("threshold"), worth: v.Num("worth")}
	r.now = route.Router{AUC: v.Num("auc"), Pair: route.Pair{Prices: route.Prices{Weak: v.Num("weak"), Strong: v.Num("strong")}}}
	r.then = r.now
	r.then.Rates, r.now.Rates = mixed(0), mixed(r.easy)
	if err := r.now.Check(); err != nil {
		return nil, err
	}
	r.thenBest, r.best, r.yours = r.then.BestFor(1000*r.worth), r.now.BestFor(1000*r.worth), r.now.At(r.threshold)
	return r, nil
}

// mixed is the traffic with a share of easy questions.
func mixed(easy float64) route.Rates { return route.Mix(route.GSM8K().Rates(), easyRates(), easy) }

// lost is what a threshold gives away, in $ per 1,000 requests.
func (r *mixRun) lost(of route.Router, best route.Point, threshold float64) float64 {
	return max(0, net(best, r.worth)-net(of.At(threshold), r.worth))
}

// wasted is that of the reader's threshold, as a part of the bill.
func (r *mixRun) wasted() float64 { return r.lost(r.now, r.best, r.threshold) / r.yours.Cost }

func (r *mixRun) Figures() []demo.Figure { return []demo.Figure{r.lostFigure(), r.movesFigure()} }

func (r *mixRun) lostFigure() demo.Figure {
	then := none("then", "GSM8K alone", demo.Soft, demo.Line)
	now := none("now", "today", demo.Ink, demo.Line)
	top := 0.0
	for i := range mixPoints {
		x := mixLow + float64((mixHigh-mixLow)*float64(i))/(mixPoints-1)
		a, b := r.lost(r.then, r.thenBest, x), r.lost(r.now, r.best, x)
		then.X, then.Y = append(then.X, x), append(then.Y, a)
		now.X, now.Y = append(now.X, x), append(now.Y, b)
		top = max(top, a, b)
	}
	f := demo.Figure{
		ID: "lost", Title: "What a threshold gives away", Kind: demo.Chart,
		X: demo.Axis{Label: "Threshold; higher sends fewer to the strong model", Min: mixLow, Max: mixHigh, Digits: 2},
		Y: demo.Axis{Label: "Given away", Unit: perThousand, Digits: 2},
		Series: []demo.Series{then, now,
			{ID: "yours", Name: "yours", Role: demo.Closed, Shape: demo.Points, X: []float64{r.threshold}, Y: []float64{r.lost(r.now, r.best, r.threshold)}}},
		Marks: []demo.Mark{{At: r.threshold, Label: "yours", Knob: "threshold"}},
		Alt: "What a threshold gives away, for the traffic it was set for and for today's. Each curve touches zero at its best threshold: " + thresholdText(r.thenBest) + " then, " + thresholdText(r.best) + " today. Yours, " +
			text.Num(r.threshold, 2) + ", gives away " + usd(r.lost(r.now, r.best, r.threshold)) + ".",
		Table: demo.Table{Caption: "Given away by the threshold, per 1,000 requests", Columns: []demo.Column{{Name: "Threshold", Digits: 2}, {Name: "GSM8K alone", Unit: "$", Digits: 3}, {Name: "Today", Unit: "$", Digits: 3}}},
	}
	_, f.Y.Max = tidy(0, max(top, 0.01))
	for i := 0; i < mixPoints; i += 5 {
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.N(then.X[i]), demo.N(then.Y[i]), demo.N(now.Y[i])})
	}
	return f
}

// movesFigure has the best share and what yours sends, for every mix.
func (r *mixRun) movesFigure() demo.Figure {
	best := none("best", "best", demo.Ink, demo.Line)
	yours := none("yours", "yours", demo.Closed, demo.Line)
	at := r.now
	f := demo.Figure{
		ID: "moves", Title: "What should be sent, and what is", Kind: demo.Chart,
		X:     demo.Axis{Label: "Easy questions in the traffic", Unit: "%", Max: 100, Digits: 3},
		Y:     demo.Axis{Label: "Sent to the strong model", Unit: "%", Max: 100, Digits: 3},
		Marks: []demo.Mark{{At: 100 * r.easy, Label: "today", Knob: "easy"}},
		Table: demo.Table{Caption: "Share sent to the strong model by the mix", Columns: []demo.Column{{Name: "Easy", Unit: "%"}, {Name: "Best threshold", Digits: 3}, {Name: "Best share", Unit: "%", Digits: 3}, {Name: "Yours", Unit: "%", Digits: 3}}},
	}
	for i, x := range ofHundred(20) {
		at.Rates = mixed(x / 100)
		b, y := at.BestFor(1000*r.worth), at.At(r.threshold)
		best.X, best.Y = append(best.X, x), append(best.Y, 100*b.StrongFrac)
		yours.X, yours.Y = append(yours.X, x), append(yours.Y, 100*y.StrongFrac)
		if i%2 == 0 {
			f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.N(x), demo.W(thresholdText(b)), demo.N(100 * b.StrongFrac), demo.N(100 * y.StrongFrac)})
		}
	}
	f.Series = []demo.Series{best, yours}
	f.Alt = "The best share goes from " + text.Num(best.Y[0], 3) + "% without easy questions to " + text.Num(best.Y[20], 3) + "% with nothing else; yours goes from " + text.Num(yours.Y[0], 3) + "% to " + text.Num(yours.Y[20], 3) + "%."
	return f
}

// thresholdText is a best threshold in a table and in passing.
func thresholdText(p route.Point) string {
	switch {
	case p.StrongFrac == 0:
		return "none sent"
	case p.StrongFrac == 1:
		return "all sent"
	case math.IsInf(p.Threshold, 0):
		return "between the two kinds"
	}
	return text.Num(p.Threshold, 2)
}

// bestText is it with what it sends.
func bestText(p route.Point) string {
	switch {
	case p.StrongFrac == 0:
		return "to send none"
	case p.StrongFrac == 1:
		return "to send all"
	case math.IsInf(p.Threshold, 0):
		return "to send exactly those that gain, " + percent(p.StrongFrac)
	}
	return text.Num(p.Threshold, 2) + ", which sends " + percent(p.StrongFrac)
}

func bestThen(p route.Point) string {
	if p.StrongFrac > 0 && p.StrongFrac < 1 && !math.IsInf(p.Threshold, 0) {
		return "at " + bestText(p)
	}
	return bestText(p)
}

// finite is a threshold as a number; NaN if it lies infinitely far out.
func finite(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.NaN()
	}
	return x
}

func (r *mixRun) Summary() demo.Sentence {
	lost := r.lost(r.now, r.best, r.threshold)
	out := demo.Say("With " + percent(r.easy) + " easy questions the threshold " + text.Num(r.threshold, 3) + " sends " + percent(r.yours.StrongFrac) + " and costs " + usd(r.yours.Cost) + ". Best today is " + bestText(r.best) + ": ")
	if lost < 0.005*r.yours.Cost {
		out = append(out, demo.Say("yours gives away ", "next to nothing", ".")...)
	} else {
		out = append(out, demo.Say("yours gives away ", usd(lost)+" per 1,000 requests", ", "+percent(r.wasted())+" of its bill.")...)
	}
	out = append(out, demo.Span{Text: " For GSM8K alone it was best " + bestThen(r.thenBest) + "."})
	if r.now.AUC == 0.5 {
		out = append(out, demo.Span{Text: " With an AUC of 0.5 the score tells nothing: the best is all or none, whichever is worth more."})
	}
	if p := r.now.Prices; p.Strong <= p.Weak {
		out = append(out, demo.Span{Text: " " + ratioText(p) + ": the weak one is asked only where it is likelier to be right."})
	}
	return out
}

func (r *mixRun) Metrics() []demo.Metric {
	return []demo.Metric{
		{Name: "sent", Label: "Sent to the strong model", Unit: "%", Value: 100 * r.yours.StrongFrac, Digits: 3},
		{Name: "cost", Label: "Bill of 1,000 requests", Unit: "$", Value: r.yours.Cost, Digits: 3},
		{Name: "lost", Label: "Given away", Unit: perThousand, Value: r.lost(r.now, r.best, r.threshold), Digits: 3},
		{Name: "wasted", Label: "The same, of the bill", Unit: "%", Value: 100 * r.wasted(), Digits: 2},
		{Name: "then_threshold", Label: "Best threshold for GSM8K alone", Value: finite(r.thenBest.Threshold), Digits: 2},
		{Name: "then_share", Label: "It sends", Unit: "%", Value: 100 * r.thenBest.StrongFrac, Digits: 3},
		{Name: "best_threshold", Label: "Best threshold today", Value: finite(r.best.Threshold), Digits: 2},
		{Name: "best_share", Label: "It sends", Unit: "%", Value: 100 * r.best.StrongFrac, Digits: 3},
		{Name: "best_cost", Label: "Its bill", Unit: "$", Value: r.best.Cost, Digits: 3},
	}
}

// Records has what every threshold gives away.
func (r *mixRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "threshold", Digits: 3}, {Name: "sent", Unit: "%", Digits: 4}, {Name: "bill", Unit: "$", Digits: 4}, {Name: "right", Unit: "%", Digits: 4}, {Name: "given_away", Unit: "$", Digits: 4}}}
	for i := range mixPoints {
		x := mixLow + float64((mixHigh-mixLow)*float64(i))/(mixPoints-1)
		p := r.now.At(x)
		t.Rows = append(t.Rows, []demo.Cell{demo.N(x), demo.N(100 * p.StrongFrac), demo.N(p.Cost), demo.N(100 * p.Accuracy), demo.N(r.lost(r.now, r.best, x))})
	}
	return t
}
