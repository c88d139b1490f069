package data

import (
	"slices"
	"strings"

	"openloop/content/demo/text"
	"openloop/content/tables"
	"openloop/planner/profile"
	"openloop/planner/profile/dataset"
)

// extras are what the pages of some data sets show beyond the registry.
var extras = map[string]func(*strings.Builder){
	"aiconfigurator":      composed,
	"derived_fits":        derived,
	"llmservingsim":       layered,
	"llm_inference_bench": batches,
	"splitwise":           endToEnd,
	"vidur":               layers,
	"published_results":   publishedResults,
}

// planeWords say how times of operators become those of a step.
const planeWords = "A step of a whole model is the sum of its operators. Through many such steps we lay a plane, by least squares on relative errors and with no coefficient below zero: " +
	"a prefill of $n$ tokens takes $a + b\\,n + c\\,n^2$, a decode step of $B$ sequences with $K$ tokens in KV takes $a + b\\,B + c\\,K$. The errors below are those on the points of the fit.\n\n"

func composed(b *strings.Builder) {
	b.WriteString("## Our fit\n\n" + planeWords)
	b.WriteString(":::figure composed-prefill\n:::\n\n:::figure composed-decode\nMean sizes of the errors are in the table under each figure; single steps are further off. Beyond these points a plane is a guess.\n:::\n\n")
	b.WriteString("### All planes\n\n")
	planes(b, "aiconfigurator")
}

func layered(b *strings.Builder) {
	b.WriteString("## Our fit\n\n" + planeWords + "The measured times belong to the source and are not shown; $c$ of a prefill multiplies $n(n + 2p)$ with $p$ tokens cached. Prefills have 64 new tokens or more.\n\n")
	residualsOf(b, "llmservingsim-prefill", "llmservingsim-decode")
	b.WriteString("### All planes\n\n")
	planes(b, "llmservingsim")
}

// planes lists the calibrations of a data set.
func planes(b *strings.Builder, id string) {
	t := table{heads: []string{"GPU", "Model", "Type", "TP", "Prefill a,\u00a0b,\u00a0c", "Points, error", "Decode a,\u00a0b,\u00a0c", "Points, error", "Beware"}}
	for _, c := range profile.Calibrations() {
		if c.Dataset == id {
			t.row(gpuName(c.GPUID), solid(profile.NameOf(c.ModelID)), c.Weights.String(), text.Num(float64(c.TP), 0),
				coefficients(c.Prefill), pointsOf(c.Prefill), coefficients(c.Decode), pointsOf(c.Decode), marks(c))
		}
	}
	t.write(b)
	b.WriteString("Coefficients are in ms, µs/token or µs/sequence, and ns/token² or ns/token. Beware:\n\n")
	for i, w := range profile.Caveats(255).Words() {
		b.WriteString("- **" + text.Num(float64(i+1), 0) + "** " + plain(w) + "\n")
	}
	b.WriteByte('\n')
}

// gpuName is a name in one line, but for the longest two.
func gpuName(id string) string {
	return strings.NewReplacer("\u00a0Blackwell", " Blackwell", "\u00a0\\(", " \\(", "\u00a0(", " (").Replace(solid(profile.NameOf(id)))
}

func pointsOf(f profile.Fit) string {
	return solid(text.Num(float64(f.Points), 0) + ", " + text.Num(100*f.MAPEFrac, 2) + "%")
}

func coefficients(f profile.Fit) string {
	return solid(text.Num(1e3*f.A, 3) + ", " + text.Num(1e6*f.B, 3) + ", " + text.Num(1e9*f.C, 3))
}

// marks are the numbers of a row's caveats in the list under the table.
func marks(c profile.Calibration) string {
	var out []string
	for i := range profile.Caveats(255).Words() {
		if c.Caveats&(1<<i) != 0 {
			out = append(out, text.Num(float64(i+1), 0))
		}
	}
	return strings.Join(out, ", ")
}

// fitted are the data sets that something was fitted to, which the page of the fits
// comes from.
var fitted = [...]string{"aiconfigurator", "llmservingsim", "splitwise", "vidur", "llm_inference_bench"}

// fittedPages leads to each of them.
func fittedPages() string {
	var out []string
	for _, e := range dataset.Entries() {
		if slices.Contains(fitted[:], e.ID) {
			out = append(out, link(e.Title, near(e.ID)))
		}
	}
	return strings.Join(out, ", ")
}

func derived(b *strings.Builder) {
	b.WriteString("## What was fitted\n\n" + planeWords + "Pages with fits: " + fittedPages() + ".\n\n")
	b.WriteString("## Engines against their kernels\n\nThe composed steps leave out launches and scheduling. Against the batches of " + link("LLM-Inference-Bench", near("llm_inference_bench")) +
		", of mid-2024, this much is missing from a step in bf16:\n\n")
	t := table{heads: []string{"GPU", "Model", "Engine", "TP", "Batches", "Median missing", "At batch 1", "Measured over kernels", "Error of kernels", "With the median added"}}
	for _, o := range profile.Overheads() {
		t.row(solid(profile.NameOf(o.GPUID)), solid(profile.NameOf(o.ModelID)), solid(o.Engine), text.Num(float64(o.TP), 0), text.Num(float64(o.Points), 0),
			solid(text.Num(1e3*o.StepSeconds, 3)+" ms"), solid(text.Num(1e3*o.StepSecondsBatch1, 3)+" ms"), text.Num(o.MeasuredOverKernels, 3),
			text.Num(100*o.MAPEKernelsFrac, 2)+"%", text.Num(100*o.MAPEAfterFrac, 2)+"%")
	}
	t.write(b)
}

