package dataset

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner/profile"
)

func TestEntriesAreComplete(t *testing.T) {
	commit := regexp.MustCompile(`^[0-9a-f]{40}$`)
	last := ""
	all := Entries()
	require.Len(t, all, 19)
	for _, e := range all {
		assert.Less(t, last, e.ID, "sorted, each once")
		last = e.ID
		for what, text := range map[string]string{"title": e.Title, "who": e.Who, "when": e.When, "content": e.Content, "use": e.Use} {
			assert.NotEmpty(t, text, "%s: %s", e.ID, what)
		}
		assert.NotEqual(t, "unknown", e.Kind.String())
		assert.NotEmpty(t, e.Problems, "%s: what is wrong with it?", e.ID)
		for _, p := range e.Problems {
			assert.True(t, strings.HasSuffix(p, "."), "%s: %s", e.ID, p)
		}
		if e.Repository == "" {
			assert.Contains(t, []string{"published_results", "derived_fits"}, e.ID)
			assert.Empty(t, e.Link())
			continue
		}
		assert.Regexp(t, commit, e.Commit, e.ID)
		assert.NotEmpty(t, e.License, e.ID)
		assert.Equal(t, "https://github.com/"+e.Repository+"/tree/"+e.Commit, e.Link())
	}
	assert.Equal(t, "unknown", Kind(99).String())
}

func TestFind(t *testing.T) {
	e, ok := Find("vidur")
	require.True(t, ok)
	assert.Equal(t, "microsoft/vidur", e.Repository)
	e.Problems[0] = "changed"
	again, _ := Find("vidur")
	assert.NotEqual(t, "changed", again.Problems[0])
	_, ok = Find("nothing")
	assert.False(t, ok)
}

// TestEveryCalibrationHasAnEntry: a page can say where step times are from.
func TestEveryCalibrationHasAnEntry(t *testing.T) {
	for _, c := range profile.Calibrations() {
		e, ok := Find(c.Dataset)
		require.True(t, ok, c.Dataset)
		version := strings.TrimPrefix(c.Engine, "vLLM ")
		assert.Contains(t, e.Engine, version, "%s %s", c.Dataset, c.GPUID)
	}
}

// sharedData is the folder of the data sets, which are not part of the repository.
func sharedData(t *testing.T) string {
	t.Helper()
	for up := "../.."; up != "../../../../../../.."; up = filepath.Join(up, "..") {
		if _, err := os.Stat(filepath.Join(up, "shared/data/README.md")); err == nil {
			return filepath.Join(up, "shared/data")
		}
	}
	t.Skip("no folder shared/data with the data sets lies beside the repository or above")
	return ""
}

// TestEntriesEqualProvenance compares with the notes beside the data.
func TestEntriesEqualProvenance(t *testing.T) {
	root := sharedData(t)
	line := regexp.MustCompile(`(?m)^- (repository|commit|licence \(SPDX\)): ([^ ,\n]+)`)
	folders, err := os.ReadDir(root)
	require.NoError(t, err)
	seen := 0
	for _, f := range folders {
		if !f.IsDir() {
			continue
		}
		seen++
		e, ok := Find(f.Name())
		require.True(t, ok, f.Name())
		raw, err := os.ReadFile(filepath.Join(root, f.Name(), "PROVENANCE.md"))
		require.NoError(t, err)
		got := map[string]string{}
		for _, m := range line.FindAllStringSubmatch(string(raw), -1) {
			got[m[1]] = m[2]
		}
		want := map[string]string{"repository": e.Repository, "commit": e.Commit, "licence (SPDX)": e.License}
		if e.Repository == "" {
			want = map[string]string{}
		}
		assert.Equal(t, want, got, e.ID)
	}
	assert.Equal(t, len(Entries()), seen)
}

// TestPublishedSources: every row of the published results has one of the sources, with
// its license, as the row itself says.
func TestPublishedSources(t *testing.T) {
	file, err := os.Open(filepath.Join(sharedData(t), "published_results", "results.csv"))
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	e, _ := Find("published_results")
	counts := map[string]int{}
	for _, row := range rows[1:] {
		id, found := row[at["id"]], false
		for _, s := range e.Sources {
			if s.First == "" || id < s.First || id > s.Last {
				continue
			}
			found = true
			counts[s.Title]++
			assert.Equal(t, s.Repository, row[at["repository"]], id)
			assert.Equal(t, s.Commit, row[at["commit"]], id)
			if licence := row[at["licence"]]; strings.Contains(licence, " ") {
				assert.Contains(t, s.License, "facts only", id)
			} else {
				assert.Equal(t, s.License, licence, id)
			}
		}
		assert.True(t, found, id)
	}
	for _, s := range e.Sources {
		if s.First != "" {
			assert.Equal(t, s.Rows, counts[s.Title], s.Title)
		}
	}
}

