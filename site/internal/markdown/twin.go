package markdown

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// The twin of a page is the page as plain Markdown, for programs that read:
// the author's text with every number, demo and table filled in, and without
// what only this guide understands. It is the source with pieces replaced, so
// that whatever needs no replacement stays as somebody wrote it.

// edit replaces a piece of the source.
type edit struct {
	from, to int
	text     string
}

func (p *pass) replace(from, to int, text string) {
	p.edits = append(p.edits, edit{from, to, text})
}

// twin carries out the edits; one inside another is lost with what it was in.
func (p *pass) twin() string {
	slices.SortStableFunc(p.edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to))
	})
	var b strings.Builder
	at := 0
	for _, e := range p.edits {
		if e.from < at {
			continue
		}
		b.Write(p.src[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.Write(p.src[at:])
	return strings.TrimSpace(b.String()) + "\n"
}

// fence replaces the two lines around what a container holds.
func (p *pass) fence(c *container, open string) {
	first := c.at + lineLength(p.src[c.at:])
	p.replace(c.at, min(first, c.shut), open)
	p.replace(c.shut, c.stop, "")
}

func lineLength(b []byte) int {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	return len(b)
}

// relink replaces the destination of a link by where its twin is. A link does
// not say where it stands; its words do.
func (p *pass) relink(l *ast.Link, was, is string) {
	from := max(0, p.last)
	if t, ok := l.FirstChild().(*ast.Text); ok {
		from = t.Segment.Start
	}
	i := bytes.Index(p.src[from:], []byte("]("+was))
	if i < 0 || was == "" {
		return
	}
	from += i + len("](")
	p.last = from + len(was)
	p.replace(from, p.last, twinOf(is))
}

// twinOf is the address of the twin of a page of the site.
func twinOf(href string) string {
	file, fragment, found := strings.Cut(href, "#")
	if page, ok := strings.CutSuffix(file, ".html"); ok && !hasScheme(href) {
		file = page + ".md"
	}
	if found {
		file += "#" + fragment
	}
	return file
}
