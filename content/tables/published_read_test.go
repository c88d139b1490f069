package tables_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"openloop/planner/profile"
)

// Reading published numbers. Two kinds of file: the facts (one row a number,
// "isl", "parallelism") and the results (a row a run, "gpu_count", "tp"). What
// cannot be read is an error; a GPU or a model that the planner does not know is
// not: it is kept by name and counted.

// pub is one published number as its file has it, and what we made of the names.
type pub struct {
	id, group                string
	gpuName, modelName, prec string
	gpu                      *profile.GPU // nil: not in our tables
	model                    *profile.Model
	gpus, tp, pp             int  // tp 0: not said
	expert                   bool // attention is data parallel, experts are spread
	prompt, output           float64
	lengths                  bool // both were published
	atOnce                   int
	scenario, metric, unit   string
	tpotLimit                float64 // seconds, 0 none
	value                    float64
	note, source             string
	same                     string // id of the row that this one repeats
	kept                     bool   // the value may stand in the repository
}

// table is a file by column names.
type table struct {
	col  map[string]int
	rows [][]string
}

func parseTable(raw []byte) (table, error) {
	r := csv.NewReader(bytes.NewReader(raw))
	all, err := r.ReadAll()
	if err != nil {
		return table{}, err
	}
	if len(all) < 2 {
		return table{}, fmt.Errorf("no rows")
	}
	t := table{col: map[string]int{}, rows: all[1:]}
	for i, name := range all[0] {
		t.col[name] = i
	}
	return t, nil
}

func (t *table) has(names ...string) error {
	for _, n := range names {
		if _, ok := t.col[n]; !ok {
			return fmt.Errorf("no column %s", n)
		}
	}
	return nil
}

// readPublished reads either kind of file.
func readPublished(raw []byte) ([]pub, error) {
	t, err := parseTable(raw)
	if err != nil {
		return nil, err
	}
	read := fromFacts
	if t.has("gpu_count") == nil {
		read = fromResults
	}
	var out []pub
	seen := map[string]bool{}
	for i, r := range t.rows {
		p, err := read(&t, r)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i+2, err)
		}
		if p.id == "" || seen[p.id] {
			return nil, fmt.Errorf("row %d: id %q is empty or used twice", i+2, p.id)
		}
		seen[p.id] = true
		p.gpu, p.model = gpuNamed(p.gpuName), modelNamed(p.modelName)
		p.group = groupOf(&p)
		out = append(out, p)
	}
	return out, nil
}

// fields reads numbers of a row and keeps the first error.
type fields struct {
	t   *table
	r   []string
	err error
}

func (f *fields) text(name string) string { return strings.TrimSpace(f.r[f.t.col[name]]) }

func (f *fields) number(name string, least float64) float64 {
	x, err := strconv.ParseFloat(f.text(name), 64)
	if f.err == nil && (err != nil || !(x >= least && x < 1e12)) {
		f.err = fmt.Errorf("%s: %s is %q", f.text("id"), name, f.text(name))
	}
	return x
}

// maybe is a number, or 0 if the cell is empty or holds words.
func (f *fields) maybe(name string) float64 {
	x, err := strconv.ParseFloat(f.text(name), 64)
	if err != nil || !(x > 0) {
		return 0
	}
	return x
}

func fromFacts(t *table, r []string) (pub, error) {
	if err := t.has("id", "model", "precision", "gpu", "gpus", "parallelism", "isl", "osl", "batch_or_concurrency", "scenario", "metric", "value", "unit", "source", "source_path", "commit_or_date", "notes"); err != nil {
		return pub{}, err
	}
	f := &fields{t: t, r: r}
	p := pub{
		id: f.text("id"), gpuName: f.text("gpu"), modelName: f.text("model"), prec: strings.ToLower(f.text("precision")),
		gpus: int(f.maybe("gpus")), prompt: f.maybe("isl"), output: f.maybe("osl"),
		scenario: f.text("scenario"), metric: f.text("metric"), unit: f.text("unit"), value: f.number("value", 1e-12), note: f.text("notes"), kept: true,
	}
	if p.gpus == 0 && f.text("gpus") != "" {
		f.number("gpus", 1)
	}
	p.lengths = p.prompt > 0 && p.output > 0
	if m := regexp.MustCompile(`^(DEP|TP)(\d+)$`).FindStringSubmatch(f.text("parallelism")); m != nil {
		p.tp, _ = strconv.Atoi(m[2])
		p.expert = m[1] == "DEP"
	}
	p.pp = 1
	if m := regexp.MustCompile(`^(\d+)(?: requests)?$`).FindStringSubmatch(f.text("batch_or_concurrency")); m != nil {
		p.atOnce, _ = strconv.Atoi(m[1])
	}
	if strings.HasPrefix(p.metric, "ITL") {
		p.atOnce = 1
	}
	p.source = address(f.text("source"), commitOf(f.text("commit_or_date")), f.text("source_path"))
	return p, f.err
}

