package planner

// Why a simulation differs from the plan. From the plan to what happens it is a
// few steps, of which each lets one thing happen that the plan leaves out; what
// a number changes by in a step is that thing's part, and the parts add up to
// the whole difference. The first steps are the plan's own formula at less load,
// the others are runs with the same seeds. In another order the parts would be
// others: memory, for one, only runs out once lengths or gaps vary.

// SimCause is why a number is not what the plan says.
type SimCause uint8

// The causes, in the order of the steps.
const (
	CauseHeadroom SimCause = iota // replicas are not run full: from full load to the target
	CauseRounding                 // whole replicas are more than the target asks for
	CauseQueue                    // the plan's formula for the wait, taken out; CauseArrivals and the rest put the real one in
	CauseFormula                  // the formula against whole steps, with nothing left to vary
	CauseExperts                  // a step touches other experts than a full batch
	CauseChunks                   // prompts in chunks
	CauseArrivals                 // gaps between requests vary: batches and queues do
	CauseLengths                  // requests differ in length
	CauseSeats                    // not more sequences than may run
	CauseMemory                   // the KV cache is full: waits, preemption, work done twice
	SimCauses
)

// String is the name in links and tables.
func (c SimCause) String() string {
	names := [SimCauses]string{"headroom", "rounding", "queue_formula", "formula", "experts", "chunks", "arrivals", "lengths", "seats", "memory"}
	if c < SimCauses {
		return names[c]
	}
	return "unknown"
}

// Row is one number of the plan beside the simulated one.
type Row struct {
	Metric    Metric
	Full      float64 // the plan at full load of its replicas
	Plan      float64 // the plan's formula at the load that they have
	Simulated Over
	Parts     []Part // from Full to Simulated.Mean, in order; empty without Explain

	FullLink, PlanLink Link // the equations of Full and Plan; that of a wait is solved
}

// Part is what one cause adds, over runs; of a formula it has no spread. Before and
// After are the means without the cause and with it: Adds.Mean is their difference,
// and each part begins where the one before it ends.
type Part struct {
	Cause         SimCause
	Adds          Over
	Before, After float64
}

// idealStep is a run without some things, named by what it lets happen that the
// one before did not.
type idealStep struct {
	cause   SimCause
	without Ideal
}

// idealSteps leaves out the steps that would change nothing.
func (p *Plan) idealSteps(w *Workload) []idealStep {
	lengths := false
	for i := range w.Classes {
		lengths = lengths || w.Classes[i].ServiceCV2 > 0
	}
	all := []struct {
		cause SimCause
		adds  Ideal
		is    bool
	}{
		{CauseExperts, MeanExperts, p.step.sizes.routedRead > 0},
		{CauseChunks, WholePrompts, p.made.ChunkTokens > 0},
		{CauseArrivals, EvenArrivals, p.mix.ca2 > 0},
		{CauseLengths, EvenLengths, lengths},
		{CauseSeats, EndlessSeats, true},
		{CauseMemory, EndlessMemory, true},
	}
	left := EvenLengths | EndlessMemory | EndlessSeats
	for _, s := range all {
		if s.is {
			left |= s.adds
		}
	}
	steps := []idealStep{{CauseFormula, left}}
	for _, s := range all {
		if s.is {
			left &^= s.adds
			steps = append(steps, idealStep{s.cause, left})
		}
	}
	steps[len(steps)-1].without = 0
	return steps
}

// at is the plan's formula for a load in requests/s of one replica; of a decode
// replica if the pools are apart.
func (p *Plan) at(perReplica float64) (tpot, batch float64) {
	busy := p.seconds.ob
	if !p.seconds.apart {
		busy += p.PrefillShownSeconds
	}
	tpot = p.WeightSeconds / (1 - float64(perReplica*busy))
	return tpot, float64(perReplica * p.seconds.o * tpot)
}

// loaded is a load on the fleet that is simulated, as the plan's formulas take it:
// requests/s on so many replicas, of which each request takes share seconds; and the
// same of what it waits for, which is prefill if the pools are apart.
type loaded struct {
	rate            float64
	replicas, doors int
	share, served   float64
}

func (p *Plan) loadedBy(o *SimOptions) loaded {
	pick := func(own, planned int) int {
		if own > 0 {
			return own
		}
		return planned
	}
	l := loaded{rate: p.mix.peak, replicas: pick(o.Replicas, p.Replicas), share: p.ReplicaSeconds}
	if o.RequestsPerSec > 0 {
		l.rate = o.RequestsPerSec
	}
	l.doors, l.served = l.replicas, l.share
	if p.seconds.apart {
		l.replicas, l.share = pick(o.DecodeReplicas, p.DecodeReplicas), p.DecodeSeconds
		l.doors, l.served = pick(o.PrefillReplicas, p.PrefillReplicas), p.PrefillShownSeconds
	}
	return l
}

