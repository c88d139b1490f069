package planning

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner/route"
)

// What caching is worth for three classes of traffic, by how long answers are
// kept.

const (
	classSteps = 97 // lifetimes that are drawn, 16 to a decade
	classFrom  = 0.01
)

// trafficClasses are made up: what matters is how they differ. Times are in
// hours, costs of a wrong answer in $ per 1,000 of them.
func trafficClasses(harm float64) []route.Class {
	return []route.Class{
		{Name: "stable", Share: 0.5, Repeats: 0.4, RepeatPerHour: 10, ChangePerHour: 1.0 / 2000, CostOfWrong: 1000 * harm},
		{Name: "volatile", Share: 0.3, Repeats: 0.4, RepeatPerHour: 10, ChangePerHour: 1.0 / 4, CostOfWrong: 1000 * harm},
		{Name: "risky", Share: 0.2, Repeats: 0.4, RepeatPerHour: 10, ChangePerHour: 1.0 / 2000, CostOfWrong: 1000 * riskyTimes * harm},
	}
}

const riskyTimes = 20 // a wrong answer in the risky class costs so many times as much

func cacheClasses() *demo.Demo {
	harm := worthKnob()
	harm.Name, harm.Label, harm.Doc, harm.More, harm.Default = "harm", "A wrong answer costs", "In the stable and the volatile class; in the risky one 20 times as much.", false, 0.05
	return &demo.Demo{
		ID: "cache-classes", Version: 1, NoChance: true, Title: "What to cache, and for how long",
		Lead:   "Three classes of questions that repeat alike. The answers of one change every four hours; in another a wrong answer costs twenty times as much. Move how long answers are kept.",
		Limits: "The classes are made up; yours have other rates. Repeats and changes come at random and independently. A false hit is right by luck in 20% of the cases, a stale one never. Memory is free and nothing is evicted but by age.",
		Knobs: []demo.Knob{
			{Name: "ttl", Label: "Kept for", Unit: "h", Doc: "Time to live: an older answer is not used.", Default: 1, Min: classFrom, Max: 10000, Log: true},
			{Name: "threshold", Label: "Threshold", Doc: "Similarity from which a stored answer is used, in units of its spread.", Default: 2, Min: similarLow, Max: similarHigh, Step: 0.1},
			harm,
			aucKnob("auc", "AUC of the similarity", "How often a true repeat looks more similar than another question does.", 0.95),
			{Name: "often", Label: "Asked again", Unit: "per hour", Doc: "How often one recurring question is asked.", Default: 10, Min: 0.1, Max: 1000, Log: true, More: true},
			strongKnobMore(),
		},
		Presets: []demo.Preset{
			{Name: "A week", State: "ttl=160", Says: "More hits in every class, and the volatile one is answered wrongly most of the time."},
			{Name: "Ten minutes", State: "ttl=0.16", Says: "Little goes stale, and little is found: a question must come again within ten minutes."},
			{Name: "Strict", State: "threshold=3.2", Says: "A strict threshold makes false hits rare: the risky class is now worth caching, a little."},
			{Name: "Seldom asked", State: "often=0.1", Says: "What is asked once in ten hours is either not found or kept for long: caching it is worth less."},
		},
		Bet: &demo.Bet{
			Question: "All three classes repeat alike, and answers are kept for a day. A wrong one costs 20 cents, in the risky class four dollars. For which is the cache worth having?",
			Options:  []string{"for all three: a hit saves the same money", "for the stable and the risky one: their answers do not change", "for the stable one alone", "for none"},
			Reveal:   "ttl=24&harm=0.2",
			By:       []string{"stable_worth", "volatile_worth", "risky_worth"},
			Answer: func(t demo.Task) int {
				r := t.(*classRun)
				worth := [3]bool{}
				for i := range worth {
					worth[i] = r.yours[i].Net() > 0
				}
				switch worth {
				case [3]bool{true, true, true}:
					return 0
				case [3]bool{true, false, true}:
					return 1
				case [3]bool{true, false, false}:
					return 2
				}
				return 3
			},
			Feedback: []string{
				"A hit saves the same, but a wrong one does not cost the same, and not all are wrong equally often.",
				"Their answers do not change, but some hits are false in every class, and in the risky one each costs twenty times as much.",
				"The volatile class gives out old answers, and in the risky one the few false hits cost more than all hits save.",
				"The stable class has few wrong hits, and each costs little.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Found", TeX: `\frac{rL}{1+rL}`, Says: "share of the requests for a recurring question that find an answer kept: r how often it is asked, L the time to live"},
			{Name: "Stale", TeX: `1 - \frac{1-e^{-mL}}{mL}`, Says: "share of true hits whose answer has changed since: m changes an hour"},
			{Name: "Worth", TeX: `(c - c') - w\,(A - A')`, Says: "what is saved on models less what wrong answers cost: w for each"},
		},
		Start: startClasses,
	}
}

