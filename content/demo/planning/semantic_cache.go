package planning

import (
	"openloop/content/demo"
	"openloop/planner/route"
)

// A semantic cache: the lower the threshold on similarity, the more hits, and
// past the share of true repeats nothing but false ones.

const (
	similarLow, similarHigh = -1.0, 5.0
	similarPoints           = 61
	lookUp                  = 0.02 // $ per 1,000 requests of 1,000 tokens: an example of what embedding them costs
)

func semanticCache() *demo.Demo {
	luck := demo.Knob{Name: "luck", Label: "Right by luck", Unit: "%", Doc: "Share of false hits whose answer is right all the same.", Default: 20, Max: 100, Step: 5, More: true}
	share := demo.Knob{Name: "share", Label: "Sent to the strong model", Unit: "%", Doc: "By a router with an AUC of 0.8, of what the cache does not answer.", Default: 25, Max: 100, Step: 5, More: true}
	return &demo.Demo{
		ID: "semantic-cache", Version: 1, NoChance: true, Title: "How similar is similar enough",
		Lead:   "A cache answers a question with the stored answer to a similar one. Lower the threshold and it answers more. Watch which hits are added, and what becomes of the right answers.",
		Limits: "Similarities are two bell curves of equal width, one for true repeats, one for the nearest stored question of the others; the threshold is in units of that width, not a cosine. Repeats are as hard as other questions, stored answers are as good as what they came from, and nothing grows old here: the next demo does that.",
		Knobs: []demo.Knob{
			{Name: "threshold", Label: "Threshold", Doc: "Similarity from which a stored answer is used, in units of its spread.", Default: 1, Min: similarLow, Max: similarHigh, Step: 0.1},
			{Name: "repeats", Label: "True repeats", Unit: "%", Doc: "Share of the requests that ask a stored question again, in other words or the same.", Default: 30, Max: 90, Step: 5},
			aucKnob("auc", "AUC of the similarity", "How often a true repeat looks more similar than another question does.", 0.95),
			worthKnob(), luck, share, strongKnob(strongPrice), workloadKnob(),
		},
		Presets: []demo.Preset{
			{Name: "Diverse traffic", State: "repeats=5", Says: "The same threshold where little repeats: most hits are false."},
			{Name: "Strict", State: "threshold=2.5", Says: "Few false hits, and a good part of the repeats is still found."},
			{Name: "A better similarity", State: "auc=0.99", Says: "What moves the trade is not the threshold but how well similarity tells."},
			{Name: "Nothing repeats", State: "repeats=0", Says: "Every hit is false: the cache saves money by answering other questions."},
		},
		Bet: &demo.Bet{
			Question: "30% of the requests are true repeats, and the threshold is where 30% are answered from the cache. Somebody lowers it until 45% are. How many of the added hits are true?",
			Options:  []string{"nearly all", "about half", "about a quarter", "none"},
			Reveal:   "threshold=0.7",
			By:       []string{"added_true_45"},
			Answer: func(t demo.Task) int {
				r := t.(*cacheRun)
				from, to := r.cache.AtHit(0.30, r.behind), r.cache.AtHit(0.45, r.behind)
				switch part := (to.True - from.True) / (to.Hit - from.Hit); {
				case part > 0.75:
					return 0
				case part > 0.4:
					return 1
				case part > 0.08:
					return 2
				}
				return 3
			},
			Feedback: []string{
				"Five of six true repeats were found already. What is left to add are mostly questions that only look alike.",
				"Five of six true repeats were found already; the few that were missed cannot be half of what is added.",
				"Five of six true repeats were found already, so most of what is added only looks alike.",
				"Some: at a hit rate of 30% about a sixth of the true repeats is still missed, because others took their place.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Hits", TeX: `h = \delta\,\Phi(d-t) + (1-\delta)\,\Phi(-t)`, Says: "δ the share of true repeats; the first part are true hits, the second false ones"},
			{Name: "Right", TeX: `A' = \delta\,\Phi(d-t)\,A + (1-\delta)\,\Phi(-t)\,A_f + (1-h)\,A`, Says: "A is how often what stands behind the cache is right; a false hit is right by luck"},
			{Name: "Bill", TeX: `c' = c_e + (1-h)\,c`, Says: "first the look-up, $0.02 per 1,000 requests here; c is the bill of what stands behind"},
		},
		Start: startCache,
	}
}

