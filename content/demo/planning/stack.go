package planning

import (
	"openloop/content/demo"
	"openloop/planner/route"
)

// Cache, router or cascade, and batch tier on top of each other, and what each
// of them contributes: alone, in the order that is drawn, and as the last one
// added. Bars, table and sentence follow one order, stackRun.order.

const stackDraws = 10_000 // requests that are drawn to check the formulas

func stacked() *demo.Demo {
	auc := aucKnob("auc", "AUC of the router or signal", "0.5 is a coin.", 0.8)
	auc.More = true
	return &demo.Demo{
		ID: "stack", Version: 1, Title: "All of them together",
		Lead:   "Everything to the strong model, then a cache in front, then a router behind it, then a batch tier for what can wait. Move each, and see what it adds when the others are there.",
		Limits: "Hits, difficulty and patience are taken to be independent; in real traffic what repeats is often what is easy, and then the router has less left to save. The batch tier is the price list's. Latency is not counted. A request is routed or escalated, not both.",
		Knobs: []demo.Knob{
			{Name: "hits", Label: "Answered by the cache", Unit: "%", Doc: "The most similar questions: a threshold on similarity. 0 is no cache.", Zero: "no cache", Default: 20, Max: 80, Step: 1},
			{Name: "share", Label: "Sent to the strong model", Unit: "%", Doc: "Of what the cache does not answer.", Default: 25, Max: 100, Step: 1},
			{Name: "waits", Label: "May wait", Unit: "%", Doc: "Share of the requests in the batch tier.", Default: 40, Max: 100, Step: 5},
			{Name: "way", Label: "Between the models", Doc: "A router sees the question, a cascade the weak model's answer.", Max: 1, Options: []demo.Option{{Name: "router", Label: "router"}, {Name: "cascade", Label: "cascade"}}},
			{Name: "order", Label: "Bars in the order", Doc: "In which the parts are added. All together the bill is the same.", Max: 1, Options: []demo.Option{{Name: "first", Label: "cache first"}, {Name: "last", Label: "cache last"}}, More: true},
			{Name: "repeats", Label: "True repeats", Unit: "%", Doc: "Share of the requests that ask a stored question again.", Default: 30, Max: 90, Step: 5, More: true},
			auc, strongKnobMore(), weakKnob(), workloadKnob(),
			{Name: "discount", Label: "Discount", Unit: "%", Doc: "What a price list takes off for a batch request.", Default: 50, Max: 90, Step: 5, More: true},
		},
		Presets: []demo.Preset{
			{Name: "Hits past the repeats", State: "hits=45", Says: "The bill falls further and right answers fall faster: no router behind a cache can repair its false hits."},
			{Name: "A cascade instead", State: "way=cascade", Says: "Every request that reaches it pays the weak model; at 22 to 1 that is little."},
			{Name: "Three to one", State: "strong=2.7&way=cascade", Says: "With near prices the cache and the batch tier are what is left of the savings."},
			{Name: "Cache last", State: "order=last", Says: "The same bill, with the cache added last: what it saves where the others are there already."},
			{Name: "No router", State: "share=100", Says: "Everything that is not cached goes to the strong model: right answers are lost to the cache alone."},
		},
		Bet: &demo.Bet{
			Question: "A cache that answers 30% saves 30% of the strong model's bill when it stands alone. What does it save, of that bill, when it is added last, to a router that sends 25% and a batch tier for 40%?",
			Options:  []string{"30% as well: a hit is a hit", "about 20%", "about 7%", "nothing"},
			Reveal:   "hits=30&order=last",
			By:       []string{"cache_last", "cache_last_part"},
			Answer: func(t demo.Task) int {
				r := t.(*stackRun)
				switch part := r.lastCache(); {
				case part > 0.25:
					return 0
				case part > 0.13:
					return 1
				case part > 0.02:
					return 2
				}
				return 3
			},
			Feedback: []string{
				"A hit saves what the request would have cost, and with the others there that is less than a quarter.",
				"Less: the router and the tier have already cut what a request costs to less than a quarter.",
				"A hit saves what is left to save. The savings of the parts do not add up; their factors multiply.",
				"A hit still saves the request, which now costs less than a quarter.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Bill", TeX: `c = c_e + (1-h)\,c_r\,(1-\beta\delta)`, Says: "first the look-up; then h the hits, the bill of the router or the cascade, β the share that waits, δ the discount"},
			{Name: "Right", TeX: `A = h_t A_r + h_f A_f + (1-h) A_r`, Says: "true hits are as good as the routed answers, false ones are right by luck in 20% of the cases; the tier changes nothing"},
		},
		Start: startStack,
	}
}

