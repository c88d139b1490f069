package route_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner/route"
)

// The laws hold for any two models, so they are tried on many drawn ones,
// lopsided and degenerate ones among them.

const (
	trials = 400
	slack  = 1e-12 // rounding of sums of shares
)

func drawn(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(11, stream)) }

// corner is uniform on 0 to 1, and an end or the middle every fourth time.
func corner(r *rand.Rand) float64 {
	switch r.IntN(12) {
	case 0:
		return 0
	case 1:
		return 1
	case 2:
		return 0.5
	}
	return r.Float64()
}

func drawPair(r *rand.Rand) route.Pair {
	weak := corner(r)
	rates := route.RatesOf(weak, corner(r)*(1-weak), corner(r)*weak)
	return route.Pair{Rates: rates, Prices: route.Prices{Weak: corner(r) * 3, Strong: corner(r) * 20, Verify: corner(r)}}
}

// strategies are a router and a cascade of the same pair.
func strategies(r *rand.Rand) (route.Pair, []route.Strategy) {
	p := drawPair(r)
	return p, []route.Strategy{
		route.Router{Pair: p, AUC: corner(r)},
		route.Cascade{Pair: p, AUC: corner(r), NoiseSD: corner(r) * 3},
	}
}

func curveOf(s interface{ Curve([]route.Point) }, n int) []route.Point {
	out := make([]route.Point, n)
	s.Curve(out)
	return out
}

func TestBoundsAndOracle(t *testing.T) {
	r := drawn(1)
	for range trials {
		p, list := strategies(r)
		require.NoError(t, p.Check())
		oracle := p.OracleHull(nil)
		for _, s := range list {
			require.NoError(t, s.Check())
			for i, q := range curveOf(s, 21) {
				f := float64(i) / 20
				require.InDelta(t, f, q.StrongFrac, 1e-14, "%+v", s)
				require.GreaterOrEqual(t, q.Accuracy, p.Rates.Weak-p.Rates.Lam-slack)
				require.LessOrEqual(t, q.Accuracy, p.OracleAt(f).Accuracy+slack, "%+v at %v", s, f)
				require.LessOrEqual(t, q.Accuracy, p.Oracle().Accuracy+slack)
				require.GreaterOrEqual(t, q.Cost, min(p.Prices.Weak, p.Prices.Strong)-slack)
				require.LessOrEqual(t, q.Cost, p.Prices.Weak+p.Prices.Strong+p.Prices.Verify+slack)
				require.False(t, math.IsNaN(q.Threshold))
				regret := oracle.Regret(q)
				require.True(t, regret.Affordable || q.Cost < oracle[0].Cost+slack)
				require.GreaterOrEqual(t, regret.Accuracy, -slack)
				if regret.Attainable {
					require.GreaterOrEqual(t, regret.Money, -1e-9, "%+v: %+v against %+v", s, q, oracle)
				}
			}
		}
	}
}

// TestEnds: nothing sent is the weak model alone, everything the strong one; a
// cascade pays for what it asked before.
func TestEnds(t *testing.T) {
	r := drawn(2)
	for range trials {
		p, list := strategies(r)
		for i, s := range list {
			extra := []float64{0, p.Prices.Verify}[i]
			none, all := s.AtFrac(0), s.AtFrac(1)
			assert.InDelta(t, p.Rates.Weak, none.Accuracy, slack)
			assert.InDelta(t, p.Prices.Weak+extra, none.Cost, slack)
			assert.InDelta(t, p.Rates.Strong, all.Accuracy, slack)
			assert.InDelta(t, p.Prices.Strong+float64(i)*(p.Prices.Weak+extra), all.Cost, slack)
		}
	}
}

// TestThresholds: asking for a threshold or for the share it gives is the same,
// and less is sent for a higher one (a cascade: more).
func TestThresholds(t *testing.T) {
	for _, auc := range []float64{0, 0.2, 0.5, 0.7, 0.999, 1} {
		router := route.Router{Pair: route.Pair{Rates: route.MMLU().Rates(), Prices: route.Prices{Weak: 1, Strong: 3}}, AUC: auc}
		cascade := route.Cascade{Pair: router.Pair, AUC: auc, NoiseSD: 0.5}
		lastR, lastC := 2.0, -1.0
		for _, x := range []float64{math.Inf(-1), -50, -2, -0.3, 0, 0.8, 3, 50, math.Inf(1)} {
			a, b := router.At(x), cascade.At(x)
			assert.InDelta(t, a.Accuracy, router.AtFrac(a.StrongFrac).Accuracy, 1e-9, "AUC %v at %v", auc, x)
			assert.InDelta(t, b.Accuracy, cascade.AtFrac(b.StrongFrac).Accuracy, 1e-9, "AUC %v at %v", auc, x)
			assert.Equal(t, x, a.Threshold)
			assert.LessOrEqual(t, a.StrongFrac, lastR)
			assert.GreaterOrEqual(t, b.StrongFrac, lastC)
			lastR, lastC = a.StrongFrac, b.StrongFrac
			if auc > 0 && auc < 1 {
				assert.InDelta(t, x, b.Threshold, 1e-12)
			}
		}
	}
	r := route.Router{Pair: route.Pair{Rates: route.GSM8K().Rates()}, AUC: 0.8}
	for i := 1; i < 100; i++ {
		f := float64(i) / 100
		assert.InEpsilon(t, r.AtFrac(f).StrongFrac, r.At(r.AtFrac(f).Threshold).StrongFrac, 1e-15)
	}
}

