package sim

// The eight signals are what a dashboard shows of a serving cluster. The names
// of engine metrics are those of vLLM V1 and of SGLang as of 2025 and 2026;
// counters are listed with the _total that the client library adds.

// SignalID numbers the signals in the order in which they are shown.
type SignalID uint8

// The signals.
const (
	QueueDepth SignalID = iota
	TTFTp99
	ITLp99
	RunningBatch
	KVOccupancy
	PreemptionRate
	PrefixHit
	AcceptedLength
	NumSignals
)

// Pooling is how the values of several replicas become one of the cluster.
type Pooling uint8

// The ways.
const (
	Sum       Pooling = iota // counts and rates add
	Worst                    // the largest: one full replica preempts while the mean looks fine
	Recompute                // from the requests of all replicas; percentiles cannot be averaged
	UpperMost                // the largest percentile, an upper bound of the pooled one: of the gaps of a window only percentiles are kept
	RatioOf                  // sum of numerators over sum of denominators; undefined where nothing was counted
)

// Signal describes one.
type Signal struct {
	ID         SignalID
	Name       string
	Unit       string // empty for a ratio
	Definition string
	VLLM       string // metric, or an expression of metrics
	SGLang     string
	Pooling    Pooling
}

// Describe gives the table's row of a signal.
func (id SignalID) Describe() Signal { return signals[id] }

var signals = [NumSignals]Signal{
	{
		QueueDepth, "queue depth", "requests", "requests sent and not running, preempted ones included, at the end of the window",
		"vllm:num_requests_waiting", "sglang:num_queue_reqs", Sum,
	},
	{
		TTFTp99, "TTFT p99", "s", "99th percentile, by nearest rank, of the time to first token of requests whose first token came in the window",
		"vllm:time_to_first_token_seconds", "sglang:time_to_first_token_seconds", Recompute,
	},
	{
		ITLp99, "ITL p99", "s", "99th percentile of the gaps between tokens of one request that ended in the window",
		"vllm:inter_token_latency_seconds", "sglang:inter_token_latency_seconds", UpperMost,
	},
	{
		RunningBatch, "running batch", "requests", "requests in the running list at the end of the window",
		"vllm:num_requests_running", "sglang:num_running_reqs", Sum,
	},
	{
		KVOccupancy, "KV occupancy", "", "blocks held by running requests over usable blocks, at the end of the window; cached blocks that nobody holds are free",
		"vllm:kv_cache_usage_perc", "sglang:token_usage", Worst,
	},
	{
		PreemptionRate, "preemptions", "1/s", "requests put back into the queue, their KV thrown away, per second",
		"vllm:num_preemptions_total", "sglang:num_retracted_requests_total", Sum,
	},
	{
		PrefixHit, "prefix hit rate", "", "prompt tokens found in the prefix cache over prompt tokens looked up",
		"vllm:prefix_cache_hits_total / vllm:prefix_cache_queries_total", "sglang:cached_tokens_total / sglang:prompt_tokens_total", RatioOf,
	},
	{
		AcceptedLength, "accepted length", "tokens", "1 + accepted draft tokens over sequence-steps with drafts: tokens that one verification gives",
		"1 + vllm:spec_decode_num_accepted_tokens_total / vllm:spec_decode_num_drafts_total", "sglang:spec_accept_length", RatioOf,
	},
}
