package prose

import (
	"openloop/content/demo/serving"
	"openloop/content/tables"
	"openloop/sim"
)

// Checks of what pages say about the constants of the simulated server.

// ms is a duration in milliseconds.
func ms(p sim.Picos) float64 { return float64(p) / 1e9 }

// serverConstants: the server's constants are the fits', rounded to the digits that pages print.
func serverConstants() error {
	kernel, over := tables.ServerFit()
	cost, overhead, _ := serving.Costs()
	near := func(what string, got, want, digits float64) error {
		return between(what, got, want-0.5001*digits, want+0.5001*digits)
	}
	return first(
		near("a of the kernels", ms(cost.Base), kernel.Decode[0], 0.01),
		near("b", ms(cost.PerPrefillToken), kernel.Prefill[1], 1e-5),
		near("c, of which a prompt has half a square", ms(cost.PerPrefillPair)/2, kernel.Prefill[2], 1e-9),
		near("d", ms(cost.PerDecode), kernel.Decode[1], 1e-4),
		near("e", ms(cost.PerKVToken), kernel.Decode[2], 1e-7),
		near("overhead of a step", ms(overhead), over.MedianMs, 0.01),
		near("overhead, as printed", 3.19, over.MedianMs, 0.01),
		near("a of the decode fit, as printed", 6.09, kernel.Decode[0], 0.01),
		near("a of the prefill fit, as printed", 3.00, kernel.Prefill[0], 0.01),
		near("error of the decode fit", 2.8, kernel.DecodeError, 0.1),
		near("error of the prefill fit", 4.0, kernel.PrefillError, 0.1),
		near("error with the overhead", 10.5, over.ErrorAfter, 0.1),
		between("constant of the prefill fit over that of the decode fit", kernel.Prefill[0]/kernel.Decode[0], 0, 0.5),
	)
}

// dearPrompts: the step of a lone prompt against the prefill fit.
func dearPrompts() error {
	kernel, _ := tables.ServerFit()
	cost, _, _ := serving.Costs()
	dearer := func(n int64) float64 {
		fit := kernel.Prefill[0] + kernel.Prefill[1]*float64(n) + kernel.Prefill[2]*float64(n*n)
		return 100 * (ms(cost.Picos(sim.Load{PrefillTokens: n, PrefillPairs: n * (n + 1) / 2}))/fit - 1)
	}
	return first(between("% more at 512 tokens", dearer(512), 26.5, 27.5), between("% more at 2,048", dearer(2048), 7.5, 8.5))
}

func firstSteps() error {
	_, _, pays := serving.Costs()
	return first(between("ms a graph", ms(pays.GraphCapture), 50, 50), between("ms a size of step", ms(pays.Autotune), 460, 460))
}

// stepsOfRequests: how many steps the server takes for each request of the
// aside on speed, which is what its two rates differ by.
func stepsOfRequests() error {
	cost, _, _ := serving.Costs() // without the engine's part, as the benchmark has it
	source, err := sim.NewSource(sim.Workload{
		Generator: sim.OpenLoop{Arrivals: sim.Poisson{RatePerSec: 8}}, Requests: 10_000,
		Lengths: sim.Separate{
			Prompt: sim.NormalCount{Mean: 512, SD: 256, Min: 16, Max: 2048},
			Output: sim.NormalCount{Mean: 192, SD: 96, Min: 1, Max: 768},
		},
	}, 1)
	if err != nil {
		return err
	}
	s, err := sim.New(sim.Config{Replicas: 1, Engine: sim.Engine{
		MaxNumSeqs: 256, MaxBatchedTokens: 2048, PrefillChunkTokens: 2048, BlockTokens: 16, KVBlocks: 25_000, Cost: cost,
	}}, source, 1)
	if err != nil {
		return err
	}
	s.Run()
	r := s.Results()
	return between("steps a request", float64(r.Totals.Steps)/float64(len(r.Status)), 17.5, 18.5)
}
