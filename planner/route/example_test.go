package route_test

import (
	"fmt"

	"openloop/planner/route"
)

// On MMLU's questions a router that ranks three pairs in four rightly recovers
// half of the gap with 15% of strong calls.
func ExampleRouter_CPT() {
	r := route.Router{Pair: route.Pair{Rates: route.MMLU().Rates()}, AUC: 0.75}
	half, _ := r.CPT(0.5)
	fmt.Printf("%.3f of the calls\n", half)
	// Output: 0.155 of the calls
}

// A cascade with a noisy confidence has to escalate three answers in four to be
// as accurate as the strong model. It then saves money only where the strong
// model costs more than this many times the weak one.
func ExampleCrossOverRatio() {
	c := route.Cascade{Pair: route.Pair{Rates: route.MMLU().Rates()}, AUC: 0.8, NoiseSD: 1}
	q, _ := c.Reach(c.Rates.Strong)
	fmt.Printf("escalates %.2f, dearer below %.1f to 1\n", q.StrongFrac, route.CrossOverRatio(q.StrongFrac, 0))
	// Output: escalates 0.75, dearer below 4.0 to 1
}

// Two models with these rates behave as if difficulty decided.
func ExampleFit() {
	d, _ := route.Fit(route.MMLU().Rates())
	fmt.Printf("weak %.3f, strong %.3f, tau %.3f, AUC at best %.3f\n", d.ThetaWeak, d.ThetaStrong, d.Tau, d.AUC())
	// Output: weak 0.688, strong 0.830, tau 0.117, AUC at best 0.758
}
