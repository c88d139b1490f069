package scrape

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The cases: folders m-* with what was pasted and what a right reader must
// find in it. OPENLOOP_CASES_DIR names another folder with such folders; those
// in testdata are a copy.

type expected struct {
	Key       string          `json:"key"`
	Value     json.RawMessage `json:"value"`
	Unit      string          `json:"unit"`
	Kind      string          `json:"tolerance_kind"`
	Tolerance float64         `json:"tolerance"`
}

func caseFolders(t *testing.T) []string {
	t.Helper()
	dir := os.Getenv("OPENLOOP_CASES_DIR")
	if dir == "" {
		dir = filepath.Join("testdata", "cases")
	}
	folders, err := filepath.Glob(filepath.Join(dir, "m-*"))
	require.NoError(t, err)
	require.NotEmpty(t, folders, "no m-* folder in %s", dir)
	return folders
}

// readCase reads a folder's input as a reader would paste it.
func readCase(t *testing.T, dir string) (*Report, *Reading) {
	t.Helper()
	var meta struct {
		SecondsBetween *float64 `json:"seconds_between"`
	}
	if raw, err := os.ReadFile(filepath.Join(dir, "meta.json")); err == nil {
		require.NoError(t, json.Unmarshal(raw, &meta))
	}
	text := func(name string) string {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return ""
		}
		return string(raw)
	}
	in := Input{First: text("scrape-1.txt"), Second: text("scrape-2.txt")}
	if in.First == "" {
		in.First = text("scrape.txt") + text("server.log")
	}
	if meta.SecondsBetween != nil {
		in.Seconds = *meta.SecondsBetween
	}
	report, err := Read(in)
	require.NoError(t, err)
	require.Len(t, report.Readings, 1)
	for _, p := range report.Pastes {
		assert.Zero(t, p.NotUnderstood, "%v", p.Problems)
	}
	return report, &report.Readings[0]
}

func TestCases(t *testing.T) {
	for _, dir := range caseFolders(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			raw, err := os.ReadFile(filepath.Join(dir, "expected.json"))
			require.NoError(t, err)
			var want []expected
			require.NoError(t, json.Unmarshal(raw, &want))
			_, r := readCase(t, dir)
			for _, w := range want {
				w.check(t, r)
			}
		})
	}
}

// check holds one key of a case against the reading.
func (w expected) check(t *testing.T, r *Reading) {
	t.Helper()
	switch w.Key { // for the rules that read the windows
	case "failure", "also_acceptable", "remedy":
		return
	}
	if base, ok := strings.CutSuffix(w.Key, "_tempting_wrong"); ok {
		w.checkWrong(t, r, base)
		return
	}
	got, ok := look(r, w.Key)
	require.True(t, ok, "unknown key %s", w.Key)
	if string(w.Value) == "null" {
		known := got.known && !math.IsInf(got.v, 1)
		assert.False(t, known, "%s is %v, and cannot be known from this", w.Key, got.v)
		return
	}
	require.True(t, got.known, "%s is not known: %v", w.Key, got.why)
	var name string
	if json.Unmarshal(w.Value, &name) == nil {
		assert.Equal(t, name, got.name, w.Key)
		return
	}
	var yes bool
	if json.Unmarshal(w.Value, &yes) == nil {
		assert.Equal(t, yes, got.v != 0, w.Key)
		return
	}
	var v float64
	require.NoError(t, json.Unmarshal(w.Value, &v), w.Key)
	w.near(t, v, got.v)
}

func (w expected) near(t *testing.T, want, got float64) {
	t.Helper()
	switch w.Kind {
	case "exact":
		assert.InDelta(t, want, got, 1e-12*math.Abs(want), w.Key)
	case "abs":
		assert.InDelta(t, want, got, w.Tolerance, w.Key)
	case "rel":
		assert.InDelta(t, want, got, w.Tolerance*math.Abs(want), w.Key)
	default:
		t.Errorf("%s: unknown tolerance kind %q", w.Key, w.Kind)
	}
}

// wrongs are the tempting wrong values and what must not be that.
var wrongs = map[string]string{
	"naive_delta_completed":    "completed_per_s",
	"ttft_p99_mean_of_engines": "ttft_p99_s",
	"itl_p99_mean_of_engines":  "itl_p99_s",
	"prefix_hit_frac_lifetime": "prefix_hit_frac",
	"accepted_len_v1_formula":  "accepted_len",
}

func (w expected) checkWrong(t *testing.T, r *Reading, base string) {
	t.Helper()
	key, ok := wrongs[base]
	require.True(t, ok, "unknown key %s", w.Key)
	var wrong float64
	require.NoError(t, json.Unmarshal(w.Value, &wrong))
	got, ok := look(r, key)
	require.True(t, ok)
	if got.known {
		assert.Greater(t, math.Abs(got.v-wrong), math.Max(w.Tolerance, 0.01)*math.Abs(wrong), "%s shows the tempting wrong value", key)
		assert.GreaterOrEqual(t, got.v, 0.0)
	}
}

// found is a key's value, as a file has it.
type found struct {
	v     float64
	name  string
	known bool
	why   Why
}

func of(v Value) found { return found{v: v.Value, known: v.Known, why: v.Why} }

func flag(b bool) found {
	return found{v: float64(boolInt(b)), known: true}
}

