package sim

// Pairs of scenarios that look alike on one dial and are not.

// presetSpan is how long a preset is watched.
const presetSpan = 120 * Second

// onOne is one replica with the steps of the performance workload p8.
func onOne(perSec float64, prompt, output int32, kvTokens int) Scenario {
	return Scenario{
		Config: Config{
			Replicas: 1, Horizon: presetSpan, SampleEvery: 4 * Second,
			Engine: Engine{
				MaxNumSeqs: 256, MaxBatchedTokens: 2048, PrefillChunkTokens: 2048, BlockTokens: 16, KVBlocks: kvTokens / 16,
				Cost: LinearCost{Base: 6_090_000_000, PerPrefillToken: 16_020_000, PerDecode: 8_200_000, PerKVToken: 44_300},
			},
		},
		Workload: Workload{
			Generator: OpenLoop{Poisson{RatePerSec: perSec}},
			Lengths: Separate{
				Prompt: NormalCount{Mean: float64(prompt), SD: float64(prompt) / 4, Min: 16, Max: 2 * prompt},
				Output: NormalCount{Mean: float64(output), SD: float64(output) / 4, Min: 1, Max: 2 * output},
			},
			Until: presetSpan,
		},
	}
}

// BusyPair is one load on two replicas, both of which are busy for more than
// 99% of the time. The second has three eighths of the KV cache of the first: it spends its
// time on computing again what it threw away.
func BusyPair() (healthy, thrashing Scenario) {
	return onOne(12, 512, 400, 64_000), onOne(12, 512, 400, 24_000)
}

// LongPromptPair is two replicas whose queue grows under long prompts. In the
// first KV is what is short: prompts are cheap, answers long, and everybody
// holds blocks for as long as an answer takes. In the second computing prompts
// is.
func LongPromptPair() (kvLimited, prefillLimited Scenario) {
	return onOne(2.1, 6000, 400, 72_000), onOne(9.5, 6000, 40, 256_000)
}

// PresetSLO is what the users of these pairs were promised.
var PresetSLO = SLO{TTFT: 2 * Second, TPOT: 60 * Millisecond}
