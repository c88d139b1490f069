package serving

import (
	"openloop/content/demo/replica"
	"openloop/sim"
)

// Costs are the constants of the server, for those who quote and check them:
// kernels of a step, what the engine adds to each, and what first steps pay.
func Costs() (kernels sim.LinearCost, overhead sim.Picos, first sim.WarmUp) {
	kernels = replica.StepCost()
	kernels.Base -= replica.EngineOverhead
	return kernels, replica.EngineOverhead, sim.WarmUp{GraphCapture: captureCost, Autotune: compileCost}
}