type cacheRun struct {
	demo.Instant
	demo.Quiet
	cache            route.Cache
	router           route.Router
	threshold, worth float64
	behind           route.Point
	yours, best      route.CachePoint
	plain, cached    [frontierPoints]route.Point // the router's curve without and with the cache
	curve            [similarPoints]route.CachePoint
}

func startCache(v demo.Values, _ uint32) (demo.Task, error) {
	r := &cacheRun{
		cache:     route.Cache{Repeats: v.Num("repeats") / 100, AUC: v.Num("auc"), AccFalse: v.Num("luck") / 100, Embed: lookUp},
		router:    route.Router{AUC: 0.8, Pair: route.Pair{Rates: picked(v).rates, Prices: route.Prices{Weak: weakPrice, Strong: v.Num("strong")}}},
		threshold: v.Num("threshold"), worth: v.Num("worth"),
	}
	for _, check := range []interface{ Check() error }{r.cache, r.router} {
		if err := check.Check(); err != nil {
			return nil, err
		}
	}
	r.behind = r.router.AtFrac(v.Num("share") / 100)
	r.yours = r.cache.At(r.threshold, r.behind)
	r.best = r.cache.BestFor(1000*r.worth, r.behind)
	r.router.Curve(r.plain[:])
	for i, p := range r.plain {
		c := r.cache.At(r.threshold, p)
		r.cached[i] = route.Point{StrongFrac: p.StrongFrac, Accuracy: c.Accuracy, Cost: c.Cost}
	}
	for i := range r.curve {
		r.curve[i] = r.cache.At(similarLow+float64((similarHigh-similarLow)*float64(i))/(similarPoints-1), r.behind)
	}
	return r, nil
}

func (r *cacheRun) Figures() []demo.Figure { return []demo.Figure{r.hitsFigure(), r.moneyFigure()} }

func (r *cacheRun) hitsFigure() demo.Figure {
	truly := none("true", "true hits", demo.Open, demo.Line)
	falsely := none("false", "false hits", demo.Bad, demo.Line)
	right := none("right", "right answers", demo.Ink, demo.Line)
	f := demo.Figure{
		ID: "hits", Title: "Hits and right answers, by the threshold", Kind: demo.Chart,
		X:     demo.Axis{Label: "Threshold on similarity; higher is stricter", Min: similarLow, Max: similarHigh, Digits: 2},
		Y:     demo.Axis{Label: "Share of the requests", Unit: "%", Max: 100, Digits: 3},
		Marks: []demo.Mark{{At: r.threshold, Label: "yours", Knob: "threshold"}, {At: 100 * r.cache.Repeats, Level: true, Label: "true repeats"}},
		Table: demo.Table{Caption: "Hits and right answers by the threshold", Columns: []demo.Column{{Name: "Threshold", Digits: 2}, {Name: "Hits", Unit: "%", Digits: 3}, {Name: "True", Unit: "%", Digits: 3}, {Name: "False", Unit: "%", Digits: 3}, {Name: "Right answers", Unit: "%", Digits: 3}}},
	}
	for i, p := range r.curve {
		x := similarLow + float64((similarHigh-similarLow)*float64(i))/(similarPoints-1)
		truly.X, truly.Y = append(truly.X, x), append(truly.Y, 100*p.True)
		falsely.X, falsely.Y = append(falsely.X, x), append(falsely.Y, 100*p.False)
		right.X, right.Y = append(right.X, x), append(right.Y, 100*p.Accuracy)
		if i%5 == 0 {
			f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.N(x), demo.N(100 * p.Hit), demo.N(100 * p.True), demo.N(100 * p.False), demo.N(100 * p.Accuracy)})
		}
	}
	f.Series = []demo.Series{right, truly, falsely}
	f.Alt = "As the threshold falls, true hits rise to " + percent(r.cache.Repeats) + " and stay there; false hits go on to " + percent(1-r.cache.Repeats) + ", and right answers fall from " + percent(r.behind.Accuracy) + ". At yours " +
		percent(r.yours.True) + " are true hits, " + percent(r.yours.False) + " false ones."
	f.Notes = []string{"Behind the cache: a router that sends " + percent(r.behind.StrongFrac) + " to the strong model, " + usd(r.behind.Cost) + " per 1,000 requests, " + percent(r.behind.Accuracy) + " right. " + r.bestText()}
	return f
}

