package route_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner/route"
)

func dollars(pairs ...float64) []route.Point {
	var out []route.Point
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, route.Point{Cost: pairs[i], Accuracy: pairs[i+1]})
	}
	return out
}

func TestHull(t *testing.T) {
	for _, c := range []struct {
		name         string
		points, want []route.Point
	}{
		{"nothing", nil, nil},
		{"one", dollars(1, 0.5), dollars(1, 0.5)},
		{"twice the same", dollars(1, 0.5, 1, 0.5), dollars(1, 0.5)},
		{"equal cost", dollars(1, 0.5, 1, 0.7), dollars(1, 0.7)},
		{"equal accuracy", dollars(2, 0.5, 1, 0.5), dollars(1, 0.5)},
		{"dearer and worse", dollars(1, 0.7, 2, 0.6), dollars(1, 0.7)},
		{"on the line", dollars(0, 0, 1, 0.25, 2, 0.5), dollars(0, 0, 2, 0.5)},
		{"above the line", dollars(2, 0.5, 1, 0.375, 0, 0), dollars(0, 0, 1, 0.375, 2, 0.5)},
		{"below the line", dollars(0, 0, 1, 0.125, 2, 0.5), dollars(0, 0, 2, 0.5)},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, append([]route.Point(nil), route.HullOf(c.points, nil)...))
		})
	}
}

func TestHullLooksUp(t *testing.T) {
	h := route.HullOf(dollars(1, 0.5, 3, 0.75, 7, 1), nil)
	for _, c := range []struct {
		cost, accuracy float64
		ok             bool
	}{{0.5, 0, false}, {1, 0.5, true}, {2, 0.625, true}, {3, 0.75, true}, {5, 0.875, true}, {7, 1, true}, {100, 1, true}} {
		got, ok := h.Accuracy(c.cost)
		assert.Equal(t, c.ok, ok, c.cost)
		assert.Equal(t, c.accuracy, got, c.cost)
	}
	for _, c := range []struct {
		accuracy, cost float64
		ok             bool
	}{{0, 1, true}, {0.5, 1, true}, {0.625, 2, true}, {1, 7, true}, {1.01, 0, false}} {
		got, ok := h.Cost(c.accuracy)
		assert.Equal(t, c.ok, ok, c.accuracy)
		assert.Equal(t, c.cost, got, c.accuracy)
	}
	assert.Equal(t, route.Regret{Accuracy: 0.125, Money: 1, Affordable: true, Attainable: true, AccuracyUsed: 0.625, MoneyUsed: 1},
		h.Regret(route.Point{Cost: 2, Accuracy: 0.5}))
	assert.Equal(t, route.Regret{Attainable: true, Money: -0.5, MoneyUsed: 1}, h.Regret(route.Point{Cost: 0.5, Accuracy: 0.4}))
	assert.Equal(t, route.Regret{Affordable: true, Accuracy: -0.5, AccuracyUsed: 1}, h.Regret(route.Point{Cost: 9, Accuracy: 1.5}))
}

func TestAIQ(t *testing.T) {
	h := route.HullOf(dollars(1, 0.5, 3, 0.75), nil)
	assert.Equal(t, 0.625, h.AIQ(3))
	assert.Equal(t, (0.625*2+0.75*2)/4, h.AIQ(5), "flat beyond its end")
	assert.Equal(t, 0.5625, h.AIQ(2), "cut before its end")
	assert.Equal(t, 0.5, h.AIQ(1), "no range")
	assert.Equal(t, 1.25/3, h.AIQOfMax(3))
	assert.Zero(t, h.AIQOfMax(0))
}

