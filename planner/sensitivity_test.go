package planner_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner"
)

func influence(t *testing.T, all []planner.Influence, id planner.InputID) planner.Influence {
	t.Helper()
	for _, x := range all {
		if x.Input == id {
			return x
		}
	}
	t.Fatal("no influence of " + id.String())
	return planner.Influence{}
}

// TestSensitivities: more load takes more GPUs and more efficiency fewer, the
// order is by span, and every side is the plan of that input.
func TestSensitivities(t *testing.T) {
	for _, c := range planCases(t) {
		t.Run(c.name, func(t *testing.T) {
			p, err := planner.Evaluate(c.w, c.d, c.o)
			require.NoError(t, err)
			all, err := planner.Sensitivities(c.w, c.d, c.o, 0.2)
			require.NoError(t, err)
			seen := map[planner.InputID]bool{}
			for i, x := range all {
				assert.False(t, seen[x.Input])
				seen[x.Input] = true
				if i > 0 {
					assert.LessOrEqual(t, x.Span, all[i-1].Span)
				}
				if x.Less.Err != nil || x.More.Err != nil {
					assert.True(t, x.Rebinds, x.Input.String())
					continue
				}
				less, more := x.Less.GPUsFractional, x.More.GPUsFractional
				switch x.Input {
				case planner.InputRate, planner.InputPeak, planner.InputPrompt, planner.InputOutput, planner.InputArrivalCV2, planner.InputServiceCV2, planner.InputStep:
					assert.LessOrEqual(t, less, more*(1+1e-12), x.Input.String())
				case planner.InputMFU, planner.InputMBU, planner.InputMemory, planner.InputTarget, planner.InputTPOT, planner.InputTTFT, planner.InputWait, planner.InputHit:
					assert.GreaterOrEqual(t, less, more*(1-1e-12), x.Input.String())
				case planner.InputPrice:
					assert.Equal(t, less, more)
					assert.InDelta(t, 0.4*p.Cost.PerHour, x.USDSpan, 1e-9*p.Cost.PerHour)
				}
				assert.InDelta(t, 0.8, x.Less.Factor, 0)
				assert.Equal(t, x.More.Capped, x.More.Factor < 1.2)
			}
			rate := influence(t, all, planner.InputRate)
			if c.o.TTFTSeconds == 0 && c.o.WaitSeconds == 0 { // else larger fleets may be busier
				assert.InDelta(t, 0.4*p.GPUsFractional, rate.Span, 1e-6*p.GPUsFractional)
			}
		})
	}
}

// TestSensitivityOfOne compares sides with plans made by hand, and finds what
// changes the limit that binds.
func TestSensitivityOfOne(t *testing.T) {
	c := caseNamed(t, "cache")
	all, err := planner.Sensitivities(c.w, c.d, c.o, 0.2)
	require.NoError(t, err)
	hit := influence(t, all, planner.InputHit)
	assert.Equal(t, 0.5, hit.Value)
	by := c.named("by-hand", func(c *planCase) { c.w.Classes[0].HitFrac = 0.6 })
	p, err := planner.Evaluate(by.w, by.d, by.o)
	require.NoError(t, err)
	assert.InDelta(t, p.GPUsFractional, hit.More.GPUsFractional, 1e-9)
	assert.Equal(t, 0.5, c.w.Classes[0].HitFrac, "the caller's workload is its own")

	memory := influence(t, all, planner.InputMemory)
	assert.True(t, memory.More.Capped, "0.9 of the memory cannot grow by a fifth")
	assert.InDelta(t, 1/0.9, memory.More.Factor, 1e-12)
	for _, x := range all {
		assert.NotEqual(t, planner.InputServiceCV2, x.Input, "there is none to move")
	}

	// Less memory makes a plan that the time per token bound one that memory
	// binds, and much less makes it impossible.
	close := chat70B(t).named("close", func(c *planCase) { c.d.MemoryFrac = 0.6 })
	all, err = planner.Sensitivities(close.w, close.d, close.o, 0.2)
	require.NoError(t, err)
	assert.True(t, influence(t, all, planner.InputMemory).Rebinds)
	all, err = planner.Sensitivities(close.w, close.d, close.o, 0.5)
	require.NoError(t, err)
	memory = influence(t, all, planner.InputMemory)
	require.Error(t, memory.Less.Err)
	assert.Zero(t, memory.Less.GPUs)

	for _, share := range []float64{0, -1, 0.95} {
		_, err = planner.Sensitivities(close.w, close.d, close.o, share)
		assert.Error(t, err)
	}
}
