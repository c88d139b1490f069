package markdown

import (
	"errors"
	"fmt"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Entry is one entry of a glossary: a second level heading and the first
// paragraph under it.
type Entry struct {
	ID         string
	Name       string
	Definition string // plain text
}

// Entries reads a glossary. Every entry needs a definition; before the
// first there may be paragraphs.
func (c *Converter) Entries(name string, firstLine int, src []byte) ([]Entry, error) {
	root := c.md.Parser().Parse(text.NewReader(src))
	p := &pass{name: name, first: firstLine, src: src}
	var out []Entry
	var errs []error
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok || h.Level != 2 {
			if _, plain := n.(*ast.Paragraph); len(out) == 0 && !plain {
				errs = append(errs, fmt.Errorf("%s:%d: text before the first entry", name, p.line(n)))
			}
			continue
		}
		e := Entry{Name: plain(h, src)}
		if id, ok := h.AttributeString("id"); ok {
			e.ID = string(id.([]byte))
		}
		if para, ok := h.NextSibling().(*ast.Paragraph); ok {
			e.Definition = plain(para, src)
		} else {
			errs = append(errs, fmt.Errorf("%s:%d: %q has no definition", name, p.line(h), e.Name))
		}
		out = append(out, e)
	}
	return out, errors.Join(errs...)
}
