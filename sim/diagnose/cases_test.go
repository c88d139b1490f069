package diagnose_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/sim/diagnose"
	"openloop/sim/scrape"
)

// The cases: folders m-* with what somebody pasted and which failure it shows.
// OPENLOOP_CASES_DIR names another folder with such folders; those used
// otherwise are the copy that package scrape keeps.
func TestCaseVerdicts(t *testing.T) {
	dir := os.Getenv("OPENLOOP_CASES_DIR")
	if dir == "" {
		dir = filepath.Join("..", "scrape", "testdata", "cases")
	}
	folders, err := filepath.Glob(filepath.Join(dir, "m-*"))
	require.NoError(t, err)
	require.NotEmpty(t, folders, "no m-* folder in %s", dir)
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			want := caseWants(t, folder)
			got := diagnose.Read(caseWindows(t, folder))
			verdict := got.Verdict
			if got.Also != "" {
				verdict += "+" + got.Also
			}
			assert.Contains(t, want.verdicts, verdict, "second %s\nreasons %+v", got.Second, got.Reasons)
			if verdict == want.verdicts[0] {
				assert.Equal(t, want.remedy, got.Remedy.ID)
			}
		})
	}
}

// better is a remedy that was named otherwise when the cases were written: the
// table of remedies (content/tables) found that headroom at admission leaves a
// server that is short of blocks worse off.
var better = map[string]string{"admission_headroom": "give_blocks_back"}

type caseWant struct {
	verdicts []string // the first is the failure, the others are right too
	remedy   string
}

func caseWants(t *testing.T, folder string) caseWant {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(folder, "expected.json"))
	require.NoError(t, err)
	var keys []struct {
		Key   string          `json:"key"`
		Value json.RawMessage `json:"value"`
	}
	require.NoError(t, json.Unmarshal(raw, &keys))
	var w caseWant
	var failure string
	for _, k := range keys {
		switch k.Key {
		case "failure":
			require.NoError(t, json.Unmarshal(k.Value, &failure))
		case "also_acceptable":
			require.NoError(t, json.Unmarshal(k.Value, &w.verdicts))
		case "remedy":
			require.NoError(t, json.Unmarshal(k.Value, &w.remedy))
			if now, ok := better[w.remedy]; ok {
				w.remedy = now
			}
		}
	}
	w.verdicts = append([]string{failure}, w.verdicts...)
	require.NotEmpty(t, failure)
	return w
}

func caseInput(t testing.TB, folder string) scrape.Input {
	t.Helper()
	text := func(name string) string {
		raw, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return ""
		}
		return string(raw)
	}
	in := scrape.Input{First: text("scrape-1.txt"), Second: text("scrape-2.txt")}
	if in.First == "" {
		in.First = text("scrape.txt") + text("server.log")
	}
	var meta struct {
		Seconds *float64 `json:"seconds_between"`
	}
	if raw := text("meta.json"); raw != "" {
		require.NoError(t, json.Unmarshal([]byte(raw), &meta))
	}
	if meta.Seconds != nil {
		in.Seconds = *meta.Seconds
	}
	return in
}
