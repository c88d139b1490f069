package sim

// The base server of the lever matrix, in good health: four equal replicas that
// serve about half of what they can.
//
// Its steps are those of the performance workload p8 (an 8B model on one GPU),
// times four, as of a model four times as large: an assumption, as are the
// acceptance of drafts (0.7, 0.6, 0.5) and all sizes. Seats run out before
// blocks do. Half of each prompt is one of eight shared prefixes.

// Healthy is the base scenario that a lever is pulled on. It is the same for all
// but two: for slow_kv_link two of its replicas prefill and two decode; for
// retry_storm its load is 30 requests/s, and its clients give up after 8 s.
func Healthy(lever string) Scenario {
	s := Scenario{
		Config: Config{
			Replicas: 4, Routing: LeastRequests,
			Timeout: 20 * Second, Horizon: HealthySpan, SampleEvery: 4 * Second,
			Engine: Engine{
				MaxNumSeqs: 48, MaxBatchedTokens: 1024, PrefillChunkTokens: 1024, BlockTokens: 16, KVBlocks: 2750,
				PrefixCache: true, Draft: Draft{Accept: []float64{0.7, 0.6, 0.5}},
				Cost: LinearCost{
					Base: 24_360_000_000, PerPrefillToken: 64_080_000, PerDecode: 32_800_000, PerDraftToken: 8_000_000, PerKVToken: 177_200,
				},
			},
		},
		Workload: Workload{
			Generator: OpenLoop{Poisson{RatePerSec: 20}},
			Lengths:   Separate{Prompt: healthyPrompt, Output: LogNormalCount{Median: 172, Sigma: 0.45, Min: 8, Max: 768}},
			Shared:    SharedPrefixes{Prefixes: 8, Tokens: 512, Zipf: 1, Share: 1},
			Until:     HealthySpan,
		},
	}
	switch lever {
	case slowKVLink.ID:
		// 128 KiB a token, over a link of 25 GB/s: 5 ms for a prompt. Nothing
		// is shared between those that decode, so there is less room.
		s.Workload.Generator = OpenLoop{Poisson{RatePerSec: 14}}
		s.Config.Pools = Pools{Prefill: 2, BytesPerToken: 128 << 10, BytesPerSec: 25e9}
	case retryStorm.ID:
		// Busier, and clients with less patience; nobody is so long that he
		// would lose it in good health.
		s.Workload.Generator = OpenLoop{Poisson{RatePerSec: 30}}
		s.Workload.Lengths = Separate{Prompt: healthyPrompt, Output: LogNormalCount{Median: 172, Sigma: 0.3, Min: 8, Max: 256}}
		s.Config.Timeout = 8 * Second
	}
	return s
}

var healthyPrompt = LogNormalCount{Median: 448, Sigma: 0.5, Min: 16, Max: 2048} // before the shared prefix

// HealthySpan is how long it is watched.
const HealthySpan = 100 * Second

// HealthySLO is what its users were promised.
var HealthySLO = SLO{TTFT: 2 * Second, TPOT: 100 * Millisecond}
