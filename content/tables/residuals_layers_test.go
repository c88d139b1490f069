package tables_test

import (
	"cmp"
	"slices"
	"strconv"

	"openloop/planner/profile"
)

// The points behind the fits of LLMServingSim: a step is put together from layers.

// layerTimes are microseconds of one call by tokens or sequences.
type layerTimes map[float64]float64

// at is a time between two measured ones on the line through them; beyond the
// last, on that of the last two.
func (l layerTimes) at(x float64) float64 {
	if us, ok := l[x]; ok {
		return us
	}
	keys := make([]float64, 0, len(l))
	for k := range l {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	i, _ := slices.BinarySearch(keys, x)
	i = min(max(i, 1), len(keys)-1)
	a, b := keys[i-1], keys[i]
	return l[a] + (l[b]-l[a])*(x-a)/(b-a)
}

func readLayers(name, key string, hash func([]byte)) (map[string]layerTimes, error) {
	cell, rows, err := sheet(name, hash)
	if err != nil {
		return nil, err
	}
	out := map[string]layerTimes{}
	for i := range rows {
		layer := cell(i, "layer")
		if out[layer] == nil {
			out[layer] = layerTimes{}
		}
		out[layer][amount(cell(i, key))] = amount(cell(i, "time_us"))
	}
	return out, nil
}

// stepOf sums the layers of a step but for attention: µs. Embedding and last norm
// come once, norms twice a layer, head and sampler once for each sequence's token.
func stepOf(layers, tokens, sequences float64, dense, each map[string]layerTimes) float64 {
	us := 0.0
	for _, name := range keysOf(dense) {
		times := layers
		switch name {
		case "embedding", "final_layernorm":
			times = 1
		case "layernorm":
			times = 2 * layers
		}
		us += times * dense[name].at(tokens)
	}
	for _, name := range keysOf(each) {
		us += each[name].at(sequences)
	}
	return us
}

func keysOf[T any](m map[string]T) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.SortFunc(out, cmp.Compare[string])
	return out
}

// fewestPrefillTokens: the fits of prefills begin there.
const fewestPrefillTokens = 64

// layeredPoints are steps of prefill only and of decode only.
func layeredPoints(hash func([]byte)) (prefill, decode []missed, err error) {
	for _, c := range profile.Calibrations() {
		if c.Dataset != "llmservingsim" {
			continue
		}
		folder := map[string]string{"rtx-4090": "RTX4090", "rtx-pro-6000": "RTXPRO6000"}[c.GPUID] +
			map[string]string{"llama-3.1-8b": "/meta-llama/Llama-3.1-8B", "qwen3-32b": "/Qwen/Qwen3-32B"}[c.ModelID]
		folder = "llmservingsim/perf/" + folder + "/bf16/tp" + strconv.Itoa(c.TP) + "/"
		dense, err := readLayers(folder+"dense.csv", "tokens", hash)
		if err != nil {
			return nil, nil, err
		}
		each, err := readLayers(folder+"per_sequence.csv", "sequences", hash)
		if err != nil {
			return nil, nil, err
		}
		cell, rows, err := sheet(folder+"attention.csv", hash)
		if err != nil {
			return nil, nil, err
		}
		m, _ := profile.FindModel(c.ModelID)
		layers := float64(m.Layers)
		fit := layeredName(&c)
		group := map[string]string{"llama-3.1-8b": "8B", "qwen3-32b": "32B"}[c.ModelID] + map[string]string{"rtx-4090": ", RTX 4090", "rtx-pro-6000": ", RTX PRO 6000"}[c.GPUID]
		for i := range rows {
			chunk, cached := amount(cell(i, "prefill_chunk")), amount(cell(i, "kv_prefill"))
			batch, kv := amount(cell(i, "n_decode")), amount(cell(i, "kv_decode"))
			attention := layers * amount(cell(i, "time_us"))
			switch {
			case batch == 0 && chunk >= fewestPrefillTokens:
				seconds := (stepOf(layers, chunk, 1, dense, each) + attention) / 1e6
				prefill = append(prefill, missed{group, fit, chunk, fit + octave(chunk), c.PrefillSeconds(chunk, cached)/seconds - 1})
			case chunk == 0:
				seconds := (stepOf(layers, batch, batch, dense, each) + attention) / 1e6
				decode = append(decode, missed{group, fit, batch * kv, fit + octave(batch*kv), c.DecodeSeconds(batch, batch*kv)/seconds - 1})
			}
		}
	}
	return prefill, decode, nil
}

func layeredName(c *profile.Calibration) string {
	return profile.NameOf(c.ModelID) + ", " + profile.NameOf(c.GPUID) + ", TP" + strconv.Itoa(c.TP)
}
