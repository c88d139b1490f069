package refusal

// The words of every input that the planner can refuse. Units are those in which
// the demos ask for them.

const (
	percent = 100
	millis  = 1e3
	giga    = 1e-9
	tera    = 1e-12
)

// part is the inputs below one path.
type part struct {
	prefix string
	names  []row
}

// row is an input by the rest of its path.
type row struct {
	field string
	Words
}

// classes are the inputs of one kind of request.
var classes = []row{
	{"RequestsPerSec", Words{Name: "Requests", Unit: "requests/s"}},
	{"PeakToMean", Words{Name: "Peak over mean"}},
	{"PromptTokens", Words{Name: "Prompt", Unit: "tokens"}},
	{"OutputTokens", Words{Name: "Output, thinking included,", Unit: "tokens"}},
	{"ThinkingTokens", Words{Name: "Thinking", Unit: "tokens"}},
	{"CachedTokens", Words{Name: "Found in the prefix cache", Unit: "tokens"}},
	{"HitFrac", Words{Name: "Found in the prefix cache", Unit: "%", Scale: percent, Legal: "less than the whole prompt, so that one token of it is computed"}},
	{"ArrivalCV2", Words{Name: "Bursts"}},
	{"ServiceCV2", Words{Name: "Spread of the work"}},
}

// gpu and shape are inputs of a GPU and of a model, under whichever path.
var gpu = []row{
	{"MemoryBytes", Words{Name: "Memory of the GPU", Unit: "GB", Scale: giga}},
	{"HBMBytesPerSec", Words{Name: "Bandwidth of the GPU's memory", Unit: "TB/s", Scale: tera}},
	{"BF16FLOPsPerSec", Words{Name: "Arithmetic of the GPU in bf16", Unit: "TFLOP/s", Scale: tera}},
	{"FP8FLOPsPerSec", Words{Name: "Arithmetic of the GPU in fp8", Unit: "TFLOP/s", Scale: tera}},
	{"FP4FLOPsPerSec", Words{Name: "Arithmetic of the GPU in fp4", Unit: "TFLOP/s", Scale: tera}},
	{"INT8FLOPsPerSec", Words{Name: "Arithmetic of the GPU in int8", Unit: "TFLOP/s", Scale: tera}},
	{"LinkBytesPerSec", Words{Name: "Link of the GPU", Unit: "GB/s", Scale: giga}},
	{"PowerWatts", Words{Name: "Rated power of the GPU", Unit: "W"}},
	{"LowUSDPerGPUHour", Words{Name: "Price of a GPU for an hour", Unit: "$"}}, {"HighUSDPerGPUHour", Words{Name: "Price of a GPU for an hour", Unit: "$"}},
}

var shape = []row{
	{"Attention", Words{Name: "Kind of attention", Legal: "one of those that are listed"}},
	{"Layers", Words{Name: "Layers"}},
	{"Hidden", Words{Name: "Hidden width"}},
	{"Heads", Words{Name: "Heads"}},
	{"HeadDim", Words{Name: "Head width"}},
	{"KVHeads", Words{Name: "KV heads"}},
	{"NopeHeadDim", Words{Name: "Head width without positions"}},
	{"RopeHeadDim", Words{Name: "Head width with positions"}},
	{"ValueHeadDim", Words{Name: "Head width of values"}},
	{"QueryRank", Words{Name: "Rank of queries"}},
	{"KVRank", Words{Name: "Rank of the latent vector"}},
	{"Vocab", Words{Name: "Vocabulary", Unit: "tokens"}},
	{"ContextTokens", Words{Name: "Longest context", Unit: "tokens"}},
	{"LocalLayers", Words{Name: "Layers with a window"}},
	{"WindowTokens", Words{Name: "Window", Unit: "tokens"}},
	{"MoELayers", Words{Name: "Layers with experts"}},
	{"Intermediate", Words{Name: "MLP width"}},
	{"ExpertIntermediate", Words{Name: "MLP width of an expert"}},
	{"ExpertsRouted", Words{Name: "Experts"}},
	{"ExpertsActive", Words{Name: "Experts of a token"}},
	{"ExpertsShared", Words{Name: "Experts that every token uses"}},
	{"Small.Norms", Words{Name: "Norms of a layer"}},
	{"Params", Words{Name: "Parameters of the model", Unit: "billion", Scale: giga}},
}

var speculation = []row{
	{"Drafts", Words{Name: "Drafts", Unit: "tokens"}},
	{"DraftCost", Words{Name: "Cost of a draft, in steps"}},
	{"Acceptance", Words{Name: "Drafts that are accepted", Unit: "%", Scale: percent, Legal: "a share, or a table of measured lengths, not both"}},
	{"Table.Lengths", Words{Name: "Mean length that is accepted", Unit: "tokens"}},
}

