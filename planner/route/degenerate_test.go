package route_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner/route"
)

func TestChecks(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	rates := route.MMLU().Rates()
	pair := mmlu(1, 3)
	odd := rates
	odd.Strong += 1e-6
	class := route.Class{Name: "all", Share: 1}
	for _, c := range []struct {
		name  string
		err   error
		field string // "" where it is legal
	}{
		{"labels", route.MMLU().Check(), ""},
		{"no labels", route.Labels{}.Check(), "Labels"},
		{"negative label", route.Labels{Both: -1, Neither: 2}.Check(), "Both"},
		{"too many labels", route.Labels{Both: 1, Neither: 2e9}.Check(), "Neither"},
		{"rates", rates.Check(), ""},
		{"rates that disagree", odd.Check(), "Strong"},
		{"NaN rate", route.RatesOf(nan, 0.1, 0.1).Check(), "Weak"},
		{"more repaired than wrong", route.RatesOf(0.9, 0.2, 0.1).Check(), "Pi"},
		{"more lost than right", route.RatesOf(0.1, 0.2, 0.2).Check(), "Lam"},
		{"free models", mmlu(0, 0).Check(), ""},
		{"negative price", mmlu(-1, 3).Check(), "Prices.Weak"},
		{"infinite price", mmlu(1, inf).Check(), "Prices.Strong"},
		{"verifier", route.Pair{Rates: rates, Prices: route.Prices{Verify: nan}}.Check(), "Prices.Verify"},
		{"bad rates in a pair", route.Pair{Rates: odd}.Check(), "Rates.Strong"},
		{"router", route.Router{Pair: pair, AUC: 1}.Check(), ""},
		{"AUC above 1", route.Router{Pair: pair, AUC: 1.01}.Check(), "AUC"},
		{"cascade", route.Cascade{Pair: pair, AUC: 0}.Check(), ""},
		{"AUC below 0", route.Cascade{Pair: pair, AUC: -0.1}.Check(), "AUC"},
		{"noise", route.Cascade{Pair: pair, AUC: 0.5, NoiseSD: inf}.Check(), "NoiseSD"},
		{"cache", route.Cache{}.Check(), ""},
		{"repeats", route.Cache{Repeats: 2}.Check(), "Repeats"},
		{"false accuracy", route.Cache{AccFalse: nan}.Check(), "AccFalse"},
		{"stale", route.Cache{Stale: -1}.Check(), "Stale"},
		{"batch", route.Batch{Share: 1, Discount: 1}.Check(), ""},
		{"discount", route.Batch{Discount: 50}.Check(), "Discount"},
		{"no route", route.Stack{}.Check(), "Route"},
		{"hit", route.Stack{Hit: 1.5}.Check(), "Hit"},
		{"inside a stack", route.Stack{Cache: route.Cache{AUC: 7}}.Check(), "Cache.AUC"},
		{"the route of a stack", route.Stack{Route: route.Router{Pair: pair, AUC: 7}}.Check(), "AUC"},
		{"lifetime", route.Lifetime{Hours: inf}.Check(), ""},
		{"hours", route.Lifetime{Hours: -1}.Check(), "Hours"},
		{"classes", route.CheckClasses([]route.Class{class}), ""},
		{"no classes", route.CheckClasses(nil), "Classes"},
		{"shares", route.CheckClasses([]route.Class{class, class}), "Classes"},
		{"class", route.CheckClasses([]route.Class{{Name: "x", Share: 1, Repeats: 9}}), "Class x.Repeats"},
		{"difficulty", route.Difficulty{Tau: 0.1}.Check(), ""},
		{"tau", route.Difficulty{}.Check(), "Tau"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.field == "" {
				assert.NoError(t, c.err)
				return
			}
			var value *route.ValueError
			require.ErrorAs(t, c.err, &value)
			assert.Equal(t, c.field, value.Field)
			assert.Equal(t, value.Field+" is "+value.Value+"; legal: "+value.Legal, value.Error())
		})
	}
}

func TestStrongCheaper(t *testing.T) {
	p := mmlu(20, 0.9)
	r := route.Router{Pair: p, AUC: 0.8}
	assert.Equal(t, 1.0, r.BestFor(0).StrongFrac, "money alone says: all to the cheaper model")
	oracle := p.Oracle()
	assert.InDelta(t, 1-p.Rates.Lam, oracle.StrongFrac, slack)
	assert.InDelta(t, mmlu(0.9, 20).Oracle().Accuracy, oracle.Accuracy, slack)
	hull := p.RandomHull(nil)
	require.Len(t, hull, 1, "the weak model is dearer and worse")
	assert.Equal(t, p.AlwaysStrong(), hull[0])
	curve := curveOf(r, 101)
	beyond := hull.Dominated(curve, nil)
	require.Len(t, beyond, 1)
	assert.Zero(t, beyond[0].From)
	assert.Less(t, beyond[0].To, 0.6, "just short of everything it still beats the strong model")
	_, ok := (route.Cascade{Pair: p, AUC: 0.8}).CrossOver()
	assert.False(t, ok, "dearer from the start")
	_, ok = (route.Cascade{Pair: p, AUC: 0.8}).RouterFrac(0.3)
	assert.False(t, ok)
}

