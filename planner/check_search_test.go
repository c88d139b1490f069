package planner_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner"
)

func searched(t testing.TB, c planCase, o planner.SearchOptions) planner.SearchResult {
	t.Helper()
	k, err := planner.NewSearch(c.w, c.d, c.o, o)
	require.NoError(t, err)
	finish(k)
	r, err := k.Result()
	require.NoError(t, err)
	return r
}

// TestSearchFindsTheFewest: what is found holds, one replica less does not, and
// both were simulated. Fleets larger than the smallest that holds hold too.
func TestSearchFindsTheFewest(t *testing.T) {
	small := planner.CheckOptions{Seeds: 3, Sim: planner.SimOptions{Requests: 300}}
	cases := []planCase{
		chat70B(t).named("too-careful", func(c *planCase) { c.o.TargetFrac = 0.3 }),
		chat70B(t).named("too-bold", func(c *planCase) { c.o.TargetFrac, c.w.Classes[0].ArrivalCV2 = 1, 4 }),
		chat70B(t).named("first-token", func(c *planCase) {
			c.o = planner.Objective{TPOTSeconds: 0.05, TTFTSeconds: 0.25}
			c.w.Classes[0].ServiceCV2 = 0.5
		}),
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := searched(t, c, planner.SearchOptions{CheckOptions: small})
			require.Equal(t, 0, r.Best)
			f := r.Fleets[0]
			held := map[int]bool{}
			for _, x := range r.Candidates {
				held[x.Replicas] = x.Holds
				assert.Equal(t, x.Replicas*c.d.TP, x.GPUs)
				assert.NotEmpty(t, x.Runs)
				if x.Holds {
					assert.Len(t, x.Runs, 3)
				}
			}
			require.Contains(t, held, f.Replicas)
			assert.True(t, held[f.Replicas])
			if f.Replicas > 1 {
				require.Contains(t, held, f.Replicas-1)
				assert.False(t, held[f.Replicas-1])
			}
			if f.Monotone {
				for n, h := range held {
					assert.Equal(t, n >= f.Replicas, h, "%d replicas", n)
				}
			}
			assert.False(t, f.Bounded)
			switch c.name {
			case "too-careful":
				assert.Less(t, f.Replicas, f.Planned)
			case "too-bold":
				assert.GreaterOrEqual(t, f.Replicas, f.Planned)
			}
		})
	}
}

// TestSearchOverTPs: a TP that does not fit is an error of its own, not of the
// search, and the best fleet has the fewest GPUs.
func TestSearchOverTPs(t *testing.T) {
	r := searched(t, chat70B(t), planner.SearchOptions{TPs: []int{1, 4, 8}, CheckOptions: planner.CheckOptions{Seeds: 2, Sim: planner.SimOptions{Requests: 200}}})
	require.Len(t, r.Fleets, 3)
	var bad *planner.ValueError
	require.True(t, errors.As(r.Fleets[0].Err, &bad))
	assert.Equal(t, "Deployment.TP", bad.Field)
	require.Positive(t, r.Best)
	for _, f := range r.Fleets[1:] {
		assert.GreaterOrEqual(t, f.GPUs, r.Fleets[r.Best].GPUs)
	}
}

func TestSearchIsBounded(t *testing.T) {
	c := chat70B(t).named("hopeless", func(c *planCase) { c.o.TTFTSeconds, c.w.Classes[0].ServiceCV2 = 0.16, 3 })
	r := searched(t, c, planner.SearchOptions{MostReplicas: 3, CheckOptions: planner.CheckOptions{Seeds: 1, Sim: planner.SimOptions{Requests: 100}}})
	assert.Equal(t, -1, r.Best)
	assert.True(t, r.Fleets[0].Bounded)
	assert.Zero(t, r.Fleets[0].Replicas)
	r = searched(t, chat70B(t), planner.SearchOptions{MostRuns: 2, CheckOptions: planner.CheckOptions{Sim: planner.SimOptions{Requests: 100}}})
	assert.True(t, r.Fleets[0].Bounded)

	for field, o := range map[string]planner.SearchOptions{
		"SearchOptions.TPs":          {TPs: []int{0}},
		"SearchOptions.MostReplicas": {MostReplicas: -1},
		"SearchOptions.MostRuns":     {MostRuns: -1},
	} {
		_, err := planner.NewSearch(c.w, c.d, c.o, o)
		var bad *planner.ValueError
		require.True(t, errors.As(err, &bad), field)
		assert.Equal(t, field, bad.Field)
	}
	apart := caseNamed(t, "apart")
	_, err := planner.NewSearch(apart.w, apart.d, apart.o, planner.SearchOptions{})
	assert.Error(t, err)
}

