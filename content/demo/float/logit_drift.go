package float

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/numerics/decoder"
	"openloop/numerics/kernel"
)

// How far a change of order travels through a model: the same contexts decoded
// at two batch sizes, compared layer by layer, for three ways of rounding
// between the layers.

func logitDrift() *demo.Demo {
	return &demo.Demo{
		ID: "logit-drift", Version: 1, Title: "From one rounding to the logits",
		Lead:   "A small model computes the same contexts at batch 1 and at another batch. The chart shows how far apart the two are after each layer.",
		Limits: "A random model of 4 layers and width 128 without attention. Its sums are short, so with bf16 between the layers most contexts come out equal to the last bit; real models have hundreds of times more values per token that can cross a rounding boundary.",
		Knobs: []demo.Knob{
			{Name: "batch", Label: "The other batch", Unit: "requests", Doc: "Compared with batch 1.", Default: 64, Min: 2, Max: 512, Whole: true, Log: true, Step: 2},
			{Name: "contexts", Label: "Contexts", Unit: "contexts", Doc: "Random windows of 4 tokens that are computed twice.", Default: 200, Min: 20, Max: 5000, Whole: true, Log: true},
		},
		Presets: []demo.Preset{
			{Name: "Batch 8", State: "batch=8", Says: "Small batches get the same number of parts as batch 1, so nothing differs."},
			{Name: "Batch 32", State: "batch=32", Says: "Two parts instead of four: less has changed, the drift is of the same size."},
			{Name: "More contexts", State: "contexts=1000", Says: "The same lines, better known; in bf16 few contexts carry all of the difference."},
		},
		Bet: &demo.Bet{
			Question: "The other batch is 8 instead of 64. The RMS change of the logits, with parts rounded to bf16, is then",
			Options:  []string{"larger", "about the same", "about 8 times smaller", "exactly zero"},
			Reveal:   "batch=8",
			By:       []string{"logits_bf16_partials"},
			Answer: func(t demo.Task) int {
				r := t.(*driftRun)
				d := r.logitRMS(int(decoder.BF16Partials))
				switch {
				case d == 0:
					return 3
				case d > 0.04:
					return 0
				case d > 0.01:
					return 1
				}
				return 2
			},
			Feedback: []string{
				"Fewer neighbors cannot add anything: the batch acts through the number of parts only, and 8 rows get as many parts as one.",
				"It would be, if the parts had changed. At 8 rows the product is still one tile high, so it is cut as for one row.",
				"There is no dose: the batch acts through the number of parts or not at all, and 8 rows get as many parts as one.",
				"Up to 16 rows the product is cut into the same parts as for one row, so every bit is the same.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Layer", TeX: `x_{l+1} = x_l + D_l\,\max(0, U_l\,\mathrm{norm}(x_l))^2`, Says: "a residual layer with a squared ReLU; every product adds in the order of its batch"},
			{Name: "Drift", TeX: `d_l = \sqrt{\textstyle\sum (x_l - x'_l)^2 / \sum x_l^2}`, Says: "over all contexts and values, x at batch 1 and x' at the other batch"},
		},
		Start: startDrift,
	}
}

// precisionNames are the options of activations, in the order of
// decoder.Precision.
func precisionOptions() []demo.Option {
	return []demo.Option{
		{Name: "float32", Label: "float32"}, {Name: "bf16", Label: "bf16"}, {Name: "bf16_partials", Label: "bf16, parts of sums too"},
	}
}

func precisionRole(p int) demo.Role { return []demo.Role{demo.Soft, demo.Ink, demo.Bad}[p] }

// driftStage is one precision's two rows and what they differed by so far.
type driftStage struct {
	alone, among *decoder.Row
	diff, size   []float64 // sums of squares by layer; the last is the logits
	unequal      int       // contexts with any different logit
	flips        int       // contexts with another argmax
}

type driftRun struct {
	demo.Quiet
	batch, want int
	seed        uint32
	model       *decoder.Model
	stages      []driftStage
	done        int
}

func startDrift(v demo.Values, seed uint32) (demo.Task, error) {
	m, err := decoder.New(decoder.Small(), seed)
	if err != nil {
		return nil, err
	}
	r := &driftRun{batch: v.Int("batch"), want: v.Int("contexts"), seed: seed, model: m}
	choice := decoder.Usual(kernel.GPUs()[0].SMs)
	for p := range precisionOptions() {
		prec := decoder.Precision(p)
		r.stages = append(r.stages, driftStage{
			alone: m.NewRow(choice, prec), among: m.NewRow(choice, prec),
			diff: make([]float64, m.Layers+2), size: make([]float64, m.Layers+2),
		})
	}
	return r, nil
}

func (r *driftRun) Step(budget int) bool {
	const microseconds = 700 // of one context: three precisions, twice
	for spent := 0; r.done < r.want && spent <= budget; spent += microseconds {
		window := r.model.Prompt(scramble(r.seed) + uint32(r.done))
		for i := range r.stages {
			r.stages[i].context(window, r.batch)
		}
		r.done++
	}
	return r.done == r.want
}

func (r *driftRun) Progress() float64 { return float64(r.done) / float64(r.want) }

func (s *driftStage) context(window []int, batch int) {
	s.alone.Start(window)
	s.among.Start(window)
	if s.alone.Next(1) != s.among.Next(batch) {
		s.flips++
	}
	last := len(s.diff) - 1
	for l := range last {
		s.compare(l, s.alone.Residual(l), s.among.Residual(l))
	}
	if s.compare(last, s.alone.Logits(), s.among.Logits()) {
		s.unequal++
	}
}