func TestEqualAccuracies(t *testing.T) {
	r := route.Router{Pair: route.Pair{Rates: route.RatesOf(0.7, 0.1, 0.1), Prices: route.Prices{Weak: 1, Strong: 2}}, AUC: 0.8}
	_, ok := r.PGR(0.7)
	assert.False(t, ok)
	_, ok = r.APGR()
	assert.False(t, ok)
	_, ok = r.CPT(0.5)
	assert.False(t, ok)
	assert.Greater(t, r.Best().Accuracy, 0.7, "routing still helps: each knows what the other does not")
	r.Rates = route.RatesOf(0.7, 0, 0)
	assert.Zero(t, r.Best().StrongFrac, "nothing to gain")
	for _, q := range curveOf(r, 11) {
		assert.Equal(t, 0.7, q.Accuracy)
	}
	assert.Len(t, r.OracleHull(nil), 1)
	worse := r
	worse.Rates = route.RatesOf(0.7, 0, 0.2)
	assert.Zero(t, worse.Best().StrongFrac)
	_, ok = worse.CPT(0.5)
	assert.False(t, ok)
}

func TestPerfectScores(t *testing.T) {
	p := mmlu(0.9, 20)
	r := route.Router{Pair: p, AUC: 1}
	assert.InDelta(t, p.Oracle().Accuracy, r.Best().Accuracy, slack)
	assert.InDelta(t, p.Oracle().Cost, r.Best().Cost, slack)
	for _, q := range curveOf(r, 21) {
		if q.StrongFrac <= p.Rates.Pi {
			assert.InDelta(t, p.OracleAt(q.StrongFrac).Accuracy, q.Accuracy, slack)
		}
	}
	f, ok := r.CPT(0.8)
	require.True(t, ok)
	assert.InDelta(t, 0.8*(p.Rates.Pi-p.Rates.Lam), f, slack)
	c := route.Cascade{Pair: p, AUC: 1}
	assert.InDelta(t, 1-p.Rates.Weak, c.Best().StrongFrac, slack, "all errors of the weak model")
	assert.InDelta(t, p.Oracle().Accuracy, c.Best().Accuracy, slack, "a cascade with perfect confidence is the oracle in accuracy")
	assert.Greater(t, c.Best().Cost, p.Oracle().Cost, "and pays for errors that nobody repairs")
	wrong := route.Router{Pair: p, AUC: 0}
	assert.Equal(t, 1.0, wrong.Best().StrongFrac)
	assert.InDelta(t, p.Rates.Weak-p.Rates.Lam*0.5/(1-p.Rates.Pi), wrong.AtFrac(0.5).Accuracy, slack)
}

// TestCrossOver is where a cascade costs what the strong model does.
func TestCrossOver(t *testing.T) {
	for _, c := range []struct {
		weak, strong, verify, want float64
		ok                         bool
	}{
		{0.9, 20, 0, 0.955, true}, {1, 3, 0, 2.0 / 3, true}, {1, 1.5, 0, 1.0 / 3, true}, {1, 3, 0.5, 0.5, true},
		{1, 1, 0, 0, true}, {1, 1, 0.1, 0, false}, {2, 1, 0, 0, false}, {0, 0, 0, 1, true}, {0, 5, 0, 1, true}, {1, 0, 0, 0, false},
	} {
		p := mmlu(c.weak, c.strong)
		p.Prices.Verify = c.verify
		k := route.Cascade{Pair: p, AUC: 0.8}
		e, ok := k.CrossOver()
		assert.Equal(t, c.ok, ok, "%+v", c)
		assert.InDelta(t, c.want, e, 1e-12, "%+v", c)
		if ok {
			assert.InDelta(t, c.strong, k.AtFrac(e).Cost, 1e-12)
		}
		if ok && e > 0 && e < 1 {
			assert.InDelta(t, c.strong/c.weak, route.CrossOverRatio(e, c.verify/c.weak), 1e-9)
			f, _ := k.RouterFrac(e)
			assert.InDelta(t, c.strong, p.Random(f).Cost, 1e-9)
		}
	}
	assert.True(t, math.IsInf(route.CrossOverRatio(1, 0), 1))
}

