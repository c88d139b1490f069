package sizing

import (
	"slices"
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/planner"
	"openloop/planner/profile"
)

// The plan as a sequence of equations with their values.

// sections are the headings of the chain, by the symbol that begins each, and
// whether they are shown before the reader has guessed.
var sections = []struct {
	first, title string
	always       bool
}{
	{"free", "What fits", true},
	{"W", "One step", true},
	{"Tmem", "One request", false},
	{"rho", "The fleet", false},
	{"move", "Before the first token", false},
	{"first", "Before the first token", false},
	{"usd", "The bill", false},
}

func (r *capacityRun) chainFigure() demo.Figure {
	f := demo.Figure{ID: "chain", Title: "From the workload to GPUs", Kind: demo.Steps}
	if len(r.links) == 0 {
		return f.Empty(r.blame(r.wrong))
	}
	shown := r.shown && r.wrong == nil
	f.Pages = r.a.pages()
	f.Steps = r.askedSteps()
	section, always := "", true
	from := map[string]string{}
	for _, l := range r.links {
		from[l.Symbol] = l.Name
	}
	for _, l := range r.links {
		for _, s := range sections {
			if l.Symbol == s.first {
				section, always = s.title, s.always
			}
		}
		if !always && !shown || skipped(&r.a, l) {
			continue
		}
		if r.a.unpriced(l.Unit) && l.Symbol != "usd" {
			continue
		}
		f.Steps = append(f.Steps, r.step(l, section, from))
	}
	f.Alt = text.Whole(len(f.Steps)) + " equations from the workload to the time of one step; "
	switch p := r.plan(); {
	case r.wrong != nil:
		f.Notes = []string{"These hold whatever is promised. The rest has no answer."}
		f.Alt += "there is no plan."
	case shown:
		f.Pages = append(f.Pages, demo.Page{Name: "Simulate this plan", Path: r.a.checkPath(r.values), Next: true})
		f.Steps = append(append(f.Steps, r.powerSteps()...), r.taskSteps()...)
		f.Alt = text.Whole(len(f.Steps)) + " equations from the workload to " + gpus(p.GPUs) + ". What binds is " + boundName(p.Bound) + "."
	default:
		f.Notes = []string{"The rest is hidden until you have guessed: requests a second, divided by what one replica carries."}
		f.Alt += "the plan is hidden."
	}
	f.Table = r.chainTable(f.Steps)
	return f
}

// unpriced says whether a unit is one of money, and nobody has named a price.
func (a *asked) unpriced(unit string) bool {
	return !a.priced && strings.HasPrefix(unit, "USD")
}

// amount is a value in words; of a price that nobody has named there is none.
func (a *asked) amount(x float64, unit string) string {
	if a.unpriced(unit) {
		return "no price"
	}
	return quantity(x, unit)
}

// skipped leaves out equations that only repeat the one before: what is hidden
// of prefill if nothing is, what is promised if nothing is.
func skipped(a *asked, l planner.Link) bool {
	hides := slices.ContainsFunc(l.Inputs, func(in planner.Input) bool { return in.Symbol == "x" })
	return hides && a.deployment.OverlapFrac == 0 || l.Formula == "none" || l.Formula == "Bmem"
}

func (r *capacityRun) step(l planner.Link, section string, from map[string]string) demo.Step {
	values := map[string]string{}
	s := demo.Step{Group: section, Key: l.Symbol, Name: l.Name, Value: r.a.amount(l.Value, l.Unit), Source: r.source(l), Error: r.errorOf(l)}
	for _, in := range l.Inputs {
		values[in.Symbol] = r.a.amount(in.Value, in.Unit)
		t := demo.Term{Symbol: in.Symbol, Value: values[in.Symbol], From: from[in.Symbol]}
		if t.From == "" {
			t.From, t.Page = r.met(l.Symbol, in)+r.given(in), r.a.pageOf(in.Symbol)
		}
		s.Terms = append(s.Terms, t)
	}
	if l.Formula != "" {
		s.Formula = l.Symbol + " = " + spelled(l.Formula, func(symbol string) string { return symbol })
		s.Numbers = spelled(l.Formula, func(symbol string) string {
			if v, ok := values[symbol]; ok {
				return v
			}
			return symbol
		})
	}
	if s.Formula == "" {
		s.Formula = solved[l.Symbol]
	}
	s.Strong = l.Symbol == "GPUs" || l.Symbol == bindingSymbol(r.plan().Binds)
	return s
}

// solved are the equations of what the planner solves rather than computes.
var solved = map[string]string{
	"rho": "rho = Busy at most, or less: so much that the mean wait, C(R, rho) × T / (R × (1 − rho)) × (ca2 + cs2) / 2 with Erlang's C, is within the wait that the promises leave",
	"C":   "C = (A^R / R!) / (1 − u) / (1 + A + … + A^(R−1) / (R−1)! + (A^R / R!) / (1 − u)), with A = R × u",
	"ws":  "ws = (c0 + W / BW) × read, with the weights W that the batch at the limit of the time per token touches",
}

// bindingSymbol is the limit that sets T.
func bindingSymbol(b planner.Bound) string {
	switch b {
	case planner.BoundMemory, planner.BoundSeats:
		return "Tmem"
	case planner.BoundTPOT:
		return "Ttpot"
	}
	return "Tcmp"
}

func (r *capacityRun) source(l planner.Link) string {
	switch {
	case l.Symbol == "usd":
		return r.priceSource()
	case l.Symbol == "B" && r.a.engine != own && l.Formula != "Bmem":
		return "The smaller of what memory holds and the most sequences that the engines ran with whose throughput the efficiency was fitted to."
	case l.Source == "given":
		return "A choice: a setting of this demo."
	}
	return sentence(l.Source)
}