// TestCapacityOfFormula: with everything even a fleet carries what its formula
// says, whichever limit binds.
func TestCapacityOfFormula(t *testing.T) {
	even := planner.EvenLengths | planner.EvenArrivals
	for _, name := range []string{"chat-70b", "decode-heavy", "apart", "fp8"} {
		t.Run(name, func(t *testing.T) {
			c := caseNamed(t, name)
			c.w.Classes[0].RequestsPerSec /= 4
			k, err := planner.NewCapacity(c.w, c.d, c.o, planner.CapacityOptions{Seeds: 1, Requests: 300, Without: even})
			require.NoError(t, err)
			finish(k)
			r, err := k.Result()
			require.NoError(t, err)
			assert.True(t, r.Limited)
			// Memory of full lengths holds more sequences of mean length, and
			// the verdict grants some 3% of overload.
			assert.InEpsilon(t, r.PlannedGPUs, r.SimulatedGPUs, 0.12)
		})
	}
}

func TestKendallTau(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		x, y []float64
		tie  float64
		want float64
	}{
		{[]float64{1, 2, 3}, []float64{10, 20, 30}, 0, 1},
		{[]float64{1, 2, 3}, []float64{3, 2, 1}, 0, -1},
		{[]float64{1, 2, 3, 4}, []float64{1, 2, 4, 3}, 0, 4.0 / 6},                              // 5 pairs with, 1 against
		{[]float64{1, 2, 3}, []float64{1, 2, 2.05}, 0.1, 2 / math.Sqrt(6)},                      // 2 with, 1 tied in y
		{[]float64{12, 2, 1, 12, 2}, []float64{1, 4, 7, 1, 0}, 0, -4 / math.Sqrt(float64(8)*9)}, // ties in both
		{[]float64{1, 2, 3}, []float64{1, inf, inf}, 0, 2 / math.Sqrt(6)},
	} {
		assert.InDelta(t, c.want, planner.KendallTau(c.x, c.y, c.tie), 1e-12, "%v %v", c.x, c.y)
	}
	assert.True(t, math.IsNaN(planner.KendallTau([]float64{1, 1}, []float64{1, 2}, 0)))
	assert.True(t, math.IsNaN(planner.KendallTau(nil, nil, 0)))
}

// TestRankingAgainstSimulation: the comparison says what its parts say, and a lever that does
// nothing saves nothing in either.
func TestRankingAgainstSimulation(t *testing.T) {
	p, ok := planner.FindPreset("code-completion")
	require.True(t, ok)
	targets := p.Targets()
	k, err := planner.NewRanking(p.Workload, p.Deployment, p.Objective, targets, planner.RankOptions{CapacityOptions: planner.CapacityOptions{Seeds: 1, Requests: 200, MostReplicas: 3, Tolerance: 0.05}})
	require.NoError(t, err)
	finish(k)
	r, err := k.Result()
	require.NoError(t, err)
	assert.Greater(t, r.All.Compared, r.Choices.Compared)
	for _, a := range []planner.RankAgreement{r.All, r.Choices} {
		require.Positive(t, a.Compared)
		best := math.Inf(-1)
		for id, l := range r.Levers {
			assert.EqualValues(t, id, l.Lever)
			if !l.Compared || l.Lever.Lever().BuiltIn && a == r.Choices {
				continue
			}
			best = max(best, l.SimulatedSaved)
			s := r.Ablation.Savings[id]
			assert.InDelta(t, s.Alone*r.Ablation.Plan.TargetFrac, l.PlannedSaved, 1e-9*(1+math.Abs(s.Alone)), l.Lever.Lever().Slug)
			assert.Equal(t, s.On, l.On)
		}
		assert.Equal(t, best, r.Levers[a.SimulatedTop].SimulatedSaved)
		assert.LessOrEqual(t, math.Abs(a.Tau), 1.0)
		assert.Equal(t, a.PlannedTop == a.SimulatedTop, a.TopAgrees)
		if a.TopAgrees {
			assert.True(t, a.TopWithin)
		}
	}
	_, err = planner.NewRanking(p.Workload, p.Deployment, p.Objective, planner.Targets{}, planner.RankOptions{})
	assert.Error(t, err)
	_, err = planner.NewCapacity(p.Workload, p.Deployment, p.Objective, planner.CapacityOptions{Tolerance: 2})
	assert.Error(t, err)
}