func strongKnobMore() demo.Knob {
	k := strongKnob(strongPrice)
	k.More = true
	return k
}

type classRun struct {
	demo.Instant
	demo.Quiet
	cache          route.Cache
	classes        []route.Class
	behind         route.Point
	ttl, threshold float64
	yours          [3]route.ClassPoint
	total          route.ClassPoint
	best           [3]float64 // h
	bestPoint      [3]route.ClassPoint
}

func startClasses(v demo.Values, _ uint32) (demo.Task, error) {
	r := &classRun{
		cache: route.Cache{AUC: v.Num("auc"), AccFalse: 0.2, Embed: lookUp}, classes: trafficClasses(v.Num("harm")),
		ttl: v.Num("ttl"), threshold: v.Num("threshold"),
	}
	pair := route.Pair{Rates: route.MMLU().Rates(), Prices: route.Prices{Weak: weakPrice, Strong: v.Num("strong")}}
	r.behind = pair.AlwaysStrong()
	for i := range r.classes {
		r.classes[i].RepeatPerHour, r.classes[i].TTLHours = v.Num("often"), r.ttl
	}
	if err := route.CheckClasses(r.classes); err != nil {
		return nil, err
	}
	r.total = r.cache.AtClasses(r.classes, r.threshold, r.behind, r.yours[:])
	for i, c := range r.classes {
		r.best[i], r.bestPoint[i] = r.cache.BestTTL(c, r.threshold, r.behind)
	}
	return r, nil
}

// lifetimes are those that are drawn, h.
func lifetimes() []float64 {
	const step = 1.1547819846894583 // 10^(1/16)
	x := make([]float64, classSteps)
	at := classFrom
	for i := range x {
		x[i] = at
		at *= step
	}
	x[classSteps-1] = 10000
	return x
}

func (r *classRun) at(class int, hours float64) route.ClassPoint {
	c := r.classes[class]
	c.TTLHours = hours
	return r.cache.AtClass(c, r.threshold, r.behind)
}

func (r *classRun) Figures() []demo.Figure {
	roles := [3]demo.Role{demo.Open, demo.Bad, demo.Closed}
	f := demo.Figure{
		ID: "worth", Title: "What caching a class is worth", Kind: demo.Chart,
		X:     demo.Axis{Label: "Kept for", Unit: "h", Min: classFrom, Max: 10000, Log: true, Digits: 2},
		Y:     demo.Axis{Label: "Saved less harm", Unit: "$ per 1,000 of the class", Digits: 3},
		Marks: []demo.Mark{{At: r.ttl, Label: "yours", Knob: "ttl"}, {At: 0, Level: true, Label: "not cached"}},
	}
	hours := lifetimes()
	lo, hi := 0.0, r.behind.Cost/2
	for i, c := range r.classes {
		s := none(c.Name, c.Name, roles[i], demo.Line)
		for _, h := range hours {
			s.X, s.Y = append(s.X, h), append(s.Y, r.at(i, h).Net())
		}
		for _, y := range s.Y {
			lo, hi = min(lo, y), max(hi, y)
		}
		f.Series = append(f.Series, s)
	}
	f.Notes = []string{r.bestText()}
	if floor := -4 * hi; lo < floor {
		lo = floor
		f.Notes = append(f.Notes, "Losses of more than "+usd(-lo)+" are left out of the picture.")
		for i := range f.Series {
			cut(&f.Series[i], lo)
		}
	}
	f.Y.Min, f.Y.Max = tidy(lo, 1.05*hi)
	f.Table = r.table()
	f.Alt = "What caching is worth against how long answers are kept, on a logarithmic axis. At " + hoursText(r.ttl) + ": " + r.worthText() + "."
	return []demo.Figure{f}
}

// cut leaves out what lies below the picture at either end of a line.
func cut(s *demo.Series, lo float64) {
	from, to := 0, len(s.Y)
	for from < to && s.Y[from] < lo {
		from++
	}
	for to > from && s.Y[to-1] < lo {
		to--
	}
	s.X, s.Y = s.X[from:to], s.Y[from:to]
}

