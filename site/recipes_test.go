package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
	"openloop/site/internal/bundle"
	"openloop/site/internal/cache"
	"openloop/site/internal/chart"
	"openloop/site/internal/check"
	"openloop/site/internal/engine"
	"openloop/site/internal/page"
	"openloop/site/internal/tex"
)

// The recipes of CONTRIBUTING.md are followed to the letter: their blocks are
// put where they say, their commands are run. Those of text alone always, the
// whole lot in a copy of the sources only in the long test.

// recipe is one section under Recipes.
type recipe struct {
	name   string
	blocks []block
	shell  []string // commands
}

// block is a new file, or lines for one after the line that has some words.
type block struct{ path, after, text string }

var (
	recipeHead  = regexp.MustCompile(`(?m)^### (.+)$`)
	recipeBlock = regexp.MustCompile("(?ms)^```([a-z]+)(?: (\\S+)(?: after ([^\\n]+))?)?\\n(.*?)^```$")
)

func recipes(t *testing.T) []recipe {
	t.Helper()
	raw, err := os.ReadFile("../CONTRIBUTING.md")
	require.NoError(t, err)
	_, text, ok := strings.Cut(string(raw), "\n## Recipes\n")
	require.True(t, ok)
	text, _, _ = strings.Cut(text, "\n## Rules")
	heads := recipeHead.FindAllStringSubmatchIndex(text, -1)
	var out []recipe
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		r := recipe{name: text[h[2]:h[3]]}
		for _, m := range recipeBlock.FindAllStringSubmatch(text[h[1]:end], -1) {
			if m[1] == "sh" {
				r.shell = append(r.shell, m[4])
				continue
			}
			require.NotEmpty(t, m[2], "%s: a block without a path", r.name)
			r.blocks = append(r.blocks, block{m[2], m[3], m[4]})
		}
		require.NotEmpty(t, r.blocks, r.name)
		require.NotEmpty(t, r.shell, "%s names no check", r.name)
		out = append(out, r)
	}
	require.GreaterOrEqual(t, len(out), 4)
	return out
}

// put is a file with a block in it.
func (b block) put(old []byte, exists bool) ([]byte, error) {
	if b.after == "" {
		if exists {
			return nil, fmt.Errorf("%s is there already", b.path)
		}
		return []byte(b.text), nil
	}
	text := string(old)
	at := strings.Index(text, b.after)
	if at < 0 {
		return nil, fmt.Errorf("%s has no line with %q", b.path, b.after)
	}
	end := strings.IndexByte(text[at:], '\n')
	if end < 0 {
		return nil, fmt.Errorf("%s: the line with %q does not end", b.path, b.after)
	}
	at += end + 1
	return []byte(text[:at] + b.text + text[at:]), nil
}

// rendered is the pages of a recipe of text, among the glossary and a home page,
// as the build makes and checks them.
func rendered(t *testing.T, blocks []block) (problems []string) {
	t.Helper()
	content := fstest.MapFS{"guide/00-home.md": {Data: []byte("---\ntitle: Home\ndescription: d\n---\n\n## What you can do here\n\n[Tides](94-tides.md)\n")}}
	for _, name := range []string{"glossary.md", "moved.txt"} {
		raw, err := os.ReadFile(filepath.Join("../content", name))
		require.NoError(t, err)
		content[name] = &fstest.MapFile{Data: raw}
	}
	var moved []string // of the pages that are here, the line that the recipe follows
	for _, line := range strings.Split(string(content["moved.txt"].Data), "\n") {
		if !strings.HasPrefix(line, "index.html#") || strings.HasSuffix(line, "index.html#what-you-can-do-here") {
			moved = append(moved, line)
		}
	}
	content["moved.txt"].Data = []byte(strings.Join(moved, "\n"))
	for _, b := range blocks {
		name := strings.TrimPrefix(b.path, "content/")
		old, exists := content[name]
		if !exists {
			old = &fstest.MapFile{}
		}
		raw, err := b.put(old.Data, exists)
		require.NoError(t, err)
		content[name] = &fstest.MapFile{Data: raw}
	}
	store := cache.Open("")
	d, ok := catalog.Find("three-numbers") // which the recipe quotes
	require.True(t, ok)
	out, err := page.Render(page.Input{
		Content: content, Engine: engine.New([]demo.Module{{Name: "float", Demos: []*demo.Demo{d}}}, store, nil), Store: store,
		Charts: chart.NewRenderer("../wasm/glue/node_modules", bundle.Drawing("../wasm/glue"), store), Math: tex.NewSetter("../wasm/glue/node_modules", store),
	})
	if err != nil {
		return []string{err.Error()}
	}
	site := fstest.MapFS{}
	for name, raw := range out.Files {
		site[name] = &fstest.MapFile{Data: raw}
	}
	found, err := check.Site(site)
	require.NoError(t, err)
	for _, p := range found {
		if !strings.Contains(p, ".js") { // no script is bundled here
			problems = append(problems, p)
		}
	}
	return problems
}

