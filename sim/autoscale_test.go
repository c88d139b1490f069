package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAutoscalerByHand: a target of 2 requests a replica, a look every 10 s, a
// machine after 3 s and its weights after 4 more.
//
//	10  6 requests: 3 wanted, 1 had, 2 ordered; up at 17
//	20  8 requests: 4 wanted, but 3 are the most
//	60  the first six have ended; 2 are left, 1 wanted
//	80  fewer have been enough for 20 s: the third is drained; it has nothing,
//	    and is given back at the next look, at 90
//	100 the second is drained; it serves its request to the end, at 138, and is
//	    given back at 140
func TestAutoscalerByHand(t *testing.T) {
	e := unit()
	c := Config{
		Engine: e, Replicas: 1, Routing: LeastRequests, SampleEvery: 10 * sec,
		Scale: Autoscaler{Signal: ScaleOnRequests, Target: 2, Every: 10 * sec, Lag: 3 * sec, Load: 4 * sec, Min: 1, Max: 3, Stable: 20 * sec},
	}
	var specs []Spec
	for range 6 {
		specs = append(specs, ask(0, 4, 60)) // end at 60
	}
	specs = append(specs, ask(16*sec, 4, 120), ask(18*sec, 4, 120)) // 0, then 1
	r := run(t, c, specs...)
	assert.Equal(t, []int32{0, 0, 0, 0, 0, 0, 0, 1}, r.Replica)
	s := NewSeries(r, SeriesOptions{})
	want := []float64{1, 1.6, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2}
	assert.InDeltaSlice(t, want, s.Up[:13], 1e-9)
	assert.Equal(t, 138*sec, r.DoneAt[7])
	assert.Equal(t, (2*17*sec + r.EndAt - 90*sec + r.EndAt - 140*sec).Picos(), r.Totals.DownPicos)
}

// TestAutoscalerLaws: over random clusters the replicas stay within Min and Max
// (those on their way not counted), what is drained ends what it has, and the
// laws of all clusters hold.
func TestAutoscalerLaws(t *testing.T) {
	for seed := range runs() {
		pick := seededChooser(seed ^ 9<<40)
		c := cornerConfig(pick)
		step := c.Engine.Cost.Picos(Load{PrefillTokens: 1, PrefillPairs: 1, Decodes: 1, DecodeTokens: 1, KVTokens: 1})
		c.Replicas = oneOf(pick, 1, 2, 3)
		c.Routing = oneOf(pick, RoundRobin, LeastRequests, LeastKV)
		c.Scale = Autoscaler{
			Signal: oneOf(pick, ScaleOnRequests, ScaleOnQueue, ScaleOnKV), Target: oneOf(pick, 0.3, 1, 4),
			Every: max(Millisecond, step.Nanos()*Nanos(1+pick(4))), Lag: step.Nanos() * Nanos(pick(4)), Load: step.Nanos() * Nanos(pick(9)),
			Min: 1 + pick(c.Replicas), Max: c.Replicas + pick(4), Stable: step.Nanos() * Nanos(pick(20)),
		}
		if pick(2) == 0 {
			c.Changes = []Change{{Span: Span{step.Nanos(), 9*step.Nanos() + 1}, Replica: 0, Down: true}}
		}
		// Not so long that the looks are all that happens.
		if c.Horizon == 0 || c.Horizon > 3000*c.Scale.Every {
			c.Horizon = 3000 * c.Scale.Every
		}
		if c = sampleable(c); c.SampleEvery > 0 {
			c.SampleEvery = max(c.SampleEvery, c.Horizon/1000)
		}
		if c.validate() != nil {
			continue
		}
		specs := cornerSpecs(pick, c)
		x, err := New(c, &list{specs: specs}, seed)
		require.NoError(t, err)
		for x.Step() {
			there := 0
			for i := range x.replicas {
				if r := &x.replicas[i]; r.presence == up {
					there++
				} else if r.presence == off || r.presence == booting {
					require.Zero(t, r.requests(), "seed %d", seed)
				}
			}
			require.LessOrEqual(t, there, c.Scale.Max)
			if !crashes(c) {
				require.GreaterOrEqual(t, there, c.Scale.Min, "seed %d", seed)
			}
		}
		r := x.Results()
		scaled := c
		scaled.Replicas, scaled.Scale = c.Scale.Max, Autoscaler{}
		for name, law := range map[string]func(Config, []Spec, *Results) string{
			"requests": requestsConserved, "tokens": tokensConserved, "steps": stepsFollow, "Little": little, "samples": samplesAddUp,
		} {
			require.Empty(t, law(scaled, specs, r), "%s: seed %d %s", name, seed, literal(c))
		}
		// The jumping kernel does the same as the one that steps.
		y, err := New(c, &list{specs: specs}, seed)
		require.NoError(t, err)
		y.Run()
		require.Empty(t, difference(y.Results(), r), "seed %d", seed)
	}
}