func (r *classRun) table() demo.Table {
	t := demo.Table{Caption: "The classes at your threshold and time to live; money in $ per 1,000 requests of the class", Columns: []demo.Column{{Name: "Class"}, {Name: "Hits", Unit: "%", Digits: 3}, {Name: "False", Unit: "%", Digits: 2}, {Name: "Stale", Unit: "%", Digits: 2}, {Name: "Saved", Digits: 3}, {Name: "Harm", Digits: 3}, {Name: "Worth", Digits: 3}}}
	row := func(name string, p route.ClassPoint) {
		t.Rows = append(t.Rows, []demo.Cell{demo.W(name), demo.N(100 * p.Hit), demo.N(100 * p.False), demo.N(100 * p.Stale), demo.N(p.Saved), demo.N(p.Harm), demo.N(p.Net())})
	}
	for i, c := range r.classes {
		row(c.Name, r.yours[i])
	}
	row("all, by their shares", r.total)
	return t
}

// worthText lists what each class is worth.
func (r *classRun) worthText() string {
	var parts []string
	for i, c := range r.classes {
		parts = append(parts, c.Name+" "+usd(r.yours[i].Net()))
	}
	return text.List(parts, "and")
}

// bestText is how long each class is best kept.
func (r *classRun) bestText() string {
	var parts []string
	for i, c := range r.classes {
		switch {
		case r.best[i] == 0:
			parts = append(parts, c.Name+" not at all")
		case math.IsInf(r.best[i], 0):
			parts = append(parts, c.Name+" for ever")
		default:
			parts = append(parts, c.Name+" for "+hoursText(r.best[i])+" ("+usd(r.bestPoint[i].Net())+")")
		}
	}
	return "Best kept at this threshold: " + text.List(parts, "and") + "."
}

// hoursText is a time for prose.
func hoursText(h float64) string {
	switch {
	case h < 1:
		return text.Num(60*h, 2) + " min"
	case h < 48:
		return text.Num(h, 2) + " h"
	}
	return text.Num(h/24, 2) + " days"
}

func (r *classRun) Summary() demo.Sentence {
	var good []string
	for i, c := range r.classes {
		if r.yours[i].Net() > 0 {
			good = append(good, c.Name)
		}
	}
	found := "no class"
	if len(good) > 0 {
		found = "the " + text.List(good, "and") + " " + map[bool]string{true: "class", false: "classes"}[len(good) == 1]
	}
	only := 0.0
	for i, c := range r.classes {
		only += float64(c.Share * max(0, r.yours[i].Net()))
	}
	return demo.Say("Kept for "+hoursText(r.ttl)+", caching is worth it for ", found, ": per 1,000 requests of a class "+r.worthText()+". Everything cached makes "+usd(r.total.Net())+" per 1,000 requests, only what is worth it ", usd(only), ".")
}

func (r *classRun) Metrics() []demo.Metric {
	var out []demo.Metric
	only := 0.0
	for i, c := range r.classes {
		p := r.yours[i]
		only += float64(c.Share * max(0, p.Net()))
		best := finite(r.best[i])
		out = append(out,
			demo.Metric{Name: c.Name + "_worth", Label: "Worth of caching, " + c.Name, Unit: "$", Value: p.Net(), Digits: 3},
			demo.Metric{Name: c.Name + "_hits", Label: "Hits, " + c.Name, Unit: "%", Value: 100 * p.Hit, Digits: 3},
			demo.Metric{Name: c.Name + "_false", Label: "False hits, " + c.Name, Unit: "%", Value: 100 * p.False, Digits: 2},
			demo.Metric{Name: c.Name + "_stale", Label: "Stale hits, " + c.Name, Unit: "%", Value: 100 * p.Stale, Digits: 3},
			demo.Metric{Name: c.Name + "_ttl", Label: "Best time to live, " + c.Name, Unit: "h", Value: best, Digits: 2},
			demo.Metric{Name: c.Name + "_best", Label: "Worth at that, " + c.Name, Unit: "$", Value: r.bestPoint[i].Net(), Digits: 3})
	}
	return append(out, demo.Metric{Name: "all", Label: "Worth, everything cached", Unit: perThousand, Value: r.total.Net(), Digits: 3},
		demo.Metric{Name: "only", Label: "Worth, only what is worth it", Unit: perThousand, Value: only, Digits: 3})
}

// Records has the worth of each class by time to live.
func (r *classRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "hours", Digits: 4}}}
	for _, c := range r.classes {
		t.Columns = append(t.Columns, demo.Column{Name: c.Name + "_worth", Unit: "$", Digits: 4}, demo.Column{Name: c.Name + "_hits", Unit: "%", Digits: 4}, demo.Column{Name: c.Name + "_stale", Unit: "%", Digits: 4})
	}
	for _, h := range lifetimes() {
		row := []demo.Cell{demo.N(h)}
		for i := range r.classes {
			p := r.at(i, h)
			row = append(row, demo.N(p.Net()), demo.N(100*p.Hit), demo.N(100*p.Stale))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