// TestNoisyCascadePaysBoth is the classic failure: to be as accurate as the
// strong model, a cascade with a noisy signal escalates so many that at a small
// price ratio it is dearer than the strong model alone.
func TestNoisyCascadePaysBoth(t *testing.T) {
	c := route.Cascade{Pair: mmlu(1, 3), AUC: 0.75, NoiseSD: 2}
	q, ok := c.Reach(c.Rates.Strong)
	require.True(t, ok)
	ratio := route.CrossOverRatio(q.StrongFrac, 0)
	assert.Greater(t, q.Cost, c.AlwaysStrong().Cost)
	assert.Greater(t, ratio, 3.0)
	c.Prices.Strong = ratio * c.Prices.Weak
	q, _ = c.Reach(c.Rates.Strong)
	assert.InDelta(t, c.AlwaysStrong().Cost, q.Cost, 1e-9, "at that ratio they cost the same")
	c.NoiseSD = 0
	q, _ = c.Reach(c.Rates.Strong)
	assert.Less(t, q.Cost, c.AlwaysStrong().Cost)
}

func TestRates(t *testing.T) {
	r := route.MMLU().Rates()
	assert.InDelta(t, 8818.0/14042, r.Both(), slack)
	assert.InDelta(t, 1985.0/14042, r.Neither(), slack)
	assert.InDelta(t, r.Strong, r.Weak*r.StrongGivenWeakRight()+(1-r.Weak)*r.StrongGivenWeakWrong(), slack)
	assert.Equal(t, 1.0, route.RatesOf(0, 0.5, 0).StrongGivenWeakRight())
	assert.Zero(t, route.RatesOf(1, 0, 0.5).StrongGivenWeakWrong())
	independent := route.Independent(r.Weak, r.Strong)
	require.NoError(t, independent.Check())
	assert.InDelta(t, 0.257, independent.Pi, 5e-4)
	assert.InDelta(t, 0.178, r.Pi, 5e-4)
}

// FuzzNoNaN: whatever passes the checks gives numbers.
func FuzzNoNaN(f *testing.F) {
	f.Add(0.68, 0.17, 0.05, 0.9, 20.0, 0.1, 0.8, 1.0, 0.3, 0.5)
	f.Add(0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1e-300)
	f.Add(1.0, 0.0, 1.0, 5.0, 1.0, 0.0, 0.0, 1e6, 1.0, 1.0)
	f.Add(0.5, 1e-17, 1e-17, 1.0, 1e12, 1e12, 1-1e-16, 0.0, 0.5, 0.999999)
	f.Add(0.5, 0.5, 0.5, 1.0, 2.0, 0.0, 1e-300, 0.1, 1e-9, 1-1e-16)
	f.Fuzz(func(t *testing.T, weak, pi, lam, cw, cs, cv, auc, noise, repeats, share float64) {
		p := route.Pair{Rates: route.RatesOf(weak, pi, lam), Prices: route.Prices{Weak: cw, Strong: cs, Verify: cv}}
		c := route.Cascade{Pair: p, AUC: auc, NoiseSD: noise}
		cache := route.Cache{Repeats: repeats, AUC: auc, AccFalse: auc, Embed: cv}
		if c.Check() != nil || cache.Check() != nil || !(share >= 0 && share <= 1) {
			t.Skip()
		}
		number := func(what string, xs ...float64) {
			for _, x := range xs {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Errorf("%s is %v", what, x)
				}
			}
		}
		for _, s := range []route.Strategy{c, route.Router{Pair: p, AUC: auc}} {
			reached, _ := s.Reach(weak + share)
			for _, q := range []route.Point{s.AtFrac(share), s.Best(), s.BestFor(cv), reached} {
				number("a point", q.StrongFrac, q.Accuracy, q.Cost)
				if math.IsNaN(q.Threshold) {
					t.Error("threshold is NaN")
				}
			}
			got := s.AtFrac(share).StrongFrac
			if math.Abs(got-share) > 1e-13 {
				t.Errorf("asked for %v, got %v: %+v", share, got, s)
			}
		}
		stacked := route.Stack{Cache: cache, Hit: share, Route: c}.AtFrac(share)
		number("a stack", stacked.StrongFrac, stacked.Accuracy, stacked.Cost)
		k := cache.AtHit(share, c.Best())
		number("a cache", k.Hit, k.True, k.False, k.Precision, k.Accuracy, k.Cost)
		e, _ := c.CrossOver()
		g, _ := c.RouterFrac(share)
		number("a cross-over", e, g)
	})
}
