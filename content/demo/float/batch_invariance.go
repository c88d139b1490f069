package float

import (
	"openloop/content/demo"
	"openloop/numerics"
	"openloop/numerics/kernel"
)

// Two candidates for the next token that are almost tied. Their logits are
// sums; the kernel picks the order of the sums from the batch; the winner
// depends on who else is in the batch.

func batchInvariance() *demo.Demo {
	return &demo.Demo{
		ID: "batch-invariance", Version: 1, Title: "Other neighbors, other token",
		Lead: "Two candidates, almost tied. Their logits are computed in the order that a kernel picks at each batch size. Move the batch and watch the winner. Seed 7 is picked: of 60 seeds about two in three change winner somewhere up to batch 32.",
		Limits: "It borrows the split of one kernel for one reduction; it is not that kernel, and a real model has thousands of reductions before its logits. " +
			"The two candidates are picked as the closest of the vocabulary, wherever they stand in it: a real argmax compares the top two, which are seldom this close.",
		Knobs: []demo.Knob{
			{Name: "batch", Label: "Batch", Unit: "requests", Doc: "Requests in the same step as ours, ours included.", Default: 4, Min: 1, Max: 512, Whole: true, Log: true, Step: 1.2},
			{Name: "invariant", Label: "Batch-invariant kernels", Doc: "One order whatever the batch.", Max: 1, Options: demo.OnOff()},
			{Name: "kernel", Label: "Kernel", Doc: "Whose split rule is borrowed (on an A100, 8 KV heads, 1,024 columns).", Max: 2, Options: ruleOptions()},
			{Name: "length", Label: "Numbers in a logit", Unit: "numbers", Doc: "Products that are added up to one logit.", Default: 512, Min: 64, Max: 4096, Whole: true, Log: true, Step: 2},
			{Name: "vocabulary", Label: "Vocabulary", Unit: "tokens", Doc: "Candidates among which the closest two are looked for.", Default: 8192, Min: 64, Max: 16384, Whole: true, Log: true, Step: 2, More: true},
			{Name: "told", Label: "Length the rule is told", Unit: "values", Doc: "Tokens in the cache, inner dimension or hidden size of the model whose split is borrowed; our rows are shorter, to be searched here.", Default: 4096, Min: 128, Max: 131072, Whole: true, Log: true, Step: 2, More: true},
			{Name: "pair", Label: "Candidates", Doc: "Searched from the seed, or the known pair of rows 2956 and 5180 of 1,024 numbers (length, vocabulary and seed then do not matter).", Max: 1,
				Options: []demo.Option{{Name: "searched", Label: "closest of the vocabulary"}, {Name: "golden", Label: "the known pair"}}, More: true},
			{Name: "most", Label: "Largest batch drawn", Unit: "requests", Doc: "Right end of the chart, unless the batch is larger.", Default: 32, Min: 8, Max: 512, Whole: true, Log: true, Step: 2, More: true},
		},
		Presets: []demo.Preset{
			{Name: "Batch-invariant", State: "invariant=on", Says: "One order for every batch: one answer, which need not be the exact one."},
			{Name: "Known pair, parts 16 to 1", State: "pair=golden&kernel=matmul&batch=64&most=256", Says: "The winner changes back and forth as the parts go 16, 8, 4, 2, 1. This pair was picked because it does."},
			{Name: "The norm's switch", State: "kernel=norm&batch=256&most=512", Says: "Two orders only, one below 256 tokens in the step and one from there on."},
			{Name: "A small vocabulary", State: "vocabulary=512", Says: "The closest of 512 are too far apart: almost every seed has one winner."},
		},
		Bet: &demo.Bet{
			Question: "Turn on batch-invariant kernels: one order whatever the batch. Who wins?",
			Options:  []string{"The same one at every batch", "It still depends on the batch"},
			Reveal:   "invariant=on",
			By:       []string{"winners"},
			Answer: func(t demo.Task) int {
				if t.(*invarianceRun).flips() > 0 {
					return 1
				}
				return 0
			},
			Feedback: []string{
				"One order gives one answer. Whether it is the exact one is luck: the order still rounds, it just rounds alike for everybody. Invariance buys reproducibility, not accuracy.",
				"With one order for every batch the same numbers are added in the same way, so the bits cannot differ.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Logit", TeX: `\hat{z}_k(b) = \mathrm{fl}_{\pi(b)}\!\left(\sum_{i=1}^{n} w_{ki} x_i\right)`, Says: "the products are exact in float32; the order of the additions is picked from the batch b"},
			{Name: "Winner", TeX: `\text{token} = \arg\max_k \hat{z}_k(b)`, Says: "the lower index wins a tie, so A wins when both are equal"},
			{Name: "When it can flip", TeX: `|z_A - z_B| \lesssim \sqrt{2}\,\sigma_\varepsilon`, Says: "the exact gap must be of the order of the rounding error of the difference; σ is the RMS error of one logit"},
		},
		Start: startInvariance,
	}
}