// bestText is the threshold that is worth most.
func (r *cacheRun) bestText() string {
	switch {
	case r.best.Hit <= 1e-6:
		return "For answers worth " + usd(r.worth) + " the cache is best left off."
	case r.best.Hit >= 1-1e-6:
		return "For answers worth " + usd(r.worth) + " the cache would best answer everything: right answers are worth less than they cost."
	}
	return "For answers worth " + usd(r.worth) + " the best threshold answers " + percent(r.best.Hit) + " from the cache, with " + percent(r.best.Precision) + " of the hits true."
}

func (r *cacheRun) moneyFigure() demo.Figure {
	f := demo.Figure{ID: "money", Title: "The frontier with and without the cache", Kind: demo.Chart}
	f.X, f.Y = moneyAxes(r.router.AlwaysWeak(), r.router.AlwaysStrong(), r.cached[0], r.cached[frontierPoints-1], r.router.Best())
	f.Series = []demo.Series{
		inMoney("plain", "no cache", demo.Soft, r.plain[:]),
		inMoney("cached", "with it", demo.Ink, r.cached[:]),
		dot("yours", "yours", demo.Closed, route.Point{Cost: r.yours.Cost, Accuracy: r.yours.Accuracy}),
	}
	most, top := r.router.Best(), r.cached[0]
	for _, p := range r.cached {
		if p.Accuracy > top.Accuracy {
			top = p
		}
	}
	f.Alt = "The router's curve with the cache lies to the left of that without it and lower: at most " + percent(top.Accuracy) + " instead of " + percent(most.Accuracy) + " right. Yours costs " + usd(r.yours.Cost) + " instead of " + usd(r.behind.Cost) + "."
	f.Table = demo.Table{Caption: "The router's curve without and with the cache", Columns: []demo.Column{{Name: "Sent to the strong model", Unit: "%", Digits: 3}, {Name: "Bill", Unit: "$", Digits: 3}, {Name: "Right", Unit: "%", Digits: 3}, {Name: "Bill, cache", Unit: "$", Digits: 3}, {Name: "Right, cache", Unit: "%", Digits: 3}}}
	for i := 0; i < frontierPoints; i += 4 {
		a, b := r.plain[i], r.cached[i]
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.N(100 * a.StrongFrac), demo.N(a.Cost), demo.N(100 * a.Accuracy), demo.N(b.Cost), demo.N(100 * b.Accuracy)})
	}
	f.Notes = []string{"No money buys more than " + percent(top.Accuracy) + " with this cache: an answer is as good as its match."}
	return f
}

