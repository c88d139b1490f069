package engine

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/room"
	"openloop/content/demo/text"
	"openloop/sim"
)

// A few requests in a tiny engine, step by step, as the scheduler decides.

const (
	tinyStep  = 10 * sim.Millisecond
	tinyBlock = 4 // tokens
	shown     = 20
	mostSteps = 1000 // that are kept; the longest scene has a tenth of it
)

// scene is requests that are sent to the tiny engine.
type scene struct {
	name, label string
	specs       []sim.Spec
}

// scenes have at most four requests, called A to D.
func scenes() []scene {
	ask := func(step sim.Nanos, prompt, output int32, prefix ...sim.Segment) sim.Spec {
		at := step * tinyStep
		return sim.Spec{IntendedAt: at, SentAt: at, Prompt: prompt, Output: output, Session: -1, Client: -1, Prefix: prefix}
	}
	first := sim.Segment{ID: 1, Tokens: 9}
	whole := sim.Segment{ID: 2, Tokens: 12}
	return []scene{
		{"three", "three at once", []sim.Spec{ask(0, 7, 6), ask(0, 7, 4), ask(0, 7, 3)}},
		{"long", "a long and a short prompt", []sim.Spec{ask(0, 10, 2), ask(0, 7, 1)}},
		{"shared", "two that begin alike", []sim.Spec{ask(0, 10, 3, first), ask(1, 11, 2, first)}},
		{"again", "one that comes again", []sim.Spec{ask(0, 12, 1, whole), ask(2, 8, 1), ask(4, 8, 1), ask(6, 12, 1, whole)}},
	}
}

func stepTrace() *demo.Demo {
	var options []demo.Option
	for _, s := range scenes() {
		options = append(options, demo.Option{Name: s.name, Label: s.label})
	}
	return &demo.Demo{
		ID: "step-trace", Version: 1, Title: "Step by step",
		Lead:   "Each column is a step of a tiny engine: who is given how many tokens, who waits, who is put back. Go through it step by step; give it more blocks, or fewer, or schedule ahead.",
		Limits: "Four tokens in a block, every step 10 ms, a handful of requests: rules only. A real step's length depends on what is in it.",
		Knobs: []demo.Knob{
			{Name: "requests", Label: "Requests", Doc: "Who comes, and when.", Max: float64(len(options) - 1), Options: options},
			{Name: "blocks", Label: "KV blocks", Unit: "blocks", Doc: "Of four tokens each.", Default: 6, Min: 3, Max: 24, Step: 1, Whole: true},
			{Name: "budget", Label: "Token budget", Unit: "tokens", Doc: "Most tokens of one step.", Default: 32, Min: 4, Max: 32, Step: 1, Whole: true},
			{Name: "async", Label: "Schedule ahead", Doc: "Decide on the next step while one is in progress.", Max: 1, Options: demo.OnOff()},
			{Name: "seats", Label: "Seats", Unit: "requests", Doc: "Most requests that run at once.", Default: 4, Min: 1, Max: 4, Step: 1, Whole: true, More: true},
			{Name: "cache", Label: "Prefix cache", Doc: "Keep full blocks and look them up.", Default: 1, Max: 1, Options: demo.OnOff(), More: true},
		},
		Presets: []demo.Preset{
			{Name: "A prompt is cut", State: "requests=long&blocks=24&budget=8", Says: "The budget of 8 cuts A after 8 tokens; B gets what A leaves of the second step, and its last token in the third."},
			{Name: "Put back, a step ahead", State: "async=on", Says: "Scheduled one step ahead, B's blocks are free a step later, and C is back a step later."},
			{Name: "A shared beginning", State: "requests=shared&blocks=24", Says: "B shares 9 tokens with A, hence two full blocks: 3 of its 11 tokens are computed."},
			{Name: "The oldest block goes", State: "requests=again&blocks=5", Says: "D asks what A asked. Of A's three blocks the first is left, because the last of a request goes first."},
		},
		Equations: []demo.Equation{
			{Name: "Tokens", TeX: `n = \min(\text{prompt} + \text{generated} - \text{computed},\ \text{budget left})`, Says: "what a request is given in a step; 1 if it decodes"},
			{Name: "Blocks", TeX: `\left\lceil \frac{\text{computed} + n}{4} \right\rceil`, Says: "held once the step is scheduled; if there are too few, the last admitted goes back to the queue and gives up its own"},
		},
		NoChance: true,
		Start:    startStepTrace,
	}
}

type stepRun struct {
	demo.Instant
	*room.Replay
	scene scene
	res   *sim.Results
	most  int32 // blocks held, at most
	async bool
	at    float64 // ms: the time at which the run is shown
	begun int     // steps that have begun by then
}

