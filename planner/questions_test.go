package planner_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner"
)

// Questions that people asked in public: folders q-* with what was asked and what
// a right answer must say, answered with the planner. OPENLOOP_CASES_DIR names
// another folder with such folders; those in testdata are a copy.

// answer makes the right values of a question from its folder, by key.
var answers = map[string]func(t *testing.T, dir string) map[string][]float64{
	"q-cost-per-million":        costPerMillion,
	"q-how-many-in-flight":      howManyInFlight,
	"q-kv-max-concurrency-line": concurrencyLine,
}

func TestQuestions(t *testing.T) {
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			dir := questionDir(name)
			got, want := answer(t, dir), rightValues(t, dir)
			require.NotEmpty(t, want)
			for _, w := range want {
				t.Run(w.key, func(t *testing.T) {
					values, ok := got[w.key]
					require.True(t, ok, "nothing answers %s", w.key)
					require.Len(t, values, len(w.values))
					for i, x := range w.values {
						assert.InDelta(t, x, values[i], w.tolerance*x, w.key)
					}
				})
			}
			assert.Len(t, want, len(got), "an answer that nobody asked for")
		})
	}
}

func questionDir(name string) string {
	if dir := os.Getenv("OPENLOOP_CASES_DIR"); dir != "" {
		return filepath.Join(dir, name)
	}
	return filepath.Join("testdata", "cases", name)
}

// right is a row of the table of right values.
type right struct {
	key       string
	values    []float64
	tolerance float64 // relative; 0: exact
}

var rightRow = regexp.MustCompile("(?m)^\\| `([a-z0-9_]+)` \\| ([^|]+) \\| ([^|]+) \\|")

func rightValues(t *testing.T, dir string) (out []right) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "expected.md"))
	require.NoError(t, err)
	for _, m := range rightRow.FindAllStringSubmatch(string(raw), -1) {
		r := right{key: m[1]}
		for v := range strings.SplitSeq(m[2], ",") {
			r.values = append(r.values, parsed(t, v))
		}
		if share, ok := strings.CutSuffix(strings.TrimSpace(m[3]), "%"); ok {
			r.tolerance = parsed(t, share) / 100
		} else {
			require.Equal(t, "exact", strings.TrimSpace(m[3]))
			r.tolerance = 1e-12
		}
		out = append(out, r)
	}
	return out
}

func parsed(t *testing.T, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	require.NoError(t, err)
	return x
}

func input(t *testing.T, dir string, into any) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "input.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, into))
}

// printed is an equation of a plan, computed with other values.
func printed(t *testing.T, symbol string, in map[string]float64) float64 {
	t.Helper()
	p := plan(t, chat70B(t))
	return evaluate(t, link(t, &p, symbol).Formula, in)
}

func costPerMillion(t *testing.T, dir string) map[string][]float64 {
	var q struct {
		Tokens   float64   `json:"tok_s_output"`
		GPUs     float64   `json:"gpus"`
		USD      float64   `json:"usd_per_gpu_hour_assumed"`
		Used     []float64 `json:"utilisation"`
		Targets  []float64 `json:"target_rps"`
		Capacity float64   `json:"server_capacity_rps"`
	}
	input(t, dir, &q)
	out := map[string][]float64{}
	for i, key := range []string{"usd_per_million_full", "usd_per_million_50", "usd_per_million_30"} {
		usd, err := planner.USDPerMTokens(q.GPUs*q.USD, q.Tokens, q.Used[i])
		require.NoError(t, err)
		out[key] = []float64{usd}
	}
	for _, rate := range q.Targets {
		out["servers_20_100_250"] = append(out["servers_20_100_250"], printed(t, "R", map[string]float64{"rate": rate, "T": 1 / q.Capacity, "rho": 0.7}))
	}
	return out
}

// resultLine is a number of a text block of vllm bench serve.
func resultLine(t *testing.T, dir, label string) float64 {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "result.txt"))
	require.NoError(t, err)
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, label+":"); ok {
			return parsed(t, rest)
		}
	}
	require.Fail(t, "no line "+label)
	return 0
}

