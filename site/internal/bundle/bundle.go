// Package bundle makes the scripts of the site: the glue with its libraries,
// and the modules in the one form that loads from any host.
//
// Everything is a classic script, because module scripts, fetch and worker
// files fail on file:// and in a sandboxed frame. A module is a script too: it
// carries the WebAssembly as gzip in base64, and the source of the worker that
// runs it, so that one code path serves every host.
package bundle

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"openloop/site/internal/cache"
	"openloop/wasm/slim"
)

// revision is raised when the same sources are bundled differently.
const revision = "4"

// pages are the scripts that a page or a host loads by name; worker.js is an
// entry point too, but travels inside every module.
var pages = []string{"demo.js", "page.js", "tools.js", "chart.js", "clock.js", "embed.js", "moved.js", "builder.js"}

// Sources says where the parts are.
type Sources struct {
	Glue    string            // folder with src/, node_modules/ and package-lock.json
	Bin     string            // folder with NAME.wasm for each module, and wasm_exec.js of the Go that built them
	Keys    map[string]string // cache.Key of each NAME.wasm, the scene's too
	Modules []string
	Demos   []string // names of all demos, for scripts that make a frame of one
}

// Module is the file name of a module's script.
func Module(name string) string { return "modules/" + name + ".js" }

// Scripts returns the scripts by file name.
func Scripts(src Sources, store *cache.Store) (map[string][]byte, error) {
	out := map[string][]byte{}
	key, err := sourceKey(src.Glue)
	if err != nil {
		return nil, err
	}
	demos, err := json.Marshal(append([]string{}, src.Demos...))
	if err != nil {
		return nil, err
	}
	for _, name := range pages {
		known := ""
		if name == "embed.js" {
			known = string(demos)
		}
		b, err := store.Do("script", func() ([]byte, error) { return entry(src.Glue, name, known) }, name, key, known, revision)
		if err != nil {
			return nil, err
		}
		out[name] = b
	}
	exec, err := os.ReadFile(filepath.Join(src.Bin, "wasm_exec.js"))
	if err != nil {
		return nil, fmt.Errorf("reading Go's loader (./build.sh copies it): %w", err)
	}
	for _, m := range src.Modules {
		out[Module(m)], err = store.Do("script", func() ([]byte, error) {
			wasm, err := src.wasm(m)
			if err != nil {
				return nil, err
			}
			worker, err := entry(src.Glue, "worker.js", "")
			if err != nil {
				return nil, err
			}
			return module(m, wasm, exec, worker)
		}, Module(m), key, src.Keys[m], string(exec), revision)
		if err != nil {
			return nil, err
		}
	}
	return out, scene(out, src, store, key, string(exec))
}

// wasm reads a module, which has to be the one that the key is of.
func (s Sources) wasm(name string) ([]byte, error) {
	wasm, err := os.ReadFile(filepath.Join(s.Bin, name+".wasm"))
	if err != nil {
		return nil, fmt.Errorf("reading a module (./build.sh builds it): %w", err)
	}
	if got := cache.Key(wasm); got != s.Keys[name] {
		return nil, fmt.Errorf("module %s is not the one that the pages are made for, %s but %s: build again", name, s.Keys[name], got)
	}
	return wasm, nil
}

// Files of the engine room: the page's script with Go's loader before it, and the
// program that draws, which the script asks for. The program runs on the page's own
// thread, in a frame: Ebitengine needs the document and does not start in a worker.
const (
	sceneScript = "scene.js"
	sceneEngine = "scene-engine.js"
)

func scene(out map[string][]byte, src Sources, store *cache.Store, key, exec string) (err error) {
	out[sceneScript], err = store.Do("script", func() ([]byte, error) {
		loader, err := minified("wasm_exec.js", []byte(exec))
		if err != nil {
			return nil, err
		}
		page, err := entry(src.Glue, sceneScript, "")
		return append(append(loader, '\n'), page...), err
	}, sceneScript, key, exec, revision)
	if err != nil {
		return err
	}
	out[sceneEngine], err = store.Do("script", func() ([]byte, error) {
		wasm, err := src.wasm("scene")
		if err != nil {
			return nil, err
		}
		program, err := packed("scene", wasm)
		return []byte(`window["openloop/scene"]={wasm:"` + program + "\"};\n"), err
	}, sceneEngine, src.Keys["scene"], revision)
	return err
}

// minified is a classic script without what its reader does not need.
func minified(name string, js []byte) ([]byte, error) {
	r := api.Transform(string(js), api.TransformOptions{
		Target: api.ES2020, MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
	})
	return r.Code, failure(name, r.Errors)
}

// packed is a program as gzip in base64.
func packed(name string, wasm []byte) (string, error) {
	small, err := slim.Module(wasm)
	if err != nil {
		return "", fmt.Errorf("module %s: %w", name, err)
	}
	b, err := pack(small)
	return base64.StdEncoding.EncodeToString(b), err
}