func (s *driftStage) compare(at int, a, b []float32) (unequal bool) {
	for i, x := range a {
		d := float64(x) - float64(b[i])
		s.diff[at] += float64(d * d)
		s.size[at] += float64(float64(x) * float64(x))
		unequal = unequal || d != 0
	}
	return unequal
}

// drift is the relative difference at a layer.
func (s *driftStage) drift(at int) float64 { return math.Sqrt(s.diff[at] / s.size[at]) }

// logitRMS is the RMS difference of the logits, in logit units.
func (r *driftRun) logitRMS(p int) float64 {
	s := &r.stages[p]
	return demo.RMS(s.diff[len(s.diff)-1], r.done*r.model.Vocab)
}

// ratio is the logits' change with bf16 between the
// layers over that with float32; 0 if nothing changed in float32.
func (r *driftRun) ratio() float64 {
	if base := r.logitRMS(int(decoder.Float32)); base > 0 {
		return r.logitRMS(int(decoder.BF16)) / base
	}
	return 0
}

func (r *driftRun) Figures() []demo.Figure {
	f := demo.Figure{
		ID: "drift", Title: "Difference between the two batches, layer by layer", Kind: demo.Chart,
		X: demo.Axis{Label: "Where"}, Y: demo.Axis{Label: "Difference / size", Log: true, Min: 1e-9, Max: 1, Digits: 1},
		Table: demo.Table{Caption: "Difference relative to the size of the values (RMS)", Columns: []demo.Column{{Name: "Where"}}},
	}
	stops := r.model.Layers + 2
	for l := range stops {
		name := "layer " + text.Whole(l)
		switch l {
		case 0:
			name = "input"
		case stops - 1:
			name = "logits"
		}
		f.X.Names = append(f.X.Names, name)
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.W(name)})
	}
	for p, o := range precisionOptions() {
		s := demo.Series{ID: o.Name, Name: o.Label, Role: precisionRole(p), Shape: demo.Line}
		f.Table.Columns = append(f.Table.Columns, demo.Column{Name: o.Label, Digits: 2})
		for l := range stops {
			d := r.stages[p].drift(l)
			if d > 0 {
				s.X, s.Y = append(s.X, float64(l)), append(s.Y, d)
			}
			f.Table.Rows[l] = append(f.Table.Rows[l], demo.N(d))
		}
		f.Series = append(f.Series, s)
	}
	f.Alt = "Relative difference by layer for three precisions. At the logits: " + text.Num(r.last(0), 2) + " with float32, " + text.Num(r.last(1), 2) + " with bf16 between the layers, " + text.Num(r.last(2), 2) + " if parts of sums are bf16 too."
	f.Notes = []string{"A difference of zero has no place on this scale and is left out.", r.equalNote()}
	return []demo.Figure{f}
}

func (r *driftRun) last(p int) float64 { return r.stages[p].drift(r.model.Layers + 1) }

func (r *driftRun) equalNote() string {
	share := func(p int) string { return text.Percent(float64(r.stages[p].unequal)/float64(r.done), 2) }
	return "Contexts with any different logit: " + share(0) + " with float32, " + share(1) + " with bf16, " + share(2) + " with bf16 parts."
}

func (r *driftRun) Summary() demo.Sentence {
	if r.logitRMS(2) == 0 && r.logitRMS(0) == 0 {
		return demo.Say("At batch "+text.Whole(r.batch)+" every product is cut as at batch 1, so ", "every bit is the same", ".")
	}
	head := "From batch 1 to " + text.Whole(r.batch) + " the logits move by " + text.Num(r.logitRMS(0), 2) + " (RMS) if everything between the layers is float32, "
	tail := " and by " + text.Num(r.logitRMS(2), 2) + " if parts of sums are rounded to bf16 too."
	if r.logitRMS(1) == 0 {
		return demo.Say(head+"in bf16 ", "no context differs", ","+tail)
	}
	return demo.Say(head+"by "+text.Num(r.logitRMS(1), 2)+" if it is bf16, ", text.Num(r.ratio(), 2)+" times as much", ","+tail)
}

func (r *driftRun) Metrics() []demo.Metric {
	m := []demo.Metric{}
	for p, o := range precisionOptions() {
		s := &r.stages[p]
		m = append(m,
			demo.Metric{Name: "logits_" + o.Name, Label: "RMS change of the logits, " + o.Label, Value: r.logitRMS(p), Digits: 2, Spread: true},
			demo.Metric{Name: "unequal_" + o.Name, Label: "Contexts with any different logit, " + o.Label, Unit: "%", Value: 100 * float64(s.unequal) / float64(r.done), Digits: 2},
			demo.Metric{Name: "flips_" + o.Name, Label: "Contexts with another token, " + o.Label, Unit: "contexts", Value: float64(s.flips)})
	}
	return append(m, demo.Metric{Name: "ratio", Label: "bf16 against float32", Unit: "times", Value: r.ratio(), Digits: 2, Spread: true},
		demo.Metric{Name: "contexts", Label: "Contexts", Value: float64(r.done)})
}

func (r *driftRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "where"}}}
	for _, o := range precisionOptions() {
		t.Columns = append(t.Columns, demo.Column{Name: o.Name, Digits: 6})
	}
	for l := range r.model.Layers + 2 {
		name := "layer" + text.Shortest(float64(l))
		if l == r.model.Layers+1 {
			name = "logits"
		}
		row := []demo.Cell{demo.W(name)}
		for p := range r.stages {
			row = append(row, demo.N(r.stages[p].drift(l)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
