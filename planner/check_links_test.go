package planner_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner"
)

// What a check says of the plan is what its printed equations give, for any fleet and
// load; and the parts of a difference begin where the one before them ends.
func TestCheckEquationsHold(t *testing.T) {
	for _, c := range planCases(t) {
		p, err := planner.Evaluate(c.w, c.d, c.o)
		require.NoError(t, err)
		options := planner.CheckOptions{Seeds: 1, Explain: c.name == "chat-70b" || c.name == "apart-chunks", Sim: planner.SimOptions{Requests: 20}}
		if !options.Explain && !long() && p.Replicas > 4 {
			continue
		}
		if c.name == "chat-70b" {
			options.Sim.Replicas, options.Sim.RequestsPerSec = 7, 33
		}
		r := checked(t, c, options)
		for _, row := range r.Rows {
			for what, l := range map[string]planner.Link{"full": row.FullLink, "plan": row.PlanLink} {
				in := map[string]float64{}
				for _, i := range l.Inputs {
					in[i.Symbol] = i.Value
				}
				require.NotEmpty(t, in, "%s: %s", c.name, l.Symbol)
				require.NotEmpty(t, l.Source)
				if l.Formula == "" {
					u := math.Min(in["rate"]*in["T"]/in["R"], 0.999)
					wait, err := planner.MeanWait(int(in["R"]), u, in["T"], in["ca2"], in["cs2"])
					require.NoError(t, err)
					if u < 0.99 {
						assert.InDelta(t, wait, l.Value, 1e-9*wait, c.name)
					}
					continue
				}
				assert.InDelta(t, l.Value, evaluate(t, l.Formula, in), 1e-9*math.Abs(l.Value), "%s: %s %s = %s with %v", c.name, what, l.Symbol, l.Formula, in)
			}
			assert.Equal(t, row.Full, row.FullLink.Value)
			assert.Equal(t, row.Plan, row.PlanLink.Value)
			at := row.Full
			for _, part := range row.Parts {
				assert.InDelta(t, at, part.Before, 1e-12*(1+at), "%s: %s", c.name, part.Cause)
				assert.InDelta(t, part.After-part.Before, part.Adds.Mean, 1e-9*(1+at), "%s: %s", c.name, part.Cause)
				at = part.After
			}
			if options.Explain {
				assert.NotEmpty(t, row.Parts)
				assert.InDelta(t, row.Simulated.Mean, at, 1e-12*(1+at))
			}
		}
	}
}

// The two sides of a lever are what their parts give: GPUs are rate x T x TP / target,
// and each factor of the reason is one part over the other.
func TestSavingsHaveTheirEquations(t *testing.T) {
	for _, c := range planCases(t) {
		a, err := planner.Ablate(c.w, c.d, c.o, planner.DefaultTargets(c.d))
		require.NoError(t, err, c.name)
		rate := 0.0
		for _, k := range c.w.Classes {
			rate += k.RequestsPerSec * k.PeakToMean
		}
		sum := 0.0
		for _, s := range a.Savings {
			sum += s.Alone
			if s.Needed || s.Harmful {
				continue
			}
			x, y := s.WithoutParts, s.WithParts
			assert.InEpsilon(t, s.Without, rate*x.ReplicaSeconds*float64(s.WithoutTP)/a.Plan.TargetFrac, 1e-9, "%s: %s", c.name, s.Lever)
			assert.InEpsilon(t, s.With, rate*y.ReplicaSeconds*float64(s.WithTP)/a.Plan.TargetFrac, 1e-9, "%s: %s", c.name, s.Lever)
			for what, k := range map[string][3]float64{
				"prefill": {s.Reason.Prefill, y.PrefillSeconds, x.PrefillSeconds}, "weights": {s.Reason.Weights, y.WeightSeconds, x.WeightSeconds}, "kv": {s.Reason.KVRead, y.KVSeconds, x.KVSeconds},
				"arithmetic": {s.Reason.Arithmetic, y.ComputeSeconds, x.ComputeSeconds}, "batch": {s.Reason.Batch, y.Batch, x.Batch},
			} {
				assert.InEpsilon(t, k[0], k[1]/k[2], 1e-9, "%s: %s: %s", c.name, s.Lever, what)
			}
			if s.LastInKnown {
				assert.Equal(t, s.LastIn, s.LastWithout-s.LastWith)
			}
		}
		assert.InDelta(t, a.AloneSum, sum, 1e-9*(1+math.Abs(sum)), c.name)
		if a.Known {
			assert.Equal(t, a.Interaction, a.AloneSum-(a.None-a.All), c.name)
		}
	}
}
