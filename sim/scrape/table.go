package scrape

import "openloop/sim"

// The table of signals and metric names: the guide prints it, and the tests
// hold the reader to it.

// Exposure is one signal as one engine exposes it: what the guide prints.
type Exposure struct {
	Signal sim.SignalID
	Engine Engine
	Names  [][]string // each group of names gives the signal; the first that is there counts
	Unit   string     // of what the formula gives; empty for a ratio
	PromQL string     // window w, with the names of the first group: one number for all replicas, pooled as the signal is
	Log    string     // the field of a log line; empty if no line has it
}

// Table is each signal of each engine, signal by signal.
func Table() []Exposure { return append([]Exposure(nil), table[:]...) }

var table = [...]Exposure{
	{sim.QueueDepth, VLLM, [][]string{{"vllm:num_requests_waiting"}}, "requests", `sum(max_over_time(vllm:num_requests_waiting[w]))`, "Waiting (V0: Pending)"},
	{sim.QueueDepth, SGLang, [][]string{{"sglang:num_queue_reqs"}}, "requests", `sum(max by (instance, dp_rank) (max_over_time(sglang:num_queue_reqs[w])))`, "#queue-req"},
	{
		sim.TTFTp99, VLLM, [][]string{{"vllm:time_to_first_token_seconds"}}, "s",
		`histogram_quantile(0.99, sum by (le) (rate(vllm:time_to_first_token_seconds_bucket[w])))`, "",
	},
	{
		sim.TTFTp99, SGLang, [][]string{{"sglang:time_to_first_token_seconds"}}, "s",
		`histogram_quantile(0.99, sum by (le) (rate(sglang:time_to_first_token_seconds_bucket[w])))`, "",
	},
	{
		sim.ITLp99, VLLM, [][]string{{"vllm:inter_token_latency_seconds"}, {"vllm:time_per_output_token_seconds"}}, "s",
		`histogram_quantile(0.99, sum by (le) (rate(vllm:inter_token_latency_seconds_bucket[w])))`, "",
	},
	{
		sim.ITLp99, SGLang, [][]string{{"sglang:inter_token_latency_seconds"}, {"sglang:time_per_output_token_seconds"}}, "s",
		`histogram_quantile(0.99, sum by (le) (rate(sglang:inter_token_latency_seconds_bucket[w])))`, "",
	},
	{sim.RunningBatch, VLLM, [][]string{{"vllm:num_requests_running"}}, "requests", `sum(avg_over_time(vllm:num_requests_running[w]))`, "Running"},
	{sim.RunningBatch, SGLang, [][]string{{"sglang:num_running_reqs"}}, "requests", `sum(max by (instance, dp_rank) (avg_over_time(sglang:num_running_reqs[w])))`, "#running-req"},
	{
		sim.KVOccupancy, VLLM, [][]string{{"vllm:kv_cache_usage_perc"}, {"vllm:gpu_cache_usage_perc"}}, "",
		`max(max_over_time(vllm:kv_cache_usage_perc[w]))`, "GPU KV cache usage",
	},
	{
		sim.KVOccupancy, SGLang, [][]string{{"sglang:token_usage"}, {"sglang:num_used_tokens", "sglang:max_total_num_tokens"}}, "",
		`max(max_over_time(sglang:token_usage[w]))`, "token usage",
	},
	{sim.PreemptionRate, VLLM, [][]string{{"vllm:num_preemptions_total"}}, "1/s", `sum(rate(vllm:num_preemptions_total[w]))`, "Preemptions, where there are any, since the end of 2025; before that in V0's warning only"},
	{
		sim.PreemptionRate, SGLang, [][]string{{"sglang:num_retracted_requests_total"}}, "1/s",
		`sum(max by (instance, dp_rank) (rate(sglang:num_retracted_requests_total[w])))`, "#retracted_reqs",
	},
	{
		sim.PrefixHit, VLLM, [][]string{{"vllm:prefix_cache_hits_total", "vllm:prefix_cache_queries_total"}, {"vllm:gpu_prefix_cache_hits_total", "vllm:gpu_prefix_cache_queries_total"}}, "",
		`sum(rate(vllm:prefix_cache_hits_total[w])) / sum(rate(vllm:prefix_cache_queries_total[w]))`, "Prefix cache hit rate, of the last 1,000 requests",
	},
	{
		sim.PrefixHit, SGLang, [][]string{{"sglang:realtime_tokens_total"}, {"sglang:cached_tokens_total", "sglang:prompt_tokens_total"}}, "",
		`sum(rate(sglang:realtime_tokens_total{mode="prefill_cache"}[w])) / sum(rate(sglang:realtime_tokens_total{mode=~"prefill_cache|prefill_compute"}[w]))`,
		"#cached-token / (#cached-token + #new-token)",
	},
	{
		sim.AcceptedLength, VLLM, [][]string{
			{"vllm:spec_decode_num_accepted_tokens_total", "vllm:spec_decode_num_drafts_total"},
			{"vllm:spec_decode_num_emitted_tokens_total", "vllm:spec_decode_num_draft_tokens_total", "vllm:spec_decode_efficiency"},
		}, "tokens",
		`1 + sum(rate(vllm:spec_decode_num_accepted_tokens_total[w])) / sum(rate(vllm:spec_decode_num_drafts_total[w]))`, "Accepted, Drafted and the number of positions",
	},
	{sim.AcceptedLength, SGLang, [][]string{{"sglang:spec_accept_length"}}, "tokens", `avg(avg_over_time(sglang:spec_accept_length[w]))`, "accept len"},
}
