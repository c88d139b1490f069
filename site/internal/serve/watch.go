package serve

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Kind says what a change asks for.
type Kind int

// The kinds of change, from small to large.
const (
	None    Kind = iota
	Content      // pages: the site is made again in this process
	Sources      // Go, JavaScript, templates or styles: everything is built again
)

// skipped are folders that hold results or other people's files.
var skipped = []string{".git", ".cache", "bin", "dist", "node_modules", "testdata"}

// Snapshot is the state of the source files under a root.
type Snapshot map[string]stamp

type stamp struct {
	size int64
	mod  time.Time
}

// Look takes a snapshot. A file that vanishes meanwhile is left out.
func Look(root string) Snapshot {
	s := Snapshot{}
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if d.IsDir() {
			if slices.Contains(skipped, d.Name()) || strings.HasPrefix(d.Name(), ".site-") {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil || kind(filepath.ToSlash(rel)) == None {
			return nil
		}
		if info, err := d.Info(); err == nil {
			s[filepath.ToSlash(rel)] = stamp{info.Size(), info.ModTime()}
		}
		return nil
	})
	return s
}

func kind(rel string) Kind {
	if strings.HasSuffix(rel, "_test.go") {
		return None
	}
	switch path.Ext(rel) {
	case ".md":
		if strings.HasPrefix(rel, "content/") {
			return Content
		}
	case ".go", ".mod", ".js", ".json", ".css", ".html", ".svg", ".sh":
		return Sources
	}
	return None
}

// Changed compares two snapshots: which files differ, and what that asks for.
func Changed(before, after Snapshot) ([]string, Kind) {
	var names []string
	most := None
	note := func(name string) {
		names = append(names, name)
		most = max(most, kind(name))
	}
	for name, s := range after {
		if before[name] != s {
			note(name)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			note(name)
		}
	}
	slices.Sort(names)
	return names, most
}

// Watch looks at the sources every interval and calls rebuild when they differ
// from what was built and have been still for one interval, until ctx is done.
func Watch(ctx context.Context, root string, built Snapshot, interval time.Duration, rebuild func(files []string, k Kind)) {
	last := built
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := Look(root)
		moved, _ := Changed(last, now)
		last = now
		if len(moved) > 0 {
			continue // still being written
		}
		if files, k := Changed(built, now); k != None {
			built = now
			rebuild(files, k)
		}
	}
}
