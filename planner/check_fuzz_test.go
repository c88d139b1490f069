package planner_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/planner"
	"openloop/sim"
)

// FuzzCheck: whatever is asked, a check is refused with a typed error, or it
// ends, and its numbers are numbers.
func FuzzCheck(f *testing.F) {
	f.Add(20.0, 2000.0, 300.0, 1.0, 0.5, 0.05, 0.7, uint8(4), uint8(0))
	f.Add(1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, uint8(4), uint8(1))
	f.Add(3.0, 30000.0, 2.0, 50.0, 3.0, 0.1, 0.9, uint8(8), uint8(2))
	f.Add(0.01, 100.0, 9000.0, 0.1, 20.0, 0.02, 0.5, uint8(2), uint8(7))
	f.Fuzz(func(t *testing.T, rate, prompt, output, ca2, cs2, tpot, target float64, tp, choices uint8) {
		c := chat70B(t)
		l := &c.w.Classes[0]
		l.RequestsPerSec, l.PromptTokens, l.OutputTokens, l.ArrivalCV2, l.ServiceCV2 = rate, prompt, output, ca2, cs2
		c.o = planner.Objective{TPOTSeconds: tpot, TargetFrac: target}
		c.d.TP = int(tp)
		c.d.Disaggregated = choices&1 > 0
		if choices&2 > 0 {
			c.d.ChunkTokens = 64 + 16*int(choices)
		}
		if choices&4 > 0 {
			c.d.Spec = planner.Speculation{Drafts: 1 + int(choices>>5), Acceptance: 0.6}
		}
		if choices&8 > 0 {
			l.HitFrac = 0.5
		}
		k, err := planner.NewCheck(c.w, c.d, c.o, planner.CheckOptions{Seeds: 1, Sim: planner.SimOptions{Requests: 50, MostRequests: 500}})
		if err != nil {
			var bad *planner.ValueError
			assert.True(t, errors.As(err, &bad), "%v", err)
			return
		}
		if output > 1e5 || prompt > 1e6 {
			t.Skip("takes long")
		}
		finish(k)
		r, err := k.Result()
		if err != nil {
			var bad *sim.ValueError
			var own *planner.ValueError
			assert.True(t, errors.As(err, &bad) || errors.As(err, &own), "%v", err)
			return
		}
		for _, row := range r.Rows {
			assert.False(t, math.IsNaN(row.Simulated.Mean) || math.IsNaN(row.Plan), row.Metric.String())
		}
		n := r.Runs[0]
		assert.GreaterOrEqual(t, n.TPOTp99Seconds, 0.0)
		assert.LessOrEqual(t, n.Lost, n.Sent)
	})
}
