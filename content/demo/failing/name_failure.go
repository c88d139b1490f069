package failing

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/content/tables"
	"openloop/sim"
	"openloop/sim/diagnose"
)

// The training: a dashboard of a run in which something is broken, or nothing.
// Which lever it is, and when, comes from the seed (name_failure_case.go). The
// reader says what left first and what is broken; marked, the run tells what it
// was. What can be told before is not here: each method that gives something
// asks first whether it is marked.

func nameTheFailure() *demo.Demo {
	return &demo.Demo{
		ID: "name-the-failure", Version: 1, Title: "Name the failure",
		Lead:   "A cluster over 100 s. One of the failures is in it, or none; the seed knows which. Say what left its usual range first, and what is broken. Then have it marked, and go to the next case.",
		Limits: "One failure at a time, of a simulated cluster that was well before, with onsets at the edge of a window. What is hidden can be worked out from the link by whoever reads the source: it is out of sight, not secret.",
		Knobs: []demo.Knob{
			firstKnob(),
			causeKnob(),
			func() demo.Knob {
				k := remedyKnob()
				k.Label, k.Doc, k.Answer = "What would you do?", "Not needed for the score. Marked, the run with it is drawn dashed.", true
				k.Options[0].Label = "not said"
				return k
			}(),
			answer(demo.Choice("mark", "Mark my answer", "Shows what was hidden, why, and what the answer is worth. Answer both questions first.",
				"off", "not yet", "on", "mark it", "tell", "tell me, I give up")),
			answer(demo.Knob{
				Name: "pair", Label: "Draw the look-alike", Options: demo.OnOff(), Max: 1, Group: groupAfter,
				Idle: demo.OnlyWith("mark", "on", "tell"),
				Doc:  "Dashed: the failure that you named, or if that was right the runner-up of the rules, at the same time on the same cluster.",
			}),
			within(groupHard, demo.Choice("level", "Difficulty", "Clear is each failure as in the matrix, faint half of it.", "clear", "clear", "bands", "clear, healthy bands drawn", "faint", "faint")),
			within(groupHard, demo.Choice("among", "Drawn from", "A few: traffic surge, KV squeeze, prefix-cache collapse, draft collapse, straggler, nothing; always on the same cluster.", "few", "a few, or nothing", "all", "all fourteen, or nothing")),
		},
		Groups: []demo.Group{{Title: groupAfter, Open: true}, {Title: groupHard}},
		Presets: []demo.Preset{
			{Name: "A first case", State: "seed=55", Says: "Five failures it can be, or nothing. The first five cases from here are all different."},
			{Name: "With bands", State: "level=bands&seed=6", Says: "The healthy bands are drawn, so what left first can be seen."},
			{Name: "All fourteen", State: "among=all&seed=18", Says: "On three clusters."},
			{Name: "Faint", State: "level=faint&among=all&seed=11", Says: "Half as strong."},
		},
		Equations: []demo.Equation{
			{Name: "Score", TeX: `S = 0.7\,[\text{cause is right}] + 0.3\,[\text{first is right}]`, Says: "each bracket 1 or 0; if several left in the same window, each of them is right"},
			{Name: "First", TeX: `\min\{k : x_k \notin [x_{(0.005)}, x_{(0.995)}]\}`, Says: "first window, from the onset on, outside of the middle 99% of 30 healthy runs of the same cluster; of what has a quarter of its windows or more beyond one side while the failure lasts"},
		},
		Start: func(v demo.Values, seed uint32) (demo.Task, error) {
			r := new(hiddenRun)
			return r, r.start(v, seed, nil)
		},
	}
}

const (
	groupAfter = "After the answer"
	groupHard  = "How hard"
)

// asksTold says whether the run is to tell what is hidden: both questions are answered
// and are to be marked, or somebody gave up. Half an answer would be told the other half.
func asksTold(v demo.Values) bool {
	return v.Option("mark") == "tell" || v.On("mark") && v.Option("first") != notSaid && v.Option("cause") != notSaid
}

func answer(k demo.Knob) demo.Knob {
	k.Answer = true
	return k
}

func within(group string, k demo.Knob) demo.Knob {
	k.Group = group
	return k
}

