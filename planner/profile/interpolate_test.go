package profile

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestInterpolationError leaves the middle size out, predicts it from the other
// two and compares with its times as composed from operators, not with its fit.
func TestInterpolationError(t *testing.T) {
	for _, w := range DTypes() {
		prefill, one, many, groups := leaveOut(t, "qwen3-32b", w)
		want := InterpolationErrorOf(w)
		assert.Equal(t, want.Groups, groups)
		if groups == 0 {
			continue
		}
		got := []float64{prefill.mean(), prefill.max, one.mean(), one.max, many.mean(), many.max}
		for i, x := range []float64{want.PrefillMeanFrac, want.PrefillMaxFrac, want.Decode1MeanFrac, want.Decode1MaxFrac, want.Decode64MeanFrac, want.Decode64MaxFrac} {
			assert.InDelta(t, x, got[i], 5e-4, "%s: %.3f", w, got)
		}
	}
}

// leaveOut predicts one model from the others wherever that can be done.
func leaveOut(t *testing.T, id string, weights DType) (prefill, one, many misses, groups int) {
	t.Helper()
	m, _ := FindModel(id)
	for i, r := range fits(t, "aiconfigurator_composed_fits.csv") {
		row := composed[i] // in the same order: TestComposedEqualsTable
		if row.ModelID != m.ID || row.Weights != weights {
			continue
		}
		g, _ := FindGPU(row.GPUID)
		c := between(g, m, Calibration{GPUID: g.ID, Weights: weights, TP: row.TP, Origin: Roofline}, m.ID)
		if c.Origin != Interpolated {
			continue
		}
		require.Equal(t, []string{"llama-3.1-8b", "llama-3.1-70b"}, []string{c.Lower, c.Higher})
		groups++
		prefill.add(t, c.PrefillSeconds(2048, 0), r["t_prefill_2048"])
		one.add(t, c.DecodeSeconds(1, 1024), r["t_dec_1_1024"])
		many.add(t, c.DecodeSeconds(64, 64*2048), r["t_dec_64_2048"])
	}
	return
}

// misses sums up absolute relative errors.
type misses struct {
	n        int
	sum, max float64
}

func (e *misses) add(t *testing.T, seconds float64, measuredMS string) {
	if measuredMS == "" { // did not fit into memory
		return
	}
	off := math.Abs(seconds*1e3/parse(t, measuredMS) - 1)
	e.n++
	e.sum += off
	e.max = max(e.max, off)
}

func (e *misses) mean() float64 { return e.sum / float64(e.n) }

// TestInterpolationMeetsMeasuredEnds: the two sizes give back themselves.
func TestInterpolationMeetsMeasuredEnds(t *testing.T) {
	g, _ := FindGPU("h200-sxm")
	for _, id := range []string{"llama-3.1-8b", "llama-3.1-70b"} {
		m, _ := FindModel(id)
		row, ok := Calibrated(g.ID, id, BF16, 2)
		require.True(t, ok)
		lower, _ := calibrated(g.ID, "llama-3.1-8b", BF16, 2)
		higher, _ := calibrated(g.ID, "llama-3.1-70b", BF16, 2)
		got := mixed(g, m, Calibration{Weights: BF16, TP: 2}, &lower, &higher, lookupModel(lower.ModelID), lookupModel(higher.ModelID))
		want := row.coefficients()
		for i, k := range got.coefficients() {
			assert.InDelta(t, want[i], k, 1e-12*want[i])
		}
		assert.InDelta(t, row.KVCapacityTokens, got.KVCapacityTokens, 1e-3*float64(row.KVCapacityTokens))
	}
}

func TestInterpolate(t *testing.T) {
	edit := func(id string, change func(*Model)) *Model {
		m, _ := FindModel(id)
		change(m)
		return m
	}
	as := func(id string) *Model { return edit(id, func(*Model) {}) }
	for _, c := range []struct {
		name, gpu string
		m         *Model
		w         DType
		tp        int
		want      Origin
		why       string
	}{
		{"measured", "h100-sxm", as("llama-3.1-70b"), BF16, 4, Measured, ""},
		{"13B between 8B and 32B", "h100-sxm", as("llama-2-13b"), BF16, 1, Interpolated, ""},
		{"own 40B between 32B and 70B", "h200-sxm", edit("llama-3.1-70b", func(m *Model) { m.ID, m.Layers = "mine", 45 }), FP8, 2, Interpolated, ""},
		{"edited shape under a known id", "h100-sxm", edit("llama-3.1-70b", func(m *Model) { m.KVHeads = 64; m.Attention = MHA; m.Layers = 60 }), FP8, 2, Interpolated, ""},
		{"larger", "h100-sxm", as("llama-3.1-405b"), BF16, 8, Roofline, "larger than the largest model measured here"},
		{"smaller", "h100-sxm", as("llama-2-7b"), BF16, 1, Roofline, "smaller than the smallest model measured here"},
		{"no such GPU", "mi300x", as("llama-3.1-8b"), BF16, 1, Roofline, "no model was measured on this GPU with this type and this many GPUs"},
		{"MoE", "h100-sxm", as("mixtral-8x7b"), BF16, 2, Roofline, "only dense models were measured whole"},
		{"windows", "h100-sxm", as("gemma-3-27b"), BF16, 1, Roofline, "only attention to the whole context was measured"},
		{"slow node", "l40s", as("llama-3.1-70b"), BF16, 4, Roofline, caveatWords[1]},
		{"no KV term", "rtx-pro-6000", as("llama-3.1-70b"), FP8, 1, Roofline, caveatWords[3]},
		{"RTX 4090", "rtx-4090", as("llama-3.1-8b"), BF16, 1, Measured, ""},
		{"nothing else on an RTX 4090", "rtx-4090", as("qwen3-8b"), BF16, 1, Roofline, "larger than the largest model measured here"},
		{"type", "a100-80gb-sxm", as("llama-3.1-8b"), FP8, 1, Roofline, "no model was measured on this GPU with this type and this many GPUs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, ok := FindGPU(c.gpu)
			require.True(t, ok)
			got := Interpolate(g, c.m, c.w, c.tp)
			assert.Equal(t, c.want.String(), got.Origin.String())
			assert.Equal(t, c.why, got.Why)
			assert.Equal(t, c.want != Roofline, got.Usable())
			if c.want == Roofline {
				assert.Equal(t, Fit{}, got.Decode)
				return
			}
			assert.Less(t, c.m.StepWeightBytes(1, c.w.Bytes())/(float64(c.tp)*g.HBMBytesPerSec), got.DecodeSeconds(1, 128), "not above the roofline")
		})
	}
	g, _ := FindGPU("h100-sxm")
	g.HBMBytesPerSec *= 2
	got := Interpolate(g, as("llama-3.1-70b"), BF16, 4)
	assert.Equal(t, "this GPU was not measured", got.Why, "an edited GPU is another one")
}

// TestInterpolateIsFree: a page evaluates it for every lever.
func TestInterpolateIsFree(t *testing.T) {
	g, _ := FindGPU("h100-sxm")
	m, _ := FindModel("llama-2-13b")
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		if c := Interpolate(g, m, BF16, 1); c.Origin != Interpolated {
			panic("not interpolated")
		}
	}))
}
