package script

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func library(t *testing.T, src, glue string) *Library {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "lib.js"), []byte(src), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"version":"1.2.3"}`), 0o644))
	return New(dir, "lib.js", glue)
}

func TestCall(t *testing.T) {
	l := library(t, `var n = 0; global.twice = function (s) { n++; return s + s + n }; setTimeout(function () { n = 100 }, 0)`,
		`function call(s) { return twice(s) }`)
	for _, want := range []string{"abab1", "abab2"} { // loaded once: n counts on
		got, err := l.Call("call", "ab")
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	v, err := l.Version()
	require.NoError(t, err)
	assert.Equal(t, "1.2.3", v)
}

func TestCallReportsWhatIsThrown(t *testing.T) {
	l := library(t, ``, `function call() { throw new Error("bad formula") }`)
	_, err := l.Call("call")
	assert.ErrorContains(t, err, "bad formula")
	_, err = l.Call("other")
	assert.ErrorContains(t, err, "no function other")
}

func TestMissingPackage(t *testing.T) {
	l := New(filepath.Join(t.TempDir(), "echarts"), "echarts.js", "")
	_, err := l.Call("x")
	assert.ErrorContains(t, err, "npm ci")
	_, err = l.Version()
	assert.ErrorContains(t, err, "npm ci")
}
