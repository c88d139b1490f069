package planning

import (
	"math"

	"openloop/content/demo"
	"openloop/planner/route"
)

// A cascade: the weak model answers everything, and what does not look right is
// asked again. With a noisy signal and near prices it pays both models and gets
// less than the strong one alone.

func cascade() *demo.Demo {
	verify := demo.Knob{Name: "verify", Label: "Judging an answer", Unit: "$", Doc: "Price of a verifier for 1,000 answers of the weak model.", Max: 5, Step: 0.05, More: true}
	router := aucKnob("router", "AUC of the router", "Of the router that is drawn beside the cascade. It sees the question only.", 0.7)
	router.More = true
	return &demo.Demo{
		ID: "cascade", Version: 1, NoChance: true, Title: "Paying twice",
		Lead:   "The weak model answers first; answers that do not look right are escalated to the strong one. The signal is noisy and the prices are three to one. Move what is escalated, and the noise.",
		Limits: "The signal is two bell curves of equal width, and the noise is independent of everything. Waiting for two models is not counted, and neither is a strong model that sees the weak one's answer. Every request has 1,000 tokens at either model.",
		Knobs: []demo.Knob{
			{Name: "escalate", Label: "Escalated", Unit: "%", Doc: "Answers with the least confidence: a threshold on the signal.", Default: 40, Max: 100, Step: 1},
			aucKnob("auc", "AUC of the signal", "How often a right answer looks better than a wrong one, before noise. 0.5 is a coin.", 0.8),
			{Name: "noise", Label: "Noise", Doc: "Standard deviation of the noise in the signal, in units of its own spread.", Default: 2, Max: 10, Step: 0.25},
			strongKnob(2.7), workloadKnob(), weakKnob(), verify, router,
		},
		Presets: []demo.Preset{
			{Name: "No noise", State: "noise=0", Says: "A clear signal: at the same bill more of the escalated answers were wrong ones."},
			{Name: "Escalate most", State: "escalate=75", Says: "Dearer than the strong model alone, and less often right."},
			{Name: "22 to 1", State: "strong=20", Says: "With far prices the weak model's bill hardly counts: the cascade becomes dearer only when it escalates nearly all."},
			{Name: "A judge that costs", State: "verify=0.5", Says: "A verifier is paid for every answer; the point where it no longer pays comes earlier."},
		},
		Bet: &demo.Bet{
			Question: "The strong model costs twice as much as the weak one. A cascade escalates 60% of the answers. How does its bill compare to the strong model for everything?",
			Options:  []string{"40% less: so much is not escalated", "20% less, as a router that sends 60%", "about 10% more", "60% more"},
			Reveal:   "strong=1.8&escalate=60",
			By:       []string{"cost", "cost_part"},
			Answer: func(t demo.Task) int {
				r := t.(*cascadeRun)
				switch part := r.yours.Cost / r.c.Prices.Strong; {
				case part < 0.7:
					return 0
				case part < 1:
					return 1
				case part < 1.3:
					return 2
				}
				return 3
			},
			Feedback: []string{
				"What is not escalated has still been answered, and paid, by the weak model.",
				"A router that sends 60% pays one model for each question. The cascade has paid the weak model for all of them first.",
				"It pays the strong model for 60%, and the weak one, half of its price, for all.",
				"The 60% that it escalates are paid twice, but the second price is not added to the whole.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Bill", TeX: `c = c_w + c_v + e\,c_s`, Says: "e the share escalated; weak model and verifier are paid for every request"},
			{Name: "Dearer than the strong model", TeX: `e > 1 - \frac{c_w + c_v}{c_s}`, Says: "whatever the signal is"},
			{Name: "Right", TeX: `A = A_w + \pi\,X - \lambda\,R`, Says: "X the share of wrong answers that is escalated, R of right ones; where both models are wrong, escalating buys nothing"},
			{Name: "Noise", TeX: `\text{AUC}' = \Phi\!\left(\frac{\Phi^{-1}(\text{AUC})}{\sqrt{1+\sigma^2}}\right)`, Says: "σ the noise in units of the spread of the signal"},
		},
		Start: startCascade,
	}
}

type cascadeRun struct {
	demo.Instant
	demo.Quiet
	c      route.Cascade
	clear  route.Cascade // without noise
	router route.Router
	share  float64

	noisy, clean, routed [frontierPoints]route.Point
	yours                route.Point
	unnoised             route.Point // at the same share
	cross                float64     // share from which it is dearer; 0 if it always is
	same                 route.Point // the router for the same money
	sameFrac             float64
}

func startCascade(v demo.Values, _ uint32) (demo.Task, error) {
	pair := route.Pair{Rates: picked(v).rates, Prices: route.Prices{Weak: v.Num("weak"), Strong: v.Num("strong"), Verify: v.Num("verify")}}
	r := &cascadeRun{
		c:      route.Cascade{Pair: pair, AUC: v.Num("auc"), NoiseSD: v.Num("noise")},
		router: route.Router{Pair: pair, AUC: v.Num("router")},
		share:  v.Num("escalate") / 100,
	}
	r.clear = r.c
	r.clear.NoiseSD = 0
	for _, check := range []interface{ Check() error }{r.c, r.router} {
		if err := check.Check(); err != nil {
			return nil, err
		}
	}
	r.c.Curve(r.noisy[:])
	r.clear.Curve(r.clean[:])
	r.router.Curve(r.routed[:])
	r.yours, r.unnoised = r.c.AtFrac(r.share), r.clear.AtFrac(r.share)
	r.cross, _ = r.c.CrossOver()
	frac, ok := r.c.RouterFrac(r.share)
	r.sameFrac = math.NaN()
	if ok {
		r.sameFrac = min(1, frac)
		r.same = r.router.AtFrac(r.sameFrac)
	}
	return r, nil
}

// dearer says whether the cascade costs more than the strong model alone.
func (r *cascadeRun) dearer() bool { return r.yours.Cost > r.c.Prices.Strong*(1+1e-12) }