func fromResults(t *table, r []string) (pub, error) {
	if err := t.has("id", "source", "gpu", "gpu_count", "tp", "pp", "model", "precision", "scenario", "isl", "osl", "tpot_limit_ms", "metric", "value", "unit", "repository", "commit", "path", "note"); err != nil {
		return pub{}, err
	}
	f := &fields{t: t, r: r}
	p := pub{
		id: f.text("id"), gpuName: f.text("gpu"), modelName: f.text("model"), prec: strings.ToLower(f.text("precision")),
		gpus: int(f.number("gpu_count", 1)), tp: int(f.maybe("tp")), pp: int(max(f.maybe("pp"), 1)), prompt: f.maybe("isl"), output: f.maybe("osl"),
		scenario: f.text("scenario"), metric: f.text("metric"), unit: f.text("unit"), value: f.number("value", 1e-12), note: f.text("note"),
		tpotLimit: f.maybe("tpot_limit_ms") / 1000,
	}
	if p.unit == "tokens/s (whole system)" {
		p.unit = "tok/s"
	}
	p.lengths = p.prompt > 0 && p.output > 0
	if f.text("source") == "mlperf-inference" {
		p.scenario = "MLPerf " + p.scenario
		if m := regexp.MustCompile(`(?:TOKENS_PER_SAMPLE: |tokens/sample )([\d.]+)`).FindStringSubmatch(p.note); m != nil {
			p.output, _ = strconv.ParseFloat(m[1], 64)
		}
	}
	p.source = address(f.text("repository"), f.text("commit"), f.text("path"))
	return p, f.err
}

func commitOf(s string) string {
	m := regexp.MustCompile(`^[0-9a-f]{7,40}`).FindString(s)
	if m == "00f37686" {
		return "00f37686aa854010d68bcbd0f4ab000221541ca6"
	}
	return m
}

// address is a link to the file; the newest one where no commit is known.
func address(repository, commit, path string) string {
	if !regexp.MustCompile(`^[\w.-]+/[\w.-]+$`).MatchString(repository) {
		return ""
	}
	if commit == "" {
		commit = "HEAD"
	}
	path, _, _ = strings.Cut(path, " ")
	path, _, _ = strings.Cut(path, "#")
	return "https://github.com/" + repository + "/blob/" + commit + "/" + path
}

// gpuNames are parts of names, the first that fits counts; "" is known not to be
// in our tables.
var gpuNames = [][2]string{
	{"gb300", "gb300"}, {"gb200", "gb200"}, {"gh200", ""}, {"b300", "b300-sxm"}, {"b200", "b200-sxm"}, {"h200 nvl", ""}, {"h200-nvl", ""}, {"h200", "h200-sxm"},
	{"h100 nvl", "h100-nvl"}, {"h100-nvl", "h100-nvl"}, {"h100 pcie", "h100-pcie"}, {"h100-pcie", "h100-pcie"}, {"h100", "h100-sxm"},
	{"a100-sxm-40", "a100-40gb-sxm"}, {"a100-40", "a100-40gb-sxm"}, {"a100", "a100-80gb-sxm"}, {"l40s", "l40s"}, {"l40", ""}, {"l4", "l4"}, {"a10g", "a10g"},
	{"rtx pro 6000", "rtx-pro-6000"}, {"4090", "rtx-4090"}, {"mi300x", "mi300x"}, {"mi325x", "mi325x"}, {"mi355x", "mi355x"},
}

func gpuNamed(name string) *profile.GPU {
	low := strings.ToLower(name)
	for _, n := range gpuNames {
		if strings.Contains(low, n[0]) {
			g, _ := profile.FindGPU(n[1])
			return g
		}
	}
	return nil
}

func modelNamed(name string) *profile.Model {
	id := strings.ReplaceAll(strings.ToLower(name), " ", "-")
	for _, end := range []string{"-instruct", "-chat", "-0528"} {
		id = strings.TrimSuffix(id, end)
	}
	switch id {
	case "llama-3.3-70b": // the same shape
		id = "llama-3.1-70b"
	case "deepseek-v3/r1", "deepseek-r1/v3":
		id = "deepseek-r1"
	}
	id = strings.Replace(strings.Replace(id, "llama2-", "llama-2-", 1), "llama3.1-", "llama-3.1-", 1)
	m, _ := profile.FindModel(id)
	return m
}