// TestFitsSayWhatTheyAreFor: 2023's engine took several times what kernels take
// on 8 GPUs; layers agree with whole steps about how well bandwidth is used.
func TestFitsSayWhatTheyAreFor(t *testing.T) {
	require.Len(t, Splitwise(), 8)
	require.Len(t, Vidur(), 68)
	require.Len(t, Argonne(), 216)
	for _, s := range Splitwise() {
		if s.Model != "llama-2-70b" || s.TP != 8 {
			continue
		}
		kernels, ok := profile.Calibrated(s.GPUID, "llama-3.1-70b", profile.BF16, 8)
		require.True(t, ok)
		engine := s.Decode.A + s.Decode.B + s.Decode.C*1024
		assert.True(t, engine > 2*kernels.DecodeSeconds(1, 1024) && engine < 4*kernels.DecodeSeconds(1, 1024), s.GPUID)
	}
	for _, l := range Vidur() {
		assert.True(t, l.MFU4096 > 0 && l.MFU4096 < 1 && l.MBU1 > 0 && l.MBU1 < 1, "%v", l)
		assert.True(t, l.DecodeA > 0 && l.PrefillB > 0)
	}
	for _, p := range Argonne() {
		assert.True(t, p.Fit.A >= 0 && p.Fit.B >= 0 && p.Fit.C >= 0 && p.Batch1Seconds > 0, "%v", p)
	}
}

// TestFitsEqualTables reads columns of the tables by name, with code of its own.
func TestFitsEqualTables(t *testing.T) {
	column := func(name, column string) []float64 {
		f, err := os.Open(filepath.Join("../testdata/derived_fits", name))
		require.NoError(t, err)
		defer f.Close()
		records, err := csv.NewReader(f).ReadAll()
		require.NoError(t, err)
		at := slices.Index(records[0], column)
		require.GreaterOrEqual(t, at, 0, column)
		var out []float64
		for _, r := range records[1:] {
			x, err := strconv.ParseFloat(r[at], 64)
			require.NoError(t, err)
			out = append(out, x)
		}
		return out
	}
	equal := func(name, col string, scale float64, got func(i int) float64) {
		for i, want := range column(name, col) {
			assert.InDelta(t, want, got(i)*scale, 1e-12*max(1, want), "%s %s row %d", name, col, i)
		}
	}
	s, v, a := Splitwise(), Vidur(), Argonne()
	equal("splitwise_fits.csv", "p_c", 1e3, func(i int) float64 { return s[i].Prefill.C })
	equal("splitwise_fits.csv", "d_b", 1e3, func(i int) float64 { return s[i].Decode.B })
	equal("splitwise_fits.csv", "d_MAPE", 100, func(i int) float64 { return s[i].Decode.MAPEFrac })
	equal("splitwise_fits.csv", "MBU_b1", 1, func(i int) float64 { return s[i].MBUBatch1 })
	equal("vidur_mlp_fits.csv", "prefill_b_ms_per_tok", 1e3, func(i int) float64 { return v[i].PrefillB })
	equal("vidur_mlp_fits.csv", "dec_a_ms", 1e3, func(i int) float64 { return v[i].DecodeA })
	equal("vidur_mlp_fits.csv", "MBU_gemm_64", 1, func(i int) float64 { return v[i].MBU64 })
	equal("llm_inference_bench_fits.csv", "c_ms_per_seq_token", 1e3, func(i int) float64 { return a[i].Fit.C })
	equal("llm_inference_bench_fits.csv", "ms_per_out_token_b1", 1e3, func(i int) float64 { return a[i].Batch1Seconds })
	equal("llm_inference_bench_fits.csv", "n", 1, func(i int) float64 { return float64(a[i].Devices) })
}

// TestGPUsEqualSystemFiles compares the GPU table with the specifications that
// the operator times came with. Where the two differ, the note of the GPU says so,
// or it is rounding.
func TestGPUsEqualSystemFiles(t *testing.T) {
	root := filepath.Join(sharedData(t), "aiconfigurator")
	folders := map[string]string{"a100_sxm": "a100-80gb-sxm", "h100_sxm": "h100-sxm", "h200_sxm": "h200-sxm", "l40s": "l40s", "b200_sxm": "b200-sxm",
		"gb200": "gb200", "b300_sxm": "b300-sxm", "rtx_pro_6000_server": "rtx-pro-6000"}
	differ := map[string]float64{"b200-sxm mem_bw": 7.7e12, "b300-sxm mem_bw": 7.75e12}
	line := regexp.MustCompile(`(?m)^  (mem_bw|bfloat16_tc_flops|fp8_tc_flops|fp4_tc_flops|int8_tc_flops|power|intra_node_bw): ([0-9]+)`)
	for folder, id := range folders {
		raw, err := os.ReadFile(filepath.Join(root, folder, "system.yaml"))
		require.NoError(t, err)
		g, ok := profile.FindGPU(id)
		require.True(t, ok)
		ours := map[string]float64{"mem_bw": g.HBMBytesPerSec, "bfloat16_tc_flops": g.BF16FLOPsPerSec, "fp8_tc_flops": g.FP8FLOPsPerSec,
			"fp4_tc_flops": g.FP4FLOPsPerSec, "int8_tc_flops": g.INT8FLOPsPerSec, "power": g.PowerWatts, "intra_node_bw": g.LinkBytesPerSec}
		found := line.FindAllStringSubmatch(string(raw), -1)
		require.GreaterOrEqual(t, len(found), 5, id)
		for _, m := range found {
			theirs, err := strconv.ParseFloat(m[2], 64)
			require.NoError(t, err)
			if known, ok := differ[id+" "+m[1]]; ok {
				assert.Equal(t, known, theirs)
				assert.Contains(t, g.Notes, "aiconfigurator", "%s: the note says that sources differ", id)
				continue
			}
			assert.InEpsilon(t, theirs, ours[m[1]], 1e-3, "%s %s", id, m[1])
		}
	}
}
