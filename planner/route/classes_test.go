package route_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner/route"
)

// mixed is traffic of three kinds; prices in cents a request.
func mixed() []route.Class {
	return []route.Class{
		{Name: "stable", Share: 0.5, Repeats: 0.6, RepeatPerHour: 2, ChangePerHour: 1.0 / 2000, CostOfWrong: 2, TTLHours: 24},
		{Name: "volatile", Share: 0.3, Repeats: 0.5, RepeatPerHour: 2, ChangePerHour: 0.5, CostOfWrong: 2, TTLHours: 24},
		{Name: "risky", Share: 0.2, Repeats: 0.2, RepeatPerHour: 0.5, ChangePerHour: 1.0 / 500, CostOfWrong: 200, TTLHours: 24},
	}
}

var (
	lookup = route.Cache{AUC: 0.97, AccFalse: 0.1, Embed: 0.01}
	model  = route.Point{Accuracy: 0.85, Cost: 1}
)

func TestClasses(t *testing.T) {
	classes := mixed()
	require.NoError(t, route.CheckClasses(classes))
	rows := make([]route.ClassPoint, len(classes))
	total := lookup.AtClasses(classes, 1.8, model, rows)

	cost, net := 0.0, 0.0
	for i, c := range classes {
		cost += c.Share * rows[i].Cost
		net += c.Share * rows[i].Net()
		assert.InDelta(t, model.Cost-rows[i].Cost, rows[i].Saved, slack)
	}
	assert.InDelta(t, cost, total.Cost, slack)
	assert.InDelta(t, net, total.Net(), slack)
	assert.InDelta(t, total.True/total.Hit, total.Precision, slack)

	assert.Positive(t, rows[0].Net(), "stable, frequent, harmless: cache it")
	assert.Greater(t, rows[1].Stale, 0.8*rows[1].True, "volatile answers of a day are wrong")
	assert.Negative(t, rows[2].Net(), "one wrong answer costs more than all hits save")

	classes[2].TTLHours = 0
	without := lookup.AtClasses(classes, 1.8, model, rows)
	assert.Greater(t, without.Net(), total.Net())
	assert.Zero(t, rows[2].Hit)
	assert.Zero(t, rows[2].Net())
	assert.Equal(t, model.Cost, rows[2].Cost, "what is not cached is not looked up")
}

// TestBestTTL: no other lifetime is better (by 1e-12 of a dollar: the grid's last bits are the platform's), and it is shorter where answers change faster.
func TestBestTTL(t *testing.T) {
	class := mixed()[1]
	last := math.Inf(1)
	for _, change := range []float64{0, 0.001, 0.01, 0.1, 1, 100} {
		class.ChangePerHour = change
		hours, best := lookup.BestTTL(class, 2, model)
		require.LessOrEqual(t, hours, last, "change %v", change)
		last = hours
		for k := -30; k <= 50; k++ {
			other := class
			other.TTLHours = math.Pow(10, float64(k)/10)
			require.GreaterOrEqual(t, best.Net(), lookup.AtClass(other, 2, model).Net()-1e-12)
		}
		if change == 0 {
			assert.True(t, math.IsInf(hours, 1), "what never changes is kept")
		}
	}
	risky := mixed()[2]
	hours, best := lookup.BestTTL(risky, 1, model)
	assert.Zero(t, hours)
	assert.Zero(t, best.Net())
}

func TestLookupOfClass(t *testing.T) {
	c := lookup.For(mixed()[0])
	assert.InDelta(t, 0.6*48/49, c.Repeats, 1e-12)
	assert.InDelta(t, 0.006, c.Stale, 1e-4, "half of a lifetime over the time between changes")
	require.NoError(t, c.Check())
}