// change is what a part does to the bill and to the right answers.
type change struct{ money, accuracy float64 } // $ per 1,000 requests saved; share lost

// part is one of the three.
type part struct {
	name               string
	alone, order, last change
}

type stackRun struct {
	demo.Instant
	demo.Quiet
	stack  route.Stack
	prices route.Prices
	share  float64
	way    string
	hits   float64

	order   [3]int         // of the parts, as they are added; 0 is the cache, 1 the router or cascade, 2 the tier
	steps   [4]route.Point // strong alone, then with one more part each, in this order
	parts   [3]part        // in the order of their numbers
	sampled route.Sampled
	cached  route.CachePoint
	curve   [frontierPoints]route.Point // of the whole stack, by the share sent
	plain   [frontierPoints]route.Point // of the router alone
}

func startStack(v demo.Values, seed uint32) (demo.Task, error) {
	pair := route.Pair{Rates: picked(v).rates, Prices: route.Prices{Weak: v.Num("weak"), Strong: v.Num("strong")}}
	r := &stackRun{prices: pair.Prices, share: v.Num("share") / 100, way: v.Option("way"), hits: v.Num("hits") / 100}
	r.stack = route.Stack{
		Cache: route.Cache{Repeats: v.Num("repeats") / 100, AUC: 0.95, AccFalse: 0.2, Embed: lookUp}, Hit: r.hits,
		Route: route.Router{Pair: pair, AUC: v.Num("auc")},
		Batch: route.Batch{Share: v.Num("waits") / 100, Discount: v.Num("discount") / 100},
	}
	if r.way == "cascade" {
		r.stack.Route = route.Cascade{Pair: pair, AUC: v.Num("auc")}
	}
	if r.hits == 0 {
		r.stack.Cache = route.Cache{} // left out, look-up and all
	}
	if err := r.stack.Check(); err != nil {
		return nil, err
	}
	r.order = [3]int{0, 1, 2}
	if v.Option("order") == "last" {
		r.order = [3]int{1, 2, 0}
	}
	var added [3]bool
	r.steps[0] = r.with(pair, added)
	for at, i := range r.order {
		added[i] = true
		r.steps[at+1] = r.with(pair, added)
		r.parts[i].order = between(r.steps[at], r.steps[at+1])
	}
	names := [3]string{"cache", r.way, "batch tier"}
	for i := range r.parts {
		var alone, allBut [3]bool
		for j := range alone {
			alone[j], allBut[j] = i == j, i != j
		}
		p := &r.parts[i]
		p.name = names[i]
		p.alone = between(r.steps[0], r.with(pair, alone))
		p.last = between(r.with(pair, allBut), r.steps[3])
	}
	r.sampled = r.stack.Sample(r.share, uint64(seed), stackDraws)
	r.cached = r.stack.CacheAt(r.share)
	r.stack.Curve(r.curve[:])
	r.stack.Route.Curve(r.plain[:])
	return r, nil
}

// with is the stack with some of its parts; without router or cascade
// everything goes to the strong model.
func (r *stackRun) with(pair route.Pair, parts [3]bool) route.Point {
	s := r.stack
	share := r.share
	if !parts[0] {
		s.Cache, s.Hit = route.Cache{}, 0
	}
	if !parts[1] {
		s.Route, share = route.Router{Pair: pair, AUC: 0.5}, 1
	}
	if !parts[2] {
		s.Batch = route.Batch{}
	}
	return s.AtFrac(share)
}

func between(from, to route.Point) change {
	return change{money: from.Cost - to.Cost, accuracy: from.Accuracy - to.Accuracy}
}
