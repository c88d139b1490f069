package sim

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Work keeps its budget, counted in events, even if all of a run happens at one
// instant.

// countingSource sends requests at one instant and counts what the simulator
// does with them.
type countingSource struct {
	n, taken, ended int
}

func (s *countingSource) Next() (Nanos, bool) { return 0, s.taken < s.n }

func (s *countingSource) Take(r *Spec) {
	*r = Spec{Prompt: 4, Output: 1, Session: -1, Client: -1}
	s.taken++
}

func (s *countingSource) Ended(int32, Nanos, Status) { s.ended++ }

// TestWorkKeepsItsBudget: every request arrives at 0, and under a timeout all
// that wait give up at one instant too.
func TestWorkKeepsItsBudget(t *testing.T) {
	const n, budget = 100_000, 3
	for _, c := range []struct {
		name string
		with func(*Config)
	}{
		{"a queue", func(*Config) {}},
		{"priorities", func(c *Config) { c.Engine.Policy = Priority }},
		{"all give up at once", func(c *Config) { c.Timeout = 5 * sec / 2 }},
		{"nearly all are dropped", func(c *Config) { c.MaxWaiting = 10 }},
		{"many replicas", func(c *Config) { c.Replicas, c.Routing = 1000, LeastRequests }},
		{"round robin", func(c *Config) { c.Replicas = 1000 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := sceneConfig()
			config.TraceSteps = 0
			config.Horizon = 20 * sec
			c.with(&config)
			src := &countingSource{n: n}
			s, err := New(config, src, 1)
			require.NoError(t, err)
			seats := config.Engine.MaxNumSeqs
			most := eventsPerUnit*budget + 1
			calls := 0
			for over := false; !over; calls++ {
				taken, ended, steps := src.taken, src.ended, int(s.res.Totals.Steps)
				over = s.Work(budget)
				taken, ended, steps = src.taken-taken, src.ended-ended, int(s.res.Totals.Steps)-steps
				require.LessOrEqual(t, taken+steps, most)
				require.LessOrEqual(t, ended, most*seats, "a step ends no more requests than have a seat")
			}
			require.Greater(t, calls, n/most)
			want := kernelRun(config, &countingSource{n: n}, 1)
			assert.Empty(t, difference(s.Results(), want))
		})
	}
}

// TestWorkTakesAnyBudget: none does nothing, and the largest does not overflow.
func TestWorkTakesAnyBudget(t *testing.T) {
	s, err := New(sceneConfig(), &countingSource{n: 100}, 1)
	require.NoError(t, err)
	assert.False(t, s.Work(0))
	assert.False(t, s.Work(-5))
	assert.Empty(t, s.Results().Status)
	assert.True(t, s.Work(math.MaxInt))
}

// TestWhatATraceLeavesOut: the first steps are kept, the others counted, and a
// report says so.
func TestWhatATraceLeavesOut(t *testing.T) {
	c := sceneConfig()
	c.TraceSteps = 3
	specs := []Spec{arrive(0, 4, 10), arrive(20*sec, 4, 10)}
	r := kernelRun(c, &listSource{specs: specs}, 1)
	assert.Len(t, r.Steps, 3)
	assert.EqualValues(t, 20, r.Totals.Steps)
	assert.EqualValues(t, 17, r.StepsNotKept)
	assert.Contains(t, NewReport(r, ReportOptions{}).Warnings, Warning{Code: StepsNotKept, Value: 17, Limit: 3})

	c.TraceSteps = 20
	r = kernelRun(c, &listSource{specs: specs}, 1)
	assert.Len(t, r.Steps, 20)
	assert.Zero(t, r.StepsNotKept)
	assert.NotContains(t, codes(NewReport(r, ReportOptions{}).Warnings), StepsNotKept)

	c.TraceSteps = maxPieces/c.Engine.MaxNumSeqs + 1
	_, err := New(c, &listSource{}, 1)
	assert.EqualError(t, err, "TraceSteps is 4194305; legal: 0 to 4194304")
}
