package route_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner/route"
)

func TestCacheLaws(t *testing.T) {
	r := drawn(30)
	for range trials {
		behind := route.Point{Accuracy: corner(r), Cost: corner(r) * 20}
		c := route.Cache{Repeats: corner(r), AUC: corner(r), AccFalse: corner(r), Embed: corner(r), Stale: corner(r), AccStale: corner(r)}
		require.NoError(t, c.Check())
		curve := make([]route.CachePoint, 21)
		c.Curve(curve, behind)
		last := 2.0
		for i, p := range curve {
			require.InDelta(t, float64(i)/20, p.Hit, 1e-14)
			require.InDelta(t, p.Hit, p.True+p.False, slack)
			require.LessOrEqual(t, p.True, c.Repeats+slack)
			require.GreaterOrEqual(t, p.False, p.Hit-c.Repeats-slack, "hits beyond the repeats are false")
			require.InDelta(t, c.Embed+(1-p.Hit)*behind.Cost, p.Cost, 1e-11)
			require.GreaterOrEqual(t, p.Accuracy, -slack)
			require.LessOrEqual(t, p.Accuracy, 1+slack)
			require.GreaterOrEqual(t, p.Precision, -slack)
			if c.AUC >= 0.5 {
				require.LessOrEqual(t, p.Precision, last+1e-9, "precision falls along the hit rate: %+v", c)
			}
			last = p.Precision
			if c.AccFalse <= behind.Accuracy && c.AccStale <= behind.Accuracy {
				require.LessOrEqual(t, p.Accuracy, behind.Accuracy+slack, "a cache never knows better")
				require.GreaterOrEqual(t, p.Accuracy, behind.Accuracy-p.False-p.Stale-slack)
			}
			if c.Repeats == 0 {
				require.Zero(t, p.True)
				require.Zero(t, p.Precision)
			}
		}
		value := r.Float64() * 40
		best := c.BestFor(value, behind)
		for _, p := range curve {
			require.GreaterOrEqual(t, value*best.Accuracy-best.Cost, value*p.Accuracy-p.Cost-1e-10, "%+v", c)
		}
	}
}

// TestCachePastTheRepeats is the lesson: past the true repeat share every
// further hit is false.
func TestCachePastTheRepeats(t *testing.T) {
	behind := route.Point{Accuracy: 0.9, Cost: 1}
	c := route.Cache{Repeats: 0.3, AUC: 0.99, AccFalse: 0.2}
	at, past := c.AtHit(0.3, behind), c.AtHit(0.5, behind)
	assert.Greater(t, at.Precision, 0.9)
	assert.Greater(t, past.False-at.False, 0.85*(past.Hit-at.Hit))
	perfect := c
	perfect.AUC = 1
	assert.InDelta(t, 0.9, perfect.AtHit(0.3, behind).Accuracy, slack)
	assert.InDelta(t, 0.9-0.1*0.7, perfect.AtHit(0.4, behind).Accuracy, slack)
	assert.Equal(t, 0.3, perfect.AtHit(0.3, behind).True)
	diverse := c
	diverse.Repeats = 0
	assert.Less(t, diverse.AtHit(0.01, behind).Accuracy, 0.9)
}

// TestStackLaws: without cache and batch it is the route; a cache moves the
// frontier to the left and caps the accuracy; a discount scales the bill.
func TestStackLaws(t *testing.T) {
	r := drawn(31)
	for range trials {
		p, list := strategies(r)
		for _, s := range list {
			plain := route.Stack{Route: s}
			full := route.Stack{
				Cache: route.Cache{Repeats: corner(r), AUC: corner(r), AccFalse: corner(r), Embed: corner(r) / 10}, Hit: corner(r),
				Route: s, Batch: route.Batch{Share: corner(r), Discount: corner(r)},
			}
			require.NoError(t, plain.Check())
			require.NoError(t, full.Check())
			routed, same, got := curveOf(s, 11), curveOf(plain, 11), curveOf(full, 11)
			require.Equal(t, routed, same)
			for i, q := range got {
				require.InDelta(t, full.AtFrac(float64(i)/10).Accuracy, q.Accuracy, 1e-11)
				require.InDelta(t, full.CacheAt(float64(i)/10).Cost, q.Cost, 1e-11)
				require.LessOrEqual(t, q.Cost, routed[i].Cost+full.Cache.Embed+slack)
				require.InDelta(t, full.Cache.Embed+(1-full.Hit)*full.Batch.Multiplier()*routed[i].Cost, q.Cost, 1e-11)
				require.InDelta(t, (1-full.Hit)*routed[i].StrongFrac, q.StrongFrac, slack)
				wrong := full.CacheAt(float64(i) / 10).False
				require.LessOrEqual(t, q.Accuracy, (1-wrong)*p.Oracle().Accuracy+wrong*full.Cache.AccFalse+slack, "the cap")
			}
		}
	}
}