// TestHullLaws: the frontier rises ever less steeply, lies above all it was made
// of, and is the frontier of itself.
func TestHullLaws(t *testing.T) {
	r := drawn(20)
	for range trials {
		_, list := strategies(r)
		for _, s := range list {
			curve := curveOf(s, 101)
			h := route.HullOf(curve, nil)
			require.NotEmpty(t, h)
			for i := 1; i < len(h); i++ {
				require.Greater(t, h[i].Cost, h[i-1].Cost)
				require.Greater(t, h[i].Accuracy, h[i-1].Accuracy)
				if i > 1 {
					before := (h[i-1].Accuracy - h[i-2].Accuracy) / (h[i-1].Cost - h[i-2].Cost)
					after := (h[i].Accuracy - h[i-1].Accuracy) / (h[i].Cost - h[i-1].Cost)
					require.LessOrEqual(t, after, before*(1+1e-6)+slack)
				}
			}
			for _, q := range curve {
				regret := h.Regret(q)
				require.True(t, regret.Affordable && regret.Attainable || q.Cost <= h[0].Cost)
				require.GreaterOrEqual(t, regret.Accuracy, -slack)
				require.GreaterOrEqual(t, regret.Money, -1e-9)
			}
			require.Equal(t, h, route.HullOf(h, nil))
			aiq := h.AIQ(curve[len(curve)-1].Cost + 1)
			require.GreaterOrEqual(t, aiq, h[0].Accuracy-slack)
			require.LessOrEqual(t, aiq, h[len(h)-1].Accuracy+slack)
		}
	}
}

func mmlu(weak, strong float64) route.Pair {
	return route.Pair{Rates: route.MMLU().Rates(), Prices: route.Prices{Weak: weak, Strong: strong}}
}

func TestDominated(t *testing.T) {
	t.Run("a concave curve only past its best", func(t *testing.T) {
		r := route.Router{Pair: mmlu(0.9, 20), AUC: 0.8}
		curve := curveOf(r, 1001)
		got := route.HullOf(curve, nil).Dominated(curve, nil)
		require.Len(t, got, 1)
		assert.InDelta(t, r.Best().StrongFrac, got[0].From, 2e-3)
		assert.Equal(t, 1.0, got[0].To)
		assert.Empty(t, r.RandomHull(nil).Dominated(curve, nil), "never worse than a coin")
	})
	t.Run("a score that points the wrong way everywhere", func(t *testing.T) {
		r := route.Router{Pair: mmlu(0.9, 20), AUC: 0.3}
		curve := curveOf(r, 101)
		got := r.RandomHull(nil).Dominated(curve, nil)
		require.Len(t, got, 1)
		assert.InDelta(t, 0, got[0].From, 1e-9)
		assert.InDelta(t, 1, got[0].To, 1e-9)
	})
	t.Run("a cascade beyond the cost of the strong model", func(t *testing.T) {
		c := route.Cascade{Pair: mmlu(2, 3), AUC: 0.6, NoiseSD: 2}
		curve := curveOf(c, 1001)
		cross, ok := c.CrossOver()
		require.True(t, ok)
		got := c.RandomHull(nil).Dominated(curve, nil)
		require.Len(t, got, 1)
		assert.Less(t, got[0].From, cross, "it is beaten long before it is dearer than the strong model")
		assert.Equal(t, 1.0, got[0].To)
	})
	t.Run("a stretch in the middle", func(t *testing.T) {
		curve := []route.Point{{StrongFrac: 0, Cost: 0, Accuracy: 0}, {StrongFrac: 0.5, Cost: 1, Accuracy: 0.25}, {StrongFrac: 1, Cost: 2, Accuracy: 1}}
		assert.Equal(t, []route.Span{{From: 0, To: 1}}, rounded(route.HullOf(curve, nil).Dominated(curve, nil)))
		flat := []route.Point{{StrongFrac: 0, Cost: 1, Accuracy: 0.5}, {StrongFrac: 0.5, Cost: 2, Accuracy: 0.5}, {StrongFrac: 1, Cost: 3, Accuracy: 0.5}}
		assert.Equal(t, []route.Span{{From: 0, To: 1}}, rounded(route.HullOf(flat, nil).Dominated(flat, nil)), "as accurate for more")
		assert.Empty(t, route.Hull{}.Dominated(curve, nil))
	})
}

// rounded takes the slack of the comparison out of the ends.
func rounded(spans []route.Span) []route.Span {
	for i, s := range spans {
		spans[i] = route.Span{From: float64(int(s.From*1e6+0.5)) / 1e6, To: float64(int(s.To*1e6+0.5)) / 1e6}
	}
	return spans
}
