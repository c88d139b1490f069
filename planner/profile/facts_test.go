package profile

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The tables against the facts that they were written from, field by field.

type factSource = map[string]string

type factGPU struct {
	ID, Name, Vendor string
	MemGB            float64            `json:"mem_gb"`
	MemType          string             `json:"mem_type"`
	MemTBps          float64            `json:"mem_tbps"`
	Dense            map[string]float64 `json:"dense_tflops"`
	Link             float64            `json:"interconnect_gbps_one_way"`
	Interconnect     string
	TDP              float64 `json:"tdp_w"`
	Matmul           struct {
		BF16, FP8 float64
		Source    string
	} `json:"measured_matmul_tflops"`
	Sources factSource
	Prices  []struct {
		Low                       float64 `json:"usd_per_gpu_hour_low"`
		High                      float64 `json:"usd_per_gpu_hour_high"`
		What, Source, Date, Label string
	} `json:"example_prices"`
	Notes string
}

func readFacts(t *testing.T, name string, v any) {
	t.Helper()
	raw, err := os.ReadFile("testdata/facts/" + name)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, v))
}

func sourceMap(list []Source) factSource {
	m := factSource{}
	for _, s := range list {
		m[s.What] = s.Where
	}
	return m
}

// TestEveryRowHasFacts: a row that the facts do not have is checked by nobody.
func TestEveryRowHasFacts(t *testing.T) {
	var facts struct{ GPUs []factGPU }
	readFacts(t, "gpus.json", &facts)
	known := map[string]bool{}
	for _, f := range facts.GPUs {
		known["gpu "+f.ID] = true
	}
	for _, f := range modelFacts(t) {
		known["model "+f.ID] = true
	}
	for _, g := range GPUs() {
		assert.True(t, known["gpu "+g.ID], "%s: add it to testdata/facts/gpus.json, each number with its source", g.ID)
	}
	for _, m := range Models() {
		assert.True(t, known["model "+m.ID], "%s: add it to testdata/facts/models.json, each number with its source", m.ID)
	}
}

func TestGPUsEqualFacts(t *testing.T) {
	var facts struct{ GPUs []factGPU }
	readFacts(t, "gpus.json", &facts)
	require.GreaterOrEqual(t, len(facts.GPUs), 17)
	for _, want := range facts.GPUs {
		t.Run(want.ID, func(t *testing.T) {
			g, ok := FindGPU(want.ID)
			require.True(t, ok)
			for _, c := range []struct {
				what      string
				got, want float64
			}{
				{"memory", float64(g.MemoryBytes), want.MemGB * 1e9},
				{"bandwidth", g.HBMBytesPerSec, want.MemTBps * 1e12},
				{"bf16", g.BF16FLOPsPerSec, want.Dense["bf16"] * 1e12},
				{"fp8", g.FP8FLOPsPerSec, want.Dense["fp8"] * 1e12},
				{"fp4", g.FP4FLOPsPerSec, want.Dense["fp4"] * 1e12},
				{"int8", g.INT8FLOPsPerSec, want.Dense["int8"] * 1e12},
				{"link", g.LinkBytesPerSec, want.Link * 1e9},
				{"power", g.PowerWatts, want.TDP},
				{"matmul bf16", g.MatmulBF16FLOPsPerSec, want.Matmul.BF16 * 1e12},
				{"matmul fp8", g.MatmulFP8FLOPsPerSec, want.Matmul.FP8 * 1e12},
			} {
				assert.InDelta(t, c.want, c.got, c.want*1e-15, c.what)
			}
			assert.Equal(t, []string{want.Name, want.Vendor, want.MemType, want.Interconnect, want.Matmul.Source, want.Notes},
				[]string{g.Name, g.Vendor, g.MemoryType, g.Interconnect, g.MatmulSource, g.Notes})
			assert.Equal(t, want.Sources, sourceMap(g.Sources))
			require.Len(t, g.Prices, len(want.Prices))
			for i, p := range want.Prices {
				assert.Equal(t, Price{p.Low, p.High, p.What, p.Source, p.Date}, g.Prices[i])
				assert.Equal(t, "example price", p.Label)
			}
			assert.NoError(t, g.Check())
		})
	}
}

