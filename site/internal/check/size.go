package check

import (
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

// Size is one thing that a reader downloads, and what it may weigh.
type Size struct {
	What   string
	Bytes  int // compressed with gzip -9
	Budget int
}

func (s Size) String() string {
	verdict := "ok"
	if s.Bytes > s.Budget {
		verdict = "TOO LARGE"
	}
	return fmt.Sprintf("%-42s %9d of %9d bytes  %s", s.What, s.Bytes, s.Budget, verdict)
}

// The budgets, in bytes compressed.
const (
	pageBudget   = 60_000        // a page and all that it loads before a demo starts
	moduleBudget = 900 * 1024    // a module with its worker, loaded once
	chartBudget  = 240 * 1024    // echarts, loaded once
	demoBudget   = 24 * 1024     // what drives demos, loaded once
	findBudget   = 120 * 1024    // the index of the search box, loaded when it first gets the focus
	sceneBudget  = 27 << 20 / 10 // the engine room's program, 2.7 MiB, loaded when a reader asks for it
	clockBudget  = 8 * 1024      // the bar of runs that have a clock

	framing = 40 // what the browser counts for a response beside its body, and a little more
)

// modulesDir is where the scripts of the modules are.
const modulesDir = "assets/modules/"

// Sizes weighs the site: every page with what it loads at once, then what the
// first interaction with a demo loads.
func Sizes(fsys fs.FS) ([]Size, error) {
	weigh := func(names ...string) (int, error) {
		total := 0
		for _, n := range names {
			f, err := fs.ReadFile(fsys, n)
			if err != nil {
				return 0, err
			}
			total += compressed(f)
		}
		return total, nil
	}
	pages, err := pagePaths(fsys)
	if err != nil {
		return nil, err
	}
	var out []Size
	for _, name := range pages {
		raw, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		assets, err := loaded(name, raw)
		if err != nil {
			return nil, err
		}
		parts := append([]string{name}, assets...)
		n, err := weigh(parts...)
		if err != nil {
			return nil, fmt.Errorf("weighing %s: %w", name, err)
		}
		n += framing * len(parts)
		out = append(out, Size{What: name + ", no demo started", Bytes: n, Budget: pageBudget})
	}
	lazy := []Size{{What: "assets/chart.js", Budget: chartBudget}, {What: "assets/clock.js", Budget: clockBudget}, {What: "assets/scene-engine.js", Budget: sceneBudget}, {What: "assets/demo.js", Budget: demoBudget}, {What: "assets/search.js", Budget: findBudget}}
	modules, err := fs.Glob(fsys, modulesDir+"*.js")
	if err != nil {
		return nil, err
	}
	for _, m := range modules {
		lazy = append(lazy, Size{What: m, Budget: moduleBudget})
	}
	for _, s := range lazy {
		if s.Bytes, err = weigh(s.What); err != nil {
			return nil, fmt.Errorf("weighing: %w", err)
		}
		out = append(out, s)
	}
	return out, nil
}

func pagePaths(fsys fs.FS) ([]string, error) {
	var pages []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path.Ext(name) == ".html" && !strings.HasPrefix(name, "licenses/") {
			pages = append(pages, name)
		}
		return err
	})
	slices.Sort(pages)
	return pages, err
}

// loaded are the files that a page asks for by itself: scripts, style sheets
// and icons. What a page names in another way it loads later or not at all.
func loaded(name string, html []byte) ([]string, error) {
	p, err := parse(html)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var out []string
	for _, l := range p.links {
		if strings.HasPrefix(l.to, "data:") {
			continue // part of the page itself
		}
		if l.tag == "script" && l.attr == "src" || l.tag == "link" && l.rel != "canonical" && l.rel != "alternate" {
			out = append(out, path.Join(path.Dir(name), l.to))
		}
	}
	return out, nil
}

// known has the sizes of what was compressed before: while somebody writes, all but
// a page stays as it is.
var known sync.Map // by [sha256.Size]byte

func compressed(b []byte) int {
	key := sha256.Sum256(b)
	if n, ok := known.Load(key); ok {
		return n.(int)
	}
	n := deflated(b)
	known.Store(key, n)
	return n
}

func deflated(b []byte) int {
	var n counter
	w, _ := gzip.NewWriterLevel(&n, gzip.BestCompression) // the level is legal
	_, _ = w.Write(b)                                     // a counter does not fail
	_ = w.Close()
	return int(n)
}

type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

var _ io.Writer = (*counter)(nil)
