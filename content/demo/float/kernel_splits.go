package float

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/numerics/kernel"
)

// How many parts a kernel cuts one reduction into, for every batch: the place
// where somebody else's request gets into the order of our additions.

const (
	ruleAttention = "attention"
	ruleMatmul    = "matmul"
	ruleNorm      = "norm"
)

func ruleOptions() []demo.Option {
	return []demo.Option{{Name: ruleAttention, Label: "attention, KV split"}, {Name: ruleMatmul, Label: "matrix product, split-K"}, {Name: ruleNorm, Label: "RMS norm, threads"}}
}

func kernelSplits() *demo.Demo {
	return &demo.Demo{
		ID: "kernel-splits", Version: 1, Title: "Which split would a kernel pick?",
		Lead:   "The number of parts that one reduction is cut into, against the batch. Pick a kernel, then move the length.",
		Limits: "Attention and norm follow published source code (FlashAttention-2, vLLM). The matrix product is a model: libraries do not publish how they choose. FlashAttention-3, the default of vLLM on H100, has another rule. The norm's vector loads are left out; with them 512 threads hold values at 4,096, and up to 2,048 the switch changes nothing.",
		Knobs: []demo.Knob{
			{Name: "kernel", Label: "Kernel", Doc: "Which rule is asked.", Max: 2, Options: ruleOptions()},
			{Name: "length", Label: "Length", Unit: "values", Doc: "Tokens in the KV cache, inner dimension of the product, or hidden size.", Default: 4096, Min: 128, Max: 131072, Whole: true, Log: true, Step: 2},
			{Name: "heads", Label: "KV heads", Unit: "heads", Doc: "Attention only: KV heads on this GPU.", Default: 8, Min: 1, Max: 64, Whole: true, Step: 1},
			{Name: "gpu", Label: "GPU", Doc: "More multiprocessors want more parts.", Max: 1, Options: gpuOptions()},
			{Name: "columns", Label: "Columns", Unit: "columns", Doc: "Matrix product only: columns of the weights on this GPU.", Default: 4096, Min: 128, Max: 32768, Whole: true, Log: true, Step: 2, More: true},
			{Name: "most", Label: "Largest batch drawn", Unit: "requests", Doc: "Right end of the chart.", Default: 32, Min: 8, Max: 512, Whole: true, Log: true, Step: 2, More: true},
		},
		Presets: []demo.Preset{
			{Name: "A matrix product", State: "kernel=matmul&most=64", Says: "The parts fall as the rows fill the GPU with tiles."},
			{Name: "The norm at 256", State: "kernel=norm&most=512", Says: "By this rule, one more token in the step and every token of it is added by 256 threads instead of 1,024."},
			{Name: "A long cache", State: "length=32768", Says: "More blocks allow more parts, and more different counts."},
			{Name: "One KV head", State: "heads=1&most=256", Says: "With one head the GPU is hard to fill: attention is cut up to batch 172."},
		},
		Bet: &demo.Bet{
			Question: "With 8 KV heads and 4,096 tokens, attention on an H100 cuts the cache in 2 parts at batch 16. In how many at batch 24?",
			Options:  []string{"1", "2", "4", "8"},
			Reveal:   "gpu=h100",
			By:       []string{"at_16", "at_24"},
			Answer: func(t demo.Task) int {
				switch t.(*splitsRun).parts(24) {
				case 1:
					return 0
				case 2:
					return 1
				case 4:
					return 2
				}
				return 3
			},
			Feedback: []string{
				"One part comes later, once batch times heads reaches 80% of twice the multiprocessors: from batch 27 on. At 24 the rule cuts into 4.",
				"It is not a staircase that only goes down. 24 requests fill the last wave badly with 2 parts, so the rule takes 4.",
				"The rule looks for well filled waves, not for few parts, so a larger batch may be cut into more.",
				"More, but not that many: the smallest count within 85% of the best fill wins, and that is 4.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Wave efficiency", TeX: `e(s) = \frac{w}{\lceil w \rceil},\quad w = \frac{\text{batch} \cdot \text{heads} \cdot s}{2\,\text{SMs}}`, Says: "how full the waves are if every head's cache is cut into s parts"},
			{Name: "Attention", TeX: `s^* = \min\{\, s : e(s) \ge 0.85 \max_r e(r) \,\}`, Says: "over each s that changes the 128-token blocks of a part, up to their number and at most 128; or 1 if batch times heads reaches 80% of twice the multiprocessors"},
			{Name: "Norm", TeX: `T = \min(\text{hidden},\ 1024 \text{ if tokens} < 256 \text{ else } 256)`, Says: "threads that share one row"},
		},
		NoChance: true,
		Start:    startSplits,
	}
}

