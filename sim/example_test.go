package sim_test

import (
	"fmt"

	"openloop/sim"
)

// An open loop of 10 requests a second for a minute, on a server whose step
// takes 9 ms and 20 us more for each prompt token.
func Example() {
	source, err := sim.NewSource(sim.Workload{
		Generator: sim.OpenLoop{Arrivals: sim.Poisson{RatePerSec: 10}},
		Lengths:   sim.Separate{Prompt: sim.FixedCount(500), Output: sim.GeometricCount{Mean: 200}},
		Until:     60 * sim.Second,
	}, 1)
	if err != nil {
		panic(err)
	}
	s, err := sim.New(sim.Config{Replicas: 1, Engine: sim.Engine{
		MaxNumSeqs: 256, MaxBatchedTokens: 2048, PrefillChunkTokens: 2048, BlockTokens: 16, KVBlocks: 25_000,
		Cost: sim.LinearCost{Base: 9e9, PerPrefillToken: 20e6},
	}}, source, 1)
	if err != nil {
		panic(err)
	}
	s.Run()
	report := sim.NewReport(s.Results(), sim.ReportOptions{From: 10 * sim.Second})
	p99, _ := report.TTFT.At(0.99)
	fmt.Printf("%d of %d completed, p99 time to first token %.1f ms\n", report.Counts.Completed, report.Counts.Sent, 1000*p99.Value.Seconds())
	fmt.Println(report.Verdict.State == sim.Stable)
	// Output:
	// 509 of 509 completed, p99 time to first token 46.7 ms
	// true
}
