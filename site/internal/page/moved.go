package page

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// What was once published goes on leading somewhere: whole pages, and sections
// of pages, as content/moved.txt has them.

const movedFile = "moved.txt"

// move is an address that leads to another one. part is the section of the old
// page, or "" for all of it.
type move struct{ from, part, to string }

// readMoves reads moved.txt, which may be missing: two addresses a line.
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
		m := move{}
		if len(words) == 2 {
			m.from, m.part, _ = strings.Cut(words[0], "#")
			m.to = words[1]
		}
		if path.Ext(m.from) != ".html" || strings.HasPrefix(m.from, "/") || strings.HasPrefix(m.to, "/") {
			return nil, fmt.Errorf("%s:%d: a line is an old and a new address from the top of the site, such as guide/old.html guide/new.html or guide/old.html#part guide/new.html#part", movedFile, i+1)
		}
		out = append(out, m)
	}
	return out, nil
}

// atPath is the page at a path, or nil.
func (b *builder) atPath(path string) *source {
	if i := slices.IndexFunc(b.pages, func(p *source) bool { return p.path == path }); i >= 0 {
		return b.pages[i]
	}
	return nil
}

// titleAt is the title of the page that an address is on.
func (b *builder) titleAt(address string) string {
	file, _, _ := strings.Cut(address, "#")
	if p := b.atPath(file); p != nil {
		return p.front.Title
	}
	return file
}

// standIns puts what leads on from sections that are gone into the pages on
// which they were: a second id into a heading that was renamed, a line at the
// end of the page for one that is on another page now. That line is seen by who
// asked for it alone, and page.js follows it.
func (b *builder) standIns() error {
	for _, m := range b.moves {
		p := b.atPath(m.from)
		if m.part == "" || p == nil {
			continue
		}
		id := html.EscapeString(m.part)
		if strings.Contains(p.doc.HTML, ` id="`+id+`"`) {
			return fmt.Errorf("%s: %s still has a section %s", movedFile, m.from, m.part)
		}
		file, part, _ := strings.Cut(m.to, "#")
		if file != m.from {
			to := html.EscapeString(p.root() + m.to)
			p.doc.HTML += `<p class="moved" id="` + id + `" data-moved="` + to + `">What stood here is now in <a href="` + to + `">` + html.EscapeString(b.titleAt(m.to)) + "</a>.</p>\n"
			continue
		}
		before, rest, ok := strings.Cut(p.doc.HTML, ` id="`+html.EscapeString(part)+`"`)
		heading, after, closed := strings.Cut(rest, ">")
		if part == "" || !ok || !closed || !(strings.HasSuffix(before, "<h2") || strings.HasSuffix(before, "<h3")) {
			return fmt.Errorf("%s: %s has no heading with the id %q", movedFile, m.from, part)
		}
		p.doc.HTML = before + ` id="` + html.EscapeString(part) + `"` + heading + `><span id="` + id + `"></span>` + after
	}
	return nil
}

// lead writes a page at every old address. Whether the new one exists is for
// package check, which follows the link on it.
func (b *builder) lead() error {
	parts := map[string]map[string]string{} // of pages that are gone: where each section went
	for _, m := range b.moves {
		if m.part != "" && b.atPath(m.from) == nil {
			if parts[m.from] == nil {
				parts[m.from] = map[string]string{}
			}
			parts[m.from][m.part] = strings.Repeat("../", strings.Count(m.from, "/")) + m.to
		}
	}
	for _, m := range b.moves {
		if m.part != "" {
			continue
		}
		if _, taken := b.files[m.from]; taken {
			return fmt.Errorf("%s: there is a page at %s", movedFile, m.from)
		}
		title := b.titleAt(m.to)
		v := b.layout(m.from, front{Title: title, Nav: title, Description: "This page has moved."})
		v.First, v.NoIndex = v.Root+m.to, true
		if v.Canonical != "" {
			file, _, _ := strings.Cut(m.to, "#")
			v.Canonical = b.address(file)
		}
		if of := parts[m.from]; of != nil {
			raw, err := json.Marshal(of)
			if err != nil {
				return err
			}
			v.Parts = string(raw)
			for _, to := range of {
				v.PartLinks = append(v.PartLinks, linkView{Href: to, Text: b.titleAt(strings.TrimLeft(to, "./"))})
			}
			slices.SortFunc(v.PartLinks, func(x, y linkView) int { return strings.Compare(x.Href, y.Href) })
			delete(parts, m.from)
		}
		if err := b.put(m.from, "moved", v); err != nil {
			return err
		}
	}
	for from := range parts {
		return fmt.Errorf("%s: there is no page %s whose sections could lead on", movedFile, from)
	}
	return nil
}