// Names of options that are no dial and no lever.
const (
	notSaid     = "unsaid"
	nothingLeft = "nothing"
)

func firstKnob() demo.Knob {
	k := demo.Knob{Name: "first", Label: "What left first?", Doc: "What left its usual range in the earliest window, up or down. Of several at once each is right.", Answer: true}
	k.Options = []demo.Option{{Name: notSaid, Label: "not said"}, {Name: nothingLeft, Label: "nothing has left"}}
	for d := range numDials {
		w := d.words()
		k.Options = append(k.Options, demo.Option{Name: w.id, Label: w.name})
	}
	k.Max = float64(len(k.Options) - 1)
	return k
}

func causeKnob() demo.Knob {
	k := leverKnob("cause", "What is broken?", "The failure whose shape this is.", noLever, "")
	k.Options = append([]demo.Option{{Name: notSaid, Label: "not said"}}, k.Options...)
	k.Max, k.Default, k.Answer = k.Max+1, 0, true
	return k
}

// Shares of the score.
const (
	causeShare = 0.7
	firstShare = 0.3
)

// hiddenRun is an incident that is not told before it is marked.
type hiddenRun struct {
	eightRun
	hidden hidden
	marked bool
	early  bool   // to be marked before both questions are answered
	first  string // the answer: options of the knobs
	cause  string
	remedy string
	pair   bool

	read      diagnose.Reading // of the whole run
	mended    watched          // with the remedy
	like      watched          // with what it could be taken for
	likeLever string           // which is that, noLever for the cluster in good health
	separates diagnose.Separator
}

// start begins the run of a case; a finished one of the same case lends what it has.
func (r *hiddenRun) start(v demo.Values, seed uint32, like *hiddenRun) error {
	r.hidden = drawCase(seed, v.Option("level"), v.Option("among"))
	r.marked, r.early = asksTold(v), v.On("mark") && !asksTold(v)
	r.first, r.cause, r.remedy, r.pair = v.Option("first"), v.Option("cause"), v.Option("remedy"), v.On("pair")
	p := r.hidden.plan(r.hidden.lever, seed)
	if like != nil {
		if err := r.begin(p, &like.incident); err != nil {
			return err
		}
		r.read = like.read
		r.follow(seed, like)
		return nil
	}
	r.Planned = 1
	r.whenRun = func() {
		r.read = diagnose.Read(r.run.windows)
		r.follow(seed, nil)
	}
	return r.begin(p, nil)
}

// follow adds the runs beside it that a marked answer asks for.
func (r *hiddenRun) follow(seed uint32, like *hiddenRun) {
	if !r.marked {
		return
	}
	if r.remedy != "none" {
		p := r.hidden.plan(r.hidden.lever, seed)
		p.remedy = r.remedy
		r.also(p, &r.mended)
	}
	if r.right() && !r.pair {
		return
	}
	r.likeLever = r.takenFor()
	if like != nil && like.likeLever == r.likeLever && like.like.windows != nil {
		r.like, r.separates = like.like, like.separates
		return
	}
	r.separates = diagnose.Separate(r.run.windows, verdictOf(r.hidden.lever), verdictOf(r.likeLever))
	r.also(r.hidden.plan(r.likeLever, seed), &r.like)
}

// also adds a run of another plan. What comes out of the same scenario must run.
func (r *hiddenRun) also(p plan, to *watched) {
	s, err := p.scenario(r.base)
	if err != nil {
		panic("demo: " + err.Error())
	}
	r.Planned++
	r.Add(replica.Job{Config: s.Config, Load: s.Workload, Seed: uint64(p.seed), Done: func(x *sim.Results) { *to = watchRun(x, s, r.base.SLO, r.base.Clock) }})
}

// takenFor is what is drawn beside it: what the reader named if that was wrong and
// can happen here, else the runner-up of the rules, else good health.
func (r *hiddenRun) takenFor() string {
	if !r.right() && r.cause != notSaid && r.hidden.possible(r.cause) {
		return r.cause
	}
	if second := r.read.Second; leverOf(second) != nil && second != r.hidden.lever && r.hidden.possible(second) {
		return second
	}
	if r.hidden.lever == noLever {
		return few[0]
	}
	return noLever
}

