package route_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/planner/route"
)

// frontier is what a page redraws while a slider moves: four curves of 101
// points, the hull of one, its regret and where it is dominated.
type frontier struct {
	router, cascade, stack [101]route.Point
	cache                  [101]route.CachePoint
	hull, oracle, random   route.Hull
	spans                  []route.Span
	regret                 route.Regret
}

func newFrontier() *frontier {
	return &frontier{hull: make(route.Hull, 0, 101), oracle: make(route.Hull, 0, 3), random: make(route.Hull, 0, 3), spans: make([]route.Span, 0, 8)}
}

func (f *frontier) draw(r route.Router, c route.Cascade, s route.Stack) {
	r.Curve(f.router[:])
	c.Curve(f.cascade[:])
	s.Curve(f.stack[:])
	s.Cache.Curve(f.cache[:], s.Route.Best())
	f.hull = route.HullOf(f.router[:], f.hull)
	f.oracle = r.OracleHull(f.oracle)
	f.random = r.RandomHull(f.random)
	f.spans = f.hull.Dominated(f.router[:], f.spans)
	f.regret = f.oracle.Regret(f.cascade[50])
}

func drawn101() (route.Router, route.Cascade, route.Stack) {
	r := route.Router{Pair: mmlu(0.9, 20), AUC: 0.8}
	c := route.Cascade{Pair: r.Pair, AUC: 0.85, NoiseSD: 0.5}
	return r, c, route.Stack{Cache: route.Cache{Repeats: 0.3, AUC: 0.95, AccFalse: 0.2, Embed: 0.02}, Hit: 0.2, Route: r, Batch: route.Batch{Share: 0.4, Discount: 0.5}}
}

func TestNoAllocations(t *testing.T) {
	r, c, s := drawn101()
	f := newFrontier()
	assert.Zero(t, testing.AllocsPerRun(20, func() { f.draw(r, c, s) }))
	d, err := route.Fit(r.Rates)
	assert.NoError(t, err)
	d.Noise = 0.2
	assert.Zero(t, testing.AllocsPerRun(5, func() { d.Curve(f.router[:], r.Prices) }))
	assert.Zero(t, testing.AllocsPerRun(5, func() { s.Sample(0.3, 1, 100) }))
	classes, rows := mixed(), make([]route.ClassPoint, 3)
	assert.Zero(t, testing.AllocsPerRun(5, func() { s.Cache.AtClasses(classes, 2, model, rows) }))
}

func BenchmarkFrontier(b *testing.B) {
	r, c, s := drawn101()
	f := newFrontier()
	for b.Loop() {
		f.draw(r, c, s)
	}
}

func BenchmarkRouterCurve(b *testing.B) {
	r, _, _ := drawn101()
	f := newFrontier()
	for b.Loop() {
		r.Curve(f.router[:])
	}
}

func BenchmarkDifficultyCurve(b *testing.B) {
	r, _, _ := drawn101()
	d, _ := route.Fit(r.Rates)
	d.Noise = 0.2
	f := newFrontier()
	for b.Loop() {
		d.Curve(f.router[:], r.Prices)
	}
}

func BenchmarkDifficultyAUC(b *testing.B) {
	d, _ := route.Fit(route.MMLU().Rates())
	d.Noise = 0.2
	for b.Loop() {
		d.AUC()
	}
}

func BenchmarkSampleStack2000(b *testing.B) {
	_, _, s := drawn101()
	for b.Loop() {
		s.Sample(0.3, 1, 2000)
	}
}
