//go:build ignore

// Command generate writes the measured coefficients of this package and of
// package dataset from the tables under testdata/derived_fits. Times there are
// in milliseconds; digits are moved to seconds as text, so that none is lost.
//
//	go run generate.go [folder that the files go into, . by default]
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"go/format"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// table is one file of fits: what it is made of and how a row is written.
type table struct {
	csv, out, pkg, variable, element, doc string
	row                                   func(r row) string
	apart                                 []part // what stands beside the rows, in their order
}

// part is something about each row of a table that is not in the row.
type part struct {
	name, element, doc string
	row                func(r row) string
}

const (
	aiconfigurator = "operator times of AIConfigurator (ai-dynamo/aiconfigurator, commit 095f58a51c4c)"
	argonne        = "LLM-Inference-Bench (argonne-lcf/LLM-Inference-Bench, commit 4211f5d4e9bc)"
	method         = "Fitted by least squares on relative errors, no coefficient below zero; R2 and mean absolute\n// relative error are of the points that were fitted."
)

var tables = []table{
	{"aiconfigurator_composed_fits.csv", "composed.gen.go", "profile", "composed", "Calibration",
		"composed are whole steps put together from " + aiconfigurator + ":\n// GEMM, attention, two all-reduces a layer, LM head. " + method, composedRow,
		[]part{{"Planes", "planes", "are the coefficients of each of them", composedPlanes}, {"Quality", "quality", "is how good each of them is", composedQuality}}},
	{"llmservingsim_fits.csv", "layered.gen.go", "profile", "layered", "Calibration",
		"layered are whole steps put together from vLLM's layers as LLMServingSim timed them\n// (casys-kaist/LLMServingSim, commit 5daddb21a545). " + method, layeredRow, nil},
	{"engine_overhead_crosscheck.csv", "overhead.gen.go", "profile", "overheads", "EngineOverhead",
		"overheads compare batches measured by " + argonne + "\n// with the composed steps in bf16.", overheadRow, nil},
	{"splitwise_fits.csv", "dataset/splitwise.gen.go", "dataset", "splitwise", "EndToEnd",
		"splitwise are whole steps of an engine of 2023 (Mutinifni/splitwise-sim, commit 8f99e7dc9b40). " + method, splitwiseRow, nil},
	{"vidur_mlp_fits.csv", "dataset/vidur.gen.go", "dataset", "vidur", "Layer",
		"vidur are the linear operators of one layer (microsoft/vidur, commit 7d47513363ec). " + method, vidurRow, nil},
	{"llm_inference_bench_fits.csv", "dataset/argonne.gen.go", "dataset", "argonne", "PerToken",
		"argonne are whole batches of " + argonne + ". " + method, argonneRow, nil},
}

// ids are the names of the sources for what the tables of this package know.
var ids = map[string]string{
	"A100-80GB-SXM": "a100-80gb-sxm", "H100-80GB-SXM": "h100-sxm", "H200-141GB-SXM": "h200-sxm", "L40S-48GB": "l40s",
	"B200-180GB-SXM": "b200-sxm", "GB200-186GB": "gb200", "B300-SXM": "b300-sxm", "RTXPRO6000-96GB": "rtx-pro-6000", "RTX4090-24GB": "rtx-4090",
	"llama2-70b": "llama-2-70b", "bfloat16": "BF16", "fp8": "FP8",
}

type row map[string]string

func (r row) id(column string) string {
	if id, ok := ids[r[column]]; ok {
		return id
	}
	return r[column]
}

// s is a time in milliseconds in seconds, share a percentage as a fraction.
func (r row) s(column string) string     { return scaled(r[column], -3) }
func (r row) share(column string) string { return scaled(r[column], -2) }

func (r row) fit(a, b, c, r2, mape, points string) string {
	return fmt.Sprintf("Fit{A: %s, B: %s, C: %s, R2: %s, MAPEFrac: %s, Points: %s}", r.s(a), r.s(b), r.s(c), r[r2], r.share(mape), r[points])
}

