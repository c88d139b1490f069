package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"openloop/content/data"
	"openloop/content/demo/catalog"
	"openloop/content/prose"
	"openloop/site/internal/build"
)

// builds measures a build after one page was edited, as `openloop serve` makes it
// while somebody writes, and one from nothing but the sources and what had been
// downloaded, whose files are then compared with those of the site in dist.
func builds(root string, out io.Writer, f found) error {
	dir, err := os.MkdirTemp("", "openloop-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	took, err := edited(root, dir)
	if err != nil {
		return err
	}
	f["build page s"] = took.Seconds()
	fmt.Fprintf(out, "after one page was edited: %.2f s\n", took.Seconds())

	copied := filepath.Join(dir, "copy")
	if err := sources(root, copied); err != nil {
		return err
	}
	cmd := exec.Command("./build.sh", "build")
	cmd.Dir, cmd.Stdout, cmd.Stderr = copied, os.Stderr, os.Stderr
	cmd.Env = append(os.Environ(), "GOCACHE="+filepath.Join(dir, "go-cache"))
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("build from nothing: %w", err)
	}
	f["build cold s"] = time.Since(start).Seconds()
	fmt.Fprintf(out, "from nothing: %.0f s\n", f["build cold s"])
	names, err := differing(filepath.Join(root, "dist"), filepath.Join(copied, "dist"))
	if err != nil {
		return err
	}
	f["build differing files"] = float64(len(names))
	for _, n := range names {
		fmt.Fprintln(out, "made otherwise:", n)
	}
	return nil
}

// edited is the median time of a build after an edit of one page, everything else
// being known.
func edited(root, dir string) (time.Duration, error) {
	content := filepath.Join(dir, "content")
	if err := os.CopyFS(content, os.DirFS(filepath.Join(root, "content"))); err != nil {
		return 0, err
	}
	b := build.New(build.Options{Root: root, Out: filepath.Join(dir, "dist"), Content: content,
		Modules: catalog.Modules(), Claims: prose.Claims(), Tables: prose.Tables(), Figures: prose.Figures(), Pages: data.Pages()})
	if _, err := b.Build(); err != nil {
		return 0, err
	}
	pages, err := filepath.Glob(filepath.Join(content, "guide", "*.md"))
	if err != nil || len(pages) == 0 {
		return 0, fmt.Errorf("no page to edit in %s: %w", content, err)
	}
	var times []time.Duration
	for i := range 5 {
		raw, err := os.ReadFile(pages[0])
		if err != nil {
			return 0, err
		}
		if err := os.WriteFile(pages[0], fmt.Appendf(raw, "\nEdit %d.\n", i), 0o644); err != nil {
			return 0, err
		}
		start := time.Now()
		if _, err := b.Build(); err != nil {
			return 0, err
		}
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

// sources copies the repository without anything that was made; what npm has
// installed is linked to.
func sources(root, to string) error {
	made := []string{".git", ".cache", "bin", "dist", "node_modules"}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		switch {
		case err != nil:
			return err
		case slices.Contains(made, d.Name()):
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil // .git of a worktree
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), raw, info.Mode().Perm())
	})
	if err != nil {
		return err
	}
	packages := filepath.Join("wasm", "glue", "node_modules")
	return os.Symlink(filepath.Join(root, packages), filepath.Join(to, packages))
}

// differing lists the files that are not the same in two folders.
func differing(a, b string) ([]string, error) {
	in := func(dir string) (map[string][]byte, error) {
		m := map[string][]byte{}
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, _ := filepath.Rel(dir, path) // below dir, so it can be told
			m[rel], err = os.ReadFile(path)
			return err
		})
		return m, err
	}
	left, err := in(a)
	if err != nil {
		return nil, err
	}
	right, err := in(b)
	if err != nil {
		return nil, err
	}
	var names []string
	for name, raw := range left {
		if other, ok := right[name]; !ok || !bytes.Equal(raw, other) {
			names = append(names, name)
		}
	}
	for name := range right {
		if _, ok := left[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}
