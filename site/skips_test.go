package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the ordinary test leaves out in node is named in build.sh; a name that is
// wrong or old leaves out nothing, and nobody would notice.

var (
	namedTest  = regexp.MustCompile(`Test\w+`)
	testHeader = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
)

func TestSkippedInNodeAreThere(t *testing.T) {
	_, script, found := strings.Cut(document(t, "build.sh"), "\nin_node() {")
	require.True(t, found)
	script, _, _ = strings.Cut(script, "\n}")
	skipped := namedTest.FindAllString(script, -1)
	require.Greater(t, len(skipped), 10)
	var there []string
	for _, tree := range []string{"numerics", "sim", "planner", "content/demo", "wasm/internal"} {
		require.NoError(t, filepath.WalkDir(filepath.Join("..", tree), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			raw, err := os.ReadFile(path)
			for _, m := range testHeader.FindAllSubmatch(raw, -1) {
				there = append(there, string(m[1]))
			}
			return err
		}))
	}
	slices.Sort(there)
	for _, name := range skipped {
		_, ok := slices.BinarySearch(there, name)
		assert.True(t, ok, "build.sh leaves out %s, which no pure package has", name)
	}
}