// scaled moves the decimal exponent of a number, digits untouched.
func scaled(text string, by int) string {
	mantissa, exponent, _ := strings.Cut(text, "e")
	if f, err := strconv.ParseFloat(text, 64); err != nil {
		log.Fatal(err)
	} else if f == 0 {
		return "0"
	}
	e := 0
	if exponent != "" {
		var err error
		if e, err = strconv.Atoi(exponent); err != nil {
			log.Fatal(err)
		}
	}
	return fmt.Sprintf("%se%d", mantissa, e+by)
}

// half is c/2: that source multiplies chunk*(chunk/2 + cached), this package
// tokens^2 + 2*tokens*cached.
func half(text string) string {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		log.Fatal(err)
	}
	return strconv.FormatFloat(f/2, 'g', -1, 64)
}

func composedRow(r row) string {
	caveats := []string{"KernelsOnly"}
	if r["gpu"] == "L40S-48GB" && (r["tp"] == "4" || r["tp"] == "8") {
		caveats = append(caveats, "SlowNode")
	}
	if r["gpu"] == "RTXPRO6000-96GB" && r["tp"] != "1" {
		caveats = append(caveats, "SlowAllReduce")
	}
	if number(r["decode_c_ms"]) == 0 {
		caveats = append(caveats, "NoKVTerm")
	}
	if number(r["decode_R2"]) < 0.9 || number(r["decode_MAPE"]) > 7 {
		caveats = append(caveats, "LooseDecode")
	}
	if number(r["prefill_MAPE"]) > 7 {
		caveats = append(caveats, "LoosePrefill")
	}
	return fmt.Sprintf("{GPUID: %q, ModelID: %q, Weights: %s, TP: %s, Dataset: \"aiconfigurator\", Engine: %q, Caveats: %s},",
		r.id("gpu"), r.id("model"), r.id("dtype"), r["tp"], r["engine"], strings.Join(caveats, " | "))
}

func composedPlanes(r row) string {
	var out []string
	for _, column := range []string{"prefill_a_ms", "prefill_b_ms", "prefill_c_ms", "decode_a_ms", "decode_b_ms", "decode_c_ms"} {
		out = append(out, decimal(r.s(column)))
	}
	return "{" + strings.Join(out, ", ") + "},"
}

// decimal writes a number as digits and the power of ten that divides them.
func decimal(text string) string {
	mantissa, exponent, _ := strings.Cut(text, "e")
	e, _ := strconv.Atoi("0" + strings.TrimPrefix(exponent, "-")) // all are below 0, or there is none
	whole, part, _ := strings.Cut(mantissa, ".")
	part = strings.TrimRight(part, "0")
	m, err := strconv.ParseUint(whole+part, 10, 32)
	if err != nil || e+len(part) > 22 || exponent != "" && exponent[0] != '-' {
		log.Fatalf("%s is no number of few digits (%v)", text, err)
	}
	return fmt.Sprintf("{%d, %d}", m, e+len(part))
}

func composedQuality(r row) string {
	return fmt.Sprintf("{%s, Fit{R2: %s, MAPEFrac: %s, Points: %s}, Fit{R2: %s, MAPEFrac: %s, Points: %s}},", r["kv_capacity_tokens"],
		r["prefill_R2"], r.share("prefill_MAPE"), r["n_prefill"], r["decode_R2"], r.share("decode_MAPE"), r["n_decode"])
}

func layeredRow(r row) string {
	r["c"] = half(r["c"])
	caveats := "KernelsOnly"
	if r["tp"] != "1" {
		caveats += " | NoAllReduce"
	}
	if number(r["MAPE"]) > 7 {
		caveats += " | LoosePrefill"
	}
	if r["gpu"] == "RTX4090-24GB" {
		caveats += " | AbovePeak"
	}
	return fmt.Sprintf("{GPUID: %q, ModelID: %q, Weights: BF16, TP: %s, Dataset: \"llmservingsim\", Engine: %q,\nPrefill: %s,\nDecode: %s,\nCaveats: %s},",
		r.id("gpu"), r.id("model"), r["tp"], r["engine"], r.fit("prefill_a", "b", "c", "R2", "MAPE", "nP"), r.fit("dec_a", "dec_b", "dec_c", "dR2", "dMAPE", "nD"), caveats)
}

