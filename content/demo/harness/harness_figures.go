package harness

import (
	"strconv"
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

// slots is how many runs a chart has room for.
const slots = 3

func (r *harnessRun) Figures() []demo.Figure {
	return []demo.Figure{r.readingFigure(), r.flightFigure(), r.firstTokenFigure()}
}

// readingFigure is what the command says, line by line.
func (r *harnessRun) readingFigure() demo.Figure {
	f := demo.Figure{ID: "reading", Title: "What the command says", Kind: demo.Steps}
	f.Table = demo.Table{Caption: f.Title, Columns: []demo.Column{{Name: "What"}, {Name: "How"}}}
	if r.read.Why != "" {
		f = f.Empty(r.read.Why)
		f.Steps = []demo.Step{{Group: "What it is", Key: "why", Name: "Nothing was read", Value: r.read.Why}}
		return f
	}
	add := func(group, name, value string, strong bool) {
		f.Steps = append(f.Steps, demo.Step{Group: group, Key: strconv.Itoa(len(f.Steps)), Name: name, Value: value, Strong: strong})
	}
	row := func(name, value string) {
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.W(name), demo.W(value)})
	}
	both := func(group, name, value string, strong bool) {
		add(group, name, value, strong)
		row(name, value)
	}
	const is, out, gone, defaults, wrong = "What it is", "In the output", "Not in the output", "Decided by defaults", "What does not add up"
	both(is, "Tool", r.read.Tool+", for "+r.read.For, false)
	for i, run := range r.read.Runs {
		name := "Loop"
		if len(r.read.Runs) > 1 {
			name = "Run " + strconv.Itoa(i+1)
		}
		both(is, name, loopText(run), true)
	}
	if r.read.More != 0 {
		both(is, "More runs", r.more()+", at rates between", false)
	}
	if len(r.read.Runs) == 1 {
		both(is, "Rate", rateText(r.read.Runs[0]), false)
	}
	both(is, "Until", r.until(), false)
	both(is, "Prompts", r.prompts(), false)
	both(is, "Answers", r.answers(), false)
	if r.read.Process {
		both(is, "Server", "none: the engine runs inside the tool", false)
	}
	both(is, "Latency begins", clockText(r.read.Clock), false)
	warm := r.read.WarmUp
	if warm == "" {
		warm = "none"
	}
	both(is, "Warm-up", warm, false)
	both(out, "Reported", strings.Join(r.read.Reports, "; "), false)
	if len(r.read.Limits) > 0 {
		both(out, "Promise", strings.Join(r.read.Limits, ", "), false)
	}
	for _, s := range r.read.Silent {
		add(gone, s, "", false)
	}
	row(gone, strings.Join(r.read.Silent, "; "))
	var decided []string
	for _, d := range r.read.Defaults {
		value := d.Value
		if d.Says != "" {
			value += ": " + d.Says
		}
		add(defaults, d.Flag, value, false)
		decided = append(decided, d.Flag+" "+d.Value)
	}
	if len(decided) > 0 {
		row(defaults, strings.Join(decided, ", "))
	}
	var bad []string
	for _, p := range r.read.Problems {
		name, says := problem(p)
		add(wrong, name, says, true)
		bad = append(bad, name+" "+says)
	}
	if len(bad) > 0 {
		row(wrong, strings.Join(bad, "; "))
	}
	f.Alt = r.read.Tool + ": " + r.list() + ". " + text.Count(len(r.read.Silent), "thing", "things") + " not in the output, " + text.Count(len(bad), "problem", "problems") + "."
	if r.read.Others > 0 {
		f.Notes = append(f.Notes, text.Count(r.read.Others, "further command", "further commands")+" of the text "+text.Verb(r.read.Others, "was", "were")+" not read; paste one at a time.")
	}
	return f
}

func (r *harnessRun) until() string {
	var parts []string
	if r.read.Requests > 0 {
		parts = append(parts, text.Count(r.read.Requests, "request", "requests"))
	}
	if r.read.Seconds > 0 {
		parts = append(parts, text.Num(r.read.Seconds, 4)+" s")
	}
	if len(parts) == 0 {
		return "not in the command"
	}
	return text.List(parts, "and")
}

func (r *harnessRun) prompts() string {
	if r.read.Dataset != "" {
		return "data set " + text.Quote(r.read.Dataset, 60)
	}
	return tokens(r.read.Prompt)
}

func (r *harnessRun) answers() string {
	if r.read.Dataset != "" {
		return "as the data set or the model has them"
	}
	return tokens(r.read.Output)
}

// runSlots are the series of the runs, always as many, and that of the open
// loop that they are held against.
func (r *harnessRun) runSlots() []demo.Series {
	roles := [slots]demo.Role{demo.Closed, demo.Soft, demo.Bad}
	out := make([]demo.Series, slots+1)
	for i := range slots {
		out[i] = demo.Series{ID: "run" + strconv.Itoa(i+1), Role: roles[i], Shape: demo.StepLine}
		if i < len(r.runs) {
			out[i].Name = r.runs[i].name
		}
	}
	out[slots] = demo.Series{ID: "open", Name: "open loop", Role: demo.Open, Shape: demo.StepLine}
	return out
}

