package dataset

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What an entry says that it is used for is held against the sources: a number that
// comes from a data set has a citation that names it.

// naming are the files that name a data set: by its repository anywhere, by its id
// in the packages that know ids of data sets (elsewhere the same word is a claim's).
func naming(sources map[string]string, e *Entry) []string {
	var out []string
	for path, text := range sources {
		byID := strings.HasPrefix(path, "planner/profile/") || strings.HasPrefix(path, "content/data/")
		if e.Repository != "" && strings.Contains(text, e.Repository) || byID && strings.Contains(text, `"`+e.ID+`"`) {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

// sourceTexts are the Go files that are no tests, this package's apart, and the
// chapters.
func sourceTexts(t *testing.T) map[string]string {
	t.Helper()
	root := "../../.."
	out := map[string]string{}
	for _, top := range []string{"planner", "sim", "content", "site", "wasm"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name, _ := filepath.Rel(root, path)
			name = filepath.ToSlash(name)
			if d.IsDir() {
				if d.Name() == "node_modules" || d.Name() == "testdata" || name == "planner/profile/dataset" {
					return fs.SkipDir
				}
				return nil
			}
			text := strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "content/guide/")
			if !text {
				return nil
			}
			raw, err := os.ReadFile(path)
			out[name] = string(raw)
			return err
		}))
	}
	return out
}

// TestUseIsTrue: what says that it is used is named somewhere; what says that it is
// not is named nowhere.
func TestUseIsTrue(t *testing.T) {
	sources := sourceTexts(t)
	require.Greater(t, len(sources), 400)
	unused := 0
	for _, e := range Entries() {
		by := naming(sources, &e)
		if !strings.HasPrefix(e.Use, Unused) {
			assert.NotEmpty(t, by, "%s is used, it says, yet no source names it", e.ID)
			continue
		}
		unused++
		assert.Empty(t, by, "%s is not used, it says, yet these name it", e.ID)
		assert.Greater(t, len(e.Use), len(Unused)+10, "%s: why not?", e.ID)
	}
	assert.Less(t, unused, len(Entries())/2, "most data sets are there to be used")
}

// TestNamingFinds: the law above can fail either way.
func TestNamingFinds(t *testing.T) {
	sources := map[string]string{
		"planner/a.go":         `x = "somebody/times: file.csv"`,
		"content/prose/b.go":   `{"steps", "A claim."}`,
		"content/data/c.go":    `extras["steps"]`,
		"planner/profile/d.go": `Dataset: "stepsize"`,
	}
	assert.Equal(t, []string{"content/data/c.go", "planner/a.go"}, naming(sources, &Entry{ID: "steps", Repository: "somebody/times"}))
	assert.Empty(t, naming(sources, &Entry{ID: "step", Repository: "somebody/else"}))
	assert.Empty(t, naming(sources, &Entry{ID: "step"}))
}