func overheadRow(r row) string {
	return fmt.Sprintf("{%q, %q, %q, %s, %s, %s, %s, %s, %s, %s},", r.id("gpu"), r.id("model"), r["engine"], r["tp"], r["points"],
		r.s("overhead_ms_per_step_median"), r.s("overhead_ms_batch1"), r["measured_over_kernel_median"], r.share("kernel_only_MAPE_pct"), r.share("MAPE_after_overhead_pct"))
}

func splitwiseRow(r row) string {
	return fmt.Sprintf("{%q, %q, %s,\nprofile.%s,\nprofile.%s,\n%s, %s},", r.id("gpu"), r.id("model"), r["tp"],
		r.fit("p_a", "p_b", "p_c", "p_R2", "p_MAPE", "n"), r.fit("d_a", "d_b", "d_c", "d_R2", "d_MAPE", "n"), r["MFU_2048"], r["MBU_b1"])
}

func vidurRow(r row) string {
	return fmt.Sprintf("{%q, %q, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s},", r["gpu"], r["model"], r["tp"], r["n"],
		r.s("prefill_a_ms"), r.s("prefill_b_ms_per_tok"), r["prefill_R2"], r.share("prefill_MAPE"),
		r.s("dec_a_ms"), r.s("dec_b_ms_per_seq"), r["dec_R2"], r.share("dec_MAPE"), r["MFU_gemm_4096"], r["MBU_gemm_1"], r["MBU_gemm_64"])
}

func argonneRow(r row) string {
	return fmt.Sprintf("{%q, %s, %q, %q,\nprofile.%s, %s},", r["hw"], r["n"], r["fw"], r["model"],
		r.fit("a_ms", "b_ms_per_seq", "c_ms_per_seq_token", "R2", "MAPE", "rows"), r.s("ms_per_out_token_b1"))
}

func number(text string) float64 {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		log.Fatal(err)
	}
	return f
}

func main() {
	folder := "."
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	for _, t := range tables {
		if err := t.write(folder); err != nil {
			log.Fatal(t.csv, ": ", err)
		}
	}
}

func (t table) write(folder string) error {
	raw, err := os.ReadFile(filepath.Join("testdata", "derived_fits", t.csv))
	if err != nil {
		return err
	}
	records, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
	if err != nil {
		return err
	}
	sum := sha256.Sum256(raw)
	var b strings.Builder
	fmt.Fprintf(&b, "// Code generated by generate.go; DO NOT EDIT.\n\npackage %s\n\n", t.pkg)
	if t.pkg != "profile" && strings.Contains(t.row(fields(records, 1)), "profile.") {
		b.WriteString("import \"openloop/planner/profile\"\n\n")
	}
	fmt.Fprintf(&b, "// %s\n//\n// From %s, sha256\n// %s.\nvar %s = []%s{\n", t.doc, t.csv, hex.EncodeToString(sum[:]), t.variable, t.element)
	for i := 1; i < len(records); i++ {
		b.WriteString(t.row(fields(records, i)) + "\n")
	}
	b.WriteString("}\n")
	for _, p := range t.apart {
		fmt.Fprintf(&b, "\n// %s%s %s, in the same order.\nvar %s%s = []%s{\n", t.variable, p.name, p.doc, t.variable, p.name, p.element)
		for i := 1; i < len(records); i++ {
			b.WriteString(p.row(fields(records, i)) + "\n")
		}
		b.WriteString("}\n")
	}
	src, err := format.Source([]byte(b.String()))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, filepath.FromSlash(t.out)), src, 0o644)
}

func fields(records [][]string, i int) row {
	r := row{}
	for j, column := range records[0] {
		r[column] = records[i][j]
	}
	return r
}