// renamed are keys of files for quantities under another name.
var renamed = map[string]ID{
	"spec_k_recovered":               SpecK,
	"tokens_per_running_first":       TokensPerRunning,
	"prompt_tokens_mean_since_start": PromptMean,
	"ttft_over_30s_frac":             TTFTBeyond,
	"new_token_ratio_after":          ReservedShare,
}

func byKey(key string) (ID, bool) {
	i := slices.IndexFunc(quantities[:], func(q Quantity) bool { return q.Key == key })
	return ID(max(i, 0)), i >= 0
}

// look finds what the reading says under a key of the files.
func look(r *Reading, key string) (found, bool) {
	if id, ok := byKey(key); ok {
		return of(r.Now[id]), true
	}
	if f, ok := special(r, key); ok {
		return f, true
	}
	if id, ok := renamed[key]; ok {
		if strings.HasSuffix(key, "_first") {
			return of(r.First[id]), true
		}
		return of(r.Now[id]), true
	}
	if base, ok := strings.CutSuffix(key, "_first"); ok {
		if id, ok := byKey(base); ok {
			return of(r.First[id]), true
		}
	}
	for _, cut := range [][2]string{{"_before_s", "_s"}, {"_before", ""}} {
		if base, ok := strings.CutSuffix(key, cut[0]); ok {
			if id, ok := byKey(base + cut[1]); ok {
				v := r.First[id]
				v.Known = v.Known && !v.AtLeast() // a bound is no value to compare with
				return of(v), true
			}
		}
	}
	if base, rank, ok := strings.Cut(key, "_engine_"); ok {
		if base == "offered_per_s" {
			base = "offered_accepted_per_s"
		}
		id, ok := byKey(base)
		i := slices.IndexFunc(r.Replicas, func(p Replica) bool { return p.Name == "engine "+rank })
		if ok && i >= 0 {
			return of(r.Replicas[i].Now[id]), true
		}
	}
	return found{}, false
}

// special are the keys that are no quantity of a row.
func special(r *Reading, key string) (found, bool) {
	bound := func(id ID, high bool) found {
		v := r.Now[id]
		if high {
			return found{v: v.High, known: v.Known}
		}
		return found{v: v.Low, known: v.Known}
	}
	switch key {
	case "seconds":
		return of(r.Seconds), true
	case "scrapes":
		return found{v: float64(r.Source) + 1, known: r.Source != LogLines}, true
	case "ttft_p99_bucket_low_s":
		return bound(TTFT, false), true
	case "ttft_p99_bucket_high_s":
		return bound(TTFT, true), true
	case "itl_p99_bucket_low_s":
		return bound(ITL, false), true
	case "itl_p99_bucket_high_s":
		return bound(ITL, true), true
	case "ttft_p99_is_lower_bound":
		return flag(r.Now[TTFT].AtLeast()), true
	case "counter_reset":
		return flag(r.Restart.Seen), true
	case "process_start_shift_s":
		return found{v: r.Restart.ShiftS, known: r.Restart.ShiftKnown}, true
	case "rates_are_lower_bounds":
		return flag(r.Now[CompletedRate].Doubts&LowerBound != 0 && r.Now[GenerationRate].Doubts&LowerBound != 0), true
	case "percentiles_cover":
		return found{name: strings.ReplaceAll(r.Now[TTFT].Covers.String(), " ", "_"), known: r.Now[TTFT].Known}, true
	case "goodput_ttft_2.5s_per_s":
		return of(r.Goodput(2.5)), true
	case "itl_over_0.5s_per_s":
		return of(r.GapsAbove(0.5)), true
	case "prefill_work_factor":
		return found{v: (1 - r.Now[Hit].Value) / (1 - r.First[Hit].Value), known: r.Now[Hit].Known && r.First[Hit].Known}, true
	case "wasted_draft_frac":
		return found{v: 1 - r.Now[DraftAcceptance].Value, known: r.Now[DraftAcceptance].Known}, true
	case "new_token_ratio_before":
		return of(r.First[ReservedShare]), true
	}
	w := r.Windows()
	accepted := ID(Accepted)
	switch {
	case key == "accepted_len_first_interval" && len(w) == 2:
		return found{v: w[0].Signal[accepted].Value, known: w[0].Signal[accepted].Known}, true
	case key == "accepted_len_second_interval" && len(w) == 2:
		return found{v: w[1].Signal[accepted].Value, known: w[1].Signal[accepted].Known}, true
	case key == "tokens_from_spec_steps_first_interval" && len(w) == 2:
		return found{v: r.First[Drafts].Value * r.First[Accepted].Value, known: r.First[Accepted].Known}, true
	}
	return found{}, false
}

// TestCaseFoldersAreRead: a copy in testdata is the one in the shared folder,
// where that is.
func TestCaseFoldersAreRead(t *testing.T) {
	var theirs []string
	for up := filepath.Join("..", "..", ".."); len(theirs) == 0 && len(up) < 30; up = filepath.Join(up, "..") {
		theirs, _ = filepath.Glob(filepath.Join(up, "shared", "cases", "m-*"))
	}
	if len(theirs) == 0 {
		t.Skip("shared/cases is not on this machine: the copy is not compared")
	}
	sort.Strings(theirs)
	for _, dir := range theirs {
		files, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, f := range files {
			want, err := os.ReadFile(filepath.Join(dir, f.Name()))
			require.NoError(t, err)
			got, err := os.ReadFile(filepath.Join("testdata", "cases", filepath.Base(dir), f.Name()))
			require.NoError(t, err)
			assert.Equal(t, string(want), string(got), "%s/%s", dir, f.Name())
		}
	}
}