// TestRandomRouterIsStraight: a score that tells nothing costs and earns what a
// coin does, so that all its regret against chance is 0.
func TestRandomRouterIsStraight(t *testing.T) {
	r := drawn(3)
	for range trials {
		p := drawPair(r)
		for _, q := range curveOf(route.Router{Pair: p, AUC: 0.5}, 11) {
			want := p.Random(q.StrongFrac)
			assert.InDelta(t, want.Accuracy, q.Accuracy, slack)
			assert.InDelta(t, want.Cost, q.Cost, slack)
			mid := (p.AlwaysWeak().Cost*(1-q.StrongFrac) + p.AlwaysStrong().Cost*q.StrongFrac)
			assert.InDelta(t, mid, q.Cost, slack)
		}
	}
}

// TestBest holds the formula of the best threshold to the best of a fine curve.
func TestBest(t *testing.T) {
	r := drawn(4)
	for range trials / 4 {
		_, list := strategies(r)
		value := r.Float64() * 50
		for _, s := range list {
			best, bestFor := s.Best(), s.BestFor(value)
			net := func(q route.Point) float64 { return value*q.Accuracy - q.Cost }
			most, mostNet := math.Inf(-1), math.Inf(-1)
			for _, q := range curveOf(s, 401) {
				most, mostNet = max(most, q.Accuracy), max(mostNet, net(q))
			}
			assert.GreaterOrEqual(t, best.Accuracy, most-slack, "%+v", s)
			assert.InDelta(t, most, best.Accuracy, 2e-3)
			assert.GreaterOrEqual(t, net(bestFor), mostNet-1e-10, "%+v value %v", s, value)
			assert.InDelta(t, mostNet, net(bestFor), 2e-3*(value+20))
			assert.InDelta(t, best.Accuracy, s.AtFrac(best.StrongFrac).Accuracy, 1e-10)
		}
	}
}

// TestBestThresholdMoves: the more of the traffic only the weak model gets
// right, the higher the best threshold, and one kept from other traffic costs
// accuracy.
func TestBestThresholdMoves(t *testing.T) {
	a, b := route.RatesOf(0.6, 0.3, 0.02), route.RatesOf(0.8, 0.05, 0.1)
	last := math.Inf(-1)
	old := route.Router{Pair: route.Pair{Rates: a}, AUC: 0.8}.Best().Threshold
	for i := range 11 {
		share := float64(i) / 10
		rates := route.Mix(a, b, share)
		require.NoError(t, rates.Check())
		r := route.Router{Pair: route.Pair{Rates: rates}, AUC: 0.8}
		best := r.Best()
		d := math.Sqrt2 * 0.8416212335729143 // Phi^-1(0.8) from tables; math.Log is right within 1e-12 on every platform
		assert.InDelta(t, d/2+math.Log(rates.Lam/rates.Pi)/d, best.Threshold, 1e-12)
		assert.Greater(t, best.Threshold, last)
		last = best.Threshold
		if i > 0 {
			assert.Greater(t, best.Accuracy, r.At(old).Accuracy)
		}
	}
}

// TestMixIsSum: a mix at one threshold is the mix of its parts.
func TestMixIsSum(t *testing.T) {
	r := drawn(5)
	for range trials {
		a, b := drawPair(r), drawPair(r)
		b.Prices = a.Prices
		share, auc, at := corner(r), corner(r), r.NormFloat64()
		m := a
		m.Rates = route.Mix(a.Rates, b.Rates, share)
		require.NoError(t, m.Check())
		one, two := route.Router{Pair: a, AUC: auc}.At(at), route.Router{Pair: b, AUC: auc}.At(at)
		both := route.Router{Pair: m, AUC: auc}.At(at)
		assert.InDelta(t, (1-share)*one.Accuracy+share*two.Accuracy, both.Accuracy, slack)
		assert.InDelta(t, (1-share)*one.Cost+share*two.Cost, both.Cost, 1e-11)
	}
}

func TestAPGRIsTheMeanOfPGR(t *testing.T) {
	for _, l := range []route.Labels{route.MMLU(), route.GSM8K()} {
		last := 0.0
		for _, auc := range []float64{0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99} {
			r := route.Router{Pair: route.Pair{Rates: l.Rates()}, AUC: auc}
			got, ok := r.APGR()
			require.True(t, ok)
			assert.InDelta(t, trapezoid(r), got, 2e-5, "AUC %v", auc)
			assert.Greater(t, got, last)
			last = got
		}
		half, _ := route.Router{Pair: route.Pair{Rates: l.Rates()}, AUC: 0.5}.APGR()
		assert.InDelta(t, 0.5, half, slack)
		whole, _ := route.Router{Pair: route.Pair{Rates: l.Rates()}, AUC: 1}.APGR()
		assert.Greater(t, whole, 1.0, "a perfect router beats the strong model on the whole")
	}
}

// TestReach: the point found has the accuracy, and a little less sent does not.
func TestReach(t *testing.T) {
	r := drawn(6)
	for range trials {
		p, list := strategies(r)
		want := p.Rates.Weak + r.Float64()*1.1*(p.Oracle().Accuracy-p.Rates.Weak)
		for _, s := range list {
			q, ok := s.Reach(want)
			if !ok {
				assert.Less(t, s.Best().Accuracy, want+1e-9, "%+v", s)
				continue
			}
			assert.GreaterOrEqual(t, q.Accuracy, want-slack, "%+v", s)
			if q.StrongFrac > 1e-6 {
				assert.Less(t, s.AtFrac(q.StrongFrac*(1-1e-6)).Accuracy, want+1e-11, "%+v", s)
			}
		}
		router := list[0].(route.Router)
		if f, ok := router.CPT(0.5); ok {
			pgr, _ := p.PGR(router.AtFrac(f).Accuracy)
			assert.GreaterOrEqual(t, pgr, 0.5-1e-9)
		}
	}
}
