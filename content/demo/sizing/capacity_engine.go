package sizing

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner"
)

// What an engine reaches of the peaks.

// setEngine makes the deployment one with the chosen efficiency. Levers that the
// efficiency sets too are set again by the caller, from their knobs.
func (a *asked) setEngine(v demo.Values) {
	d := &a.deployment
	if a.engine == own {
		d.MFU, d.MBU, d.MemoryFrac, d.MaxNumSeqs = v.Num("mfu")/100, v.Num("mbu")/100, v.Num("memory")/100, v.Int("seats")
		return
	}
	a.fit, a.efficient = planner.PublishedEfficiency(), true
	a.fit.Set(d)
}

// setMeasured puts measured steps in the place of the fitted ones, if they are
// asked for and there are some. It is apart from the rest since the measurements are
// large, and whoever simulates plans does without them.
func (a *asked) setMeasured() {
	if a.engine != measured {
		return
	}
	d := &a.deployment
	d.Reference, a.why = planner.ReferenceOf(d.GPU, d.Model, d.Weights, d.TP, "vLLM")
	if a.why == "" {
		d.Engine = planner.EngineTerms{} // measured with the steps
	}
}

const measured = "measured"

// fitError is how far throughput is off that is predicted with the published
// efficiency, for dense models or for those with experts.
func (a *asked) fitError() string {
	f := planner.PublishedFit()
	if a.deployment.Model.MoE() {
		return "With this efficiency, published throughput of models with experts is met within " + percent(f.ExpertMAPEFrac) + " on average over " + text.Count(f.ExpertRows, "row", "rows") + ", and a model that was left out within " + percent(f.ExpertLeftOutFrac) + "."
	}
	return "With this efficiency, published throughput of dense models is met within " + percent(f.DenseMAPEFrac) + " on average over " + text.Count(f.DenseRows, "row", "rows") + ", and a GPU that was left out within " + percent(f.DenseLeftOutFrac) + "."
}
