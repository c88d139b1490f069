package kernel

// Cost is one published measurement of the price of batch-invariant kernels:
// one canonical order for each reduction, whatever the batch.
type Cost struct {
	Setup  string
	Usual  float64 // seconds with the usual kernels; 0 if only the ratio was published
	Fixed  float64 // seconds with batch-invariant kernels; 0 likewise
	Ratio  float64 // Fixed / Usual
	Source string
}

const (
	sglang = "SGLang, lmsys blog, 2025-09-22"
	llm8b  = "Qwen3-8B, one H200, 256 requests, "
)

// Costs lists whole-run measurements of inference. The 61.5% is the first
// public version of batch_invariant_ops, as quoted by SGLang; the last row is
// SGLang's own average over its FlashInfer and FA3 runs.
func Costs() []Cost {
	return []Cost{
		timed("FlashInfer, 1k in 1k out", 30.85, 43.99),
		timed("FlashInfer, 4k in 4k out", 332.32, 485.16),
		timed("FlashInfer, 8k in 8k out", 1623.87, 2020.13),
		ratio(llm8b+"FA3, 1k in 1k out", 1.272),
		ratio(llm8b+"FA3, 4k in 4k out", 1.302),
		ratio(llm8b+"FA3, 8k in 8k out", 1.357),
		ratio(llm8b+"Triton, 1k in 1k out", 1.551),
		ratio(llm8b+"Triton, 4k in 4k out", 1.446),
		ratio(llm8b+"Triton, 8k in 8k out", 1.448),
		ratio("first version of batch_invariant_ops", 1.615),
		ratio("average of FlashInfer and FA3", 1.3435),
	}
}

func timed(setup string, usual, fixed float64) Cost {
	return Cost{Setup: llm8b + setup, Usual: usual, Fixed: fixed, Ratio: fixed / usual, Source: sglang}
}

func ratio(setup string, r float64) Cost {
	return Cost{Setup: setup, Ratio: r, Source: sglang}
}

// CostRange is the smallest and the largest ratio in Costs.
func CostRange() (least, most float64) {
	all := Costs()
	least, most = all[0].Ratio, all[0].Ratio
	for _, c := range all[1:] {
		least, most = min(least, c.Ratio), max(most, c.Ratio)
	}
	return least, most
}