const (
	goldenA, goldenB, goldenLength = 2956, 5180, 1024
	borrowedHeads, borrowedColumns = 8, 1024
)

// batchLogits are both logits in the order of one batch.
type batchLogits struct {
	count int // parts, or threads
	a, b  float32
}

type invarianceRun struct {
	demo.Quiet
	search    *pairSearch // nil for the known pair
	rule      string
	invariant bool
	batch     int
	told      int
	length    int
	most      int

	a, b    logitRow
	done    bool
	byBatch []batchLogits // index 0 is batch 1
}

func startInvariance(v demo.Values, seed uint32) (demo.Task, error) {
	r := &invarianceRun{
		rule: v.Option("kernel"), invariant: v.On("invariant"), batch: v.Int("batch"),
		told: v.Int("told"), length: v.Int("length"), most: max(v.Int("most"), v.Int("batch")),
	}
	if v.Option("pair") == "golden" {
		r.length = goldenLength
		r.a = knownRow(goldenA, 0)
		r.b = knownRow(goldenB, 1)
		return r, nil
	}
	r.search = newPairSearch(seed, v.Int("vocabulary"), r.length)
	return r, nil
}

func knownRow(seed uint32, index int) logitRow {
	row := make([]float32, goldenLength)
	numerics.Fill(bf16Kind, seed, row)
	return logitRow{seed: seed, index: index, units: exactUnits(row)}
}

func (r *invarianceRun) Step(budget int) bool {
	if r.done {
		return true
	}
	if r.search != nil && !r.search.step(budget) {
		return false
	}
	if r.search != nil {
		r.a, r.b = r.search.closest()
	}
	r.sweep()
	r.done = true
	return true
}

func (r *invarianceRun) Progress() float64 {
	switch {
	case r.done:
		return 1
	case r.search == nil:
		return 0
	}
	return r.search.progress()
}

// order is the order of addition at a batch, and the count that stands for it.
func (r *invarianceRun) order(batch int) (numerics.Order, int) {
	if r.invariant {
		batch = kernel.RMSNormSwitchTokens // the norm's larger grid; the others take one part
	}
	switch {
	case r.rule == ruleNorm:
		n := kernel.RMSNormThreads(batch, r.told)
		warps := (n + numerics.Warp - 1) / numerics.Warp
		return numerics.Block(warps * numerics.Warp), n
	case r.invariant:
		return numerics.SplitK(1), 1
	case r.rule == ruleMatmul:
		n := kernel.SplitK(batch, borrowedColumns, r.told, kernel.DecodeTile(), kernel.GPUs()[0].SMs)
		return numerics.SplitK(n), n
	}
	n := kernel.FlashSplits(batch, borrowedHeads, 1, r.told, kernel.GPUs()[0].SMs)
	return numerics.SplitK(n), n
}

// sweep computes both logits at every batch; equal orders are added once.
func (r *invarianceRun) sweep() {
	a, b := make([]float32, r.length), make([]float32, r.length)
	scratch := make([]float32, r.length)
	numerics.Fill(bf16Kind, r.a.seed, a)
	numerics.Fill(bf16Kind, r.b.seed, b)
	seen := map[numerics.Order]batchLogits{}
	for batch := 1; batch <= r.most; batch++ {
		o, n := r.order(batch)
		at, ok := seen[o]
		if !ok {
			at = batchLogits{count: n, a: sumIn(o, a, scratch), b: sumIn(o, b, scratch)}
			seen[o] = at
		}
		r.byBatch = append(r.byBatch, at)
	}
}

func (r *invarianceRun) at(batch int) batchLogits { return r.byBatch[batch-1] }

// winner is 0 for A, 1 for B.
func (r *invarianceRun) winner(batch int) int {
	at := r.at(batch)
	return numerics.Argmax([]float32{at.a, at.b})
}

func (r *invarianceRun) exactWinner() int {
	if r.b.units > r.a.units {
		return 1
	}
	return 0
}

// gap is the computed logit of B minus that of A, in ULPs.
func (r *invarianceRun) gap(batch int) int64 {
	at := r.at(batch)
	return numerics.ULPs(at.b, at.a)
}

// moved is how far both logits are from where they are at batch 1, in ULPs.
func (r *invarianceRun) moved() (a, b int64) {
	now, alone := r.at(r.batch), r.at(1)
	return numerics.ULPs(now.a, alone.a), numerics.ULPs(now.b, alone.b)
}

// exactGap is the exact logit of B minus that of A.
func (r *invarianceRun) exactGap() float64 { return fromUnits(r.b.units - r.a.units) }

// exactGapULPs is exactGap in spacings of float32 at A.
func (r *invarianceRun) exactGapULPs() float64 {
	return r.exactGap() / float64(numerics.Spacing(float32(fromUnits(r.a.units))))
}

// flips counts the batches whose winner is not the winner at the batch before.
func (r *invarianceRun) flips() int {
	n := 0
	for batch := 2; batch <= r.most; batch++ {
		if r.winner(batch) != r.winner(batch-1) {
			n++
		}
	}
	return n
}
