package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/site/internal/build"
	"openloop/site/internal/fixture"
	"openloop/site/internal/serve"
)

// folder is a repository with these files, each one executable.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o755))
	}
	return root
}

// TestFailuresAreNotBadUse: exit code 1 is ours or the machine's.
func TestFailuresAreNotBadUse(t *testing.T) {
	code, _, msg := call("", "build", "-root", folder(t, map[string]string{"go.mod": "module openloop\n"}))
	assert.Equal(t, exitInternal, code, msg)
	assert.Contains(t, msg, "./build.sh")

	broken := &demo.Demo{ID: "broken", Version: 1, Start: func(demo.Values, uint32) (demo.Task, error) { panic("out of hand") }}
	var out, err bytes.Buffer
	code = run(app{modules: []demo.Module{{Name: "x", Demos: []*demo.Demo{broken}}}, out: &out, err: &err}, []string{"run", "broken"})
	assert.Equal(t, exitInternal, code)
	assert.Contains(t, err.String(), "panic: out of hand")
}

// TestCheckLooksAtWhatIsThere: it builds nothing.
func TestCheckLooksAtWhatIsThere(t *testing.T) {
	page := `<html lang="en"><head></head><body><h1>T</h1><a href="gone.html">x</a></body></html>`
	root := folder(t, map[string]string{"dist/index.html": page, "dist/assets/chart.js": "", "dist/assets/clock.js": "", "dist/assets/scene-engine.js": "", "dist/assets/demo.js": "", "dist/assets/search.js": ""})
	code, _, msg := call("", "check", "-root", root)
	assert.Equal(t, exitUsage, code, msg)
	assert.Contains(t, msg, "there is no gone.html")
	raw, err := os.ReadFile(filepath.Join(root, "dist/index.html"))
	require.NoError(t, err)
	assert.Equal(t, page, string(raw))
}

// TestOldProcessBuildsNothing: once the sources have changed, the demos in
// this process are not those of the site.
func TestOldProcessBuildsNothing(t *testing.T) {
	root := folder(t, map[string]string{
		"build.sh":     "#!/bin/sh\necho all\ntest -e good\n",
		"bin/openloop": "#!/bin/sh\necho pages\n",
	})
	var log bytes.Buffer
	r := &rebuilder{app: app{out: &log, err: &log}, b: build.New(build.Options{Root: root, Modules: fixture.Modules()}), root: root}
	rebuilt := func(k serve.Kind) string {
		log.Reset()
		r.rebuild([]string{"x"}, k)
		return log.String()
	}
	assert.Contains(t, rebuilt(serve.Content), "reading a module")
	assert.Contains(t, rebuilt(serve.Sources), "all\nopenloop: ./build.sh build: exit status 1\nthe last good site is still served")
	assert.Contains(t, rebuilt(serve.Content), "all\nopenloop: ")
	require.NoError(t, os.WriteFile(filepath.Join(root, "good"), nil, 0o644))
	assert.Equal(t, "changed: x\nall\n", rebuilt(serve.Content))
	assert.Equal(t, "changed: x\npages\n", rebuilt(serve.Content))
}
