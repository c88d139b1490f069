package sim_test

import (
	"fmt"

	"openloop/sim"
)

// A workload is data; its source gives the requests one by one.
func ExampleNewSource() {
	src, err := sim.NewSource(sim.Workload{
		Generator: sim.OpenLoop{Arrivals: sim.Poisson{RatePerSec: 8}},
		Lengths: sim.Separate{
			Prompt: sim.NormalCount{Mean: 512, SD: 256, Min: 16, Max: 2048},
			Output: sim.NormalCount{Mean: 192, SD: 96, Min: 1, Max: 768},
		},
		Requests: 3,
	}, 7)
	if err != nil {
		fmt.Println(err)
		return
	}
	var r sim.Spec
	for _, ok := src.Next(); ok; _, ok = src.Next() {
		src.Take(&r)
		fmt.Println(r.SentAt, r.Prompt, r.Output)
	}
	// Output:
	// 105673301 511 1
	// 285469118 297 265
	// 287459118 551 285
}

// A setting that cannot be used is named, with what it may be.
func ExampleNewSource_refused() {
	_, err := sim.NewSource(sim.Workload{
		Generator: sim.ClosedLoop{Clients: 0},
		Lengths:   sim.Separate{Prompt: sim.FixedCount(512), Output: sim.FixedCount(128)},
		Requests:  100,
	}, 1)
	fmt.Println(err)
	// Output: Generator.Clients is 0; legal: 1 to 1000000
}
