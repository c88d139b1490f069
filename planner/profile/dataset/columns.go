package dataset

// Column is a field of a data set as its files have it.
type Column struct {
	File string // or kind of file; "" for all
	Name string
	Unit string // "" for words and counts
	Says string
}

// Columns are the fields of a data set that this guide reads, a copy; none for
// an id that is not there.
func Columns(id string) []Column { return append([]Column(nil), columns[id]...) }

// columns by id. What a file has beyond them is at the source.
var columns = map[string][]Column{
	"aiconfigurator": {
		{"gemm", "m, n, k", "", "tokens, output features, input features"},
		{"gemm", "gemm_dtype", "", "bfloat16, fp8 or nvfp4"},
		{"context attention", "batch_size, isl", "tokens", "sequences, and new tokens of each"},
		{"generation attention", "isl + step", "tokens", "KV of each sequence"},
		{"both attentions", "num_heads, num_key_value_heads", "", "of one GPU, after the split"},
		{"all-reduce", "num_gpus, message_size", "elements", "2 bytes each in bfloat16"},
		{"", "latency", "ms", "one call on one GPU"},
	},
	"vidur": {
		{"", "time_stats.OP.median", "ms", "one operator of one layer; minimum, maximum and mean stand beside it"},
		{"mlp", "num_tokens", "tokens", "in the step"},
		{"mlp", "num_tensor_parallel_workers", "", "shards; one of them was timed"},
		{"attention", "batch_size, prefill_chunk_size, kv_cache_size", "tokens", "sequences, new tokens, tokens already there for each sequence"},
		{"all_reduce, send_recv", "size", "bytes", "message"},
	},
	"splitwise": {
		{"", "model, hardware, tensor_parallel", "", "what ran"},
		{"", "prompt_size, batch_size, token_size", "tokens", "prompt, sequences, answer"},
		{"", "prompt_time", "ms", "the whole batch of prompts"},
		{"", "token_time", "ms", "one decode step"},
		{"", "e2e_time", "ms", "the request; not used"},
		{"", "peak_power, average_power", "share of TDP", "0 where not measured"},
	},
	"distserve": {
		{"", "prefill [a, b, c]", "ms", "a + b (sum of lengths) + c (sum of squared lengths)"},
		{"", "decoding_smallbs, decoding_largebs [a, b, c]", "ms", "a + b (tokens of context) + c (sequences), below and above a batch"},
		{"max_num_tokens", "max_num_tokens", "tokens", "KV that fits"},
	},
	"llmservingsim": {
		{"dense, per_sequence", "tokens or sequences, time_us", "µs", "one call of one layer"},
		{"attention", "prefill_chunk, kv_prefill, n_decode, kv_decode, time_us", "µs", "a prefill with its cached tokens beside decoding sequences with theirs"},
		{"requests", "input_toks, output_toks, arrival_time, first_token_ts, last_token_ts", "s", "each request of the real run"},
		{"timeseries", "prompt_throughput, gen_throughput, running, waiting, kv_cache_pct", "tokens/s", "each second of it"},
		{"layers (H100)", "latency", "ns", "one call of one layer"},
	},
	"infersim": {
		{"gemm", "m, k, n, latency_us, mfu", "µs", "time, and share of the peak that the authors use"},
		{"decode attention", "batch_size, kv_len, latency_us", "µs", "sequences, tokens of each"},
		{"grouped_gemm", "num_experts, topk, tokens_per_expert, up_proj_us, down_proj_us", "µs", "the matrices of experts"},
	},
	"inference_sim": {
		{"hardware_config", "TFlopsPeak, BwPeakTBs, mfuPrefill, mfuDecode", "TFLOP/s, TB/s", "peaks and shares of them"},
		{"defaults", "alpha, beta", "µs", "trained corrections"},
	},
	"derived_fits": {
		{"", "prefill_a, prefill_b, prefill_c", "ms", "a + b tokens + c tokens²"},
		{"", "decode_a, decode_b, decode_c", "ms", "a + b sequences + c (tokens in KV)"},
		{"", "R2, MAPE", "%", "of the points of the fit"},
		{"", "MFU, MBU", "", "shares of the peaks at some loads"},
		{"composed points", "batch, new tokens, KV tokens, time_ms", "ms", "what the planes were laid through"},
	},
	"inference_perf_h100": {
		{"stage", "requested_rate, achieved_rate", "requests/s", "asked for and sent"},
		{"stage", "request_latency, time_to_first_token, time_per_output_token", "s", "mean and quantiles"},
		{"stage", "prompt_len, output_len", "tokens", "means of about 201 and 63"},
	},
	"ibm_llm_pilot": {
		{"", "num_users, gpu_type, n_gpus", "", "closed loop of so many users"},
		{"", "n_input_tokens, n_output_tokens", "tokens", "of each request"},
		{"", "latency_ms, latency_ms_per_token", "ms", "the request; a list with an acknowledgement first"},
	},
	"llm_inference_bench": {
		{"", "Hardware, Num of Hardware, Framework, Model", "", "what ran"},
		{"", "Input Output Length, Batch Size", "tokens", "prompt and answer have the same length"},
		{"", "Latency", "s", "the whole batch"},
		{"", "Throughput", "tokens/s", "prompt and answer tokens together"},
	},
	"dstack_benchmarks": {
		{"throughput", "input_len, output_len, batch_size, elapsed_time", "s", "a batch"},
		{"throughput", "tokens_per_second", "tokens/s", "prompt and answer tokens together"},
		{"curve", "usd_per_hr, cost_per1M_token", "USD", "price of the machine and of a million tokens"},
		{"ratio of pools", "TTFT, TPOT, throughput", "ms, tokens/s", "SGLang with several splits of its GPUs"},
	},
	"inferencex": {
		{"fixed lengths", "model, tp, concurrency, duration, total_output_tokens", "s", "a run"},
		{"multi-turn", "bs, offload, gpu_hit_rate, cpu_hit_rate", "%", "clients, kind of cache, prefix hits"},
		{"B200", "mean_power_per_gpu_w", "W", "mean of 8 GPUs, 4 of them idle"},
	},
	"published_results": {
		{"", "gpu, gpu_count, tp, pp, model, precision", "", "the whole system"},
		{"", "isl, osl", "tokens", "prompt and answer, where they are fixed"},
		{"", "ttft_limit_ms, tpot_limit_ms", "ms", "limits of MLPerf, 99th percentile"},
		{"", "value", "tokens/s", "output of the whole system"},
		{"power", "mean_system_power_W", "W", "of the server while it ran"},
	},
	"routellm": {
		{"", "subject, row", "", "question of MMLU or GSM8K"},
		{"", "mixtral_8x7b_correct, gpt4_1106_correct", "", "1 or 0"},
	},
	"routerarena": {
		{"cost", "input_token_price_per_million, output_token_price_per_million", "USD", "list prices"},
		{"usage", "input_tokens, output_tokens, score, inference_cost", "USD", "one model and question"},
	},
	"azure_llm_2023": {
		{"", "TIMESTAMP", "UTC", "in steps of 100 ns"},
		{"", "ContextTokens, GeneratedTokens", "tokens", "prompt and answer"},
	},
	"mooncake": {
		{"", "timestamp", "ms", "from the start"},
		{"", "input_length, output_length", "tokens", "prompt and answer"},
		{"", "hash_ids", "", "blocks of 512 prompt tokens; equal numbers can share their KV"},
	},
	"servegen": {
		{"trace", "window start, rate, CV, distribution", "s, 1/s", "one client and window"},
		{"dataset", "input_tokens, output_tokens", "tokens", "probability of each length, by window"},
	},
}
