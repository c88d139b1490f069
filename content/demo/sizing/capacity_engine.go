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
// asked for and there are some.
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

func (a *asked) fitError() string { return FitError(a.deployment.Model.MoE()) }

// FitError is how far throughput is off that is predicted with the published
// efficiency, for dense models or for those with experts.
func FitError(experts bool) string {
	f := planner.PublishedFit()
	if experts {
		return "With this efficiency, published throughput of models with experts is met within " + percent(f.ExpertMAPEFrac) + " on average over " + text.Count(f.ExpertRows, "row", "rows") + ", and a model that was left out within " + percent(f.ExpertLeftOutFrac) + "."
	}
	return "With this efficiency, published throughput of dense models is met within " + percent(f.DenseMAPEFrac) + " on average over " + text.Count(f.DenseRows, "row", "rows") + ", and a GPU that was left out within " + percent(f.DenseLeftOutFrac) + "."
}

// stepsFrom says where the seconds of a step are from and, of fitted shares, how far
// they are off.
func (a *asked) stepsFrom(p *planner.Plan) string {
	switch {
	case p.Origin == planner.Measured:
		return "Measured for this GPU, model and type: " + p.ReferenceName + "."
	case p.Origin == planner.Scaled:
		return "Measured, and moved in proportion to bytes and FLOP: " + p.ReferenceName + ". How far that is off was not measured."
	case p.Origin == planner.Interpolated:
		return "Between two models that were measured: " + p.ReferenceName + "."
	case a.engine == own:
		return "As good as the shares that you gave: no fit stands behind them."
	}
	return a.fitError()
}

// unmeasured says that steps were asked for that nobody measured.
func (a *asked) unmeasured() string {
	return "No measured steps: " + sentence(a.why) + " The shares fitted to published runs are used."
}
