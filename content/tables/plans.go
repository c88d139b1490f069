package tables

// PlanRun is a preset of the planner, simulated: whether its fleet holds what is
// promised, why the numbers differ, how small a fleet does, and whether the
// levers rank as planned. Metrics, causes, outcomes and levers are by the names
// that package planner gives them; times are in seconds.
type PlanRun struct {
	Preset string
	Inputs string // hash of the preset, its plan and one short run

	Replicas, GPUs int // of the plan, without spares
	Runs, Kept     int // how many there were, and how many kept all promises
	Outcome        string
	Promises       []PlanPromise
	Rows           []PlanRow

	// The smallest fleet that every seed of a set holds with, 0 if none did: of
	// the first set and of each, since where a promise is nearly broken the seeds
	// decide. And all fleets that were simulated with the first set, in order.
	Fewest    int
	Fewests   []int
	Monotone  bool // no larger fleet did worse, in any set
	Simulated []PlanFleet

	// GPUs at full load as a real number, planned and simulated.
	PlannedGPUs, SimulatedGPUs float64
	Levers                     []PlanLever // in the order of the plan's ranking
	Resolution                 float64     // GPUs: savings that differ by less are a tie
	All                        PlanRanking
	Choices                    PlanRanking // without levers that are built into the model
}

// PlanRanking compares the plan's ranking with the simulation's, and that with
// the same under other seeds: what the first could be at best. The simulation has
// the step times of the plan; neither says whether those are right.
type PlanRanking struct {
	Compared                 int // levers
	PlannedTop, SimulatedTop string
	TopAgrees                bool
	TopWithin                bool    // the plan's first saves as much as the simulation's, within Resolution
	Tau                      float64 // Kendall's tau-b
	OtherTau                 float64 // of the plan and the other seeds
	SelfTop                  bool    // both simulations name the same first
	SelfTau                  float64 // of the two simulations
}

// PlanPromise is one limit, or MetricKeeps: runs that keep up.
type PlanPromise struct {
	Metric                 string
	Limit                  float64
	Mean, Least, Most, P99 float64 // over the runs
	Kept                   int     // runs
	Outcome                string
}

// PlanRow is a number of the plan and the simulated one.
type PlanRow struct {
	Metric      string
	Full, Plan  float64 // at full load; at the load of the fleet
	Mean        float64
	Least, Most float64
	Parts       []PlanPart // from Full to Mean
}

// PlanPart is what one cause adds: in the mean, and in the runs in which it adds
// least and most.
type PlanPart struct {
	Cause             string
	Adds, Least, Most float64
}

// PlanFleet is a number of replicas and whether every seed held.
type PlanFleet struct {
	Replicas int
	Holds    bool
}

// PlanLever is one lever: GPUs and the share of those without it that it saves.
// In simulation +Inf and 1 where limits never hold without it.
type PlanLever struct {
	Lever                        string
	BuiltIn, On, Compared        bool
	PlannedSaved, SimulatedSaved float64
	PlannedFrac, SimulatedFrac   float64
}

// FewestRange is the least and the most GPUs that the sets of seeds ask for; 0 if
// one of them found no fleet.
func (r PlanRun) FewestRange() (least, most int) {
	for i, n := range r.Fewests {
		if n == 0 {
			return 0, 0
		}
		gpus := n * r.GPUs / r.Replicas
		if i == 0 {
			least, most = gpus, gpus
		}
		least, most = min(least, gpus), max(most, gpus)
	}
	return least, most
}

// PlanBrief is what a page says of a preset without its table: of so many runs of
// the fleet so many kept all promises, and the fewest GPUs that hold, over sets of
// seeds; 0 if one of the sets found no fleet.
type PlanBrief struct {
	Preset      string
	GPUs        int // of the plan, without spares
	Runs, Kept  int
	Broken      bool // by the rule of planner.Outcome
	Least, Most int  // GPUs
}

// Brief is the run in short.
func (r PlanRun) Brief() PlanBrief {
	b := PlanBrief{Preset: r.Preset, GPUs: r.GPUs, Runs: r.Runs, Kept: r.Kept, Broken: r.Outcome == "broken"}
	b.Least, b.Most = r.FewestRange()
	return b
}

// FindPlanBrief returns that of a preset. It is kept beside the table, which is
// large, for those who need no more.
func FindPlanBrief(preset string) (PlanBrief, bool) {
	for _, b := range planBriefs {
		if b.Preset == preset {
			return b, true
		}
	}
	return PlanBrief{}, false
}

// PlanRuns returns the presets in their order.
func PlanRuns() []PlanRun { return append([]PlanRun(nil), planRuns...) }

// FindPlanRun returns the run of a preset.
func FindPlanRun(preset string) (PlanRun, bool) {
	for _, r := range planRuns {
		if r.Preset == preset {
			return r, true
		}
	}
	return PlanRun{}, false
}

// Agreement is how often the plan's ranking is right over all presets.
type Agreement struct {
	Presets, Tops, TopsWithin int
	SelfTops                  int     // how often two simulations name the same
	MeanTau, MeanSelfTau      float64 // over presets
}

// PlanAgreement counts, over all levers or those that are still a choice.
func PlanAgreement(choices bool) Agreement {
	a := Agreement{Presets: len(planRuns)}
	for i := range planRuns {
		r := &planRuns[i].All
		if choices {
			r = &planRuns[i].Choices
		}
		if r.TopAgrees {
			a.Tops++
		}
		if r.TopWithin {
			a.TopsWithin++
		}
		if r.SelfTop {
			a.SelfTops++
		}
		a.MeanTau += r.Tau / float64(a.Presets)
		a.MeanSelfTau += r.SelfTau / float64(a.Presets)
	}
	return a
}