// sourceKey is a hash of everything that the bundles are made from and of the
// bundler; the lockfile stands for node_modules.
func sourceKey(glue string) (string, error) {
	files, err := filepath.Glob(filepath.Join(glue, "src", "*.js"))
	if err != nil {
		return "", err
	}
	deeper, err := filepath.Glob(filepath.Join(glue, "src", "*", "*.js"))
	if err != nil {
		return "", err
	}
	files = append(append(files, deeper...), filepath.Join(glue, "package-lock.json"), filepath.Join(glue, "src", "package.json"))
	parts := []string{cache.Module("github.com/evanw/esbuild")}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			return "", fmt.Errorf("reading a script: %w", err)
		}
		rel, _ := filepath.Rel(glue, f)
		parts = append(parts, rel, string(b))
	}
	return cache.Key(parts...), nil
}

// Drawing gives the script with which the build draws charts without a browser.
func Drawing(glue string) func() (string, error) {
	return func() (string, error) {
		b, err := entry(glue, "drawn.js", "")
		return string(b), err
	}
}

// entry bundles one entry point of glue/src, with a list of demos where it asks for one.
func entry(glue, name, demos string) ([]byte, error) {
	dir, err := filepath.Abs(glue)
	if err != nil {
		return nil, err
	}
	var define map[string]string
	if demos != "" {
		define = map[string]string{"OPENLOOP_DEMOS": demos}
	}
	r := api.Build(api.BuildOptions{
		Define:            define,
		EntryPoints:       []string{filepath.Join(dir, "src", name)},
		AbsWorkingDir:     dir,
		Bundle:            true,
		Format:            api.FormatIIFE,
		Target:            api.ES2020,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsNone, // the licenses folder has the full texts
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
	})
	if err := failure(name, r.Errors); err != nil {
		return nil, err
	}
	return r.OutputFiles[0].Contents, nil
}

func failure(name string, msgs []api.Message) error {
	var errs []error
	for _, m := range msgs {
		where := name
		if m.Location != nil {
			where = fmt.Sprintf("%s:%d:%d", m.Location.File, m.Location.Line, m.Location.Column)
		}
		errs = append(errs, fmt.Errorf("bundling %s: %s", where, m.Text))
	}
	return errors.Join(errs...)
}

// Style makes a style sheet smaller without changing what it says.
func Style(css []byte) ([]byte, error) {
	r := api.Transform(string(css), api.TransformOptions{
		Loader: api.LoaderCSS, MinifyWhitespace: true, MinifySyntax: false, LegalComments: api.LegalCommentsNone,
	})
	return r.Code, failure("style.css", r.Errors)
}

// module is the script that defines window["openloop/NAME"] = {worker, edition,
// wasm}; its pages know the edition.
func module(name string, wasm, exec, worker []byte) ([]byte, error) {
	loader, err := minified("wasm_exec.js", exec)
	if err != nil {
		return nil, err
	}
	program, err := packed(name, wasm)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(`window["openloop/` + name + `"]={worker:`)
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(string(loader) + "\n" + string(worker)); err != nil {
		return nil, err
	}
	b.Truncate(b.Len() - 1) // the encoder's newline
	b.WriteString(`,edition:"` + cache.Short(cache.Key(wasm)) + `",wasm:"` + program + "\"};\n")
	return b.Bytes(), nil
}

// pack is gzip with an empty header: the same input gives the same bytes.
func pack(b []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(b); err != nil {
		return nil, err
	}
	err = w.Close() // writes the last block
	return out.Bytes(), err
}

// licenses are the packages whose code is in the bundles or whose work is in
// the pages, with the files that their licenses ask us to pass on.
var licenses = []struct{ pack, file string }{
	{"echarts", "LICENSE"},
	{"echarts", "NOTICE"},
	{"zrender", "LICENSE"},
	{"tslib", "LICENSE.txt"},
	{"lit-html", "LICENSE"},
	{"@lit/reactive-element", "LICENSE"},
	{"katex", "LICENSE"},
	{"uqr", "LICENSE"},
}

// Licenses returns the texts to ship, by file name: those of npm packages,
// and whatever lies in dir, where build.sh puts Go's and those of modules.
func Licenses(nodeModules, dir string) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, l := range licenses {
		b, err := os.ReadFile(filepath.Join(nodeModules, filepath.FromSlash(l.pack), l.file))
		if err != nil {
			return nil, fmt.Errorf("reading a license: %w", err)
		}
		name := strings.TrimPrefix(strings.ReplaceAll(l.pack, "/", "-"), "@") + "-" + strings.TrimSuffix(l.file, ".txt") + ".txt"
		out[name] = b
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		out[filepath.Base(f)] = b
	}
	return out, nil
}
