package reading

import (
	"strings"

	"openloop/content/demo"
	"openloop/sim"
	"openloop/sim/diagnose"
	"openloop/sim/scrape"
)

// maxPaste is how much text of a box is read, and mostPaste how much a box
// takes, in bytes: a longer text is taken so that the demo can refuse it, and
// does not leave standing what it said of another. (Package protocol cuts what
// comes at as much.)
const (
	maxPaste  = 1 << 20
	mostPaste = maxPaste + 64<<10
)

func diagnoseMine() *demo.Demo {
	var examples []string
	for _, e := range exampleTexts {
		examples = append(examples, e.id, e.label)
	}
	example := demo.Choice("example", "Example", "Shown while the boxes are empty. Its texts come from simulated servers.", examples...)
	example.Idle = func(v demo.Values) string {
		if v.Written("paste")+v.Written("second") == "" {
			return ""
		}
		return "Your text is shown. Empty the boxes to see the example."
	}
	return &demo.Demo{
		ID: "diagnose-mine", Version: 1, Title: "Diagnose mine", NoChance: true,
		Lead:   "Paste what your server says, and read it with the same rules as the dashboards of this guide. It is read on this page: nothing is sent, stored or put into a link. While the boxes are empty, an example is shown.",
		Limits: "Two scrapes are two instants and the sum of what lay between: they cannot say what moved first. The rules know the failures of this guide and no others, and see nothing of clients, network and gateway that the text does not hold. A percentile from buckets is known between two bounds. The verdict is a place to look first, not a proof.",
		Knobs: []demo.Knob{
			{Name: "paste", Label: "Paste here", Doc: "Two scrapes of /metrics, one below the other, or one; or lines of the log. The commands stand below, under What to paste.",
				Writing: &demo.Writing{Max: mostPaste, Lines: 7, Loose: true}},
			{Name: "second", Label: "Second scrape, if it is apart", Doc: "The later one. Leave it empty if both are above.",
				Writing: &demo.Writing{Max: mostPaste, Lines: 2, Loose: true}},
			{Name: "seconds", Label: "Seconds apart", Unit: "s", Doc: "0: as the text says, by lines of date +%s or a date header. If nothing says it, there are no rates.", Max: 36_000, Step: 10},
			example,
			{Name: "which", Label: "Which of several", Doc: "If the text holds several models, logs of both engines, or scrapes and a log: which one to read.", Default: 1, Min: 1, Max: 64, Step: 1, Whole: true, More: true},
		},
		Presets: []demo.Preset{
			{Name: "KV cache full", State: "", Says: "Two scrapes of vLLM, two minutes apart."},
			{Name: "Same load, healthy", State: "example=healthy", Says: "As many requests, the GPU as busy, and nothing is wrong."},
			{Name: "Lines of a log", State: "example=log", Says: "A log has no percentiles; its lines show when something moved."},
			{Name: "One scrape", State: "example=one", Says: "What one scrape cannot say, and what to do about it."},
			{Name: "Restarted", State: "example=restart", Says: "Every counter is smaller than two minutes ago."},
		},
		Equations: []demo.Equation{
			{Name: "Rate", TeX: `r = \frac{x_2 - x_1}{T}`, Says: "a counter at both scrapes, T seconds apart; after a restart x₁ is 0 and the rate a lower bound"},
			{Name: "Percentile", TeX: `p_q = l + (h - l)\,\frac{q n - c_l}{c_h - c_l}`, Says: "n observations between the scrapes, c at most a bound: the bucket from l to h holds it, where inside is a convention"},
			{Name: "Arrivals", TeX: `\text{arrivals} = \text{ended} + \Delta(\text{waiting} + \text{running})`, Says: "what came in either ended or is still inside; not across a restart"},
			{Name: "Accepted length", TeX: `1 + \frac{\Delta\,\text{accepted}}{\Delta\,\text{drafts}}`, Says: "tokens that one verification gives, its own included"},
		},
		Start: func(v demo.Values, _ uint32) (demo.Task, error) {
			t := &task{seconds: v.Num("seconds"), which: v.Int("which"), example: v.Int("example")}
			t.in = scrape.Input{First: v.Written("paste"), Second: v.Written("second"), Seconds: t.seconds}
			if t.pasted = strings.TrimSpace(t.in.First+t.in.Second) != ""; !t.pasted {
				t.in.First = exampleTexts[t.example].text
			}
			return t, nil
		},
	}
}

// task is one reading.
type task struct {
	demo.Quiet
	in      scrape.Input
	pasted  bool
	seconds float64
	which   int
	example int
	done    bool

	wrong  string // a sentence, if the text cannot be read
	report *scrape.Report
	read   *scrape.Reading // the one of the report that is shown
	w      []sim.Window
	found  diagnose.Reading
}

// Step is that of Task: a text of the largest size takes a few milliseconds.
func (t *task) Step(int) bool {
	if t.done {
		return true
	}
	t.done = true
	if n := max(len(t.in.First), len(t.in.Second)); n > maxPaste {
		t.wrong = tooLong(n)
		return true
	}
	report, err := scrape.Read(t.in)
	if err != nil {
		t.wrong = wrong(t.in, err)
		return true
	}
	t.report = report
	t.read = &report.Readings[0]
	if n := t.which - 1; n < len(report.Readings) {
		t.read = &report.Readings[n]
	}
	t.w = t.read.Windows()
	t.found = diagnose.Read(t.w)
	return true
}

// Progress is that of Task.
func (t *task) Progress() float64 {
	if t.done {
		return 1
	}
	return 0
}

func (t *task) Figures() []demo.Figure {
	return []demo.Figure{t.verdictFigure(), t.signalsFigure(), t.courseFigure(), t.missingFigure(), t.stripFigure(), t.replicasFigure(), t.textFigure(), t.getFigure()}
}
