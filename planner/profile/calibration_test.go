package profile

import (
	"encoding/csv"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestGeneratedFilesAreCurrent writes the tables of coefficients again, from
// the copies of the fits, and compares bytes.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	if testing.Short() || runtime.GOOS == "js" {
		t.Skip("compiles a program")
	}
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, "dataset"), 0o755))
	out, err := exec.Command("go", "run", "generate.go", folder).CombinedOutput()
	require.NoError(t, err, string(out))
	for _, name := range []string{"composed", "layered", "overhead", "dataset/splitwise", "dataset/vidur", "dataset/argonne"} {
		want, err := os.ReadFile(filepath.Join(folder, name+".gen.go"))
		require.NoError(t, err)
		got, err := os.ReadFile(name + ".gen.go")
		require.NoError(t, err)
		assert.Equal(t, string(want), string(got), "go run generate.go")
	}
}

func fits(t *testing.T, name string) []map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata/derived_fits", name))
	require.NoError(t, err)
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	var rows []map[string]string
	for _, record := range records[1:] {
		r := map[string]string{}
		for i, column := range records[0] {
			r[column] = record[i]
		}
		rows = append(rows, r)
	}
	return rows
}

func parse(t *testing.T, text string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return f
}

// TestComposedEqualsTable reads the table with code of its own, units and all.
func TestComposedEqualsTable(t *testing.T) {
	rows := fits(t, "aiconfigurator_composed_fits.csv")
	require.Len(t, composed, len(rows))
	require.Len(t, composed, 103)
	for i, r := range rows {
		c := Calibrations()[i]
		for _, x := range []struct {
			got   float64
			name  string
			scale float64
		}{
			{c.Prefill.A, "prefill_a_ms", 1e3}, {c.Prefill.B, "prefill_b_ms", 1e3}, {c.Prefill.C, "prefill_c_ms", 1e3},
			{c.Decode.A, "decode_a_ms", 1e3}, {c.Decode.B, "decode_b_ms", 1e3}, {c.Decode.C, "decode_c_ms", 1e3},
			{c.Prefill.R2, "prefill_R2", 1}, {c.Decode.R2, "decode_R2", 1}, {c.Prefill.MAPEFrac, "prefill_MAPE", 100}, {c.Decode.MAPEFrac, "decode_MAPE", 100},
			{float64(c.Prefill.Points), "n_prefill", 1}, {float64(c.Decode.Points), "n_decode", 1}, {float64(c.TP), "tp", 1}, {float64(c.KVCapacityTokens), "kv_capacity_tokens", 1},
		} {
			assert.InDelta(t, parse(t, r[x.name]), x.got*x.scale, 1e-12*math.Abs(x.got*x.scale), "row %d %s", i, x.name)
		}
		assert.Equal(t, []string{r["engine"], r["model"], r["dtype"]}, []string{c.Engine, c.ModelID, map[DType]string{BF16: "bfloat16", FP8: "fp8"}[c.Weights]})
	}
}

// TestCalibrationsAreLegal: of GPUs and models that exist, once each within a
// source, with coefficients that a clock could have given.
func TestCalibrationsAreLegal(t *testing.T) {
	type key struct {
		gpu, model, dataset string
		w                   DType
		tp                  int
	}
	seen := map[key]bool{}
	for _, c := range Calibrations() {
		g, ok := FindGPU(c.GPUID)
		require.True(t, ok, c.GPUID)
		m, ok := FindModel(c.ModelID)
		require.True(t, ok, c.ModelID)
		k := key{c.GPUID, c.ModelID, c.Dataset, c.Weights, c.TP}
		assert.False(t, seen[k], "%v", k)
		seen[k] = true
		for _, f := range []Fit{c.Prefill, c.Decode} {
			assert.True(t, f.A > 0 && f.B >= 0 && f.C >= 0 && f.MAPEFrac >= 0 && f.R2 <= 1, "%v", c)
			assert.Positive(t, f.Points)
		}
		assert.Equal(t, Measured, c.Origin)
		assert.NotEmpty(t, c.Caveats.Words(), "no measurement is without limits")
		if c.KVCapacityTokens > 0 { // the rule that the field states
			memory := float64(g.MemoryBytes)
			if g.ID == "b300-sxm" {
				memory = 270e9
			}
			free := 0.9*float64(c.TP)*memory - m.WeightBytes(c.Weights.Bytes())
			assert.InEpsilon(t, free/m.KVBytes(1, 2), c.KVCapacityTokens, 2e-3)
		}
	}
	assert.Len(t, seen, 108)
}

// TestNothingBeatsTheRoofline: no row is faster than the part could be.
func TestNothingBeatsTheRoofline(t *testing.T) {
	for _, c := range Calibrations() {
		g, _ := FindGPU(c.GPUID)
		m, _ := FindModel(c.ModelID)
		peak, ok := g.PeakFLOPsPerSec(c.Weights)
		require.True(t, ok)
		tp := float64(c.TP)
		for _, n := range []float64{512, 2048, 8192} {
			share := m.PrefillFLOPs(n, 0) / (tp * peak) / c.PrefillSeconds(n, 0)
			if c.Caveats&AbovePeak == 0 {
				assert.Less(t, share, 1.0, "%+v", c)
			} else if n == 2048 {
				assert.True(t, share > 1 && share < 1.08, "%g: the caveat is true and says how much", share)
			}
		}
		bytes := m.StepWeightBytes(1, c.Weights.Bytes()) + m.KVBytes(1024, 2)
		assert.Greater(t, c.DecodeSeconds(1, 1024), bytes/(tp*g.HBMBytesPerSec), "%+v", c)
	}
}

