package page

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

const movedFile = "moved.txt"

// move is an address that leads to another one.
type move struct{ from, to string }

// readMoves reads moved.txt, which may be missing: two paths a line.
func readMoves(content fs.FS) ([]move, error) {
	raw, err := fs.ReadFile(content, movedFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []move
	for i, line := range strings.Split(string(raw), "\n") {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "# ")
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if len(words) != 2 || path.Ext(words[0]) != ".html" || strings.HasPrefix(words[0], "/") || strings.HasPrefix(words[1], "/") {
			return nil, fmt.Errorf("%s:%d: a line is an old and a new path from the top of the site, such as guide/old.html guide/new.html", movedFile, i+1)
		}
		out = append(out, move{words[0], words[1]})
	}
	return out, nil
}

// lead writes a page at every old address. Whether the new one exists is for
// package check, which follows the link on it.
func (b *builder) lead() error {
	moves, err := readMoves(b.in.Content)
	if err != nil {
		return err
	}
	for _, m := range moves {
		if _, taken := b.files[m.from]; taken {
			return fmt.Errorf("%s: there is a page at %s", movedFile, m.from)
		}
		file, _, _ := strings.Cut(m.to, "#")
		title := file
		if i := slices.IndexFunc(b.pages, func(p *source) bool { return p.path == file }); i >= 0 {
			title = b.pages[i].front.Title
		}
		v := b.layout(m.from, front{Title: title, Nav: title, Description: "This page has moved."})
		v.First, v.NoIndex = v.Root+m.to, true
		if v.Canonical != "" {
			v.Canonical = b.address(file)
		}
		if err := b.put(m.from, "moved", v); err != nil {
			return err
		}
	}
	return nil
}

// Addresses lists every page that the content makes, at its present and at its
// old addresses, and nothing that is made of demos.
func Addresses(content fs.FS, made []string) ([]string, error) {
	pages, err := readPages(content)
	if err != nil {
		return nil, err
	}
	moves, err := readMoves(content)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, p := range pages {
		out = append(out, p.path)
	}
	for _, m := range made {
		out = append(out, strings.TrimSuffix(m, ".md")+".html")
	}
	for _, m := range moves {
		out = append(out, m.from)
	}
	slices.Sort(out)
	return out, nil
}
