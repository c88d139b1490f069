package profile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Worked cases that follow from a shape alone. Another program made them; the
// whole file is the planner's, this package takes those whose formula is here.
// OPENLOOP_GOLDEN_DIR names a folder with another version of it.

type goldenCase struct {
	ID     string
	Inputs map[string]any
	Expect map[string]any
}

func goldenCases(t *testing.T) []goldenCase {
	t.Helper()
	dir := os.Getenv("OPENLOOP_GOLDEN_DIR")
	if dir == "" {
		dir = "testdata"
	}
	raw, err := os.ReadFile(filepath.Join(dir, "planner.json"))
	require.NoError(t, err)
	var file struct{ Cases []goldenCase }
	require.NoError(t, json.Unmarshal(raw, &file))
	return file.Cases
}

// evaluate is what this package says of a case, by the names of the file; false
// if the formula is not here.
func evaluate(t *testing.T, c goldenCase) (map[string]float64, bool) {
	t.Helper()
	n := func(name string) float64 { f, _ := c.Inputs[name].(float64); return f }
	model := func() *Model {
		m, ok := FindModel(c.Inputs["model"].(string))
		require.True(t, ok)
		return m
	}
	kind, _, _ := strings.Cut(c.ID, "/")
	switch kind {
	case "kv_per_token":
		return map[string]float64{"bytes": model().KVBytes(1, n("kv_bytes"))}, true
	case "kv_seq":
		return map[string]float64{"bytes": model().KVBytes(n("ctx"), n("kv_bytes"))}, true
	case "prefill_flops":
		m := model()
		linear, head, attention := m.PrefillParts(n("n"), n("cached"))
		total := m.PrefillFLOPs(n("n"), n("cached"))
		return map[string]float64{"flops": total, "linear": linear, "lm_head": head, "attention": attention, "attention_share": attention / total}, true
	case "prefix":
		m := model()
		full, rest := m.PrefillFLOPs(n("n"), 0), m.PrefillFLOPs(n("n")-n("cached"), n("cached"))
		return map[string]float64{"flops": rest, "full": full, "saved": 1 - rest/full}, true
	case "decode_step":
		m, b := model(), n("batch")
		bytes := m.StepWeightBytes(b, n("weight_bytes")) + b*m.KVBytes(n("ctx"), n("kv_bytes"))
		return map[string]float64{"bytes": bytes, "flops": b * m.DecodeFLOPs(n("ctx"))}, true
	case "attention_intensity_decode":
		out := map[string]float64{}
		for name, id := range map[string]string{"llama_3_1_70b_bf16": "llama-3.1-70b", "llama_2_13b_bf16": "llama-2-13b", "deepseek_v3_bf16": "deepseek-v3"} {
			m, _ := FindModel(id)
			out[name] = m.DecodeIntensity(n("kv_bytes"))
		}
		return out, true
	case "kv":
		m := model()
		mha, own := float64(m.KVElementsIfMHA()), float64(m.KVElementsPerToken())
		if m.Attention == MLA {
			return map[string]float64{"mla_elements": own, "mha_elements": mha, "ratio": mha / own}, true
		}
		return map[string]float64{"mha_bytes": mha * n("kv_bytes"), "gqa_bytes": own * n("kv_bytes"), "ratio": mha / own}, true
	}
	return nil, false
}

func TestGoldenShapes(t *testing.T) {
	done := map[string]int{}
	for _, c := range goldenCases(t) {
		got, ok := evaluate(t, c)
		if !ok {
			continue
		}
		kind, _, _ := strings.Cut(c.ID, "/")
		t.Run(c.ID, func(t *testing.T) {
			for name, x := range got {
				want, ok := c.Expect[name].(float64)
				require.True(t, ok, name)
				assert.InEpsilon(t, want, x, 1e-12, name)
			}
		})
		done[kind]++
	}
	assert.Equal(t, map[string]int{"kv_per_token": 1, "kv_seq": 2, "prefill_flops": 3, "prefix": 1, "decode_step": 4, "attention_intensity_decode": 1, "kv": 2}, done)
}

// TestGoldenExperts are those with lists.
func TestGoldenExperts(t *testing.T) {
	list := func(v any) []float64 {
		var out []float64
		for _, x := range v.([]any) {
			out = append(out, x.(float64))
		}
		return out
	}
	seen := 0
	for _, c := range goldenCases(t) {
		kind, _, _ := strings.Cut(c.ID, "/")
		if kind != "moe_fraction" && kind != "moe_weight_bytes" {
			continue
		}
		seen++
		for i, batch := range list(c.Inputs["B"]) {
			if kind == "moe_fraction" {
				m := Model{MoELayers: 1, ExpertsRouted: int(c.Inputs["E"].(float64)), ExpertsActive: int(c.Inputs["k"].(float64))}
				assert.InEpsilon(t, list(c.Expect["fraction"])[i], m.ExpertsTouchedFrac(batch), 1e-12, c.ID)
				assert.InEpsilon(t, list(c.Expect["expected_experts"])[i], m.ExpertsTouchedFrac(batch)*float64(m.ExpertsRouted), 1e-12, c.ID)
				continue
			}
			m, ok := FindModel(c.Inputs["model"].(string))
			require.True(t, ok)
			assert.InEpsilon(t, list(c.Expect["bytes"])[i], m.StepWeightBytes(batch, c.Inputs["weight_bytes"].(float64)), 1e-12, c.ID)
		}
	}
	assert.Equal(t, 5, seen)
}
