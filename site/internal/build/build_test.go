package build

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/prose"
	"openloop/site/internal/fixture"
)

const glue = "../../../wasm/glue"

func put(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// options is a small site with the real glue and a module that is none: the
// build only carries it.
func options(t testing.TB) Options {
	root := t.TempDir()
	head := "---\ntitle: Powers\ndescription: About powers.\n---\n"
	put(t, root, "content/guide/01-powers.md", head+"\n## Start\n\nA [power]{.term}, $x^2$.\n\n:::demo powers\nA curve.\n:::\n")
	put(t, root, "content/glossary.md", head+"## power\nA product.\n\n## root\nThe reverse.\n")
	put(t, root, "bin/curves.wasm", "\x00asm\x01\x00\x00\x00")
	put(t, root, "bin/words.wasm", "\x00asm\x01\x00\x00\x00\x00\x02\x01x")
	put(t, root, "bin/scene.wasm", "\x00asm\x01\x00\x00\x00")
	put(t, root, "bin/wasm_exec.js", "globalThis.Go = class {}")
	put(t, root, "bin/licenses/go-LICENSE.txt", "Go")
	return Options{Root: root, Glue: glue, Modules: fixture.Modules(), Cache: shared}
}

// shared is a cache for the tests that are about something else.
var shared = filepath.Join(os.TempDir(), "openloop-build-test-"+strconv.Itoa(os.Getpid()))

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(shared)
	os.Exit(code)
}

func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(raw)
		return err
	}))
	return out
}

// TestTwoBuildsAreByteIdentical: in two places, with cold caches, and again
// with a warm one.
func TestTwoBuildsAreByteIdentical(t *testing.T) {
	a, b := options(t), options(t)
	a.Cache, b.Cache = t.TempDir(), t.TempDir()
	one, two := New(a), New(b)
	r, err := one.Build()
	require.NoError(t, err)
	assert.Equal(t, []string{`glossary: no page uses "root"`}, r.Warnings)
	assert.Empty(t, r.Idle)
	assert.Positive(t, r.Made)
	_, err = two.Build()
	require.NoError(t, err)
	first := tree(t, one.Out())
	assert.Equal(t, first, tree(t, two.Out()))
	assert.Len(t, first, r.Files)
	assert.Contains(t, first["licenses/echarts-NOTICE.txt"], "ECharts")
	assert.Contains(t, first, "assets/modules/curves.js")
	assert.Contains(t, first, "assets/modules/words.js")

	warm, err := New(one.o).Build()
	require.NoError(t, err)
	assert.Zero(t, warm.Made, "everything slow is in the cache")
	assert.Equal(t, first, tree(t, one.Out()))
}

// TestLastGoodSiteStays when a page is broken, and when a finished page is.
func TestLastGoodSiteStays(t *testing.T) {
	o := options(t)
	b := New(o)
	_, err := b.Build()
	require.NoError(t, err)
	good := tree(t, b.Out())
	for text, want := range map[string]string{
		"[gap]{.term}":          `guide/01-powers.md:5: the glossary has no "gap"`,
		"[x](../glossary.md#x)": "there is no #x in glossary.html",
	} {
		put(t, o.Root, "content/guide/01-powers.md", "---\ntitle: T\ndescription: D\n---\n"+text+"\n")
		_, err = b.Build()
		require.ErrorContains(t, err, want)
		assert.Equal(t, good, tree(t, b.Out()))
		left, err := filepath.Glob(filepath.Join(o.Root, ".site-*"))
		require.NoError(t, err)
		assert.Empty(t, left, "nothing is left behind")
	}
}

func TestIdleClaimsAreReported(t *testing.T) {
	o := options(t)
	o.Claims = []prose.Claim{{ID: "idle"}}
	r, err := New(o).Build()
	require.NoError(t, err)
	assert.Equal(t, []string{"idle"}, r.Idle)
	assert.Contains(t, r.Warnings, `content/prose: no page makes claim "idle"`)
}

// TestErrorsSayWhoseTheyAre: an author's mistakes are told from failures.
func TestErrorsSayWhoseTheyAre(t *testing.T) {
	var refused Refusal
	o := options(t)
	for _, name := range []string{"dist/index.html", "dist/assets/chart.js", "dist/assets/clock.js", "dist/assets/scene-engine.js", "dist/assets/demo.js", "dist/assets/search.js"} {
		put(t, o.Root, name, "<p></p>")
	}
	before := tree(t, o.Root+"/dist")
	assert.ErrorAs(t, Check(o.Root+"/dist"), &refused)
	assert.NotErrorAs(t, Check(o.Root+"/nowhere"), &refused)
	o.Wasm = "another"
	_, err := New(o).Build()
	require.ErrorAs(t, err, &refused)
	assert.ErrorContains(t, err, "run ./build.sh")
	o.Wasm = "4346ac0b776a5cf84543c39e7dec7c93c353794de3f4b5cb5a93bcc0ba66baa2" // of options
	_, err = New(o).Try()
	require.NoError(t, err)
	assert.Equal(t, before, tree(t, o.Root+"/dist"), "Try writes nothing")
	put(t, o.Root, "content/guide/01-powers.md", "[gap]{.term}")
	_, err = New(o).Build()
	assert.ErrorAs(t, err, &refused)
	o.Glue = o.Root
	_, err = New(o).Build()
	assert.Error(t, err)
	assert.NotErrorAs(t, err, &refused)
}

func TestMissingPartsNameTheCommand(t *testing.T) {
	o := options(t)
	require.NoError(t, os.Remove(filepath.Join(o.Root, "bin", "words.wasm")))
	_, err := New(o).Build()
	assert.ErrorContains(t, err, "./build.sh")
}

// BenchmarkOnePage is a build after one page was edited, everything else
// being in the cache: what `openloop serve` does while somebody writes.
func BenchmarkOnePage(b *testing.B) {
	o := options(b)
	builder := New(o)
	if _, err := builder.Build(); err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		put(b, o.Root, "content/guide/02-more.md", "---\ntitle: More\ndescription: D\n---\nEdit "+string(rune('a'+i%26))+".\n")
		if _, err := builder.Build(); err != nil {
			b.Fatal(err)
		}
	}
}
