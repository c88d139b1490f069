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
}

// Part is what one cause adds, over runs; of a formula it has no spread.
type Part struct {
	Cause SimCause
	Adds  Over
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

// planned is a metric of the plan: at full load, at the target, and with the
// replicas that are simulated.
func (p *Plan) planned(m Metric, o *SimOptions) (full, target, fleet float64) {
	pick := func(own, planned int) int {
		if own > 0 {
			return own
		}
		return planned
	}
	rate := p.mix.peak
	if o.RequestsPerSec > 0 {
		rate = o.RequestsPerSec
	}
	replicas, share := pick(o.Replicas, p.Replicas), p.ReplicaSeconds
	waitedFor, served := replicas, share
	if p.seconds.apart {
		replicas, share = pick(o.DecodeReplicas, p.DecodeReplicas), p.DecodeSeconds
		waitedFor, served = pick(o.PrefillReplicas, p.PrefillReplicas), p.PrefillShownSeconds
	}
	switch m {
	case MetricTPOT, MetricBatch:
		most := 1 / share
		at := func(perReplica float64) float64 {
			tpot, batch := p.at(min(perReplica, most))
			if m == MetricBatch {
				return batch
			}
			return tpot
		}
		return at(most), at(float64(most * p.TargetFrac)), at(rate / float64(replicas))
	case MetricTTFT, MetricWait:
		x := float64(meanWait(waitedFor, min(float64(rate*served)/float64(waitedFor), mostBusy), served, p.mix.ca2, p.mix.cs2))
		if m == MetricTTFT {
			x += p.FirstSeconds
		}
		return x, x, x
	}
	return 1, 1, 1
}

// compare puts plan and simulation side by side.
func (r *CheckResult) compare(o *CheckOptions) {
	for m := range MetricKeeps {
		full, _, fleet := r.Plan.planned(m, &o.Sim)
		r.Rows = append(r.Rows, Row{Metric: m, Full: full, Plan: fleet, Simulated: over(r.Runs, m.of)})
	}
}

// explain fills the parts: by step, by seed.
func (r *CheckResult) explain(steps []idealStep, runs [][]Numbers, o *CheckOptions) {
	fixed := func(x float64) Over { return Over{x, x, x} }
	for i := range r.Rows {
		row := &r.Rows[i]
		full, target, fleet := r.Plan.planned(row.Metric, &o.Sim)
		from := fleet
		switch row.Metric {
		case MetricTPOT, MetricBatch:
			row.Parts = append(row.Parts, Part{CauseHeadroom, fixed(target - full)}, Part{CauseRounding, fixed(fleet - target)})
		default:
			_, _, wait := r.Plan.planned(MetricWait, &o.Sim)
			row.Parts = append(row.Parts, Part{CauseQueue, fixed(-wait)})
			from -= wait
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
			row.Parts = append(row.Parts, Part{s.cause, overOf(values)})
		}
	}
}