// verdictOf is a lever, or none, as the rules name it.
func verdictOf(lever string) string {
	if lever == noLever {
		return diagnose.Healthy
	}
	return lever
}

// Reuse is that of demo.Reusable: another answer needs no other run.
func (r *hiddenRun) Reuse(v demo.Values, seed uint32) (demo.Task, bool) {
	if seed != r.plan.seed || drawCase(seed, v.Option("level"), v.Option("among")) != r.hidden {
		return nil, false
	}
	next := new(hiddenRun)
	if err := next.start(v, seed, r); err != nil {
		return nil, false
	}
	return next, true
}

// right says whether the cause is.
func (r *hiddenRun) right() bool { return r.cause == r.hidden.lever }

// firstOut are the dials that left in the earliest window, and that window; none
// if none did.
func (r *hiddenRun) firstOut() (first []dialID, at int) {
	at = -1
	for d := range numDials {
		m := r.move(&r.run, d, len(r.run.windows))
		switch {
		case m.first < 0:
		case at < 0 || m.first < at:
			first, at = []dialID{d}, m.first
		case m.first == at:
			first = append(first, d)
		}
	}
	return first, at
}

// firstRight says whether what was said to leave first did.
func (r *hiddenRun) firstRight() bool {
	first, at := r.firstOut()
	if at < 0 {
		return r.first == nothingLeft
	}
	for _, d := range first {
		if d.words().id == r.first {
			return true
		}
	}
	return false
}

// Score is that of demo.Scored.
func (r *hiddenRun) Score() (score float64, marked bool) {
	if !r.marked {
		return 0, false
	}
	switch cause, first := r.right(), r.firstRight(); {
	case cause && first:
		score = 1
	case cause:
		score = causeShare
	case first:
		score = firstShare
	}
	return score, true
}

// fromOnset is the goodput of a run from the onset to the end.
func (r *hiddenRun) fromOnset(w *watched) float64 {
	return w.mean(dialGoodput, r.plan.from.Seconds(), r.span())
}

func (r *hiddenRun) Metrics() []demo.Metric {
	nan := math.NaN()
	score, cause, first, row, onset, kept, mended := nan, nan, nan, nan, nan, nan, nan
	if r.marked {
		score, _ = r.Score()
		cause, first, row = as01(r.right()), as01(r.firstRight()), float64(r.hidden.row())
		if r.fails() {
			onset = r.plan.from.Seconds()
		}
		kept = r.fromOnset(&r.run)
		if r.mended.windows != nil {
			mended = r.fromOnset(&r.mended)
		}
	}
	return []demo.Metric{
		{Name: "score", Label: "Score of the answer, 0 to 1; not a number before it is marked", Value: score, Digits: 2},
		{Name: "cause_right", Label: "The cause is right", Value: cause},
		{Name: "first_right", Label: "What left first is right", Value: first},
		{Name: "hidden", Label: "What was hidden: row of the matrix, 0 for nothing", Value: row},
		{Name: "onset", Label: "When it began", Unit: "s", Value: onset},
		{Name: "goodput", Label: "Goodput of the whole run", Unit: "requests/s", Value: r.run.mean(dialGoodput, tables.HealthyFrom, r.span()), Digits: 3, Spread: true},
		{Name: "goodput_from", Label: "Goodput from the onset on", Unit: "requests/s", Value: kept, Digits: 3},
		{Name: "goodput_remedied", Label: "The same with the remedy", Unit: "requests/s", Value: mended, Digits: 3},
	}
}

func as01(so bool) float64 {
	if so {
		return 1
	}
	return 0
}

// Records are the windows of the run, and once it is marked of those beside it.
func (r *hiddenRun) Records() demo.Table {
	names, runs := []string{"run"}, []*watched{&r.run}
	if r.mended.windows != nil {
		names, runs = append(names, "with remedy"), append(runs, &r.mended)
	}
	if r.like.windows != nil && r.pair {
		names, runs = append(names, verdictOf(r.likeLever)), append(runs, &r.like)
	}
	return recordsOf(names, runs)
}
