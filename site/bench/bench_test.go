package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReads: lines of benchmarks, native, in WebAssembly and logged.
func TestReads(t *testing.T) {
	f := found{}
	for _, line := range []string{
		"goos: linux",
		"BenchmarkP8-2   \t      61\t  19087093 ns/op\t 523912 requests/s\t   0 B/op",
		"BenchmarkScale/1000-2  10 1.5e+06 ns/op 1500 ns/request",
		"BenchmarkScale/10000-2 10 1.5e+06 ns/op 1700 ns/request",
		"BenchmarkScaled-2 10 1 ns/op 9000 ns/request",
		"BenchmarkClusterPresets/storm 20 50000000 ns/op",
		"--- BENCH: BenchmarkSimInChromium",
		"ok  \topenloop/sim\t2.1s",
	} {
		f.read("native", line)
	}
	f.read("chromium", "        BenchmarkP8 \t 50\t 50000000 ns/op\t 200000 requests/s")
	assert.Equal(t, []float64{523912}, f.all("native", "BenchmarkP8", "requests/s"))
	assert.ElementsMatch(t, []float64{1500, 1700}, f.all("native", "BenchmarkScale", "ns/request"))
	assert.Equal(t, []float64{200000}, f.all("chromium", "BenchmarkP8", "requests/s"))
	assert.Equal(t, []float64{50000000}, f.all("native", clusterPreset, "ns/op"))
	says, ok := flat(f)
	assert.Equal(t, "1500 to 1700 ns, 13%", says)
	assert.True(t, ok)
}

// TestTable: what was not measured says so, and a budget can be missed.
func TestTable(t *testing.T) {
	line := func(f found, what string) string {
		for _, l := range strings.Split(table(f), "\n") {
			if strings.HasPrefix(l, what) {
				return strings.Join(strings.Fields(l[len(what):]), " ")
			}
		}
		return "no such row"
	}
	const p8 = "p8: 10,000 requests on one replica, native"
	assert.Equal(t, ">= 500,000 requests/s not measured", line(found{}, p8))
	assert.Equal(t, ">= 500,000 requests/s 499,999 MISSED", line(found{"native BenchmarkP8 requests/s": 499_999}, p8))
	assert.Equal(t, ">= 500,000 requests/s 500,000 met", line(found{"native BenchmarkP8 requests/s": 500_000}, p8))
	assert.Equal(t, "0 0 met", line(found{"build differing files": 0}, "files that two builds of the same sources make otherwise"))
	assert.Equal(t, "0 1 MISSED", line(found{"build differing files": 1}, "files that two builds of the same sources make otherwise"))
	assert.Equal(t, "<= 12 min 13.5 min MISSED", line(found{"kept test s": 810}, "./build.sh test, last time here"))
}

// TestKept: every score has a number, and the time of the tests is read.
func TestKept(t *testing.T) {
	root := t.TempDir()
	f := found{}
	kept(root, f)
	for _, key := range []string{"kept diagnosis-right %", "kept dense %", "kept dense-left-out %", "kept experts %"} {
		assert.Positive(t, f[key], key)
	}
	assert.Contains(t, f, "kept diagnosis-alarms %")
	assert.NotContains(t, f, "kept test s")
	require.NoError(t, os.Mkdir(filepath.Join(root, ".cache"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, ".cache", "test-seconds"), []byte("612\n"), 0o644))
	kept(root, f)
	assert.InDelta(t, 612, f["kept test s"], 0)
}

// TestWeigh: the files that have a budget are told apart, and the largest counts.
func TestWeigh(t *testing.T) {
	dist := t.TempDir()
	for _, name := range []string{"index.html", "large.html", "assets/chart.js", "assets/clock.js", "assets/scene-engine.js", "assets/demo.js", "assets/search.js", "assets/modules/a.js"} {
		path := filepath.Join(dist, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte("<p>"+name+"</p>"), 0o644))
	}
	f := found{}
	require.NoError(t, weigh(dist, f))
	assert.Len(t, f, 4)
	assert.Greater(t, f["size scene bytes"], f["size charts bytes"], "a longer name")
	assert.Positive(t, f["size page bytes"])
	assert.Positive(t, f["size modules bytes"])
}

// TestDiffering: a file that differs, one that is missing, one that is new.
func TestDiffering(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{a + "/same": "1", b + "/same": "1", a + "/other": "1", b + "/other": "2", a + "/gone": "", b + "/new": ""} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	names, err := differing(a, b)
	require.NoError(t, err)
	assert.Equal(t, []string{"gone", "new", "other"}, names)
}

// TestSources: what was made is left behind, and what npm installed is linked to.
func TestSources(t *testing.T) {
	root, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	for _, name := range []string{"build.sh", "bin/x.wasm", "dist/index.html", ".cache/x", "wasm/glue/package.json", "wasm/glue/node_modules/x/x.js", "wasm/glue/lighthouse/node_modules/y.js"} {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(name), 0o755))
	}
	require.NoError(t, sources(root, to))
	for name, there := range map[string]bool{"build.sh": true, "wasm/glue/package.json": true, "wasm/glue/node_modules/x/x.js": true, "bin": false, "dist": false, ".cache": false, "wasm/glue/lighthouse/node_modules": false} {
		_, err := os.Stat(filepath.Join(to, name))
		assert.Equal(t, there, err == nil, name)
	}
	info, err := os.Stat(filepath.Join(to, "build.sh"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o755), info.Mode().Perm())
}