// TestLifetimeLaws draws its lifetimes with package math, whose last bit is that
// of the platform: laws hold for any of them, none compares with a stored number.
func TestLifetimeLaws(t *testing.T) {
	r := drawn(32)
	for range trials {
		l := route.Lifetime{RepeatPerHour: math.Exp(r.NormFloat64() * 4), ChangePerHour: math.Exp(r.NormFloat64() * 4), Sliding: r.IntN(2) == 0}
		lastLive, lastStale := 0.0, 0.0
		for k := -6; k <= 6; k++ {
			l.Hours = math.Pow(10, float64(k))
			require.NoError(t, l.Check())
			live, stale := l.Live(), l.Stale()
			require.GreaterOrEqual(t, live, lastLive, "%+v", l)
			require.GreaterOrEqual(t, stale, lastStale-slack, "%+v", l)
			require.LessOrEqual(t, live, 1.0)
			require.LessOrEqual(t, stale, 1.0)
			lastLive, lastStale = live, stale
			fixed := l
			fixed.Sliding = false
			if l.Sliding {
				require.GreaterOrEqual(t, live, fixed.Live()-slack, "a sliding lifetime keeps more")
			}
		}
	}
}

// TestLifetimeEnds allows 1e-12 for the rounding of package math, which differs
// by platform in the last bits.
func TestLifetimeEnds(t *testing.T) {
	for _, c := range []struct {
		name        string
		l           route.Lifetime
		live, stale float64
	}{
		{"nothing kept", route.Lifetime{RepeatPerHour: 3, ChangePerHour: 1}, 0, 0},
		{"kept for ever", route.Lifetime{Hours: math.Inf(1), RepeatPerHour: 3, ChangePerHour: 1}, 1, 1},
		{"kept for ever, sliding", route.Lifetime{Hours: math.Inf(1), Sliding: true, RepeatPerHour: 3, ChangePerHour: 1}, 1, 1},
		{"never asked", route.Lifetime{Hours: math.Inf(1), ChangePerHour: 1}, 0, 1},
		{"never asked, sliding", route.Lifetime{Hours: math.Inf(1), Sliding: true, ChangePerHour: 1}, 0, 1},
		{"never changed", route.Lifetime{Hours: math.Inf(1), RepeatPerHour: 3}, 1, 0},
		{"never changed, sliding", route.Lifetime{Hours: math.Inf(1), Sliding: true, RepeatPerHour: 3}, 1, 0},
		{"a hit for each miss", route.Lifetime{Hours: 2, RepeatPerHour: 0.5}, 0.5, 0},
		{"one change in a lifetime", route.Lifetime{Hours: 4, RepeatPerHour: 1, ChangePerHour: 0.25}, 0.8, math.Exp(-1)},
		{"popular and sliding", route.Lifetime{Hours: 1, Sliding: true, RepeatPerHour: 1e9, ChangePerHour: 1e-9}, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.InDelta(t, c.live, c.l.Live(), 1e-12)
			assert.InDelta(t, c.stale, c.l.Stale(), 1e-12)
		})
	}
	assert.InDelta(t, 1-math.Exp(-0.6), route.StaleAt(3, 0.2), 1e-12)
	assert.Zero(t, route.StaleAt(math.Inf(1), 0))
}

// TestLifetimeSimulated plays the stream of one question, request by request.
func TestLifetimeSimulated(t *testing.T) {
	r := drawn(33)
	for _, l := range []route.Lifetime{
		{Hours: 2, RepeatPerHour: 1.5, ChangePerHour: 0.3},
		{Hours: 0.3, RepeatPerHour: 4, ChangePerHour: 2},
		{Hours: 2, Sliding: true, RepeatPerHour: 1.5, ChangePerHour: 0.3},
		{Hours: 0.3, Sliding: true, RepeatPerHour: 4, ChangePerHour: 2},
		{Hours: 1, Sliding: true, RepeatPerHour: 3, ChangePerHour: 0.02},
	} {
		const n = 200_000
		now, expires, changed := 0.0, -1.0, 0.0
		hits, stale := 0, 0
		for range n {
			now += r.ExpFloat64() / l.RepeatPerHour
			if now > expires {
				expires = now + l.Hours
				changed = now + r.ExpFloat64()/l.ChangePerHour
				continue
			}
			hits++
			if now > changed {
				stale++
			}
			if l.Sliding {
				expires = now + l.Hours
			}
		}
		assert.InDelta(t, l.Live(), float64(hits)/n, 0.006, "%+v", l)
		assert.InDelta(t, l.Stale(), float64(stale)/float64(hits), 0.015, "%+v", l)
	}
}