// howManyInFlight is Little's law: those that decode, as a plan has it, and those
// that wait for their first token.
func howManyInFlight(t *testing.T, dir string) map[string][]float64 {
	requests, seconds := resultLine(t, dir, "Successful requests"), resultLine(t, dir, "Benchmark duration (s)")
	gaps := resultLine(t, dir, "Total generated tokens")/requests - 1
	itl, ttft := resultLine(t, dir, "Mean ITL (ms)")/1000, resultLine(t, dir, "Mean TTFT (ms)")/1000
	rate := requests / seconds
	decoding := printed(t, "batch", map[string]float64{"o": gaps, "TPOT": itl, "T": 1 / rate})
	return map[string][]float64{
		"request_throughput": {rate},
		"mean_e2e_s":         {ttft + gaps*itl},
		"in_flight_mean":     {decoding + rate*ttft},
		"per_user_tok_s":     {1 / itl},
	}
}

// concurrencyLine is tokens in memory over the longest request; shorter ones fit
// more often.
func concurrencyLine(t *testing.T, dir string) map[string][]float64 {
	var q struct {
		Lines []struct {
			Blocks   float64 `json:"gpu_blocks"`
			Block    float64 `json:"block_size"`
			Longest  float64 `json:"max_model_len"`
			Reported float64 `json:"reported_concurrency"`
			Tokens   float64 `json:"kv_tokens"`
		} `json:"log_lines"`
		Typical float64 `json:"typical_request_tokens"`
	}
	input(t, dir, &q)
	m := model(t, "llama-3.1-70b")
	// A GPU that holds the weights and exactly so many tokens.
	holds := func(tokens, length float64) planner.Plan {
		c := chat70B(t)
		c.d.TP, c.d.MemoryFrac = 1, 1
		c.d.GPU.MemoryBytes = int64(m.WeightBytes(2) + tokens*m.KVBytes(1, 2))
		c.o = planner.Objective{TargetFrac: 1}
		c.w = one(planner.Class{RequestsPerSec: 1, PeakToMean: 1, PromptTokens: length - 1, OutputTokens: 1})
		return plan(t, c)
	}
	first := holds(q.Lines[0].Blocks*q.Lines[0].Block, q.Lines[0].Longest)
	assert.Equal(t, 10, first.BatchMemory, "whole requests of the longest kind")
	second := holds(q.Lines[1].Tokens, q.Lines[1].Longest)
	third := q.Lines[2].Longest * q.Lines[2].Reported
	return map[string][]float64{
		"kv_tokens":              {first.KVTokens},
		"concurrency_2048":       {first.KVTokens / q.Lines[0].Longest},
		"kv_bytes_per_token":     {m.KVBytes(1, 2)},
		"kv_gb":                  {first.FreeBytes / 1e9},
		"concurrency_997":        {second.KVTokens / q.Lines[1].Longest},
		"requests_of_800_tokens": {float64(holds(third, q.Typical).BatchMemory)},
	}
}

// The copies are those of the shared folder of cases, where it is there.
func TestQuestionsAreCopies(t *testing.T) {
	shared := ""
	for up := ".."; shared == "" && len(up) < 30; up = filepath.Join(up, "..") {
		if _, err := os.Stat(filepath.Join(up, "shared", "cases")); err == nil {
			shared = filepath.Join(up, "shared", "cases")
		}
	}
	if shared == "" {
		t.Skip("shared/cases is not on this machine: the copy is not compared")
	}
	for name := range answers {
		files, err := os.ReadDir(filepath.Join(shared, name))
		require.NoError(t, err)
		for _, f := range files {
			want, err := os.ReadFile(filepath.Join(shared, name, f.Name()))
			require.NoError(t, err)
			got, err := os.ReadFile(filepath.Join("testdata", "cases", name, f.Name()))
			require.NoError(t, err)
			assert.Equal(t, string(want), string(got), "%s of %s", f.Name(), name)
		}
	}
}