// flightFigure is how full the load keeps the server.
func (r *harnessRun) flightFigure() demo.Figure {
	f := demo.Figure{
		ID: "flight", Title: "The same load, simulated: requests in flight", Kind: demo.Chart,
		X:      demo.Axis{Label: "Time", Unit: "s", Max: 1, Digits: 3},
		Y:      demo.Axis{Label: "Requests in flight", Max: 1, Digits: 3},
		Series: r.runSlots(),
		Table:  demo.Table{Caption: "The runs", Columns: []demo.Column{{Name: "Run"}, {Name: "Rate that came out", Unit: "requests/s", Digits: 3}, {Name: "Output", Unit: "tokens/s", Digits: 3}, {Name: "Mean in flight", Digits: 3}, {Name: "Most", Digits: 3}, {Name: "Answered", Digits: 0}}},
	}
	until := 0.0
	all := make([]*outcome, slots+1)
	for i := range r.runs {
		all[i] = &r.runs[i]
	}
	all[slots] = &r.open
	for _, o := range all {
		if o != nil && o.results != nil {
			until = max(until, o.results.EndAt.Seconds())
		}
	}
	top := 0.0
	for i, o := range all {
		if o == nil || o.results == nil || until <= 0 {
			continue
		}
		f.Series[i].X, f.Series[i].Y = inFlight(o.results, until)
		for _, y := range f.Series[i].Y {
			top = max(top, y)
		}
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.W(o.name), demo.N(o.perSec), demo.N(o.tokens), demo.N(o.inFlight), demo.N(o.peak), demo.N(float64(o.done))})
	}
	f.Notes = append(f.Notes, r.notes...)
	if len(f.Table.Rows) == 0 {
		return nothing(f, r.refused)
	}
	f.X.Max, f.Y.Max = demo.Top(until), demo.Top(top)
	m := r.main()
	f.Alt = m.name + ": " + text.Num(m.inFlight, 3) + " requests in flight in the mean and " + text.Num(m.peak, 3) + " at most, over " + text.Num(m.seconds, 3) + " s."
	if r.open.results != nil {
		f.Notes = append(f.Notes, "Open loop: the same requests, Poisson, at "+text.Num(float64(r.share*m.perSec), 3)+" requests/s"+r.why()+".")
	}
	if r.refused != "" {
		f.Notes = append(f.Notes, r.refused)
	}
	return f
}

// why is which rate the open loop is given.
func (r *harnessRun) why() string {
	switch m := r.main(); {
	case r.share == 0.8:
		return ", 80% of the rate at which the pile was worked off"
	case r.share == 1:
		return ", the rate that came out"
	case m != nil:
		return ", the rate asked for"
	}
	return ""
}

// firstTokenFigure is the percentiles by three ways to look.
func (r *harnessRun) firstTokenFigure() demo.Figure {
	names := []string{"p50", "p90", "p99", "largest"}
	qs := []float64{0.5, 0.9, 0.99, 1}
	f := demo.Figure{
		ID: "ttft", Title: "Time to first token, by who looks", Kind: demo.Chart, Beside: true,
		X: demo.Axis{Label: "Percentile", Names: names}, Y: demo.Axis{Label: "Time to first token", Unit: "s", Log: true, Min: 0.01, Max: 10, Digits: 2},
		Series: []demo.Series{
			{ID: "tool", Name: "tool", Role: demo.Closed, Shape: demo.Points},
			{ID: "schedule", Name: "schedule", Role: demo.Bad, Shape: demo.Points},
			{ID: "open", Name: "open loop", Role: demo.Open, Shape: demo.Points},
		},
		Legend: true,
		Table:  demo.Table{Caption: "Time to first token", Columns: []demo.Column{{Name: "Percentile"}, {Name: "As the tool counts", Unit: "ms", Digits: 3}, {Name: "From the schedule", Unit: "ms", Digits: 3}, {Name: "Open loop", Unit: "ms", Digits: 3}}},
	}
	m := r.main()
	if m == nil || len(m.tool) == 0 {
		return nothing(f, r.refused)
	}
	lo, hi := 0.0, 0.0
	point := func(s *demo.Series, i int, sorted []float64) demo.Cell {
		if len(sorted) == 0 {
			return demo.W("")
		}
		y := max(at(sorted, qs[i]), 1e-6)
		s.X, s.Y = append(s.X, float64(i)), append(s.Y, y)
		if lo == 0 || y < lo {
			lo = y
		}
		hi = max(hi, y)
		return demo.N(1000 * y)
	}
	for i, name := range names {
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.W(name), point(&f.Series[0], i, m.tool), point(&f.Series[1], i, m.schedule), point(&f.Series[2], i, r.open.tool)})
	}
	for f.Y.Min = 1; f.Y.Min > lo; {
		f.Y.Min /= 10
	}
	for f.Y.Max = f.Y.Min * 100; f.Y.Max < hi; {
		f.Y.Max *= 10
	}
	f.Alt = "p99 time to first token: " + duration(at(m.tool, 0.99), 2) + " as the tool counts, " + duration(at(m.schedule, 0.99), 2) + " from the schedule"
	if len(r.open.tool) > 0 {
		f.Alt += ", " + duration(at(r.open.tool, 0.99), 2) + " in an open loop"
	}
	f.Alt += "."
	if !r.seesFirst() {
		f.Notes = append(f.Notes, "The tool times no first token with these flags. This is what it would have seen.")
	}
	if m.done < m.sent {
		f.Notes = append(f.Notes, text.Whole(m.sent-m.done)+" of "+text.Whole(m.sent)+" requests got no answer within the run.")
	}
	return f
}

// nothing is a chart with no points, and why.
func nothing(f demo.Figure, why string) demo.Figure {
	if why == "" {
		why = "No request was sent."
	}
	return f.Empty(why)
}