func gpuOptions() []demo.Option {
	var out []demo.Option
	for _, g := range kernel.GPUs() {
		out = append(out, demo.Option{Name: g.ID, Label: g.Name + ", " + text.Whole(g.SMs) + " SMs"})
	}
	return out
}

type splitsRun struct {
	demo.Instant
	demo.Quiet
	rule                         string
	length, heads, columns, most int
	gpu                          kernel.GPU
}

func startSplits(v demo.Values, _ uint32) (demo.Task, error) {
	gpu, ok := kernel.FindGPU(v.Option("gpu"))
	if !ok {
		panic("demo: kernel-splits offers a GPU that package kernel does not know")
	}
	return &splitsRun{
		rule: v.Option("kernel"), length: v.Int("length"), heads: v.Int("heads"),
		columns: v.Int("columns"), most: v.Int("most"), gpu: gpu,
	}, nil
}

// parts is the count that the rule picks: parts, or threads for the norm.
func (r *splitsRun) parts(batch int) int {
	switch r.rule {
	case ruleAttention:
		return kernel.FlashSplits(batch, r.heads, 1, r.length, r.gpu.SMs)
	case ruleMatmul:
		return kernel.SplitK(batch, r.columns, r.length, kernel.DecodeTile(), r.gpu.SMs)
	}
	return kernel.RMSNormThreads(batch, r.length)
}

func (r *splitsRun) unit() string {
	if r.rule == ruleNorm {
		return "threads"
	}
	return "parts"
}

// changes counts the batches up to most whose count is not the one before, and
// how many of these changes go up.
func (r *splitsRun) changes() (all, up int) {
	for b := 2; b <= r.most; b++ {
		d := r.parts(b) - r.parts(b-1)
		if d != 0 {
			all++
		}
		if d > 0 {
			up++
		}
	}
	return all, up
}

// firstChange is the smallest batch whose count is not that of batch 1, or NaN.
func (r *splitsRun) firstChange() float64 {
	for b := 2; b <= r.most; b++ {
		if r.parts(b) != r.parts(1) {
			return float64(b)
		}
	}
	return math.NaN()
}

// fromTo names the counts at both ends of the chart.
func (r *splitsRun) fromTo() string {
	return "from " + text.Count(r.parts(1), one(r.unit()), r.unit()) + " to " + text.Whole(r.parts(r.most))
}