// residualsOf sets figures of package prose one under the other.
func residualsOf(b *strings.Builder, ids ...string) {
	for _, id := range ids {
		b.WriteString(":::figure " + id + "\n:::\n\n")
	}
}

// keptFits is how many fits the points of a figure belong to.
func keptFits(id string) int {
	n := 0
	r, _ := tables.ResidualsOf(id)
	for _, g := range r.Groups {
		n += g.Fits
	}
	return n
}

func endToEnd(b *strings.Builder) {
	b.WriteString("## Our fit\n\nWhole steps, the engine's own time included, in the form of the other pages: of a batch of prompts, $n$ counts all tokens and $n^2$ is summed over the prompts; the KV of a sequence is its prompt and half of its answer. The measured times belong to the source and are not shown.\n\n")
	residualsOf(b, "splitwise-prefill", "splitwise-decode")
	b.WriteString("### All fits\n\n")
	t := table{heads: []string{"GPU", "Model", "TP", "Prefill a,\u00a0b,\u00a0c", "Error", "Decode a,\u00a0b,\u00a0c", "Error", "MFU at 2,048 tokens", "MBU at batch 1"}}
	for _, f := range dataset.Splitwise() {
		t.row(solid(profile.NameOf(f.GPUID)), solid(profile.NameOf(f.Model)), text.Num(float64(f.TP), 0), coefficients(f.Prefill), text.Num(100*f.Prefill.MAPEFrac, 2)+"%",
			coefficients(f.Decode), text.Num(100*f.Decode.MAPEFrac, 2)+"%", text.Num(f.MFU2048, 2), text.Num(f.MBUBatch1, 2))
	}
	t.write(b)
	b.WriteString("Coefficients are in ms, µs/token or µs/sequence, and ns/token² or ns/token.\n")
}

func layers(b *strings.Builder) {
	b.WriteString("## Our fit\n\nThe linear operators of one layer against the tokens of a step: from 2,048 tokens, where arithmetic binds, and up to 128, where reading does. The measured times belong to the source and are not shown. " +
		"The lines were laid through all of its points; the figures have a sample of them, for " + text.Whole(keptFits("vidur-few")) + " of the " + text.Whole(len(dataset.Vidur())) +
		" fits: of the others no points were kept. That is why the errors under a figure are not quite those in the table of all fits.\n\n")
	residualsOf(b, "vidur-few", "vidur-many")
	b.WriteString("### All fits\n\n")
	t := table{heads: []string{"GPU", "Model", "TP", "From 2,048: a, b", "Error", "Up to 128: a, b", "Error", "MFU at 4,096", "MBU at 1", "MBU at 64"}}
	for _, f := range dataset.Vidur() {
		t.row(solid(f.GPU), solid(f.Model), text.Num(float64(f.TP), 0), solid(text.Num(1e6*f.PrefillA, 3)+", "+text.Num(1e9*f.PrefillB, 3)), text.Num(100*f.PrefillMAPEFrac, 2)+"%",
			solid(text.Num(1e6*f.DecodeA, 3)+", "+text.Num(1e9*f.DecodeB, 3)), text.Num(100*f.DecodeMAPEFrac, 2)+"%", text.Num(f.MFU4096, 2), text.Num(f.MBU1, 2), text.Num(f.MBU64, 2))
	}
	t.write(b)
	b.WriteString("Coefficients are in µs and ns/token.\n")
}

// fewest is how many points a shown fit of batches has at least.
const fewest = 12

func batches(b *strings.Builder) {
	b.WriteString("## Our fit\n\nSeconds of a whole batch over its output tokens, prefill included, as $a + b\\,B + c\\,B\\,L$ for batches of $B$ sequences whose prompts and answers have $L$ tokens. " +
		"It is not a step. Fits have " + text.Num(fewest, 0) + " points or more. Where the error is tens of per cent, the rows do not follow this form at all. The measured times belong to the source and are not shown.\n\n")
	residualsOf(b, "llm-inference-bench-batches")
	b.WriteString("### All fits\n\n")
	t := table{heads: []string{"Hardware", "Devices", "Framework", "Model", "a, b, c", "Points", "Error"}}
	for _, f := range dataset.Argonne() {
		if f.Fit.Points >= fewest {
			t.row(solid(f.Hardware), text.Num(float64(f.Devices), 0), solid(f.Framework), solid(f.Model), coefficients(f.Fit), text.Num(float64(f.Fit.Points), 0), text.Num(100*f.Fit.MAPEFrac, 2)+"%")
		}
	}
	t.write(b)
	b.WriteString("Coefficients are in ms, µs/sequence, and ns for each sequence and token.\n")
}

func publishedResults(b *strings.Builder) {
	b.WriteString("## Our fit\n\nThe efficiency that the planner uses by default. How it was found, and the error of every row: [How wrong is it?](../guide/36-how-wrong.md)\n\n:::figure published-errors\n:::\n")
}
