package profile

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCheckShape(t *testing.T) {
	for _, c := range []struct {
		name, base string
		change     func(*Model)
		want       ValueError
	}{
		{"no layers", "llama-3.1-8b", func(m *Model) { m.Layers = 0 }, ValueError{Field: "Layers", Value: "0", Legal: "1 to 1024", Nearest: "1"}},
		{"wide", "llama-3.1-8b", func(m *Model) { m.Hidden = 1 << 20 }, ValueError{Field: "Hidden", Value: "1048576", Legal: "1 to 131072", Nearest: "131072"}},
		{"KV heads do not divide", "llama-3.1-8b", func(m *Model) { m.KVHeads = 7 }, ValueError{Field: "KVHeads", Value: "7", Legal: "a divisor of Heads, 32", Nearest: "8"}},
		{"more KV heads than heads", "llama-3.1-8b", func(m *Model) { m.KVHeads = 64 }, ValueError{Field: "KVHeads", Value: "64", Legal: "1 to 32", Nearest: "32"}},
		{"MHA shares", "llama-2-7b", func(m *Model) { m.KVHeads = 8 }, ValueError{Field: "KVHeads", Value: "8", Legal: "32 to 32", Nearest: "32"}},
		{"MQA does not", "llama-3.1-8b", func(m *Model) { m.Attention = MQA }, ValueError{Field: "KVHeads", Value: "8", Legal: "1 to 1", Nearest: "1"}},
		{"no attention of that kind", "llama-3.1-8b", func(m *Model) { m.Attention = 9 }, ValueError{Field: "Attention", Value: "9", Legal: "0 to 3", Nearest: "3"}},
		{"no rank", "deepseek-v3", func(m *Model) { m.KVRank = 0 }, ValueError{Field: "KVRank", Value: "0", Legal: "1 to 16384", Nearest: "1"}},
		{"window of nothing", "gpt-oss-20b", func(m *Model) { m.WindowTokens = 0 }, ValueError{Field: "WindowTokens", Value: "0", Legal: "1 to 268435456", Nearest: "1"}},
		{"more experts a token than there are", "mixtral-8x7b", func(m *Model) { m.ExpertsActive = 9 }, ValueError{Field: "ExpertsActive", Value: "9", Legal: "1 to 8", Nearest: "8"}},
		{"dense layers without MLP", "mixtral-8x7b", func(m *Model) { m.MoELayers = 31 }, ValueError{Field: "Intermediate", Value: "0", Legal: "1 to 131072", Nearest: "1"}},
		{"too large", "kimi-k2", func(m *Model) { m.Layers, m.MoELayers, m.ExpertIntermediate, m.ExpertsRouted = 1024, 1023, 1<<17, 4096 }, ValueError{Field: "Params", Value: "1.1813423895550976e+16", Legal: "at most 1e+15", Nearest: ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, ok := FindModel(c.base)
			require.True(t, ok)
			c.change(m)
			var got *ValueError
			err := m.CheckShape()
			require.ErrorAs(t, err, &got)
			assert.Equal(t, c.want, *got)
		})
	}
}

func TestCheckGPU(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*GPU)
		want   string
	}{
		{"memory", func(g *GPU) { g.MemoryBytes = 80 }, "MemoryBytes is 80; legal: 1e+09 to 1e+13; nearest: 1e+09"},
		{"bandwidth", func(g *GPU) { g.HBMBytesPerSec = math.Inf(1) }, "HBMBytesPerSec is +Inf; legal: 1e+09 to 1e+15; nearest: 1e+15"},
		{"NaN is near to nothing", func(g *GPU) { g.BF16FLOPsPerSec = math.NaN() }, "BF16FLOPsPerSec is NaN; legal: 1e+11 to 1e+18"},
		{"0 is legal for what the part cannot", func(g *GPU) { g.FP8FLOPsPerSec = -1 }, "FP8FLOPsPerSec is -1; legal: 0 or 1e+11 to 1e+18; nearest: 1e+11"},
		{"price", func(g *GPU) { g.Prices[1].HighUSDPerGPUHour = 1 }, "Prices[1].HighUSDPerGPUHour is 1; legal: 2.95 to 10000; nearest: 2.95"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, _ := FindGPU("h100-sxm")
			c.change(g)
			assert.EqualError(t, g.Check(), c.want)
		})
	}
	g, _ := FindGPU("h100-sxm")
	g.FP8FLOPsPerSec, g.LinkBytesPerSec, g.PowerWatts = 0, 0, 0
	assert.NoError(t, g.Check())
	assert.NoError(t, CheckPrice(0))
	assert.NoError(t, CheckPrice(2.5))
	assert.EqualError(t, CheckPrice(-1), "USDPerGPUHour is -1; legal: 0 to 10000; nearest: 0")
	var v *ValueError
	assert.True(t, errors.As(CheckPrice(math.NaN()), &v))
	assert.Empty(t, v.Nearest)
}

// FuzzShape: what CheckShape lets through computes without overflow.
func FuzzShape(f *testing.F) {
	f.Add(uint8(1), 32, 4096, 32, 8, 128, 128256, 14336, 0, 0, 0, 512, 0, 0)
	f.Add(uint8(3), 61, 7168, 128, 128, 192, 129280, 18432, 58, 256, 8, 512, 64, 0)
	f.Add(uint8(1), 1024, 1<<17, 1<<10, 1<<10, 1<<10, 1<<24, 1<<17, 1024, 4096, 4096, 1<<14, 1024, 1024)
	f.Fuzz(func(t *testing.T, attention uint8, layers, hidden, heads, kvHeads, headDim, vocab, width, moe, experts, active, rank, rope, local int) {
		m := &Model{Attention: Attention(attention), Layers: layers, Hidden: hidden, Heads: heads, KVHeads: kvHeads, HeadDim: headDim,
			NopeHeadDim: headDim, RopeHeadDim: rope, ValueHeadDim: headDim, QueryRank: rank, KVRank: rank, WindowTokens: 4096, LocalLayers: local,
			Intermediate: width, MoELayers: moe, ExpertIntermediate: width, ExpertsRouted: experts, ExpertsActive: active, ExpertsShared: 1,
			Vocab: vocab, ContextTokens: 131072}
		if err := m.CheckShape(); err != nil {
			var v *ValueError
			require.ErrorAs(t, err, &v)
			return
		}
		p := m.Params()
		require.Positive(t, p.Total())
		require.LessOrEqual(t, m.Active(), p.Total())
		require.Positive(t, m.ParamsBody())
		for _, x := range []float64{m.KVBytes(1e6, 2), m.PrefillFLOPs(1e6, 1e6), m.DecodeFLOPs(1e6), m.StepWeightBytes(64, 2), m.WeightBytes(2)} {
			require.True(t, x > 0 && !math.IsInf(x, 0), "%+v: %g", m, x)
		}
		require.LessOrEqual(t, m.StepWeightBytes(64, 2), m.WeightBytes(2)*(1+1e-12))
	})
}