// planned is a metric of the plan: at full load, at the target, and with the
// replicas that are simulated.
func (p *Plan) planned(m Metric, o *SimOptions) (full, target, fleet float64) {
	l := p.loadedBy(o)
	switch m {
	case MetricTPOT, MetricBatch:
		most := 1 / l.share
		at := func(perReplica float64) float64 {
			tpot, batch := p.at(min(perReplica, most))
			if m == MetricBatch {
				return batch
			}
			return tpot
		}
		return at(most), at(float64(most * p.TargetFrac)), at(l.rate / float64(l.replicas))
	case MetricTTFT, MetricWait:
		x := float64(meanWait(l.doors, min(float64(l.rate*l.served)/float64(l.doors), mostBusy), l.served, p.mix.ca2, p.mix.cs2))
		if m == MetricTTFT {
			x += p.FirstSeconds
		}
		return x, x, x
	}
	return 1, 1, 1
}

// equations are those of planned, at full load and with the replicas that are
// simulated.
func (p *Plan) equations(m Metric, o *SimOptions) (full, fleet Link) {
	l := p.loadedBy(o)
	tpot, _, tpotThen := p.planned(MetricTPOT, o)
	_, _, wait := p.planned(MetricWait, o)
	work, source, unit := "(P + o*b)", fromChain, "s"
	if p.seconds.apart {
		work = "o*b"
	}
	const most = "min(rate/R, 1/T)"
	var formulas [2]string
	switch m {
	case MetricTPOT:
		formulas = [2]string{"w/(1 - " + work + "/T)", "w/(1 - " + most + "*" + work + ")"}
	case MetricBatch:
		formulas, source, unit = [2]string{"o*TPOT/T", most + "*o*TPOT"}, "Little's law", "sequences"
	case MetricTTFT:
		formulas = [2]string{"first + queued", "first + queued"}
	default:
		source, l.share, l.replicas = fromWait, l.served, l.doors
	}
	all := [...]Input{
		{"w", p.WeightSeconds, "s"}, {"P", p.PrefillShownSeconds, "s"}, {"o", p.seconds.o, "tokens"}, {"b", p.KVSeconds, "s"}, {"TPOT", tpot, "s"},
		{"first", p.FirstSeconds, "s"}, {"queued", wait, "s"}, {"rate", l.rate, "requests/s"}, {"R", float64(l.replicas), "replicas"}, {"T", l.share, "s"},
		{"ca2", p.mix.ca2, ""}, {"cs2", p.mix.cs2, ""},
	}
	value, _, then := p.planned(m, o)
	for i, link := range [...]*Link{&full, &fleet} {
		*link = Link{Symbol: m.String(), Formula: formulas[i], Value: value, Unit: unit, Source: source}
		words := formulas[i]
		if words == "" { // what the wait is solved from
			words = "rate R T ca2 cs2"
		}
		for _, in := range all {
			if has(words, in.Symbol) {
				link.Inputs = append(link.Inputs, in)
			}
		}
		value, all[4].Value = then, tpotThen
	}
	return full, fleet
}

// has says whether a formula has a symbol.
func has(formula, symbol string) bool {
	letter := func(i int) bool { return i >= 0 && i < len(formula) && (formula[i]|32 >= 'a' && formula[i]|32 <= 'z') }
	for i := 0; i+len(symbol) <= len(formula); i++ {
		if formula[i:i+len(symbol)] == symbol && !letter(i-1) && !letter(i+len(symbol)) {
			return true
		}
	}
	return false
}

// compare puts plan and simulation side by side.
func (r *CheckResult) compare(o *CheckOptions) {
	for m := range MetricKeeps {
		full, _, fleet := r.Plan.planned(m, &o.Sim)
		row := Row{Metric: m, Full: full, Plan: fleet, Simulated: over(r.Runs, m.of)}
		row.FullLink, row.PlanLink = r.Plan.equations(m, &o.Sim)
		r.Rows = append(r.Rows, row)
	}
}

// explain fills the parts: by step, by seed.
func (r *CheckResult) explain(steps []idealStep, runs [][]Numbers, o *CheckOptions) {
	for i := range r.Rows {
		row := &r.Rows[i]
		full, target, fleet := r.Plan.planned(row.Metric, &o.Sim)
		from := full
		formula := func(c SimCause, to, by float64) {
			row.Parts = append(row.Parts, Part{c, Over{by, by, by}, from, to})
			from = to
		}
		switch row.Metric {
		case MetricTPOT, MetricBatch:
			formula(CauseHeadroom, target, target-full)
			formula(CauseRounding, fleet, fleet-target)
		default:
			_, _, wait := r.Plan.planned(MetricWait, &o.Sim)
			formula(CauseQueue, fleet-wait, -wait)
		}
		for k, s := range steps {
			values := make([]float64, len(runs[k]))
			for j := range values {
				before := from
				if k > 0 {
					before = row.Metric.of(&runs[k-1][j])
				}
				values[j] = row.Metric.of(&runs[k][j]) - before
			}
			before := from
			if k > 0 {
				before = over(runs[k-1], row.Metric.of).Mean
			}
			row.Parts = append(row.Parts, Part{s.cause, overOf(values), before, over(runs[k], row.Metric.of).Mean})
		}
	}
}
