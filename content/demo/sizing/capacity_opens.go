package sizing

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner"
)

// What the rows of a ranking open to: the equation behind each number, where it
// is from, and how far it can be off.

// opens is the equation of a symbol, with the values of plan A and, where plan B
// has others, with those beside them.
func (r *capacityRun) opens(symbol, key string) *demo.Step {
	l, ok := find(r.links, symbol)
	if !ok {
		return nil
	}
	from := map[string]string{}
	for _, l := range r.links {
		from[l.Symbol] = l.Name
	}
	s := r.step(l, "", from)
	s.Key = key
	if r.both && r.wrongB == nil {
		if other, ok := find(r.linksB, symbol); ok {
			s.Terms = beside(s.Terms, other, &r.b)
		}
	}
	return &s
}

// beside adds the values of plan B to those of plan A.
func beside(terms []demo.Term, other planner.Link, b *asked) []demo.Term {
	out := append([]demo.Term(nil), terms...)
	for i := range out {
		for _, in := range other.Inputs {
			if in.Symbol != out[i].Symbol {
				continue
			}
			if v := b.amount(in.Value, in.Unit); v != out[i].Value {
				out[i].Value += " (plan B: " + v + ")"
			}
		}
	}
	return out
}

// opensLimit is the GPUs that one limit would ask for by itself.
func (r *capacityRun) opensLimit(symbol string, gpus float64) *demo.Step {
	l, _ := find(r.links, symbol)
	g, _ := find(r.links, "G")
	s := demo.Step{Key: symbol, Formula: "GPUs = rate × " + symbol + " × tp / rho", Source: "The formula of the fleet, with this limit in the place of the longest. " + sentence(l.Source), Error: r.errorOf(l)}
	for _, in := range g.Inputs {
		if in.Symbol == "T" {
			s.Terms = append(s.Terms, demo.Term{Symbol: symbol, Value: quantity(l.Value, l.Unit), From: l.Name})
			continue
		}
		s.Terms = append(s.Terms, demo.Term{Symbol: in.Symbol, Value: quantity(in.Value, in.Unit), From: r.from(in)})
	}
	s.Terms = append(s.Terms, demo.Term{Symbol: "GPUs", Value: gpusOf(gpus)})
	return &s
}

// from is the name of the equation that gives an input, or where else it is from.
func (r *capacityRun) from(in planner.Input) string {
	if l, ok := find(r.links, in.Symbol); ok {
		return l.Name
	}
	return r.given(in)
}

// opensLever is a lever: its two sides, what it takes for granted, what it costs
// beside GPUs, and what others say of it.
func (r *capacityRun) opensLever(s *planner.Saving) *demo.Step {
	l := s.Lever.Lever()
	out := demo.Step{Key: l.Slug, Formula: "alone = G without − G with"}
	if !s.Needed && !s.Harmful {
		out.Terms = []demo.Term{
			{Symbol: "G without", Value: gpusOf(s.Without), From: r.fleetFrom(s.WithoutParts.ReplicaSeconds, s.WithoutTP)},
			{Symbol: "G with", Value: gpusOf(s.With), From: r.fleetFrom(s.WithParts.ReplicaSeconds, s.WithTP)},
		}
		out.Terms = append(out.Terms, changedParts(s)...)
	}
	if s.LastInKnown {
		out.Terms = append(out.Terms, demo.Term{Symbol: "last in", Value: gpusOf(s.LastIn), From: gpusOf(s.LastWithout) + " − " + gpusOf(s.LastWith) + ": the same with all other levers on"})
	}
	out.Terms = append(out.Terms,
		demo.Term{Symbol: "quality", Value: l.Price.Quality}, demo.Term{Symbol: "memory", Value: l.Price.Memory}, demo.Term{Symbol: "trouble", Value: l.Price.Complexity})
	for _, c := range l.Claims {
		out.Terms = append(out.Terms, demo.Term{Symbol: "said by others", Value: claimText(&c), From: c.Conditions + ". " + c.Source + "."})
	}
	out.Source = "Two plans that differ in this lever alone."
	for _, from := range l.Sources {
		out.Source += " " + sentence(from)
	}
	if l.Assumes != "" {
		out.Source += " Taken for granted: " + l.Assumes
	}
	out.Error = "A difference of two predictions: " + r.stepError() + " How well such differences hold was not measured; how often their order does in simulation, the chapter says."
	if s.Lever == planner.MoE { // one of the two plans is of the other kind of model
		out.Error += " " + FitError(!r.a.deployment.Model.MoE())
	}
	return &out
}