func (r *cacheRun) Summary() demo.Sentence {
	p := r.yours
	if r.cache.Repeats == 0 {
		return demo.Say("Nothing repeats. The cache answers "+percent(p.Hit)+" all the same: ", "every hit is false", ", the bill goes from "+usd(r.behind.Cost)+" to "+usd(p.Cost)+", and right answers from "+percent(r.behind.Accuracy)+" to "+percent(p.Accuracy)+".")
	}
	out := demo.Say("The cache answers "+percent(p.Hit)+": "+percent(p.True)+" with the answer to the same question, ", percent(p.False)+" with that to another", ". The bill goes from "+usd(r.behind.Cost)+" to "+usd(p.Cost)+", right answers from "+percent(r.behind.Accuracy)+" to "+percent(p.Accuracy)+".")
	switch {
	case r.cache.AUC == 0.5:
		out = append(out, demo.Span{Text: " With an AUC of 0.5 similarity tells nothing: hits are true as often as requests repeat."})
	case r.cache.AUC == 1:
		out = append(out, demo.Span{Text: " With an AUC of 1 every repeat is found at any threshold; a false hit is then a threshold set too low."})
	case p.Hit > r.cache.Repeats:
		out = append(out, demo.Span{Text: " It answers more than the " + percent(r.cache.Repeats) + " that repeat: what a lower threshold adds now is " + percent(r.added()) + " false."})
	}
	return out
}

// added is the share of false hits among those that a threshold one step lower adds.
func (r *cacheRun) added() float64 {
	next := r.cache.At(r.threshold-0.1, r.behind)
	if !(next.Hit > r.yours.Hit) {
		return 0
	}
	return (next.False - r.yours.False) / (next.Hit - r.yours.Hit)
}

func (r *cacheRun) Metrics() []demo.Metric {
	p := r.yours
	a, b := r.cache.AtHit(0.30, r.behind), r.cache.AtHit(0.45, r.behind)
	return []demo.Metric{
		{Name: "hits", Label: "Answered from the cache", Unit: "%", Value: 100 * p.Hit, Digits: 3},
		{Name: "true_hits", Label: "True hits", Unit: "%", Value: 100 * p.True, Digits: 3},
		{Name: "false_hits", Label: "False hits", Unit: "%", Value: 100 * p.False, Digits: 3},
		{Name: "precision", Label: "True, of the hits", Unit: "%", Value: 100 * p.Precision, Digits: 3},
		{Name: "added_false", Label: "False, of what a lower threshold adds", Unit: "%", Value: 100 * r.added(), Digits: 3},
		{Name: "accuracy", Label: "Right answers", Unit: "%", Value: 100 * p.Accuracy, Digits: 3},
		{Name: "behind_accuracy", Label: "Right answers without the cache", Unit: "%", Value: 100 * r.behind.Accuracy, Digits: 3},
		{Name: "cost", Label: "Bill of 1,000 requests", Unit: "$", Value: p.Cost, Digits: 3},
		{Name: "behind_cost", Label: "Bill without the cache", Unit: "$", Value: r.behind.Cost, Digits: 3},
		{Name: "best_hits", Label: "Hits at the best threshold", Unit: "%", Value: 100 * r.best.Hit, Digits: 3},
		{Name: "best_precision", Label: "True of them", Unit: "%", Value: 100 * r.best.Precision, Digits: 3},
		{Name: "added_true_45", Label: "True, of the hits between 30% and 45%", Unit: "%", Value: 100 * (b.True - a.True) / (b.Hit - a.Hit), Digits: 2},
	}
}

// Records is the curve over thresholds.
func (r *cacheRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "threshold", Digits: 3}, {Name: "hits", Unit: "%", Digits: 4}, {Name: "true_hits", Unit: "%", Digits: 4}, {Name: "false_hits", Unit: "%", Digits: 4}, {Name: "right", Unit: "%", Digits: 4}, {Name: "bill", Unit: "$", Digits: 4}}}
	for i, p := range r.curve {
		x := similarLow + float64((similarHigh-similarLow)*float64(i))/(similarPoints-1)
		t.Rows = append(t.Rows, []demo.Cell{demo.N(x), demo.N(100 * p.Hit), demo.N(100 * p.True), demo.N(100 * p.False), demo.N(100 * p.Accuracy), demo.N(p.Cost)})
	}
	return t
}