// sentence begins with a capital and ends with a period.
func sentence(s string) string {
	if s == "" {
		return s
	}
	if s[0] >= 'a' && s[0] <= 'z' && !(len(s) > 1 && s[1] >= 'A' && s[1] <= 'Z') { // vLLM stays vLLM
		s = string(s[0]-32) + s[1:]
	}
	if s[len(s)-1] != '.' {
		s += "."
	}
	return s
}

// errorOf says how far the value of an equation can be off.
func (r *capacityRun) errorOf(l planner.Link) string {
	switch l.Symbol {
	case "free", "Bmem", "B", "kvtokens":
		return "Exact for the shape, whose parameters are checked against the published count. An engine keeps some memory for itself."
	case "W":
		return "Exact for a dense model; of experts, those that a batch touches if they are drawn evenly."
	case "w", "b", "f", "P0", "seen":
		return r.stepError()
	case "rho":
		if r.plan().TargetFrom != planner.TargetGiven {
			return "Exact for one replica and Poisson arrivals, an approximation for more. A replica is one server here, so the wait is overstated."
		}
		return "None: it is your choice."
	case "busy":
		return "That of the seconds of a request, and of your guess of the load."
	case "queued", "TTFT":
		return "Exact for one replica and Poisson arrivals, an approximation for more; a replica is one server here, so the wait is overstated. The check by simulation says by how much."
	case "usd", "request", "outputAll", "total", "input", "output", "shown":
		says := "That of the GPUs above"
		if r.a.priced {
			says += ", and of the price"
		}
		return says + ". How prefill and decode share the bill is a convention."
	case "move":
		return "A lower bound of the link, with nothing hidden behind other work."
	}
	return r.stepError() + r.amplified(l.Symbol) + " Means stand for distributions: the check by simulation says what that costs."
}

// amplified is how many times an error of the step times counts where a time per
// token s is promised: T = (P + o b) / (1 - w/s), so that 1% more of P, b and w is
// s / (s - w) per cent more of T.
func (r *capacityRun) amplified(symbol string) string {
	p, s := r.plan(), r.a.objective.TPOTSeconds
	if p.Binds != planner.BoundTPOT || r.a.deployment.Disaggregated || !slices.Contains([]string{"Ttpot", "T", "D", "R", "GPUs", "G", "Gmean"}, symbol) {
		return ""
	}
	return " An error of the step times counts " + text.Num(s/(s-p.WeightSeconds), 3) + " times here, " + text.Seconds(s) + " / (" + text.Seconds(s) + " − " + text.Seconds(p.WeightSeconds) + "): the promise leaves to requests only what a step does not take by itself."
}

// stepError is about the seconds of a step.
func (r *capacityRun) stepError() string {
	says := r.a.stepsFrom(r.plan())
	d := &r.a.deployment
	switch r.plan().Origin {
	case planner.Measured, planner.Scaled:
		if c, ok := profile.Calibrated(d.Reference.GPU.ID, d.Reference.Model.ID, d.Reference.Weights, d.Reference.TP); ok {
			says += " The fit misses those that were measured by " + percent(c.Prefill.MAPEFrac) + " on average in prefill and by " + percent(c.Decode.MAPEFrac) + " in decode."
		}
		if o, ok := profile.Overhead(d.Reference.GPU.ID, d.Reference.Model.ID, "vLLM", d.Reference.TP); ok && d.Reference.StepSeconds > 0 {
			says += " With what the engine adds, whole batches that LLM-Inference-Bench measured in bf16 are missed by " + percent(o.MAPEAfterFrac) + "."
		}
	case planner.Interpolated:
		if e := profile.InterpolationErrorOf(d.Reference.Weights); e.Groups > 0 {
			says += " Where the middle of three sizes was left out, the rule missed it by " + percent(e.PrefillMeanFrac) + " on average in prefill and by " + percent(e.Decode64MeanFrac) + " in decode of 64 sequences."
		}
	}
	if d.Reference.Origin != planner.Roofline {
		says += r.a.kernelsAlone()
	}
	return says
}

// kernelsAlone says of measured steps that no engine is in them, if so, and what
// that is worth where one was measured.
func (a *asked) kernelsAlone() string {
	if a.deployment.Reference.StepSeconds > 0 {
		return ""
	}
	all := profile.Overheads()
	least, most := all[0].MeasuredOverKernels, all[0].MeasuredOverKernels
	for i := range all {
		least, most = min(least, all[i].MeasuredOverKernels), max(most, all[i].MeasuredOverKernels)
	}
	return " These are kernels alone. Where LLM-Inference-Bench measured a whole engine, a step took " + text.Num(least, 2) + " to " + text.Num(most, 2) + " times as long: such a plan is too small, and not to be compared with one that has the engine in it."
}

func (r *capacityRun) chainTable(steps []demo.Step) demo.Table {
	t := demo.Table{Caption: "The chain", Columns: []demo.Column{{Name: "What"}, {Name: "Value"}}}
	for _, s := range steps {
		if len(t.Rows) < 20 && (s.Group != "What fits" || s.Key == "B" || s.Key == "Bmem") && s.Group != asksFor && s.Key != "gp" && s.Key != "gd" && s.Key != "Gmean" && s.Key != "move" {
			t.Rows = append(t.Rows, []demo.Cell{demo.W(s.Name), demo.W(s.Value)})
		}
	}
	return t
}