// TestIndependentSourcesAgree: the same card and model, timed by two groups
// with different tools.
func TestIndependentSourcesAgree(t *testing.T) {
	for _, model := range []string{"llama-3.1-8b", "qwen3-32b"} {
		var a, b Calibration
		for _, c := range Calibrations() {
			if c.GPUID == "rtx-pro-6000" && c.ModelID == model && c.TP == 1 && c.Weights == BF16 {
				if c.Dataset == "aiconfigurator" {
					a = c
				} else {
					b = c
				}
			}
		}
		require.NotZero(t, a.TP)
		require.NotZero(t, b.TP)
		for _, batch := range []float64{1, 16, 64} {
			assert.InEpsilon(t, a.DecodeSeconds(batch, batch*1024), b.DecodeSeconds(batch, batch*1024), 0.08, "%s batch %g", model, batch)
		}
		assert.InEpsilon(t, a.PrefillSeconds(1024, 0), b.PrefillSeconds(1024, 0), 0.2)
	}
}

func TestCachedTokensCostAttention(t *testing.T) {
	c, ok := Calibrated("h100-sxm", "llama-3.1-70b", BF16, 4)
	require.True(t, ok)
	assert.InDelta(t, c.PrefillSeconds(3000, 0), c.PrefillSeconds(1000, 0)+c.PrefillSeconds(2000, 1000)-c.Prefill.A, 1e-12, "a prompt in two parts, but for the second start")
	assert.Greater(t, c.PrefillSeconds(1000, 1000), c.PrefillSeconds(1000, 0))
}

func TestCaveats(t *testing.T) {
	for _, tp := range []int{4, 8} {
		c, ok := Calibrated("l40s", "llama-3.1-70b", BF16, tp)
		require.True(t, ok)
		assert.NotZero(t, c.Caveats&SlowNode)
		assert.False(t, c.Usable())
	}
	c, _ := Calibrated("l40s", "llama-3.1-8b", BF16, 1)
	assert.True(t, c.Usable())
	c, _ = Calibrated("rtx-pro-6000", "llama-3.1-70b", FP8, 1)
	assert.NotZero(t, c.Caveats&NoKVTerm)
	assert.False(t, c.Usable(), "its points say nothing of KV")
	unusable := 0
	for _, c := range Calibrations() {
		if !c.Usable() {
			unusable++
		}
	}
	assert.Equal(t, 4+1+2, unusable, "L40S with 4 and 8, one without KV, two without all-reduce")
	assert.Len(t, (KernelsOnly | SlowNode | NoAllReduce | NoKVTerm | LooseDecode | LoosePrefill | SlowAllReduce | AbovePeak).Words(), len(caveatWords))
}

func TestOverheads(t *testing.T) {
	rows := fits(t, "engine_overhead_crosscheck.csv")
	require.Len(t, Overheads(), len(rows))
	for _, o := range Overheads() {
		got, ok := Overhead(o.GPUID, o.ModelID, o.Engine, o.TP)
		require.True(t, ok)
		assert.Equal(t, o, got)
		assert.Less(t, o.MAPEAfterFrac, o.MAPEKernelsFrac, "one number a step helps")
		assert.True(t, o.MeasuredOverKernels > 1 && o.StepSeconds > o.StepSecondsBatch1)
		c, ok := Calibrated(o.GPUID, o.ModelID, BF16, o.TP)
		require.True(t, ok, "an overhead is over something")
		assert.Less(t, o.StepSeconds, 2*c.DecodeSeconds(1, 1024))
	}
	_, ok := Overhead("h100-sxm", "llama-3.1-8b", "SGLang", 1)
	assert.False(t, ok)
}

// TestLayeredAndOverheadsEqualTables is TestComposedEqualsTable for the others.
func TestLayeredAndOverheadsEqualTables(t *testing.T) {
	rows := fits(t, "llmservingsim_fits.csv")
	require.Len(t, layered, len(rows))
	for i, r := range rows {
		c := layered[i]
		want := []float64{parse(t, r["prefill_a"]), parse(t, r["b"]), parse(t, r["c"]) / 2, parse(t, r["dec_a"]), parse(t, r["dec_b"]), parse(t, r["dec_c"])}
		for k, got := range c.coefficients() {
			assert.InEpsilon(t, want[k], got*1e3, 1e-12, "row %d", i)
		}
		assert.Equal(t, []string{r["engine"], r["model"], r["tp"]}, []string{c.Engine, c.ModelID, strconv.Itoa(c.TP)})
	}
	for i, r := range fits(t, "engine_overhead_crosscheck.csv") {
		o := overheads[i]
		assert.InEpsilon(t, parse(t, r["overhead_ms_per_step_median"]), o.StepSeconds*1e3, 1e-12)
		assert.InEpsilon(t, parse(t, r["overhead_ms_batch1"]), o.StepSecondsBatch1*1e3, 1e-12)
		assert.InEpsilon(t, parse(t, r["measured_over_kernel_median"]), o.MeasuredOverKernels, 1e-12)
		assert.InEpsilon(t, parse(t, r["kernel_only_MAPE_pct"]), o.MAPEKernelsFrac*100, 1e-12)
		assert.InEpsilon(t, parse(t, r["MAPE_after_overhead_pct"]), o.MAPEAfterFrac*100, 1e-12)
		assert.Equal(t, []string{r["engine"], r["model"], r["tp"], r["points"]}, []string{o.Engine, o.ModelID, strconv.Itoa(o.TP), strconv.Itoa(o.Points)})
	}
}