// parts are tried in order: a longer path stands before the one that it begins
// with.
var parts = []part{
	{"Deployment.Reference.GPU.", gpu},
	{"Deployment.Reference.Model.", shape},
	{"Deployment.Reference.", []row{
		{"Origin", Words{Name: "Measured step times", Legal: "measured, or between two that were"}},
		{"GPU", Words{Name: "GPU of the measured step times"}},
		{"Model", Words{Name: "Model of the measured step times"}},
		{"TP", Words{Name: "GPUs of the replica that was measured", Unit: "GPUs"}},
		{"Weights", Words{Name: "Weights of the measured step times"}},
		{"PrefillBase", Words{Name: "Measured time of an empty prefill", Unit: "s"}},
		{"PrefillPerToken", Words{Name: "Measured time of prefill for each token", Unit: "s"}},
		{"PrefillPerTokenSquared", Words{Name: "Measured time of prefill for each pair of tokens", Unit: "s"}},
		{"DecodeBase", Words{Name: "Measured time of an empty step", Unit: "s"}},
		{"DecodePerSequence", Words{Name: "Measured time of a step for each sequence", Unit: "s"}},
		{"DecodePerKVToken", Words{Name: "Measured time of a step for each token in KV", Unit: "s"}},
		{"StepSeconds", Words{Name: "Time that the engine adds to a step", Unit: "ms", Scale: millis}},
	}},
	{"Deployment.GPU.", gpu},
	{"Deployment.Model.", shape},
	{"GPU.", gpu},
	{"Model.", shape},
	{"Deployment.Spec.", speculation},
	{"Targets.Spec.", speculation},
	{"Spec.", speculation},
	{"Deployment.Storage.", []row{
		{"AlwaysOn", Words{Name: "Bytes of a parameter"}},
		{"Routed", Words{Name: "Bytes of a parameter of an expert"}},
	}},
	{"Deployment.Engine.", []row{
		{"StepSeconds", Words{Name: "Time that the engine adds to a step", Unit: "ms", Scale: millis}},
		{"LinkFrac", Words{Name: "Share of the link that is reached", Unit: "%", Scale: percent}},
		{"LatencySeconds", Words{Name: "Latency of the link", Unit: "ms", Scale: millis}},
		{"AttentionMFU", Words{Name: "MFU of attention", Unit: "%", Scale: percent}},
		{"AttentionMBU", Words{Name: "MBU of reading KV", Unit: "%", Scale: percent}},
		{"ExpertMFUFrac", Words{Name: "MFU of experts over that of the rest", Unit: "%", Scale: percent}},
	}},
	{"Deployment.", []row{
		{"GPU", Words{Name: "GPU"}},
		{"Model", Words{Name: "Model"}},
		{"TP", Words{Name: "GPUs of a replica", Unit: "GPUs"}},
		{"Weights", Words{Name: "Weights"}},
		{"KV", Words{Name: "KV cache"}},
		{"Compute", Words{Name: "Type of the arithmetic"}},
		{"HeadBytesPerParam", Words{Name: "Bytes of a parameter of the embeddings"}},
		{"MFU", Words{Name: "MFU", Unit: "%", Scale: percent}},
		{"MBU", Words{Name: "MBU", Unit: "%", Scale: percent}},
		{"MemoryFrac", Words{Name: "Memory for weights and KV", Unit: "%", Scale: percent}},
		{"KVScale", Words{Name: "Size of the KV cache, as a factor"}},
		{"MaxNumSeqs", Words{Name: "Seats", Unit: "sequences"}},
		{"USDPerGPUHour", Words{Name: "Price of a GPU for an hour", Unit: "$"}},
		{"SpareReplicas", Words{Name: "Spare replicas"}},
		{"ChunkTokens", Words{Name: "Chunk of a prompt", Unit: "tokens"}},
		{"OverlapFrac", Words{Name: "Hidden behind decode", Unit: "%", Scale: percent, Legal: "0 unless prompts are computed in chunks beside decode"}},
		{"Cache", Words{Name: "Prefix cache", Legal: "one of those that are listed"}},
		{"CacheHitFrac", Words{Name: "Found in the prefix cache", Unit: "%", Scale: percent, Legal: "0, or less than the whole prompt with a cache that finds it"}},
		{"Attention", Words{Name: "Attention", Legal: "one of those that are listed"}},
		{"Experts", Words{Name: "Experts", Legal: "one of those that are listed"}},
		{"Disaggregated", Words{Name: "Prefill in a pool of its own", Legal: "off, where fleets are searched by simulation"}},
	}},
	{"Objective.", []row{
		{"TPOTSeconds", Words{Name: "Time per output token", Unit: "ms", Scale: millis, Legal: "no less than one step of one sequence takes"}},
		{"TTFTSeconds", Words{Name: "Time to first token", Unit: "s", Legal: "more than it takes without any wait"}},
		{"WaitSeconds", Words{Name: "Wait for a replica", Unit: "s"}},
		{"TargetFrac", Words{Name: "Busy at most", Unit: "%", Scale: percent, Legal: "more than 0%, up to 100%, unless a promise says how long a request may wait"}},
	}},
	{"Targets.", []row{
		{"Weights", Words{Name: "Weights that the lever leads to"}},
		{"Compute", Words{Name: "Type of the arithmetic that the lever leads to"}},
		{"KV", Words{Name: "KV cache that the lever leads to"}},
		{"PlainWeights", Words{Name: "Weights without the lever"}},
		{"PlainKV", Words{Name: "KV cache without the lever"}},
		{"HitFrac", Words{Name: "Found in the prefix cache with the lever", Unit: "%", Scale: percent}},
		{"ChunkTokens", Words{Name: "Chunk of a prompt with the lever", Unit: "tokens"}},
		{"OverlapFrac", Words{Name: "Hidden behind decode with the lever", Unit: "%", Scale: percent}},
	}},
	{"Task.", []row{
		{"Turns", Words{Name: "Requests of a task"}},
		{"SystemTokens", Words{Name: "System prompt", Unit: "tokens"}},
		{"UserTokens", Words{Name: "Question", Unit: "tokens", Legal: "more than 0 without a system prompt, since a prompt has a token"}},
		{"AnswerTokens", Words{Name: "Answer", Unit: "tokens"}},
		{"ThinkingTokens", Words{Name: "Thinking", Unit: "tokens"}},
		{"SuccessFrac", Words{Name: "Attempts that succeed", Unit: "%", Scale: percent}},
		{"MaxAttempts", Words{Name: "Attempts at most"}},
	}},
	{"Batch.", []row{
		{"Sequences", Words{Name: "Sequences in a step"}},
		{"ContextTokens", Words{Name: "Context of a sequence", Unit: "tokens"}},
	}},
	{"CheckOptions.", []row{
		{"Seeds", Words{Name: "Runs"}},
		{"Level", Words{Name: "Level of the intervals", Unit: "%", Scale: percent}},
	}},
	{"SimOptions.", []row{
		{"Replicas", Words{Name: "Replicas that are simulated"}},
		{"PrefillReplicas", Words{Name: "Replicas for prefill that are simulated"}},
		{"DecodeReplicas", Words{Name: "Replicas for decode that are simulated"}},
		{"RequestsPerSec", Words{Name: "Load that is simulated", Unit: "requests/s"}},
		{"Requests", Words{Name: "Requests that are simulated"}},
		{"MostRequests", Words{Name: "Most requests of a run", Legal: "a lower load, or shorter answers"}},
	}},
	{"DayOptions.", []row{
		{"Replicas", Words{Name: "Replicas of a fleet that is played"}},
		{"Seeds", Words{Name: "Days"}},
		{"Failed", Words{Name: "Replicas that fail"}},
		{"FailHour", Words{Name: "Hour at which they fail"}},
		{"GoneHours", Words{Name: "Hours that they are gone", Unit: "h"}},
		{"MostRequests", Words{Name: "Most requests of a day", Legal: "a lower load"}},
	}},
	{"SearchOptions.", []row{
		{"MostReplicas", Words{Name: "Most replicas of the search"}},
		{"MostRuns", Words{Name: "Most runs of the search"}},
		{"TPs", Words{Name: "GPUs of a replica", Unit: "GPUs"}},
	}},
	{"CapacityOptions.", []row{
		{"Seeds", Words{Name: "Runs"}},
		{"Requests", Words{Name: "Requests that are simulated"}},
		{"MostReplicas", Words{Name: "Most replicas of the search"}},
		{"Tolerance", Words{Name: "Tolerance of the search", Unit: "%", Scale: percent}},
	}},
	{"RankOptions.", []row{{"Resolution", Words{Name: "Savings that count as equal", Unit: "GPUs"}}}},
	{"Workload.", []row{{"Classes", Words{Name: "Kinds of requests"}}}},
	{"", []row{
		{"Objective", Words{Name: "The promise", Legal: "one that the simulation keeps at some load"}},
		{"Plan", Words{Name: "The plan", Legal: "one that was made before"}},
		{"Params", Words{Name: "Parameters of the model", Unit: "billion", Scale: giga}},
		{"pue", Words{Name: "Power of the site over that of the GPUs"}},
		{"usdPerKWh", Words{Name: "Price of a kilowatt-hour", Unit: "$"}},
		{"usdPerAttempt", Words{Name: "Price of an attempt", Unit: "$"}},
		{"share", Words{Name: "How far inputs are moved", Unit: "%", Scale: percent}},
	}},
}
