package planner

import "openloop/planner/profile"

// Presets are six fleets to start from. Lengths, bursts and peaks are those of
// published traces where there is one; rates, limits and hardware are examples.
// ServiceCV2 is the squared coefficients of variation of prompts and outputs in
// the trace, by the squared shares of prefill and decode in the plan's work. The
// engine is that of PublishedEfficiency.

// Preset is one of them.
type Preset struct {
	ID, Title  string
	Workload   Workload
	Deployment Deployment
	Objective  Objective
	Sources    []string // of the numbers that somebody measured
	Examples   string   // what is chosen
}

// The trace files that presets quote.
const (
	azure2023  = "Azure/AzurePublicDataset, commit b469a113cedc, AzureLLMInferenceTrace 2023"
	mooncake   = "kvcache-ai/Mooncake, commit 3b5a59413395, traces"
	serveGen   = "alibaba/ServeGen, deepseek-r1, weighted by rate over clients"
	arxivTrace = "microsoft/vidur, commit 7d47513363ec, arXiv summarization, first 10,000 requests"
)

// Targets are what the levers of the preset are turned on to.
func (p *Preset) Targets() Targets {
	t := DefaultTargets(p.Deployment)
	e := PublishedEfficiency()
	t.Efficiency = &e
	return t
}

// presetRow is a preset by the ids of its GPU and model.
type presetRow struct {
	id, title  string
	gpu, model string
	tp         int
	eight      bool // weights and arithmetic in fp8
	kv         profile.DType
	class      Class
	objective  Objective
	sources    []string
	examples   string
}

var presetRows = [...]presetRow{
	{
		"chat-70b", "Chat, 70B", "h100-sxm", "llama-3.1-70b", 4, true, profile.BF16,
		Class{Name: "chat", RequestsPerSec: 20, PeakToMean: 1.5, PromptTokens: 1155, OutputTokens: 211, ArrivalCV2: 1.19, ServiceCV2: 0.42},
		Objective{TPOTSeconds: 0.05, TTFTSeconds: 1, TargetFrac: 0.7},
		[]string{azure2023 + ", conversation: mean lengths, their spread (0.92 of prompts, 0.58 of outputs), fullest minute, gaps"},
		"20 requests/s, both limits.",
	},
	{
		"code-completion", "Code completion", "l40s", "qwen2.5-7b", 1, true, profile.BF16,
		Class{Name: "completion", RequestsPerSec: 10, PeakToMean: 4.2, PromptTokens: 2048, OutputTokens: 28, ArrivalCV2: 10.2, ServiceCV2: 0.81},
		Objective{TPOTSeconds: 0.03, TTFTSeconds: 0.5, TargetFrac: 0.7},
		[]string{azure2023 + ", code: mean lengths, their spread (0.93 and 2.55), fullest minute, gaps within minutes (CV 3.2)"},
		"10 requests/s, both limits.",
	},
	{
		"rag-long-prompts", "Retrieval, long prompts", "h200-sxm", "llama-3.1-70b", 4, true, profile.FP8,
		Class{Name: "rag", RequestsPerSec: 3.4, PeakToMean: 1.5, PromptTokens: 12035, OutputTokens: 343, ArrivalCV2: 1, ServiceCV2: 1.1},
		Objective{TPOTSeconds: 0.06, TTFTSeconds: 3, TargetFrac: 0.7},
		[]string{mooncake + ", conversation: mean lengths, their spread (1.72 and 0.59), rate"},
		"Peak, both limits, nothing cached: a replica's memory would find 5% at best.",
	},
	{
		"reasoning", "Reasoning, long thinking", "h200-sxm", "deepseek-r1", 8, true, profile.BF16,
		Class{Name: "reasoning", RequestsPerSec: 4, PeakToMean: 1.5, PromptTokens: 1596, OutputTokens: 1690, ThinkingTokens: 1400, ArrivalCV2: 1, ServiceCV2: 2.1},
		Objective{TPOTSeconds: 0.06, TTFTSeconds: 2, TargetFrac: 0.7},
		[]string{serveGen + ": mean lengths; spread of outputs (3.4) from mean and median"},
		"4 requests/s and their peak, both limits, how much of the output is thinking, prompts spread as outputs: in the trace they are spread more.",
	},
	{
		"agents", "Agents with shared context", "h100-sxm", "qwen3-32b", 2, true, profile.BF16,
		Class{Name: "agent", RequestsPerSec: 3.9, PeakToMean: 1.5, PromptTokens: 15325, OutputTokens: 149, HitFrac: 0.651, ArrivalCV2: 1, ServiceCV2: 0.93},
		Objective{TPOTSeconds: 0.05, TTFTSeconds: 2, TargetFrac: 0.7},
		[]string{mooncake + ", synthetic: mean lengths, their spread (0.75 and 3.7, from mean and median), rate, gaps, and the hit rate of a cache of 25.6 million tokens, more than GPUs hold"},
		"Peak, both limits.",
	},
	{
		"offline-batch", "Offline batch", "h100-sxm", "llama-3.1-8b", 1, false, profile.BF16,
		Class{Name: "documents", RequestsPerSec: 50, PeakToMean: 1, PromptTokens: 2573, OutputTokens: 300, ArrivalCV2: 0, ServiceCV2: 0.52},
		Objective{TargetFrac: 0.95},
		[]string{arxivTrace + ": mean lengths"},
		"50 requests/s fed evenly, no limit on time, replicas kept 95% busy, the spread of lengths (0.1 of prompts, 1.8 of outputs: guesses from the percentiles).",
	},
}

// Presets lists them.
func Presets() []Preset {
	out := make([]Preset, 0, len(presetRows))
	for i := range presetRows {
		out = append(out, presetRows[i].preset())
	}
	return out
}

// FindPreset returns the preset with this id.
func FindPreset(id string) (Preset, bool) {
	for i := range presetRows {
		if presetRows[i].id == id {
			return presetRows[i].preset(), true
		}
	}
	return Preset{}, false
}

func (r *presetRow) preset() Preset {
	g, _ := profile.FindGPU(r.gpu)
	m, _ := profile.FindModel(r.model)
	d := Deployment{GPU: g, Model: m, TP: r.tp, KV: r.kv}
	if r.eight {
		d.Weights, d.Compute = profile.FP8, profile.FP8
	}
	e := PublishedEfficiency()
	e.Set(&d)
	if len(g.Prices) > 0 {
		d.USDPerGPUHour = float64((g.Prices[0].LowUSDPerGPUHour + g.Prices[0].HighUSDPerGPUHour) * 0.5)
	}
	return Preset{
		ID: r.id, Title: r.title, Workload: Workload{Classes: []Class{r.class}}, Deployment: d, Objective: r.objective,
		Sources: append([]string(nil), r.sources...), Examples: r.examples,
	}
}
