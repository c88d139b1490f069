package prose

import (
	"math"
	"slices"

	"openloop/numerics/detmath"
	"openloop/planner/route"
	"openloop/sim"
)

// What a few hundred labeled questions tell about two models and a router, drawn
// again and again from the counts of MMLU and an AUC of 0.8.

const (
	labeled    = 500
	labelRuns  = 1000
	tenCents   = 100 // $ of 1,000 right answers, the unit of bills being 1,000 requests
	goodRouter = 0.8
)

func mmluRouter(auc float64) route.Router {
	return route.Router{Pair: route.Pair{Rates: route.MMLU().Rates(), Prices: route.Prices{Weak: 0.9, Strong: 20}}, AUC: auc}
}

// worthOf is what 1,000 requests are worth less their bill, at ten cents a right answer.
func worthOf(p route.Point) float64 { return float64(tenCents*p.Accuracy) - p.Cost }

// labelSet is what one set of labeled questions says.
type labelSet struct{ onlyStrong, auc, lost float64 }

// drawLabels labels questions and scores them, estimates counts and AUC, places
// the share that is best for them, and sees what that gives away in truth.
func drawLabels(truth route.Router, seed uint64) labelSet {
	rnd := sim.NewRand(seed, sim.StreamRouting, 1)
	apart := float64(math.Sqrt2 * detmath.NormQuantile(truth.AUC))
	var wanted, others []float64
	weak, onlyWeak := 0, 0
	for range labeled {
		u, score := rnd.Float64(), rnd.Normal()
		if u < truth.Rates.Pi {
			wanted = append(wanted, score+apart)
			continue
		}
		others = append(others, score)
		if u < truth.Rates.Pi+truth.Rates.Weak {
			weak++
		}
		if u < truth.Rates.Pi+truth.Rates.Lam {
			onlyWeak++
		}
	}
	above := 0
	for _, x := range wanted {
		for _, y := range others {
			if x > y {
				above++
			}
		}
	}
	seen := truth
	out := labelSet{onlyStrong: float64(len(wanted)) / labeled, auc: float64(above) / float64(len(wanted)*len(others))}
	seen.AUC, seen.Rates = out.auc, route.RatesOf(float64(weak)/labeled, out.onlyStrong, float64(onlyWeak)/labeled)
	placed := truth.AtFrac(seen.BestFor(tenCents).StrongFrac)
	out.lost = worthOf(truth.BestFor(tenCents)) - worthOf(placed)
	return out
}

// labelsOf500 holds 95 of 100 sets to what the page says.
func labelsOf500() error {
	truth := mmluRouter(goodRouter)
	var share, auc, lost []float64
	for seed := range uint64(labelRuns) {
		s := drawLabels(truth, seed)
		share = append(share, math.Abs(s.onlyStrong-truth.Rates.Pi))
		auc = append(auc, math.Abs(s.auc-truth.AUC))
		lost = append(lost, s.lost)
	}
	most := func(x []float64) float64 {
		slices.Sort(x)
		return x[len(x)*95/100]
	}
	gained := worthOf(truth.BestFor(tenCents)) - worthOf(truth.AlwaysWeak())
	return first(
		between("points by which 500 labels miss the share that only the strong model gets right", 100*most(share), 3, 3.5),
		between("by which they miss the AUC", most(auc), 0.045, 0.06),
		between("$ that a share placed by them gives away", most(lost), 0.15, 0.25),
		between("$ that the best is worth more than the weak model", gained, 4.9, 5.1))
}

// wrongPrice: what half of the price gives away, and that labels give away less.
func wrongPrice() error {
	truth := mmluRouter(goodRouter)
	best := worthOf(truth.BestFor(tenCents))
	half := best - worthOf(truth.AtFrac(truth.BestFor(tenCents/2).StrongFrac))
	worst := 0.0
	for seed := range uint64(labelRuns) {
		worst = max(worst, drawLabels(truth, seed).lost)
	}
	err := between("$ given away with half of the price", half, 1.235, 1.245)
	if err == nil {
		err = between("$ given away with the worst of 1,000 sets of labels", worst, 0, half)
	}
	return err
}

// sent is the share of those whom only the strong model gets right (wanted), and
// of the others, that a router sends: two equations, of the share and of the
// right answers.
func sent(rates route.Rates, p route.Point) (wanted, others float64) {
	gain := p.Accuracy - rates.Weak
	others = (p.StrongFrac - gain) / (1 - rates.Pi + rates.Lam)
	return (gain + float64(rates.Lam*others)) / rates.Pi, others
}

// sameQuestions: the normal interval of a difference of two shares, on questions
// of their own and question by question. Scores are independent given what the
// models answer.
func sameQuestions() error {
	a, b := mmluRouter(0.8).AtFrac(0.5), mmluRouter(0.7).AtFrac(0.5)
	rates := route.MMLU().Rates()
	aw, ao := sent(rates, a)
	bw, bo := sent(rates, b)
	difference := a.Accuracy - b.Accuracy
	differ := rates.Pi*(aw*(1-bw)+bw*(1-aw)) + rates.Lam*(ao*(1-bo)+bo*(1-ao))
	paired := 1.96 * math.Sqrt((differ-difference*difference)/labeled)
	apart := 1.96 * math.Sqrt((a.Accuracy*(1-a.Accuracy)+b.Accuracy*(1-b.Accuracy))/labeled)
	return first(between("points between the routers", 100*difference, 2.05, 2.15),
		between("half interval, questions of their own", 100*apart, 4.95, 5.05),
		between("half interval, the same questions", 100*paired, 2.55, 2.65))
}

// leftAtTheTop is what a look at the questions left by the top of the curve gives:
// shares that only one of the models gets right.
func leftAtTheTop() (onlyStrong, onlyWeak float64) {
	rates := route.MMLU().Rates()
	top := mmluRouter(goodRouter).Best()
	wanted, others := sent(rates, top)
	left := 1 - top.StrongFrac
	return float64(rates.Pi*(1-wanted)) / left, float64(rates.Lam*(1-others)) / left
}
