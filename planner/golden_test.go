package planner_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The golden file was made by a program outside this project, in Python, partly
// checked by simulation. OPENLOOP_GOLDEN_DIR names another folder with a
// planner.json of the same form. The part of an id before the slash selects the
// formula; one that nothing here evaluates fails.

type goldenCase struct {
	ID     string                     `json:"id"`
	Inputs map[string]json.RawMessage `json:"inputs"`
	Expect map[string]json.RawMessage `json:"expect"`
}

type goldenFile struct {
	Format   int                        `json:"format"`
	Cases    []goldenCase               `json:"cases"`
	Defaults map[string]json.RawMessage `json:"plan_defaults"`
}

func loadGolden(t *testing.T) (g goldenFile, committed bool) {
	t.Helper()
	dir := os.Getenv("OPENLOOP_GOLDEN_DIR")
	committed = dir == ""
	if committed {
		dir = filepath.Join("testdata", "golden")
	}
	raw, err := os.ReadFile(filepath.Join(dir, "planner.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &g))
	require.Equal(t, 1, g.Format, "format of the golden file")
	return g, committed
}

// TestGoldenIsWhole: the committed copy is the shared one, where that is at hand.
func TestGoldenIsWhole(t *testing.T) {
	g, committed := loadGolden(t)
	seen := map[string]bool{}
	for _, c := range g.Cases {
		assert.False(t, seen[c.ID], "id %s stands twice", c.ID)
		seen[c.ID] = true
	}
	if committed {
		assert.Len(t, g.Cases, 59)
	}
	shared, err := os.ReadFile(given(t, "golden/planner.json"))
	require.NoError(t, err)
	own, err := os.ReadFile(filepath.Join("testdata", "golden", "planner.json"))
	require.NoError(t, err)
	assert.Equal(t, string(shared), string(own))
}

// golden is one case while it is evaluated: every input must be read and every
// expected value compared, or a formula was only half tested.
type golden struct {
	t        *testing.T
	c        goldenCase
	defaults map[string]json.RawMessage
	read     map[string]bool
	compared map[string]bool
}

func TestGoldenPlanner(t *testing.T) {
	g, _ := loadGolden(t)
	require.NotEmpty(t, g.Cases)
	for _, c := range g.Cases {
		t.Run(c.ID, func(t *testing.T) {
			// The longest prefix of the id that is known: some ids have a
			// formula of their own below the first part.
			evaluate := goldenFormula(c.ID)
			require.NotNil(t, evaluate, "no formula for this id")
			x := &golden{t, c, g.Defaults, map[string]bool{}, map[string]bool{}}
			evaluate(x)
			for name := range c.Inputs {
				assert.True(t, x.read[name], "input %s was not used", name)
			}
			for name := range c.Expect {
				assert.True(t, x.compared[name], "value %s was not compared", name)
			}
		})
	}
}

// goldenFormula finds the evaluation of an id by the longest key that begins it.
func goldenFormula(id string) func(*golden) {
	var found func(*golden)
	best := -1
	for key, f := range goldenFormulas {
		whole := id == key || strings.HasPrefix(id, key) && (strings.HasSuffix(key, "/") || strings.ContainsAny(id[len(key):len(key)+1], "/ ._"))
		if whole && len(key) > best {
			found, best = f, len(key)
		}
	}
	return found
}

func TestUnknownGoldenFails(t *testing.T) {
	for _, id := range []string{"planet/x", "pla", "queue2/erlang_c", "weather"} {
		assert.Nil(t, goldenFormula(id), id)
	}
	assert.NotNil(t, goldenFormula("plan/anything"))
}

func (x *golden) has(name string) bool {
	_, ok := x.c.Inputs[name]
	return ok
}

func (x *golden) get(name string, into any) {
	x.t.Helper()
	raw, ok := x.c.Inputs[name]
	if !ok {
		raw, ok = x.defaults[name]
	}
	x.read[name] = true
	require.True(x.t, ok, "no input %s", name)
	require.NoError(x.t, json.Unmarshal(raw, into), name)
}

func (x *golden) num(name string) (v float64)    { x.t.Helper(); x.get(name, &v); return v }
func (x *golden) nums(name string) (v []float64) { x.t.Helper(); x.get(name, &v); return v }
func (x *golden) int(name string) int            { x.t.Helper(); return int(x.num(name)) }
func (x *golden) text(name string) (v string)    { x.t.Helper(); x.get(name, &v); return v }
func (x *golden) flag(name string) (v bool)      { x.t.Helper(); x.get(name, &v); return v }

// or is an input that may be left out, of its own default.
func (x *golden) or(name string, otherwise float64) float64 {
	x.t.Helper()
	if _, given := x.defaults[name]; !given && !x.has(name) {
		return otherwise
	}
	return x.num(name)
}

// counts are compared exactly, everything else to 1e-6.
var goldenCounts = map[string]bool{
	"gpus": true, "replicas": true, "B_mem": true, "batch": true, "chunks": true, "chunk_tokens": true, "extra_tokens_read": true,
	"mla_elements": true, "mha_elements": true, "linear": true, "lm_head": true,
}

func (x *golden) want(name string, got float64) {
	x.t.Helper()
	raw, ok := x.c.Expect[name]
	require.True(x.t, ok, "nothing is expected of %s", name)
	x.compared[name] = true
	var want float64
	require.NoError(x.t, json.Unmarshal(raw, &want))
	if goldenCounts[name] && want == math.Trunc(want) {
		assert.Equal(x.t, want, got, name)
		return
	}
	close(x.t, want, got, name)
}

func (x *golden) wantText(name, got string) {
	x.t.Helper()
	var want string
	require.NoError(x.t, json.Unmarshal(x.c.Expect[name], &want))
	x.compared[name] = true
	assert.Equal(x.t, want, got, name)
}

func (x *golden) wantAll(name string, got []float64) {
	x.t.Helper()
	var want []float64
	require.NoError(x.t, json.Unmarshal(x.c.Expect[name], &want))
	x.compared[name] = true
	require.Len(x.t, got, len(want), name)
	for i := range want {
		close(x.t, want[i], got[i], name)
	}
}

// maybe compares a value that a case of this kind may or may not expect.
func (x *golden) maybe(name string, got float64) {
	x.t.Helper()
	if _, ok := x.c.Expect[name]; ok {
		x.want(name, got)
	}
}

func close(t *testing.T, want, got float64, name string) {
	t.Helper()
	const tolerance = 1e-6 // of the file
	if math.IsNaN(got) || math.Abs(got-want) > tolerance*math.Abs(want) {
		t.Errorf("%s = %v, want %v", name, got, want)
	}
}

// given is a file that lies beside the repository, or above it, on some machines
// only: a test that needs it is skipped elsewhere.
func given(t *testing.T, name string) string {
	t.Helper()
	for up := filepath.Join("..", ".."); len(up) < 30; up = filepath.Join(up, "..") {
		path := filepath.Join(up, "shared", name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skipf("%s is not on this machine", name)
	return ""
}
