// Package build puts the parts of the site together: pages, scripts, licenses.
// It checks the result before it replaces the last one, so the output folder
// always holds a site that passed.
package build

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
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
	Bin     string // bin, with NAME.wasm of each module, wasm_exec.js and licenses/
	Cache   string // .cache
	SiteURL string // for canonical links; may be empty
	Modules []demo.Module
	Claims  []prose.Claim
	Tables  []prose.Table
	Figures []prose.Figure
	Pages   []prose.Page // that are made from tables
	Wasm    string       // SHA-256 that all of Bin's *.wasm must have together, because they go with Modules; "" for any
}

// Refusal is what is wrong with the content or with what a command was given,
// as opposed to a failure of ours or of the machine.
type Refusal struct{ error }

func (r Refusal) Unwrap() error { return r.error }

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

	stamp  string            // sizes and times of the modules when they were last read
	keys   map[string]string // of their code
	engine *engine.Engine    // that keeps the runs of it
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
	return &Builder{o: o, store: store, charts: chart.NewRenderer(modules, bundle.Drawing(o.Glue), store), math: tex.NewSetter(modules, store)}
}

// Out is the folder that the site is written to.
func (b *Builder) Out() string { return b.o.Out }

// Placed says whether it is known where the site will be.
func (b *Builder) Placed() bool { return b.o.SiteURL != "" }

// Build makes the site and puts it in place. On an error the last site stays.
func (b *Builder) Build() (Report, error) {
	made := b.store.Made()
	out, licenses, err := b.render()
	if err != nil {
		return Report{}, err
	}
	scripts, err := bundle.Scripts(bundle.Sources{
		Glue: b.o.Glue, Bin: b.o.Bin, Keys: b.keys, Modules: b.modules(), Demos: b.demos(),
	}, b.store)
	if err != nil {
		return Report{}, err
	}
	for _, name := range []string{"assets/style.css", "assets/site.css", "assets/figures.css", "assets/digits.css", "assets/still.css", "assets/clock.css", "assets/scene.css", "assets/builder.css", "assets/sheet.css"} {
		if out.Files[name], err = bundle.Style(out.Files[name]); err != nil {
			return Report{}, err
		}
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
	r := report(out)
	r.Made = b.store.Made() - made
	return r, nil
}

// Try renders the pages, puts nothing in place and says what Build would.
func (b *Builder) Try() (Report, error) {
	out, _, err := b.render()
	if err != nil {
		return Report{}, err
	}
	return report(out), nil
}

// render makes the pages, and reads the licenses that one of them lists.
func (b *Builder) render() (page.Output, map[string][]byte, error) {
	fail := func(err error) (page.Output, map[string][]byte, error) { return page.Output{}, nil, err }
	if err := b.wasm(); err != nil {
		return fail(err)
	}
	licenses, err := bundle.Licenses(filepath.Join(b.o.Glue, "node_modules"), filepath.Join(b.o.Bin, "licenses"))
	if err != nil {
		return fail(err)
	}
	out, err := page.Render(page.Input{
		Content: os.DirFS(b.o.Content),
		Engine:  b.engine,
		Charts:  b.charts, Math: b.math, Claims: b.o.Claims, Tables: b.o.Tables, Figures: b.o.Figures, Pages: b.o.Pages, SiteURL: b.o.SiteURL, Store: b.store,
		Licenses: slices.Sorted(maps.Keys(licenses)),
	})
	var disk *fs.PathError
	switch {
	case errors.As(err, &disk):
		return fail(err)
	case err != nil:
		return fail(Refusal{err})
	}
	return out, licenses, nil
}

func (b *Builder) modules() []string {
	var names []string
	for _, m := range b.o.Modules {
		names = append(names, m.Name)
	}
	return names
}

// demos are the names of all demos, in the order of the alphabet.
func (b *Builder) demos() []string {
	var names []string
	for _, m := range b.o.Modules {
		for _, d := range m.Demos {
			names = append(names, d.ID)
		}
	}
	slices.Sort(names)
	return names
}

// wasm makes a name for the code of each module from its WebAssembly, which must be
// that of our own demos, and an engine for it. A module is the code of its demos,
// compiled without a trace of where and when: the best name for that code that there
// is. Files whose size and time are as they were are not read again.
func (b *Builder) wasm() error {
	files, err := filepath.Glob(filepath.Join(b.o.Bin, "*.wasm")) // sorted, as the shell does
	if err != nil {
		return err
	}
	stamp := ""
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			return err
		}
		stamp += fmt.Sprintln(f, info.Size(), info.ModTime().UnixNano())
	}
	if b.engine != nil && stamp == b.stamp {
		return nil
	}
	out := map[string]string{}
	sum := sha256.New()
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		sum.Write(raw)
		out[strings.TrimSuffix(filepath.Base(f), ".wasm")] = cache.Key(raw)
	}
	for _, name := range b.modules() {
		if out[name] == "" {
			return fmt.Errorf("reading a module: there is no %s (./build.sh builds it)", filepath.Join(b.o.Bin, name+".wasm"))
		}
	}
	if b.o.Wasm != "" && b.o.Wasm != hex.EncodeToString(sum.Sum(nil)) {
		return Refusal{errors.New("the modules in bin are not those that this openloop was built with; run ./build.sh")}
	}
	b.stamp, b.keys, b.engine = stamp, out, engine.New(b.o.Modules, b.store, out)
	return nil
}

func report(out page.Output) Report {
	r := Report{Files: len(out.Files), Idle: out.UnusedClaims}
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
	return r
}

// replace writes the files beside the old site, checks them, and swaps. The
// old site is deleted last, so that there is none for two renames only.
func (b *Builder) replace(files map[string][]byte) error {
	room, err := os.MkdirTemp(filepath.Dir(b.o.Out), ".site-*")
	if err != nil {
		return fmt.Errorf("making room for the site: %w", err)
	}
	defer os.RemoveAll(room)
	next, last := filepath.Join(room, "next"), filepath.Join(room, "last")
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
	if err := os.Rename(b.o.Out, last); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("putting the last site aside: %w", err)
	}
	if err := os.Rename(next, b.o.Out); err != nil {
		return errors.Join(err, os.Rename(last, b.o.Out))
	}
	return nil
}

// Check returns everything that is wrong with the site in a folder; a Refusal
// if it could be read.
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
	if len(errs) == 0 {
		return nil
	}
	return Refusal{errors.Join(errs...)}
}
