package scrape

// Engine is whose names they are.
type Engine uint8

// The engines.
const (
	Unknown Engine = iota
	VLLM
	SGLang
	Exporter // beside the engine: process, HTTP front end, GPU
)

// String is its name.
func (e Engine) String() string { return [...]string{"unknown", "vLLM", "SGLang", "exporter"}[e] }

// Metric is a name that is read.
type Metric struct {
	Name   string // of a histogram without _bucket, _sum, _count
	Kind   Kind
	Engine Engine
	Unit   string // empty for a ratio
	Source string // the file that defines it, or where the name came or went
}

// Kind is what its values are.
type Kind uint8

// The kinds.
const (
	Counter Kind = iota
	Gauge
	Histo
)

// String is its name in a TYPE line.
func (k Kind) String() string { return [...]string{"counter", "gauge", "histogram"}[k] }

// Where the names are defined. Commits are of vllm-project/vllm and
// sgl-project/sglang.
const (
	v1  = "vllm/v1/metrics/loggers.py @3168f587"
	v0  = "vllm/engine/metrics.py @00c33e81 (V0)"
	sd1 = "vllm/v1/spec_decode/metrics.py @016a8587"
	sg  = "python/sglang/srt/observability/metrics_collector.py @44cedc2b"
	sg0 = "python/sglang/srt/metrics/collector.py @93d04878"
)

// FindMetric looks a name up; suffixes of histograms may be on it.
func FindMetric(name string) (Metric, bool) {
	for _, m := range metrics {
		if m.Name == name {
			return m, true
		}
	}
	return Metric{}, false
}

// Metrics are all names that are read.
func Metrics() []Metric { return append([]Metric(nil), metrics[:]...) }

var metrics = [...]Metric{
	{"vllm:num_requests_waiting", Gauge, VLLM, "requests", v1},
	{"vllm:num_requests_running", Gauge, VLLM, "requests", v1},
	{"vllm:num_requests_swapped", Gauge, VLLM, "requests", v0},
	{"vllm:kv_cache_usage_perc", Gauge, VLLM, "", v1 + "; from 0.9, pull request 18354"},
	{"vllm:gpu_cache_usage_perc", Gauge, VLLM, "", v0 + "; in V1 until pull request 29330"},
	{"vllm:num_preemptions_total", Counter, VLLM, "requests", v1},
	{"vllm:prefix_cache_queries_total", Counter, VLLM, "tokens", v1},
	{"vllm:prefix_cache_hits_total", Counter, VLLM, "tokens", v1},
	{"vllm:gpu_prefix_cache_queries_total", Counter, VLLM, "tokens", "vllm/v1/metrics/loggers.py @a6f0308c; blocks in early 2025"},
	{"vllm:gpu_prefix_cache_hits_total", Counter, VLLM, "tokens", "vllm/v1/metrics/loggers.py @a6f0308c; blocks in early 2025"},
	{"vllm:gpu_prefix_cache_hit_rate", Gauge, VLLM, "", v0 + "; of the whole life, -1 = off"},
	{"vllm:time_to_first_token_seconds", Histo, VLLM, "s", v1},
	{"vllm:inter_token_latency_seconds", Histo, VLLM, "s", v1 + "; from 0.11"},
	{"vllm:time_per_output_token_seconds", Histo, VLLM, "s", v0 + "; in V1 until pull request 29330"},
	{"vllm:e2e_request_latency_seconds", Histo, VLLM, "s", v1},
	{"vllm:request_prompt_tokens", Histo, VLLM, "tokens", v1 + "; filled when a request ends"},
	{"vllm:request_generation_tokens", Histo, VLLM, "tokens", v1 + "; filled when a request ends"},
	{"vllm:request_success_total", Counter, VLLM, "requests", v1 + "; by finished_reason"},
	{"vllm:prompt_tokens_total", Counter, VLLM, "tokens", v1},
	{"vllm:generation_tokens_total", Counter, VLLM, "tokens", v1},
	{"vllm:spec_decode_num_drafts_total", Counter, VLLM, "steps", sd1 + "; pull request 16665"},
	{"vllm:spec_decode_num_draft_tokens_total", Counter, VLLM, "tokens", sd1},
	{"vllm:spec_decode_num_accepted_tokens_total", Counter, VLLM, "tokens", sd1},
	{"vllm:spec_decode_num_emitted_tokens_total", Counter, VLLM, "tokens", v0},
	{"vllm:spec_decode_efficiency", Gauge, VLLM, "", v0},
	{"vllm:cache_config_info", Gauge, VLLM, "", v1 + "; num_gpu_blocks and block_size as labels"},
	{"vllm:lora_requests_info", Gauge, VLLM, "s", v1 + "; its value is the unix time"},

	{"sglang:num_queue_reqs", Gauge, SGLang, "requests", sg},
	{"sglang:num_grammar_queue_reqs", Gauge, SGLang, "requests", sg},
	{"sglang:num_running_reqs", Gauge, SGLang, "requests", sg},
	{"sglang:token_usage", Gauge, SGLang, "", sg},
	{"sglang:full_token_usage", Gauge, SGLang, "", sg},
	{"sglang:swa_token_usage", Gauge, SGLang, "", sg},
	{"sglang:mamba_usage", Gauge, SGLang, "", sg},
	{"sglang:num_used_tokens", Gauge, SGLang, "tokens", sg0},
	{"sglang:max_total_num_tokens", Gauge, SGLang, "tokens", sg},
	{"sglang:num_retracted_requests_total", Counter, SGLang, "requests", sg},
	{"sglang:time_to_first_token_seconds", Histo, SGLang, "s", sg},
	{"sglang:inter_token_latency_seconds", Histo, SGLang, "s", sg},
	{"sglang:time_per_output_token_seconds", Histo, SGLang, "s", "docs/references/production_metrics.md @00b08c49; until pull requests 3988, 28640"},
	{"sglang:e2e_request_latency_seconds", Histo, SGLang, "s", sg},
	{"sglang:realtime_tokens_total", Counter, SGLang, "tokens", sg + "; by mode, when computed"},
	{"sglang:cached_tokens_total", Counter, SGLang, "tokens", sg + "; of finished requests, by cache_source"},
	{"sglang:prompt_tokens_total", Counter, SGLang, "tokens", sg0 + "; of finished requests"},
	{"sglang:generation_tokens_total", Counter, SGLang, "tokens", sg0 + "; of finished requests"},
	{"sglang:num_requests_total", Counter, SGLang, "requests", sg},
	{"sglang:num_aborted_requests_total", Counter, SGLang, "requests", sg},
	{"sglang:spec_accept_length", Gauge, SGLang, "tokens", sg + "; bonus token counted"},
	{"sglang:cache_hit_rate", Gauge, SGLang, "", sg0 + "; of the last batch: named, not used"},

	{"process_start_time_seconds", Gauge, Exporter, "s", "prometheus_client, process collector; not in multi-process mode"},
	{"http_requests_total", Counter, Exporter, "requests", "prometheus-fastapi-instrumentator, by status"},
	{"DCGM_FI_DEV_GPU_UTIL", Gauge, Exporter, "%", "NVIDIA dcgm-exporter"},
}
