package sizing

import (
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/content/tables"
	"openloop/planner"
	"openloop/planner/profile"
)

// A plan without its pictures, for the demo that simulates it: from a link of the
// planner to what the planner is asked, and back. Nothing here draws, so that a
// module which takes this file has no figure of the planner in it.

const (
	plannerID      = "capacity-planner"
	plannerVersion = 1
)

// PlannerLink reads a link of the planner, as Parse does. The demo of its state has
// the planner's settings of plan A and no run; what the link says of plan B, or of how
// a page looks, is nothing to a simulation.
func PlannerLink(link string) (demo.State, []string) {
	d := &demo.Demo{ID: plannerID, Version: plannerVersion, NoChance: true, Knobs: planKnobs()}
	s, problems := demo.Parse(d, link)
	var says []string
	for _, p := range problems {
		says = append(says, p.Error())
	}
	for _, u := range s.Unknown {
		if strings.HasPrefix(u.Key, "b_") {
			continue
		}
		says = append(says, "The planner has no setting "+u.Key+".")
	}
	return s, says
}

// Fleet is what a state of the planner asks for: its plan A.
type Fleet struct {
	Workload   planner.Workload
	Deployment planner.Deployment
	Objective  planner.Objective

	asked  asked
	values demo.Values
}

// FleetOf is the plan of settings of the planner.
func FleetOf(v demo.Values) *Fleet {
	a := planned(settings{Values: v})
	a.setMeasured()
	return &Fleet{a.workload, a.deployment, a.objective, a, v}
}

// Steps says where the step times of its plan p are from, and how far they are off.
func (f *Fleet) Steps(p *planner.Plan) string {
	if f.asked.why != "" {
		return f.asked.unmeasured() + " " + f.asked.fitError()
	}
	return f.asked.stepsFrom(p)
}

// Price is what an hour of a GPU costs, and where that is from; false if nobody has
// named a price.
func (f *Fleet) Price() (usd float64, from string, ok bool) {
	a := f.asked
	a.setMoney(f.values)
	if a.list {
		return ListPrice(a.deployment.GPU)
	}
	return a.deployment.USDPerGPUHour, "your own price", a.priced
}

// ListPrice is the middle of the examples that were found for a GPU, as the planner
// takes it; false if there is none.
func ListPrice(g *profile.GPU) (usd float64, from string, ok bool) {
	usd, ok = listPrice(g)
	if ok {
		from = "the middle of " + text.Count(len(g.Prices), "example", "examples") + " that we found, such as " + g.Prices[0].Source
	}
	return usd, from, ok
}

// Refusal is the planner's sentence about a plan that cannot be.
func (f *Fleet) Refusal(e *planner.ValueError) string { return blame(&f.asked, e) }

// Pages are about what the plan counts with.
func (f *Fleet) Pages() []demo.Page { return f.asked.pages() }

// preset is the preset of package planner that is asked for, whatever it costs;
// false if the plan is another.
func (a *asked) preset() (planner.Preset, bool) {
	const near = 1e-9
	for _, p := range planner.Presets() {
		if len(a.workload.Classes) != len(p.Workload.Classes) || a.objective != p.Objective {
			continue
		}
		c, d := a.workload.Classes[0], a.deployment
		want := p.Workload.Classes[0]
		c.Name, d.USDPerGPUHour = want.Name, p.Deployment.USDPerGPUHour
		if off := c.HitFrac - want.HitFrac; -near < off && off < near {
			c.HitFrac = want.HitFrac
		}
		same := d.GPU.ID == p.Deployment.GPU.ID && d.Model.ID == p.Deployment.Model.ID
		d.GPU, d.Model = p.Deployment.GPU, p.Deployment.Model // whoever asks gets copies of their own
		if same && c == want && d == p.Deployment {
			return p, true
		}
	}
	return planner.Preset{}, false
}

// checkPath is the page that simulates the plan of these settings, with the
// settings in its address: as a preset of the check if it is one.
func (a *asked) checkPath(v demo.Values) string {
	const page = "guide/planner.html#demo=plan-check&v=1&fleet="
	if p, ok := a.preset(); ok {
		return page + p.ID
	}
	return page + OwnFleet + "&" + OwnKnob + "=" + demo.Escaped(a.planLink(v)) + "&hide=bet" // which is about another plan
}

// How plan-check is told of a plan that is the reader's own: an option of its
// choice of fleets, and the setting that holds the link.
const (
	OwnFleet = "own"
	OwnKnob  = "plan"
)

// planLink is a link with the settings that make plan A, and no others.
func (a *asked) planLink(v demo.Values) string {
	s := demo.State{Demo: &demo.Demo{Knobs: capacityKnobs()}, Values: v}
	link := "v=1"
	for i, k := range s.Demo.Knobs {
		if v.IsDefault(i) || plainSetting(k.Name) || k.Group == groupB || s.Idle(i) != "" || k.Name == "efficiency" && a.why != "" {
			continue // where steps were asked for that nobody measured, the plan has the fitted ones
		}
		link += "&" + k.Name + "=" + demo.Escaped(v.Text(i))
	}
	return link
}

// kept is what simulation says of the plan, if it is a preset.
func (a *asked) kept() (tables.PlanBrief, bool) {
	p, ok := a.preset()
	if !ok {
		return tables.PlanBrief{}, false
	}
	return tables.FindPlanBrief(p.ID)
}

// QueueFormula is the mean wait of the plan, at u = rate T / R.
const QueueFormula = "C(R, u) × T / (R × (1 − u)) × (ca2 + cs2) / 2, with u = rate × T / R and Erlang's C"
