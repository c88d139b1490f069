package bundle

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/site/internal/cache"
)

// empty is the smallest module; the other one has a section with a name, too.
const empty = "\x00asm\x01\x00\x00\x00"

// sources is a small glue: a library in node_modules, used by every entry.
func sources(t *testing.T) Sources {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	write("package-lock.json", "{}")
	write("src/package.json", "{}")
	write("node_modules/greet/package.json", `{"name":"greet","main":"index.js"}`)
	write("node_modules/greet/index.js", `export function greet(who) { return "hello " + who }`)
	for _, n := range append([]string{"worker.js", sceneScript}, pages...) {
		write("src/"+n, `import { greet } from "greet"; globalThis.said = greet("`+n+`")`)
	}
	keys := map[string]string{}
	for name, wasm := range map[string]string{"one": empty, "two": empty + "\x00\x02\x01x", "scene": empty} {
		write("bin/"+name+".wasm", wasm)
		keys[name] = cache.Key([]byte(wasm))
	}
	write("bin/wasm_exec.js", `(() => { globalThis.Go = class {} })()`)
	return Sources{Glue: dir, Bin: filepath.Join(dir, "bin"), Keys: keys, Modules: []string{"one", "two"}}
}

func TestScripts(t *testing.T) {
	src := sources(t)
	got, err := Scripts(src, cache.Open(""))
	require.NoError(t, err)
	for _, name := range pages {
		assert.Contains(t, string(got[name]), name)
		assert.Regexp(t, `^(\(\(\)=>|"use strict";)`, string(got[name]), "a classic script")
	}
	again, err := Scripts(src, cache.Open(""))
	require.NoError(t, err)
	assert.Equal(t, got, again, "the same bytes from the same sources")
}

// TestBundlesAreKeptByAllThatMakesThem: the bundler counts too, but a test
// binary does not say which it is.
func TestBundlesAreKeptByAllThatMakesThem(t *testing.T) {
	src, store := sources(t), cache.Open("")
	for _, change := range []string{"", "src/package.json", "package-lock.json", "src/page.js"} {
		if change != "" {
			require.NoError(t, os.WriteFile(filepath.Join(src.Glue, change), []byte("{ }"), 0o644))
		}
		before := store.Made()
		_, err := Scripts(src, store)
		require.NoError(t, err)
		made := len(pages) + len(src.Modules) + 1 // the page of the scene
		if change == "" {
			made++ // its program, which is made of its WebAssembly alone
		}
		assert.Equal(t, made, store.Made()-before, "after a change of %q", change)
	}
}

// TestEmbedKnowsTheDemos: the script for other people's pages can say which demos
// there are, and is made anew when there is another one.
func TestEmbedKnowsTheDemos(t *testing.T) {
	src, store := sources(t), cache.Open("")
	require.NoError(t, os.WriteFile(filepath.Join(src.Glue, "src", "embed.js"), []byte("globalThis.there = OPENLOOP_DEMOS"), 0o644))
	for _, demos := range [][]string{{"one-demo"}, {"one-demo", "two-demos"}, nil} {
		src.Demos = demos
		got, err := Scripts(src, store)
		require.NoError(t, err)
		for _, d := range demos {
			assert.Contains(t, string(got["embed.js"]), `"`+d+`"`)
		}
		assert.NotContains(t, string(got["embed.js"]), "OPENLOOP")
	}
}

// TestModuleIsTheOneOfThePages: a module that was built between the pages and the
// scripts would not fit them.
func TestModuleIsTheOneOfThePages(t *testing.T) {
	src := sources(t)
	require.NoError(t, os.WriteFile(filepath.Join(src.Bin, "two.wasm"), []byte(empty), 0o644))
	_, err := Scripts(src, cache.Open(""))
	assert.ErrorContains(t, err, "module two is not the one that the pages are made for")
}

func TestModuleCarriesWasmAndWorker(t *testing.T) {
	got, err := Scripts(sources(t), cache.Open(""))
	require.NoError(t, err)
	m := regexp.MustCompile(`(?s)^window\["openloop/two"\]=\{worker:(".*"),edition:"[0-9a-f]{12}",wasm:"([A-Za-z0-9+/=]*)"\};\n$`).FindSubmatch(got["modules/two.js"])
	require.NotNil(t, m)
	var worker string
	require.NoError(t, json.Unmarshal(m[1], &worker))
	assert.Contains(t, worker, "globalThis.Go=")
	assert.Contains(t, worker, "worker.js")
	packed, err := base64.StdEncoding.DecodeString(string(m[2]))
	require.NoError(t, err)
	z, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	wasm, err := io.ReadAll(z)
	require.NoError(t, err)
	assert.Equal(t, empty+"\x00\x02\x01x", string(wasm))
	assert.True(t, z.ModTime.IsZero())
	assert.Contains(t, string(got["modules/one.js"]), `window["openloop/one"]={`)
}

func TestScriptsSayWhatIsWrong(t *testing.T) {
	src := sources(t)
	bad := filepath.Join(src.Glue, "src", "demo.js")
	require.NoError(t, os.WriteFile(bad, []byte("import {x} from 'nowhere'"), 0o644))
	_, err := Scripts(src, cache.Open(""))
	assert.ErrorContains(t, err, "src/demo.js:1:16")
	assert.ErrorContains(t, err, "nowhere")

	src = sources(t)
	src.Modules = []string{"three"}
	_, err = Scripts(src, cache.Open(""))
	assert.ErrorContains(t, err, "build.sh")
}

func TestBundlesAreKept(t *testing.T) {
	src, store := sources(t), cache.Open(t.TempDir())
	_, err := Scripts(src, store)
	require.NoError(t, err)
	made := store.Made()
	_, err = Scripts(src, store)
	require.NoError(t, err)
	assert.Equal(t, made, store.Made())
	require.NoError(t, os.WriteFile(filepath.Join(src.Glue, "src", "page.js"), []byte("globalThis.page = 2"), 0o644))
	got, err := Scripts(src, store)
	require.NoError(t, err)
	assert.Contains(t, string(got["page.js"]), "page=2")
}

func TestLicenses(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go-LICENSE.txt"), []byte("Go's"), 0o644))
	got, err := Licenses("../../../wasm/glue/node_modules", dir)
	require.NoError(t, err)
	assert.Equal(t, "Go's", string(got["go-LICENSE.txt"]))
	assert.Contains(t, string(got["echarts-NOTICE.txt"]), "Apache ECharts")
	assert.Contains(t, string(got["lit-reactive-element-LICENSE.txt"]), "BSD 3-Clause")
	assert.Len(t, got, len(licenses)+1)
}

func TestStyle(t *testing.T) {
	got, err := Style([]byte("/* why */\n:root { --ink: #111; }\n@media (scripting: none) { a { color: var(--ink); } }\n"))
	require.NoError(t, err)
	assert.Equal(t, ":root{--ink: #111}@media(scripting:none){a{color:var(--ink)}}\n", string(got))
	_, err = Style([]byte("a { color: 'unclosed }"))
	assert.NoError(t, err, "CSS has no errors, only rules that do not apply")
}
