package tables_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"openloop/planner/profile/dataset"
)

// The points behind the fits that are shown but not composed here: each file is
// read by column names, put together as the fit did it, and held against the fit.

// missed is one point that a fit was laid through.
type missed struct {
	group string  // the series it is drawn in
	fit   string  // which fit
	x     float64 // tokens
	bin   string  // points of one group and bin share a dot
	off   float64 // fit over measured, less 1
}

// sheet reads a file of shared/data as columns of words.
func sheet(name string, hash func([]byte)) (func(row int, column string) string, int, error) {
	raw, err := readData(name)
	if err != nil {
		return nil, 0, err
	}
	hash(raw)
	t, err := parseTable(raw)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", name, err)
	}
	return func(row int, column string) string {
		i, ok := t.col[column]
		if !ok {
			panic(name + " has no column " + column)
		}
		return t.rows[row][i]
	}, len(t.rows), nil
}

// amount is a number of a cell; an empty one, which an operator that a model does
// not have leaves, is 0.
func amount(s string) float64 {
	if s == "" {
		return 0
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err)
	}
	return x
}

func middle(v []float64) float64 {
	slices.Sort(v)
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}

func exactly(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// octave bins x by powers of two.
func octave(x float64) string {
	_, e := math.Frexp(x)
	return strconv.Itoa(e)
}

var vidurFolders = map[string]string{
	"A100-80GB-SXM": "a100", "A40-48GB": "a40", "H100-80GB-SXM": "h100",
	"Qwen-72B": "Qwen", "CodeLlama-34b-Instruct-hf": "codellama",
	"Llama-2-70b-hf": "meta-llama", "Llama-2-7b-hf": "meta-llama", "Meta-Llama-3-70B": "meta-llama", "Meta-Llama-3-8B": "meta-llama",
}

var vidurGPUs = map[string]string{"A100-80GB-SXM": "A100", "A40-48GB": "A40", "H100-80GB-SXM": "H100"}

// vidurOperators are those of one layer, attention apart; the residual is added
// twice.
var vidurOperators = []string{"input_layernorm", "attn_pre_proj", "attn_rope", "attn_post_proj", "post_attention_layernorm", "mlp_up_proj", "mlp_act", "mlp_down_proj", "add", "add"}

// vidurPoints are those up to 128 tokens, and those from 2,048.
func vidurPoints(hash func([]byte)) (few, many []missed, err error) {
	seen := map[string]bool{}
	for _, l := range dataset.Vidur() {
		if vidurLost(l) {
			continue
		}
		name := "vidur/compute/" + vidurFolders[l.GPU] + "/" + vidurFolders[l.Model] + "/" + l.Model + "/mlp.csv"
		add := hash
		if seen[name] {
			add = func([]byte) {}
		}
		seen[name] = true
		cell, rows, err := sheet(name, add)
		if err != nil {
			return nil, nil, err
		}
		for i := range rows {
			if cell(i, "num_tensor_parallel_workers") != strconv.Itoa(l.TP) {
				continue
			}
			ms, n := 0.0, amount(cell(i, "num_tokens"))
			for _, op := range vidurOperators {
				ms += amount(cell(i, "time_stats."+op+".median"))
			}
			p := missed{group: vidurGPUs[l.GPU], fit: fmt.Sprint(l.GPU, l.Model, l.TP), x: n, bin: exactly(n)}
			switch {
			case n <= 128:
				p.off = (l.DecodeA+l.DecodeB*n)/(ms/1000) - 1
				few = append(few, p)
			case n >= 2048:
				p.off = (l.PrefillA+l.PrefillB*n)/(ms/1000) - 1
				many = append(many, p)
			}
		}
	}
	return few, many, nil
}

// vidurLost: tables that were fitted but are not kept.
func vidurLost(l dataset.Layer) bool {
	return l.Model == "internlm-20b" || l.GPU == "A40-48GB" && l.Model == "Qwen-72B"
}

// splitwiseLoad is a setting that was run several times.
type splitwiseLoad struct {
	hardware, model, tp    string
	prompt, batch, answers float64
}

// splitwisePoints are medians of repeated runs; the KV of a sequence is its prompt
// and half of its answer.
func splitwisePoints(hash func([]byte)) (prefill, decode []missed, err error) {
	cell, rows, err := sheet("splitwise/perf_model.csv", hash)
	if err != nil {
		return nil, nil, err
	}
	prompts, steps := map[splitwiseLoad][]float64{}, map[splitwiseLoad][]float64{}
	var order []splitwiseLoad
	for i := range rows {
		l := splitwiseLoad{cell(i, "hardware"), cell(i, "model"), cell(i, "tensor_parallel"), amount(cell(i, "prompt_size")), amount(cell(i, "batch_size")), amount(cell(i, "token_size"))}
		if l.model == "llama2-70b" && l.tp == "2" && l.batch == 64 { // the KV did not fit
			continue
		}
		if prompts[l] == nil {
			order = append(order, l)
		}
		prompts[l] = append(prompts[l], amount(cell(i, "prompt_time"))/1000)
		steps[l] = append(steps[l], amount(cell(i, "token_time"))/1000)
	}
	for _, f := range dataset.Splitwise() {
		hardware := map[string]string{"a100-80gb-sxm": "a100-80gb", "h100-sxm": "h100-80gb"}[f.GPUID]
		model := map[string]string{"llama-2-70b": "llama2-70b", "bloom-176b": "bloom-176b"}[f.Model]
		for _, l := range order {
			if l.hardware != hardware || l.model != model || l.tp != strconv.Itoa(f.TP) {
				continue
			}
			id := fmt.Sprint(f.GPUID, f.Model, f.TP)
			group := map[string]string{"llama-2-70b": "Llama", "bloom-176b": "BLOOM"}[f.Model] + map[string]string{"a100-80gb-sxm": " A100", "h100-sxm": " H100"}[f.GPUID]
			n, kv := l.batch*l.prompt, l.batch*(l.prompt+l.answers/2)
			prefill = append(prefill, missed{group, id, n, id + exactly(n) + " " + exactly(l.batch),
				(f.Prefill.A+f.Prefill.B*n+f.Prefill.C*l.batch*l.prompt*l.prompt)/middle(prompts[l]) - 1})
			decode = append(decode, missed{group, id, kv, id + octave(kv) + " " + exactly(l.batch),
				(f.Decode.A+f.Decode.B*l.batch+f.Decode.C*kv)/middle(steps[l]) - 1})
		}
	}
	return prefill, decode, nil
}

// argonneGroups are the frameworks, the two runners of one of them together.
var argonneGroups = map[string]string{"vLLM": "vLLM", "TensorRT-LLM": "TensorRT-LLM", "llama.cpp": "llama.cpp", "Deepspeed": "DeepSpeed", "Deepspeed-MII": "DeepSpeed"}

// argonnePoints are medians of repeated batches, for each output token.
func argonnePoints(hash func([]byte)) ([]missed, error) {
	cell, rows, err := sheet("llm_inference_bench/All_results.csv", hash)
	if err != nil {
		return nil, err
	}
	type load struct {
		hardware, devices, framework, model string
		length, batch                       float64
	}
	times := map[load][]float64{}
	loads := map[[4]string][]load{}
	for i := range rows {
		l := load{cell(i, "Hardware"), cell(i, "Num of Hardware"), cell(i, "Framework"), cell(i, "Model"), amount(cell(i, "Input Output Length")), amount(cell(i, "Batch Size"))}
		if times[l] == nil {
			key := [4]string{l.hardware, l.devices, l.framework, l.model}
			loads[key] = append(loads[key], l)
		}
		times[l] = append(times[l], amount(cell(i, "Latency"))/l.length)
	}
	var out []missed
	for _, f := range dataset.Argonne() {
		for _, l := range loads[[4]string{f.Hardware, strconv.Itoa(f.Devices), f.Framework, f.Model}] {
			x := l.batch * l.length
			out = append(out, missed{argonneGroups[f.Framework], fmt.Sprint(f.Hardware, f.Devices, f.Framework, f.Model), x, exactly(l.batch) + " " + exactly(l.length),
				(f.Fit.A+f.Fit.B*l.batch+f.Fit.C*x)/middle(times[l]) - 1})
		}
	}
	return out, nil
}
