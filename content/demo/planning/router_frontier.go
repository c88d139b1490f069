package planning

import (
	"slices"

	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/planner/route"
)

// A router in front of two models: the reader places the share that goes to the
// strong one, then sees the curve on which it lies, and what it gave away.

const (
	frontierPoints = 41 // of a curve
	frontierSets   = 24 // evaluations that are drawn

	usualShare = 0.5 // where the share stands before anybody has placed it
)

func routerFrontier() *demo.Demo {
	questions := demo.Knob{Name: "questions", Label: "Questions of an evaluation", Doc: "How many are asked to measure a threshold. The dots around yours are 24 such measurements.", Default: 500, Min: 100, Max: 2000, Log: true, Whole: true, More: true}
	return &demo.Demo{
		ID: "router-frontier", Version: 1, Title: "Place your threshold",
		Lead:   "A router scores each question and sends the highest to the strong model. Place the share that goes there, then show the curve, and see what your place gives away.",
		Limits: "The router's score is a model with one number, its AUC: two bell curves of equal width. A real score has another shape, and its AUC on your traffic is yours to measure. Answers are right or wrong; every request has the same 1,000 tokens at either model, so prices are per request; the router itself is free and takes no time.",
		Knobs: []demo.Knob{
			{Name: "share", Label: "Sent to the strong model", Unit: "%", Doc: "Those with the highest scores: a threshold on the score.", Default: 100 * usualShare, Max: 100, Step: 1},
			{Name: "curve", Label: "The curve", Doc: "Place your share first.", Max: 1, Options: []demo.Option{{Name: "hidden", Label: "hidden"}, {Name: "shown", Label: "shown"}}},
			aucKnob("auc", "AUC of the router", "How often a question that only the strong model answers right scores above another. 0.5 is a coin.", 0.8),
			strongKnob(strongPrice), workloadKnob(), worthKnob(), weakKnob(), questions,
		},
		Presets: []demo.Preset{
			{Name: "Shown", State: "curve=shown", Says: "Half of the questions, half of the bill, and more right answers than the strong model alone."},
			{Name: "A weak router", State: "curve=shown&auc=0.6", Says: "Much nearer to the coin than to the oracle, which is where evaluations find many routers."},
			{Name: "Everything to the strong model", State: "curve=shown&share=100", Says: "Below the top of the curve and dearer: the questions that only the weak model gets right are lost."},
			{Name: "Three to one", State: "curve=shown&strong=2.7", Says: "With near prices there is little to save: the weak model alone costs a third of the strong one."},
			{Name: "Equally good models", State: "curve=shown&workload=equal&auc=0.7", Says: "Two models of 75% make a system of more, if they err on different questions and the router can tell."},
		},
		Bet: &demo.Bet{
			Question: "The strong model costs 22 times as much, and the AUC of the router is 0.8. What part of the strong model's bill does it take to be right as often as the strong model?",
			Options:  []string{"about a quarter", "about half", "about 90%", "all of it: a router cannot be as good as the model behind it"},
			Reveal:   "", // the curve stays hidden: the share is still to be placed
			By:       []string{"match_cost", "match_part"},
			Answer: func(t demo.Task) int {
				r := t.(*frontierRun)
				p, ok := r.router.Reach(r.router.Rates.Strong)
				switch part := p.Cost / r.router.Prices.Strong; {
				case !ok || part > 0.97:
					return 3
				case part < 0.37:
					return 0
				case part < 0.7:
					return 1
				}
				return 2
			},
			Feedback: []string{
				"An oracle would need less than a fifth. A router that is right four times in five spends part of its money on questions that gain nothing.",
				"What it saves on questions that need no strong model, and gains on those that only the weak one gets right, makes up for those it misses.",
				"Less: most questions get the same verdict from both models, and a router with an AUC of 0.8 finds many of the others.",
				"It can be better: the weak model alone gets 5.3% of the questions right that the strong one gets wrong.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Sent", TeX: `f = \pi\,\Phi(d-t) + (1-\pi)\,\Phi(-t),\quad d=\sqrt2\,\Phi^{-1}(\text{AUC})`, Says: "π the share of questions that only the strong model answers right, t the threshold on the score"},
			{Name: "Right", TeX: `A = A_w + \pi\,\Phi(d-t) - \lambda\,\Phi(-t)`, Says: "the right answers of the weak model alone, plus what the strong one adds, less what it loses; λ the share that only the weak model answers right"},
			{Name: "Bill", TeX: `c = c_w + f\,(c_s - c_w)`, Says: "f of the requests pay the price of the strong model, the others that of the weak one"},
			{Name: "Best threshold", TeX: `t^* = \frac d2 + \frac1d \ln\frac{\lambda v + (1-\pi)(c_s-c_w)}{\pi\,(v - c_s + c_w)}`, Says: "where the worth of the right answers less the bill is largest; v the worth of a right answer"},
		},
		Start: startFrontier,
	}
}

