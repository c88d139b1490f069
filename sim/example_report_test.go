package sim_test

import (
	"fmt"

	"openloop/sim"
)

// How far can p99 of 1,000 requests be off, whatever their distribution? The
// true p99 lies between the 983rd and the 997th smallest.
func ExampleRankInterval() {
	fmt.Println(sim.RankInterval(1000, 0.99, 0.95))
	fmt.Println(sim.RankInterval(100, 0.99, 0.95)) // 101: no upper bound at all
	// Output:
	// 983 997
	// 97 101
}

// Five seeds, one p99 each.
func ExampleOverSeeds() {
	ttft := sim.OverSeeds([]float64{0.81, 0.94, 0.77, 0.88, 0.85}, 0.95)
	fmt.Printf("%.2f s, 95%% interval %.2f to %.2f\n", ttft.Mean, ttft.Lo, ttft.Hi)
	// Output: 0.85 s, 95% interval 0.77 to 0.93
}

// The same work on one fast server and on four slow ones.
func ExampleMMK() {
	fast := sim.MMK(1, 0.9, 1)
	slow := sim.MMK(4, 0.9, 4)
	fmt.Printf("wait %.2f s and %.2f s, in system %.2f s and %.2f s\n", fast.WaitSeconds, slow.WaitSeconds, fast.InSystemSecs, slow.InSystemSecs)
	// Output: wait 9.00 s and 7.88 s, in system 10.00 s and 11.88 s
}

// Twenty clients that think for two seconds, before a server that needs half a
// second: the server decides, and the bounds are all but exact.
func ExampleBoundClosed() {
	bound := sim.BoundClosed(20, 2, 0.5, 2)
	exact := sim.MVA(20, 2, 0.5)
	fmt.Printf("at most %.0f/s, exactly %.4f/s; at least %.0f s, exactly %.4f s; more than %.0f clients only wait\n",
		bound.PerSec, exact.PerSec, bound.Seconds, exact.Seconds, bound.Knee)
	// Output: at most 2/s, exactly 2.0000/s; at least 8 s, exactly 8.0000 s; more than 5 clients only wait
}
