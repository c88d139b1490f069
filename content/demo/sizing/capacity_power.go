package sizing

import (
	"strconv"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner"
)

// What the fleet draws, for those who pay for it themselves.

// powerOf is the power of a plan, nil if the rating of its GPU is not known.
func powerOf(a *asked, p *planner.Plan) *planner.Power {
	w, err := p.Power(a.pue, a.kwh)
	if err != nil {
		return nil
	}
	return &w
}

func watts(x float64) string { return prefixed(x, 1000, []string{" W", " kW", " MW"}) }

// energy is kilowatt-hours of a million output tokens.
func energy(w *planner.Power) string { return text.Num(kWhPerM(w), 3) + " kWh" }

func kWhPerM(w *planner.Power) float64 { return w.JoulesPerOutputToken / 3.6 }

// powerSteps go from GPUs to power and energy.
func (r *capacityRun) powerSteps() []demo.Step {
	const group = "Power"
	w, p, d := r.powerA, r.plan(), &r.a.deployment
	if w == nil {
		return []demo.Step{{Group: group, Key: "power", Name: "Power of the fleet", Value: "not known", Source: "No rated power was found for " + d.GPU.Name + "."}}
	}
	rated := watts(d.GPU.PowerWatts)
	pue := text.Num(r.a.pue, 3)
	m := planner.MeasuredPowers()[0]
	bound := "An upper bound for the GPUs, which rarely draw what they are rated at, without the rest of their servers. Measured beside it: " + m.Server + " at " + m.Workload + ", " + watts(m.Watts) + " for the whole server and " + text.Num(m.JoulesPerToken, 3) + " J a token (" + m.Source + ")."
	out := []demo.Step{
		{Group: group, Key: "power", Name: "Power of the fleet, at most", Numbers: gpus(p.GPUs) + " × " + rated + " × " + pue, Value: watts(w.FacilityWatts), Formula: "power = GPUs × rated × pue", Source: "Rated power of every GPU, spares included, times what the site draws for it.", Error: bound,
			Terms: []demo.Term{{Symbol: "GPUs", Value: gpus(p.GPUs), From: "GPUs"}, {Symbol: "rated", Value: rated, From: r.given(planner.Input{Symbol: "rated"}), Page: r.a.pageOf("rated")}, {Symbol: "pue", Value: pue, From: "from your settings"}}},
		{Group: group, Key: "energy", Name: "Energy of a million output tokens, at most", Numbers: watts(w.FacilityWatts) + " / (3.6 × " + quantity(p.OutputTokensPerSec, "tokens/s") + ")", Value: energy(w), Formula: "energy = power / (3.6 × out), in kWh", Source: "The whole fleet over the mean output: power is paid for at all hours.", Error: "That of the power, and of your guess of the load.",
			Terms: []demo.Term{{Symbol: "power", Value: watts(w.FacilityWatts), From: "Power of the fleet, at most"}, {Symbol: "out", Value: quantity(p.OutputTokensPerSec, "tokens/s"), From: plainGiven["out"]}}},
	}
	if r.a.kwh > 0 {
		out = append(out, demo.Step{Group: group, Key: "electricity", Name: "Electricity of a million output tokens, at most", Numbers: energy(w) + " × $" + strconv.FormatFloat(r.a.kwh, 'f', -1, 64), Value: text.USD(w.USDPerMOutput), Formula: "electricity = energy × kwh", Source: "Your price of a kilowatt-hour.", Error: "That of the energy.",
			Terms: []demo.Term{{Symbol: "energy", Value: energy(w), From: "Energy of a million output tokens, at most"}, {Symbol: "kwh", Value: text.USD(r.a.kwh), From: "from your settings"}}})
	}
	return out
}