func startStepTrace(v demo.Values, seed uint32) (demo.Task, error) {
	r := &stepRun{async: v.On("async")}
	for _, s := range scenes() {
		if s.name == v.Option("requests") {
			r.scene = s
		}
	}
	budget := v.Int("budget")
	c := sim.Config{
		Replicas: 1, TraceSteps: mostSteps,
		Engine: sim.Engine{
			MaxNumSeqs: min(v.Int("seats"), budget), MaxBatchedTokens: budget, PrefillChunkTokens: budget,
			BlockTokens: tinyBlock, KVBlocks: v.Int("blocks"), PrefixCache: v.On("cache"), Async: r.async,
			Cost: sim.LinearCost{Base: tinyStep.Picos()},
		},
	}
	source := func() sim.Source { return &scripted{specs: r.scene.specs} }
	s, err := sim.New(c, source(), uint64(seed))
	if err != nil {
		return nil, err
	}
	r.Replay = room.New(c, source, uint64(seed))
	r.Letters = true
	s.Run()
	if r.res = s.Results(); r.res.StepsNotKept > 0 {
		panic("demo: a scene has more steps than are kept")
	}
	for _, step := range r.res.Steps {
		r.most = max(r.most, step.Used)
	}
	r.Seek(r.Clock().To)
	return r, nil
}

// scripted sends a list of requests.
type scripted struct {
	specs []sim.Spec
	next  int
}

func (s *scripted) Next() (sim.Nanos, bool) {
	if s.next == len(s.specs) {
		return 0, false
	}
	return s.specs[s.next].SentAt, true
}

func (s *scripted) Take(r *sim.Spec) {
	*r = s.specs[s.next]
	s.next++
}

func (*scripted) Ended(int32, sim.Nanos, sim.Status) {}

func letter(i int) string { return "ABCD"[i : i+1] }

func milliseconds(t sim.Nanos) float64 { return float64(t) / float64(sim.Millisecond) }

// given is what request i gets in a step.
func given(s sim.StepTrace, i int) (p sim.Piece, ok bool) {
	for _, p := range s.Pieces {
		if p.Request == int32(i) {
			return p, true
		}
	}
	return p, false
}

func putBack(s sim.StepTrace, i int) bool {
	for _, r := range s.Preempt {
		if r == int32(i) {
			return true
		}
	}
	return false
}

func tokensOf(s sim.StepTrace) (n int) {
	for _, p := range s.Pieces {
		n += int(p.Tokens)
	}
	return n
}

// cells is what becomes of request i, step by step.
func (r *stepRun) cells(i int, steps []sim.StepTrace) (out []demo.StripCell) {
	running := false
	there := func(s sim.StepTrace) bool {
		return r.res.SentAt[i] <= s.Start && s.Start < r.res.DoneAt[i]
	}
	for _, s := range steps {
		p, ok := given(s, i)
		c := demo.StripCell{Text: "wait"}
		switch {
		case putBack(s, i):
			c, running = demo.StripCell{Text: "back", Differ: true}, false
		case ok:
			c.Text, running = "+"+text.Whole(int(p.Tokens)), true
		case !there(s):
			c.Text = "·"
		case running:
			c.Text = "hold"
		}
		out = append(out, c)
	}
	return r.hidden(out)
}

func (r *stepRun) Figures() []demo.Figure {
	steps := r.res.Steps[:min(len(r.res.Steps), shown)]
	f := demo.Figure{
		ID: "steps", Title: "What each step does", Kind: demo.Strips,
		Alt: r.when() + text.Count(len(r.res.Steps), "step", "steps") + " for " + text.Whole(len(r.scene.specs)) + " requests, at most " + text.Count(int(r.most), "block", "blocks") + " held.",
		Table: demo.Table{Caption: "Steps", Columns: []demo.Column{
			{Name: "Step"}, {Name: "From", Unit: "ms"}, {Name: "Tokens of each request, and computed before"}, {Name: "Blocks held"}, {Name: "Waiting"}, {Name: "Put back"},
		}},
		Notes: []string{"+7: given 7 tokens in this step; +1 is mostly the next token of an answer. wait: in the queue. back: put back into it, all blocks given up. hold: keeps its seat, but has nothing left to do, or gets nothing. A dot: not there."},
	}
	add := func(label string, cells []demo.StripCell) {
		for i := range cells {
			for len([]rune(cells[i].Text)) < 4 {
				cells[i].Text += "\u00a0"
			}
		}
		f.Strips = append(f.Strips, demo.Strip{Label: label, Cells: cells})
	}
	numbers := func(of func(int) int) (out []demo.StripCell) {
		for i := range steps {
			out = append(out, demo.StripCell{Text: text.Whole(of(i))})
		}
		return out
	}
	later := func(of func(int) int) []demo.StripCell { return r.hidden(numbers(of)) }
	add("step", numbers(func(i int) int { return i + 1 }))
	for i := range r.scene.specs {
		add(letter(i), r.cells(i, steps))
	}
	add("tokens in step", later(func(i int) int { return tokensOf(steps[i]) }))
	add("blocks held", later(func(i int) int { return int(steps[i].Used) }))
	for i, s := range steps[:min(len(steps), r.begun)] {
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.N(float64(i + 1)), demo.N(milliseconds(s.Start)), demo.W(pieces(s)), demo.N(float64(s.Used)),
			demo.N(float64(s.Waiting)), demo.W(letters(s.Preempt))})
	}
	return []demo.Figure{f}
}