func (r *splitsRun) Figures() []demo.Figure {
	f := demo.Figure{
		ID: "splits", Title: "Parts of one reduction against the batch", Kind: demo.Chart,
		X:     demo.Axis{Label: "Batch", Unit: "requests in the step", Min: 1, Max: float64(r.most), Digits: 3},
		Y:     demo.Axis{Label: "One reduction", Unit: r.unit(), Digits: 3},
		Table: demo.Table{Caption: "Batches at which the count changes", Columns: []demo.Column{{Name: "From batch"}, {Name: "Count", Unit: r.unit()}}},
	}
	last, largest := 0, 0
	var x, y []float64
	for b := 1; b <= r.most; b++ {
		n := r.parts(b)
		x, y = append(x, float64(b)), append(y, float64(n))
		if n != last && len(f.Table.Rows) < 20 {
			f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.N(float64(b)), demo.N(float64(n))})
		}
		last, largest = n, max(largest, n)
	}
	f.Y.Max = float64(largest + 1)
	for _, o := range ruleOptions() {
		s := demo.Series{ID: o.Name, Name: o.Label, Role: demo.Ink, Shape: demo.StepLine}
		if o.Name == r.rule {
			s.X, s.Y = x, y
		}
		f.Series = append(f.Series, s)
	}
	if r.rule == ruleNorm && r.most >= kernel.RMSNormSwitchTokens {
		f.Marks = []demo.Mark{{At: kernel.RMSNormSwitchTokens, Label: "switch at " + text.Whole(kernel.RMSNormSwitchTokens)}}
	}
	all, up := r.changes()
	f.Alt = "From batch 1 to " + text.Whole(r.most) + " the count goes " + r.fromTo() +
		", with " + text.Count(all, "change", "changes") + ", " + text.Whole(up) + " of them upward."
	f.Notes = []string{r.source()}
	if all >= 20 {
		f.Notes = append(f.Notes, "The table stops at 20 rows; the CSV has every batch.")
	}
	return []demo.Figure{f}
}

// one is the singular of parts or threads.
func one(unit string) string { return unit[:len(unit)-1] }

func (r *splitsRun) source() string {
	switch r.rule {
	case ruleAttention:
		return "Rule: num_splits_heuristic of FlashAttention-2, in float32 as there, for one decode step of sequences of this length."
	case ruleMatmul:
		return "A model: tiles of 16 × 128, doubled parts of at least 256 values while tiles leave multiprocessors idle. Real rules are closed."
	}
	return "Rule: fused_add_rms_norm of vLLM. The batch is the number of tokens in the step. The GPU does not matter."
}

func (r *splitsRun) Summary() demo.Sentence {
	all, up := r.changes()
	head := "Up to batch " + text.Whole(r.most) + " the order of this reduction changes "
	if all == 0 {
		return demo.Say("Up to batch "+text.Whole(r.most)+" this reduction ", "always has the same order", ": "+text.Count(r.parts(1), one(r.unit()), r.unit())+".")
	}
	if all == 1 {
		return demo.Say(head, "once", ": "+r.fromTo()+", at batch "+text.Num(r.firstChange(), 0)+".")
	}
	if up == 0 {
		return demo.Say(head, text.Count(all, "time", "times"), ", each time to fewer "+r.unit()+": "+r.fromTo()+".")
	}
	return demo.Say(head, text.Count(all, "time", "times"), ", "+text.Whole(up)+" of them to ", "more "+r.unit(), ". A larger batch does not always mean fewer.")
}

func (r *splitsRun) Metrics() []demo.Metric {
	all, up := r.changes()
	return []demo.Metric{
		{Name: "at_1", Label: "At batch 1", Unit: r.unit(), Value: float64(r.parts(1))},
		{Name: "at_16", Label: "At batch 16", Unit: r.unit(), Value: float64(r.parts(16))},
		{Name: "at_24", Label: "At batch 24", Unit: r.unit(), Value: float64(r.parts(24))},
		{Name: "at_most", Label: "At the largest batch", Unit: r.unit(), Value: float64(r.parts(r.most))},
		{Name: "changes", Label: "Changes of order", Value: float64(all)},
		{Name: "first_change", Label: "First batch with another order", Unit: "requests", Value: r.firstChange()},
		{Name: "rises", Label: "Changes to more", Value: float64(up)},
		{Name: "sms", Label: "Multiprocessors", Value: float64(r.gpu.SMs)},
	}
}

func (r *splitsRun) Records() demo.Table {
	t := demo.Table{Columns: []demo.Column{{Name: "batch", Unit: "requests"}, {Name: "count", Unit: r.unit()}}}
	for b := 1; b <= r.most; b++ {
		t.Rows = append(t.Rows, []demo.Cell{demo.N(float64(b)), demo.N(float64(r.parts(b)))})
	}
	return t
}
