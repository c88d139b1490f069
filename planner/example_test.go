package planner_test

import (
	"fmt"

	"openloop/planner"
	"openloop/planner/profile"
)

func ExampleEvaluate() {
	gpu, _ := profile.FindGPU("h100-sxm")
	model, _ := profile.FindModel("llama-3.1-70b")
	work := planner.Workload{Classes: []planner.Class{{
		Name: "chat", RequestsPerSec: 20, PeakToMean: 1, PromptTokens: 2000, OutputTokens: 300, ArrivalCV2: 1,
	}}}
	fleet := planner.Deployment{GPU: gpu, Model: model, TP: 4, MFU: 0.5, MBU: 0.8, MemoryFrac: 0.9, USDPerGPUHour: 3}
	p, err := planner.Evaluate(work, fleet, planner.Objective{TPOTSeconds: 0.05, TargetFrac: 0.7})
	fmt.Println(p.GPUs, "GPUs,", p.Bound, err)
	fmt.Printf("%.2f USD a million output tokens, prompts free\n", p.Cost.PerMOutputAll)
	equation, _ := p.FindLink("T")
	fmt.Printf("%s = %s = %.4f %s\n", equation.Symbol, equation.Formula, equation.Value, equation.Unit)
	// Output:
	// 28 GPUs, tpot_slo <nil>
	// 3.89 USD a million output tokens, prompts free
	// T = max(Tmem, Ttpot, Tcmp) = 0.2171 s
}

func ExampleAblate() {
	gpu, _ := profile.FindGPU("h100-sxm")
	model, _ := profile.FindModel("llama-3.1-70b")
	work := planner.Workload{Classes: []planner.Class{{RequestsPerSec: 4, PeakToMean: 1, PromptTokens: 500, OutputTokens: 4000, ArrivalCV2: 1}}}
	fleet := planner.Deployment{GPU: gpu, Model: model, TP: 4, MFU: 0.5, MBU: 0.8, MemoryFrac: 0.9}
	a, _ := planner.Ablate(work, fleet, planner.Objective{TPOTSeconds: 0.05, TargetFrac: 0.7}, planner.DefaultTargets(fleet))
	for _, id := range a.Ranked[:4] {
		s := a.Savings[id]
		fmt.Printf("%d. %s, on: %v, %.1f GPUs, by %s\n", s.Rank, id.Lever().Name, s.On, s.Alone, s.Reason.Cause)
	}
	fmt.Printf("with every lever off %.1f GPUs, on %.1f; alone they add to %.1f\n", a.None, a.All, a.AloneSum)
	// Output:
	// 1. Grouped queries, on: true, 135.7 GPUs, by batch
	// 2. Latent attention, on: false, 11.2 GPUs, by batch
	// 3. 8-bit KV cache, on: false, 9.5 GPUs, by batch
	// 4. Narrower weights, on: false, 8.3 GPUs, by weights
	// with every lever off 155.5 GPUs, on 2.4; alone they add to 173.7
}
