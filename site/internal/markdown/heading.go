package markdown

import (
	"errors"
	"fmt"

	"github.com/yuin/goldmark/ast"
)

// heading notes second and third level headings for the table of contents.
// The page's only first level heading is its title.
func (p *pass) heading(h *ast.Heading) error {
	if h.Level == 1 {
		return errors.New("the title is in the front matter; headings begin at ##")
	}
	if _, ok := h.AttributeString("class"); ok {
		return errors.New("braces at the end of a heading belong to the heading; a term cannot stand there")
	}
	id, ok := h.AttributeString("id")
	if !ok || h.Level > 3 {
		return nil
	}
	p.doc.Headings = append(p.doc.Headings, Heading{Level: h.Level, ID: string(id.([]byte)), Text: plain(h, p.src)})
	return nil
}

// link translates links between pages; those with a scheme stay.
func (p *pass) link(l *ast.Link) error {
	dest := string(l.Destination)
	if hasScheme(dest) {
		return nil
	}
	to, err := p.guide.Link(dest)
	l.Destination = []byte(to)
	p.relink(l, dest, to)
	return err
}

func (p *pass) image(i *ast.Image) error {
	if plain(i, p.src) == "" {
		return fmt.Errorf("image %s has no alternative text", i.Destination)
	}
	to, err := p.guide.Link(string(i.Destination))
	i.Destination = []byte(to)
	return err
}

func hasScheme(dest string) bool {
	for i := range len(dest) {
		c := dest[i]
		switch {
		case c == ':':
			return i > 0
		case c < 'a' || c > 'z':
			return false
		}
	}
	return false
}