type frontierRun struct {
	demo.Instant
	demo.Quiet
	workload workload
	router   route.Router
	share    float64
	shown    bool
	worth    float64 // $ of a right answer
	asked    int     // questions of an evaluation

	curve  [frontierPoints]route.Point
	hull   route.Hull
	yours  route.Point
	best   route.Point // most net worth
	top    route.Point // most right answers
	oracle route.Point
	sets   []route.Sampled // evaluations at yours, as many as are drawn

	seed  uint32
	drawn []route.Drawn // of the sets; no knob but the number of questions changes them
}

func startFrontier(v demo.Values, seed uint32) (demo.Task, error) { return frontierAt(v, seed, nil) }

// Reuse is that of demo.Reusable: drawing the evaluations is most of the work of
// a move, and the same ones serve every threshold.
func (r *frontierRun) Reuse(v demo.Values, seed uint32) (demo.Task, bool) {
	if seed != r.seed || v.Int("questions") != r.asked {
		return nil, false
	}
	again, err := frontierAt(v, seed, r.drawn)
	return again, err == nil
}

func frontierAt(v demo.Values, seed uint32, drawn []route.Drawn) (demo.Task, error) {
	w := picked(v)
	r := &frontierRun{
		workload: w, share: v.Num("share") / 100, shown: v.Option("curve") == "shown", worth: v.Num("worth"), asked: v.Int("questions"),
		router: route.Router{AUC: v.Num("auc"), Pair: route.Pair{Rates: w.rates, Prices: route.Prices{Weak: v.Num("weak"), Strong: v.Num("strong")}}},
	}
	if err := r.router.Check(); err != nil {
		return nil, err
	}
	r.router.Curve(r.curve[:])
	r.hull = route.HullOf(r.curve[:], nil)
	r.yours, r.best, r.top, r.oracle = r.router.AtFrac(r.share), r.router.BestFor(1000*r.worth), r.router.Best(), r.router.Oracle()
	if r.shown {
		r.sets = make([]route.Sampled, frontierSets)
	} else {
		r.sets = make([]route.Sampled, 1)
	}
	r.seed, r.drawn = seed, slices.Clone(drawn)
	for i := range r.sets {
		if i == len(r.drawn) {
			r.drawn = append(r.drawn, route.Draw(replica.Seeded(seed, i), r.asked))
		}
		r.sets[i] = r.router.SampleDrawn(r.share, r.drawn[i])
	}
	return r, nil
}

// regret is what yours is worth less than the best threshold, in $ per 1,000
// requests.
func (r *frontierRun) regret() float64 { return net(r.best, r.worth) - net(r.yours, r.worth) }

// beaten is the part of the curve that a mix of two thresholds beats.
func (r *frontierRun) beaten() []route.Point {
	var out []route.Point
	spans := r.hull.Dominated(r.curve[:], nil)
	for i, p := range r.curve {
		if !in(p.StrongFrac, spans) {
			continue
		}
		if len(out) == 0 && i > 0 {
			out = append(out, r.curve[i-1]) // from where the rest ends
		}
		out = append(out, p)
	}
	return out
}

func in(x float64, spans []route.Span) bool {
	for _, s := range spans {
		if x >= s.From && x <= s.To {
			return true
		}
	}
	return false
}