// pieces reads "A 8 after 0, B 6 after 0".
func pieces(s sim.StepTrace) (out string) {
	for i, p := range s.Pieces {
		if i > 0 {
			out += ", "
		}
		out += letter(int(p.Request)) + " " + text.Whole(int(p.Tokens)) + " after " + text.Whole(int(p.From))
	}
	return out
}

func letters(requests []int32) (out string) {
	for _, r := range requests {
		out += letter(int(r))
	}
	return out
}

func (r *stepRun) Summary() demo.Sentence {
	if r.at < r.Clock().To {
		return r.soFar()
	}
	total := r.res.Totals
	out := demo.Say("", text.Count(len(r.res.Steps), "step", "steps"), " for "+text.Whole(len(r.scene.specs))+" requests; the last answer is complete at "+
		text.Num(milliseconds(r.res.EndAt), 0)+" ms. ")
	if total.Preempted > 0 {
		out = append(out, demo.Say("Requests were put back ", text.Count(int(total.Preempted), "time", "times"), ", and "+
			text.Count(int(total.Recomputed), "token was", "tokens were")+" computed again. ")...)
	}
	if total.Hit > 0 {
		out = append(out, demo.Say("The prefix cache gave ", text.Count(int(total.Hit), "token", "tokens"), ". ")...)
	}
	return append(out, demo.Say("At most "+text.Count(int(r.most), "block was", "blocks were")+" held.")...)
}

func (r *stepRun) Metrics() []demo.Metric {
	total := r.res.Totals
	return []demo.Metric{
		{Name: "steps", Label: "Steps", Value: float64(total.Steps)},
		{Name: "end", Label: "Last answer complete", Unit: "ms", Value: milliseconds(r.res.EndAt)},
		{Name: "answer", Label: "Mean time from sending to the whole answer", Unit: "ms", Value: r.meanAnswer(), Digits: 3},
		{Name: "put_back", Label: "Put back", Unit: "times", Value: float64(total.Preempted)},
		{Name: "recomputed", Label: "Computed again", Unit: "tokens", Value: float64(total.Recomputed)},
		{Name: "hit", Label: "Found in the prefix cache", Unit: "tokens", Value: float64(total.Hit)},
		{Name: "prefilled", Label: "Prompt tokens computed", Unit: "tokens", Value: float64(total.PrefillTokens)},
		{Name: "most_held", Label: "Most blocks held", Unit: "blocks", Value: float64(r.most)},
	}
}

func (r *stepRun) meanAnswer() float64 {
	total := 0.0
	for i, done := range r.res.DoneAt {
		total += milliseconds(done - r.res.SentAt[i])
	}
	return total / float64(len(r.res.DoneAt))
}

func (r *stepRun) Events() (out []demo.Event) {
	for k, s := range r.res.Steps[:r.begun] {
		step := "Step " + text.Whole(k+1) + ": "
		for _, i := range s.Preempt {
			out = append(out, demo.Event{At: math.NaN(), Says: demo.Say(step+"a block is missing and none is free: ", letter(int(i))+" goes back", " to the front of the queue, gives up its blocks, and keeps the tokens it has generated.")})
		}
		for _, p := range s.Pieces {
			if hit := r.res.Cached[p.Request]; hit > 0 && p.From == hit && r.res.AdmittedAt[p.Request] <= s.Start {
				out = append(out, demo.Event{At: math.NaN(), Says: demo.Say(step+"the cache has "+text.Count(int(hit), "token", "tokens")+" of the prompt of "+letter(int(p.Request))+"; ", text.Whole(int(p.Tokens))+" are computed", ".")})
			}
		}
	}
	return out
}

func (r *stepRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{
		{Name: "step"}, {Name: "start", Unit: "ms"}, {Name: "end", Unit: "ms"}, {Name: "request"}, {Name: "tokens"}, {Name: "computed_before"},
		{Name: "blocks_held"}, {Name: "waiting"}, {Name: "put_back"},
	}}
	for i, s := range r.res.Steps {
		for _, p := range s.Pieces {
			t.Rows = append(t.Rows, []demo.Cell{demo.N(float64(i + 1)), demo.N(milliseconds(s.Start)), demo.N(milliseconds(s.End)), demo.W(letter(int(p.Request))),
				demo.N(float64(p.Tokens)), demo.N(float64(p.From)), demo.N(float64(s.Used)), demo.N(float64(s.Waiting)), demo.W(letters(s.Preempt))})
		}
	}
	return t
}
