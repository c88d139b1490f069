package tables

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fitFile reads a file of fits and looks at its hash, which is the one that
// the folder of the fits states.
func fitFile(t *testing.T, name, sum string) []map[string]string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	got := sha256.Sum256(raw)
	require.Equal(t, sum, hex.EncodeToString(got[:]))
	rows, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
	require.NoError(t, err)
	var out []map[string]string
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, name := range rows[0] {
			m[name] = row[i]
		}
		out = append(out, m)
	}
	return out
}

func pick(t *testing.T, rows []map[string]string, want map[string]string) map[string]string {
	t.Helper()
	var found []map[string]string
rows:
	for _, r := range rows {
		for k, v := range want {
			if r[k] != v {
				continue rows
			}
		}
		found = append(found, r)
	}
	require.Len(t, found, 1)
	return found[0]
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return x
}

// TestServerFit: the constants are those of the files.
func TestServerFit(t *testing.T) {
	k, o := ServerFit()
	row := pick(t, fitFile(t, "aiconfigurator_composed_fits.csv", "df692ef562d4667086a5f4f943f6e85eb1fd88cc479cc0282c87bfc184cd40cc"),
		map[string]string{"gpu": k.GPU, "model": k.Model, "dtype": "bfloat16", "tp": "1"})
	for i, name := range []string{"a", "b", "c"} {
		assert.Equal(t, number(t, row["prefill_"+name+"_ms"]), k.Prefill[i])
		assert.Equal(t, number(t, row["decode_"+name+"_ms"]), k.Decode[i])
	}
	assert.Equal(t, number(t, row["prefill_MAPE"]), k.PrefillError)
	assert.Equal(t, number(t, row["decode_MAPE"]), k.DecodeError)

	row = pick(t, fitFile(t, "engine_overhead_crosscheck.csv", "9663b80a7c74b5689fa1a59b41d8004e3980a21cc86fd74fab75d7a37fd0b399"),
		map[string]string{"gpu": k.GPU, "model": k.Model, "engine": "vLLM", "tp": "1"})
	assert.Equal(t, number(t, row["points"]), float64(o.Batches))
	assert.Equal(t, number(t, row["overhead_ms_per_step_median"]), o.MedianMs)
	assert.Equal(t, number(t, row["MAPE_after_overhead_pct"]), o.ErrorAfter)
}

// TestFitsAreTheSharedOnes: the copies are those that this project derived.
func TestFitsAreTheSharedOnes(t *testing.T) {
	for _, name := range []string{"aiconfigurator_composed_fits.csv", "engine_overhead_crosscheck.csv"} {
		want, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", "derived_fits", name))
		if err != nil {
			t.Skip("the folder of the fits is not there: ", err)
		}
		got, err := os.ReadFile(filepath.Join("testdata", name))
		require.NoError(t, err)
		assert.True(t, bytes.Equal(want, got), name)
	}
}
