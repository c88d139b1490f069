package demo

// Demo is one entry of the catalog: everything that a page, a command line
// or an embed needs to know before the demo runs.
type Demo struct {
	ID      string // lower case words joined by hyphens; used in links, file names and on the command line
	Version int    // v of its links; defaults never change within one version
	Title   string
	Lead    string  // what is here and what to try, one or two sentences
	Limits  string  // what the demo does not show
	Knobs   []Knob  // in the order of the panel and of canonical links
	Groups  []Group // of knobs, in the order of the panel, after those without one
	Presets []Preset
	Bet     *Bet // nil if there is nothing to predict

	// NoChance says that nothing in the demo is drawn: every seed gives the same,
	// and pages offer none.
	NoChance bool

	// Equations are the formulas behind the numbers, in TeX; the page sets
	// them as MathML at build time.
	Equations []Equation

	// Start checks nothing that the knobs already say: it gets legal values.
	// It returns an error only for a combination that cannot run.
	Start func(v Values, seed uint32) (Task, error)
}

// Task is one run. A caller alternates Step with whatever else it has to do,
// and may drop the task at any time; the other methods may be called only
// once Step has returned true.
type Task interface {
	// Step does about budget units of work (a unit is near 1 µs of native
	// time) and says whether the run is complete. It never blocks.
	Step(budget int) (done bool)
	// Progress is the share of the run that is done, in [0,1].
	Progress() float64

	// Figures has the same ids, kinds and series slots for every state of a
	// demo, so that the browser can patch data into a chart that is there.
	Figures() []Figure
	// Summary says in words what happened, with its numbers.
	Summary() Sentence
	// Metrics are the numbers that prose, sweeps and questions may name.
	Metrics() []Metric
	// Records is the run itself, at full precision: what CSV and JSON carry.
	Records() Table
	// Events explains, in order, why something moved. It may be empty.
	Events() []Event
}

// Preset is a named state that can be linked and is tested.
type Preset struct {
	Name  string // shown on its button
	State string // link without '#': only what differs from the defaults
	Says  string // one sentence: what to see here
}

// Bet is a question that is asked before the answer is shown. The right
// option is computed by the engine from the run of Reveal.
type Bet struct {
	Question string
	Options  []string
	Reveal   string                    // state that shows the answer
	By       []string                  // the metrics that decide it, which are shown with the answer
	Answer   func(t Task) (option int) // index into Options
	Feedback []string                  // one per option, for the reader who chose it, after the word that it was right or not
}

// Equation is one formula, with the words that say what its letters mean.
type Equation struct {
	Name string
	TeX  string
	Says string
}

// Metric is one named number of a run.
type Metric struct {
	Name   string // lower_case, used in pages and sweeps
	Label  string
	Unit   string // "" for a pure number
	Value  float64
	Digits int  // significant digits where a human reads it; 0 means a whole number in full
	Spread bool // shown when the demo is repeated over seeds
}

// Event is one line of the log that says why a curve moved.
type Event struct {
	At   float64 // on the x axis of the first figure; NaN if it has no place there
	Says Sentence
}

// Sentence is text with the parts that carry the finding marked strong.
type Sentence []Span

// Span is a piece of a Sentence.
type Span struct {
	Text   string
	Strong bool
}

// Say makes a Sentence from alternating plain and strong parts: the first is
// plain, the second strong, and so on.
func Say(parts ...string) Sentence {
	s := make(Sentence, 0, len(parts))
	for i, p := range parts {
		if p != "" {
			s = append(s, Span{Text: p, Strong: i%2 == 1})
		}
	}
	return s
}

// String is the sentence without its marks.
func (s Sentence) String() string {
	var b []byte
	for _, p := range s {
		b = append(b, p.Text...)
	}
	return string(b)
}
