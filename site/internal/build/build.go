// Package build puts the parts of the site together: pages, scripts, licenses.
// It checks the result before it replaces the last one, so the output folder
// always holds a site that passed.
package build

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"openloop/content/demo"
	"openloop/content/prose"
	"openloop/site/internal/bundle"
	"openloop/site/internal/cache"
	"openloop/site/internal/chart"
	"openloop/site/internal/check"
	"openloop/site/internal/engine"
	"openloop/site/internal/page"
	"openloop/site/internal/tex"
)

// Options say where things are. Paths that are empty are below Root, where
// build.sh puts them.
type Options struct {
	Root    string // of the repository
	Out     string // dist
	Content string // content
	Glue    string // wasm/glue
	Bin     string // bin, with core.wasm, wasm_exec.js and licenses/
	Cache   string // .cache
	SiteURL string // for canonical links; may be empty
	Demos   []*demo.Demo
	Claims  []prose.Claim
}

// Report is what a build says about itself.
type Report struct {
	Pages    int
	Files    int
	Made     int      // results that were not in the cache
	Warnings []string // what an author should look at
	Idle     []string // claims that no page makes: their checks prove nothing
}

// Builder builds the site again and again, keeping what did not change.
type Builder struct {
	o      Options
	store  *cache.Store
	charts *chart.Renderer
	math   *tex.Setter
}

// New prepares a builder; nothing is read yet.
func New(o Options) *Builder {
	below := func(path *string, parts ...string) {
		if *path == "" {
			*path = filepath.Join(append([]string{o.Root}, parts...)...)
		}
	}
	below(&o.Out, "dist")
	below(&o.Content, "content")
	below(&o.Glue, "wasm", "glue")
	below(&o.Bin, "bin")
	below(&o.Cache, ".cache")
	store := cache.Open(o.Cache)
	modules := filepath.Join(o.Glue, "node_modules")
	return &Builder{o: o, store: store, charts: chart.NewRenderer(modules, store), math: tex.NewSetter(modules, store)}
}

// Out is the folder that the site is written to.
func (b *Builder) Out() string { return b.o.Out }

// Build makes the site and puts it in place. On an error the last site stays.
func (b *Builder) Build() (Report, error) {
	made := b.store.Made()
	core, err := os.ReadFile(filepath.Join(b.o.Bin, "core.wasm"))
	if err != nil {
		return Report{}, fmt.Errorf("reading the core module (./build.sh builds it): %w", err)
	}
	licenses, err := bundle.Licenses(filepath.Join(b.o.Glue, "node_modules"), filepath.Join(b.o.Bin, "licenses"))
	if err != nil {
		return Report{}, err
	}
	out, err := page.Render(page.Input{
		Content: os.DirFS(b.o.Content),
		// The module is the code of the demos, compiled without a trace of
		// where and when: the best name for that code that there is.
		Engine: engine.New(b.o.Demos, b.store, cache.Key(string(core))),
		Charts: b.charts, Math: b.math, Claims: b.o.Claims, SiteURL: b.o.SiteURL,
		Licenses: slices.Sorted(maps.Keys(licenses)),
	})
	if err != nil {
		return Report{}, err
	}
	scripts, err := bundle.Scripts(bundle.Sources{
		Glue: b.o.Glue, Wasm: filepath.Join(b.o.Bin, "core.wasm"), WasmExec: filepath.Join(b.o.Bin, "wasm_exec.js"),
	}, b.store)
	if err != nil {
		return Report{}, err
	}
	if out.Files["assets/style.css"], err = bundle.Style(out.Files["assets/style.css"]); err != nil {
		return Report{}, err
	}
	for name, f := range scripts {
		out.Files["assets/"+name] = f
	}
	for name, f := range licenses {
		out.Files["licenses/"+name] = f
	}
	if err := b.replace(out.Files); err != nil {
		return Report{}, err
	}
	r := Report{Files: len(out.Files), Made: b.store.Made() - made, Idle: out.UnusedClaims}
	for _, t := range out.UnusedTerms {
		r.Warnings = append(r.Warnings, fmt.Sprintf("glossary: no page uses %q", t))
	}
	for _, c := range out.UnusedClaims {
		r.Warnings = append(r.Warnings, fmt.Sprintf("content/prose: no page makes claim %q", c))
	}
	for name := range out.Files {
		if strings.HasSuffix(name, ".html") {
			r.Pages++
		}
	}
	return r, nil
}

// replace writes the files beside the old site, checks them, and swaps.
func (b *Builder) replace(files map[string][]byte) error {
	next, err := os.MkdirTemp(filepath.Dir(b.o.Out), ".site-*")
	if err != nil {
		return fmt.Errorf("making room for the site: %w", err)
	}
	defer os.RemoveAll(next)
	for name, f := range files {
		path := filepath.Join(next, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f, 0o644); err != nil {
			return err
		}
	}
	if err := Check(next); err != nil {
		return err
	}
	if err := os.Chmod(next, 0o755); err != nil {
		return err
	}
	if err := os.RemoveAll(b.o.Out); err != nil {
		return fmt.Errorf("removing the last site: %w", err)
	}
	return os.Rename(next, b.o.Out)
}

// Check returns everything that is wrong with the site in a folder.
func Check(dir string) error {
	fsys := os.DirFS(dir)
	problems, err := check.Site(fsys)
	if err != nil {
		return err
	}
	var errs []error
	for _, p := range problems {
		errs = append(errs, errors.New(p))
	}
	sizes, err := check.Sizes(fsys)
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	for _, s := range sizes {
		if s.Bytes > s.Budget {
			errs = append(errs, fmt.Errorf("budget: %s", s))
		}
	}
	return errors.Join(errs...)
}
