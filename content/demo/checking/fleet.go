package checking

import (
	"errors"
	"strconv"
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/refusal"
	"openloop/content/demo/sizing"
	"openloop/content/demo/text"
	"openloop/content/tables"
	"openloop/planner"
)

// Which plan is simulated: a preset of the planner, or the reader's own by its link.

type fleet struct {
	preset     string // id; "" for the reader's own
	workload   planner.Workload
	deployment planner.Deployment
	objective  planner.Objective
	asked      *sizing.Fleet // nil for a preset
}

// fleetOf is the plan that is asked for, or why there is none.
func fleetOf(v demo.Values) (f fleet, wrong string) {
	if v.Option("fleet") != sizing.OwnFleet {
		p := planner.Presets()[v.Int("fleet")]
		return fleet{preset: p.ID, workload: p.Workload, deployment: p.Deployment, objective: p.Objective}, ""
	}
	link := v.Written(sizing.OwnKnob)
	if link == "" {
		return f, "There is no plan yet. Paste the link of one: of the planner, what its address says from the # on. Or press its link to this simulation."
	}
	if _, after, ok := strings.Cut(link, "#"); ok {
		link = after
	}
	if !strings.HasPrefix(link, "v=") && !strings.Contains(link, "&v=") {
		return f, "This is no link of the planner: " + text.Quote(link, 60) + ". Its links begin with v=1, after the #."
	}
	s, problems := sizing.PlannerLink(link)
	if len(problems) > 0 {
		const most = 3
		says := "Of this link nothing is simulated, since not all of it can be read. " + strings.Join(problems[:min(most, len(problems))], " ")
		if n := len(problems) - most; n > 0 {
			says += " And " + text.Whole(n) + " more."
		}
		return f, says
	}
	a := sizing.FleetOf(s.Values)
	return fleet{workload: a.Workload, deployment: a.Deployment, objective: a.Objective, asked: a}, ""
}

// peak is the planned load in requests/s.
func (f *fleet) peak() float64 {
	sum := 0.0
	for i := range f.workload.Classes {
		c := &f.workload.Classes[i]
		sum += float64(c.RequestsPerSec * c.PeakToMean)
	}
	return sum
}

// refusal is what the planner says of a plan that cannot be.
func (f *fleet) refusal(err error) string {
	var e *planner.ValueError
	if f.asked != nil && errors.As(err, &e) {
		return f.asked.Refusal(e)
	}
	return unsimulated(err)
}

// unsimulated says why a plan cannot be simulated that can be made.
func unsimulated(err error) string {
	var e *planner.ValueError
	if !errors.As(err, &e) {
		return err.Error()
	}
	switch e.Field {
	case "SimOptions.Replicas", "SimOptions.DecodeReplicas":
		return "This plan is too large to be simulated here. " + refusal.Say(e)
	case "SimOptions.MostRequests":
		n, _ := strconv.ParseFloat(e.Nearest, 64)
		return "This plan is too large to be simulated here: a run takes as many requests as come while one stays, ten times over, which is " + text.Whole(int(n)) + ", and at most " + text.Whole(mostSimulated) + " are simulated. Simulate a part of it: a tenth of the requests on a tenth of the replicas behave much like the whole, and a little worse."
	}
	return refusal.Say(e)
}

// pages are about the GPU and the model of the plan.
func (f *fleet) pages() []demo.Page {
	if f.asked != nil {
		return f.asked.Pages()
	}
	g, m := f.deployment.GPU, f.deployment.Model
	return []demo.Page{
		{Name: g.Name, Path: "data/gpus.html#" + demo.Anchor(g.ID)}, {Name: m.Name, Path: "data/models.html#" + demo.Anchor(m.ID)},
		{Name: "the efficiency, and how wrong it is", Path: "guide/how-wrong.html"},
	}
}

// steps says where the step times are from, and how far they are off.
func (f *fleet) steps(p *planner.Plan) string {
	if f.asked != nil {
		return f.asked.Steps(p)
	}
	return sizing.FitError(f.deployment.Model.MoE())
}

// kept is what the chapter's table says of the fleet as it is simulated here.
func (r *checkRun) kept() (tables.PlanBrief, bool) {
	if r.fleet.preset == "" || r.more != 0 || r.load != 1 {
		return tables.PlanBrief{}, false
	}
	return tables.FindPlanBrief(r.fleet.preset)
}