type factModel struct {
	ID, Name, Arch, Attention                           string
	Layers, Hidden, Intermediate, Heads, Vocab, Context int
	KVHeads                                             int    `json:"kv_heads"`
	HeadDim                                             int    `json:"head_dim"`
	DenseLayers                                         int    `json:"dense_layers"`
	MoELayers                                           int    `json:"moe_layers"`
	DenseIntermediate                                   int    `json:"dense_intermediate"`
	ExpertIntermediate                                  int    `json:"expert_intermediate"`
	Nope                                                int    `json:"qk_nope_head_dim"`
	Rope                                                int    `json:"qk_rope_head_dim"`
	Value                                               int    `json:"v_head_dim"`
	QRank                                               int    `json:"q_lora_rank"`
	KVRank                                              int    `json:"kv_lora_rank"`
	ExpertsRouted                                       int    `json:"experts_routed"`
	ExpertsActive                                       int    `json:"experts_active"`
	ExpertsShared                                       int    `json:"experts_shared"`
	Tied                                                bool   `json:"tied_embeddings"`
	DType                                               string `json:"native_dtype"`
	Total                                               int64  `json:"params_total"`
	Active                                              int64  `json:"params_active"`
	WithoutInput                                        int64  `json:"params_active_without_input_embedding"`
	Embedding                                           int64  `json:"params_embedding"`
	Routed                                              int64  `json:"params_routed_experts_total"`
	Expert                                              int64  `json:"params_per_expert"`
	AlwaysOn                                            int64  `json:"params_always_on"`
	Published                                           string `json:"params_published"`
	PublishedSource                                     string `json:"params_published_source"`
	KVElements                                          int64  `json:"kv_elements_per_token"`
	KVBytesBF16                                         int64  `json:"kv_bytes_per_token_bf16"`
	KVBytesFP8                                          int64  `json:"kv_bytes_per_token_fp8"`
	IfMHA                                               int64  `json:"kv_elements_per_token_if_mha"`
	Growth                                              *int64 `json:"kv_bytes_per_token_growth_beyond_window_bf16"`
	Fixed                                               int64  `json:"kv_bytes_fixed_at_window_bf16"`
	Window                                              struct {
		Window int
		Local  int `json:"local_layers"`
		Global int `json:"global_layers"`
	} `json:"sliding_window"`
	Sources factSource
	Notes   string
}

func modelFacts(t *testing.T) []factModel {
	t.Helper()
	var facts struct{ Models []factModel }
	readFacts(t, "models.json", &facts)
	require.GreaterOrEqual(t, len(facts.Models), 22)
	return facts.Models
}

func TestModelsEqualFacts(t *testing.T) {
	for _, f := range modelFacts(t) {
		t.Run(f.ID, func(t *testing.T) {
			m, ok := FindModel(f.ID)
			require.True(t, ok)
			want := Model{
				ID: f.ID, Name: f.Name, Attention: m.Attention, Layers: f.Layers, Hidden: f.Hidden, Heads: f.Heads, KVHeads: f.KVHeads, HeadDim: f.HeadDim,
				NopeHeadDim: f.Nope, RopeHeadDim: f.Rope, ValueHeadDim: f.Value, QueryRank: f.QRank, KVRank: f.KVRank,
				WindowTokens: f.Window.Window, LocalLayers: f.Window.Local, Intermediate: f.Intermediate + f.DenseIntermediate,
				MoELayers: f.MoELayers, ExpertIntermediate: f.ExpertIntermediate, ExpertsRouted: f.ExpertsRouted, ExpertsActive: f.ExpertsActive, ExpertsShared: f.ExpertsShared,
				Vocab: f.Vocab, Tied: f.Tied, ContextTokens: f.Context, NativeDType: f.DType,
				PublishedParams: f.Published, PublishedSource: f.PublishedSource, Notes: f.Notes,
				Small: m.Small, Native: m.Native, Sources: m.Sources, // the first two are checked by what follows from them
			}
			assert.Equal(t, want, *m)
			assert.Equal(t, f.Attention, m.Attention.String())
			assert.Equal(t, f.Arch == "moe", m.MoE())
			assert.Equal(t, f.Sources, sourceMap(m.Sources))
			if m.MoE() {
				assert.Equal(t, f.DenseLayers, m.Layers-m.MoELayers)
			}
			if f.Window.Local > 0 {
				assert.Equal(t, f.Window.Global, m.GlobalLayers())
			}
			assert.NoError(t, m.CheckShape())
		})
	}
}

// TestParamsEqualFacts recounts every parameter from the shape.
func TestParamsEqualFacts(t *testing.T) {
	for _, f := range modelFacts(t) {
		t.Run(f.ID, func(t *testing.T) {
			m, _ := FindModel(f.ID)
			p := m.Params()
			assert.Equal(t, f.Total, p.Total())
			assert.Equal(t, f.Active, m.Active())
			embedding := p.Embedding
			if !m.Tied {
				embedding += int64(m.Vocab * m.Hidden)
			}
			assert.Equal(t, f.Embedding, embedding)
			if m.MoE() {
				assert.Equal(t, []int64{f.Routed, f.Expert, f.AlwaysOn, f.WithoutInput}, []int64{p.Routed, p.Expert, p.AlwaysOn(), m.Active() - p.Embedding})
			}
			body := f.Active - f.Embedding
			if m.Small.HeadBias {
				body -= int64(m.Vocab)
			}
			assert.Equal(t, body, m.ParamsBody())
		})
	}
}

func TestKVEqualsFacts(t *testing.T) {
	for _, f := range modelFacts(t) {
		t.Run(f.ID, func(t *testing.T) {
			m, _ := FindModel(f.ID)
			assert.Equal(t, f.KVElements, m.KVElementsPerToken())
			assert.Equal(t, float64(f.KVBytesBF16), m.KVBytes(1, 2))
			assert.Equal(t, float64(f.KVBytesFP8), m.KVBytes(1, 1))
			if f.IfMHA > 0 {
				assert.Equal(t, f.IfMHA, m.KVElementsIfMHA())
			}
			if f.Growth != nil {
				w := float64(m.WindowTokens)
				assert.Equal(t, float64(*f.Growth), m.KVBytes(w+1, 2)-m.KVBytes(w, 2))
				assert.Equal(t, float64(f.Fixed), m.KVBytes(w, 2)-w*float64(*f.Growth))
			}
		})
	}
}