// TestRecipeOfText: the recipe for a chapter gives pages without a fault, and
// whichever part is left out, the build says so.
func TestRecipeOfText(t *testing.T) {
	var n int
	for _, r := range recipes(t) {
		if strings.Contains(fmt.Sprint(r.blocks), ".go ") {
			continue
		}
		if n++; n > 1 {
			t.Fatal("only the first recipe is of text alone")
		}
		assert.Empty(t, rendered(t, r.blocks))
		for i := range r.blocks[:len(r.blocks)-1] { // an old address is missed by the list of those that were published
			rest := append(append([]block{}, r.blocks[:i]...), r.blocks[i+1:]...)
			assert.NotEmpty(t, rendered(t, rest), "%s: %s is missing and nobody says so", r.name, r.blocks[i].path)
		}
	}
	assert.Equal(t, 1, n)
}

// copied is a copy of the sources, without what is built.
func copied(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	out, err := exec.Command("git", "-C", "..", "ls-files", "-z").Output()
	if err != nil {
		t.Skip("the sources are in no repository: ", err)
	}
	for _, name := range strings.Split(strings.Trim(string(out), "\x00"), "\x00") {
		from, to := filepath.Join("..", name), filepath.Join(dir, name)
		info, err := os.Stat(from)
		if err != nil {
			continue // deleted here and not yet committed
		}
		raw, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		require.NoError(t, os.WriteFile(to, raw, info.Mode().Perm()))
	}
	modules, err := filepath.Abs("../wasm/glue/node_modules")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(modules, filepath.Join(dir, "wasm/glue/node_modules")))
	return dir
}

// TestRecipes follows every recipe in a copy of the sources and runs its
// commands. Those of bin/openloop are for a built site and stay out.
func TestRecipes(t *testing.T) {
	if os.Getenv("OPENLOOP_LONG") == "" {
		t.Skip("the recipes of CONTRIBUTING.md are tried with OPENLOOP_LONG=1: each compiles everything anew")
	}
	dir := copied(t)
	all := recipes(t)
	for _, r := range all {
		for _, b := range r.blocks {
			name := filepath.Join(dir, filepath.FromSlash(b.path))
			old, err := os.ReadFile(name)
			if err != nil {
				require.ErrorIs(t, err, fs.ErrNotExist)
			}
			raw, err := b.put(old, err == nil)
			require.NoError(t, err, r.name)
			require.NoError(t, os.WriteFile(name, raw, 0o644))
		}
	}
	out, err := exec.Command("gofmt", "-l", filepath.Join(dir, "content"), filepath.Join(dir, "planner")).CombinedOutput()
	require.NoError(t, err)
	assert.Empty(t, string(out), "blocks that gofmt would change")
	for _, r := range all {
		for _, script := range r.shell {
			var lines []string
			for _, l := range strings.Split(script, "\n") {
				if !strings.HasPrefix(l, "bin/") {
					lines = append(lines, l)
				}
			}
			cmd := exec.Command("bash", "-euc", strings.Join(lines, "\n"))
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "OPENLOOP_LONG=", "GOFLAGS=-buildvcs=false -trimpath")
			out, err := cmd.CombinedOutput()
			assert.NoError(t, err, "%s:\n%s", r.name, out)
		}
	}
}