// fleetFrom is the equation of the GPUs of one side, with its values.
func (r *capacityRun) fleetFrom(seconds float64, tp int) string {
	rate := 0.0
	for i := range r.a.workload.Classes {
		c := &r.a.workload.Classes[i]
		rate += float64(c.RequestsPerSec * c.PeakToMean)
	}
	return "rate × T × tp / rho = " + perSecond(rate) + " × " + text.Seconds(seconds) + " × " + text.Whole(tp) + " / " + text.Num(r.plan().TargetFrac, 4) + ", on " + onReplicas(tp)
}

// changedParts are the parts of the two sides that differ: how many times as much
// it is with the lever, and both values.
func changedParts(s *planner.Saving) (out []demo.Term) {
	x, y := &s.WithoutParts, &s.WithParts
	add := func(symbol, unit string, ratio, without, with float64) {
		if more := ratio - 1; more > -1e-9 && more < 1e-9 || ratio != ratio {
			return
		}
		out = append(out, demo.Term{Symbol: symbol, Value: text.Num(ratio, 3) + " times", From: quantity(with, unit) + " with / " + quantity(without, unit) + " without"})
	}
	add("prefill P0", "s", s.Reason.Prefill, x.PrefillSeconds, y.PrefillSeconds)
	add("a step w", "s", s.Reason.Weights, x.WeightSeconds, y.WeightSeconds)
	add("a sequence b", "s", s.Reason.KVRead, x.KVSeconds, y.KVSeconds)
	add("arithmetic f", "s", s.Reason.Arithmetic, x.ComputeSeconds, y.ComputeSeconds)
	add("sequences B", "sequences", s.Reason.Batch, x.Batch, y.Batch)
	return out
}

// opensSum is what the savings come to, one by one and all together.
func (r *capacityRun) opensSum() *demo.Step {
	a := &r.ablation
	s := demo.Step{Key: "sum", Formula: "overlap = sum − (G none − G all)", Source: "Every lever alone, and two plans more: with none of them and with all.", Error: "That of the savings."}
	for _, id := range a.Ranked {
		if x := &a.Savings[id]; x.Alone != 0 {
			s.Terms = append(s.Terms, demo.Term{Symbol: id.Lever().Name, Value: gpusOf(x.Alone), From: "alone, above"})
		}
	}
	s.Terms = append(s.Terms, demo.Term{Symbol: "sum", Value: gpusOf(a.AloneSum)}, demo.Term{Symbol: "G none", Value: gpusOf(a.None), From: "every lever off"}, demo.Term{Symbol: "G all", Value: gpusOf(a.All), From: "every lever on"},
		demo.Term{Symbol: "together", Value: gpusOf(a.None - a.All), From: "G none − G all"}, demo.Term{Symbol: "overlap", Value: gpusOf(a.Interaction), From: "more than 0 where levers save the same seconds twice"})
	return &s
}

func claimText(c *planner.Claim) string {
	says := text.Num(c.Figure, 3) + " times"
	if c.UpTo {
		says = "up to " + says
	}
	says += " " + c.Of
	if c.Either > 0 {
		says += " (or the other figure here, not both)"
	}
	return says + ", against " + c.Against
}

func onReplicas(tp int) string { return "replicas of " + gpus(tp) }
