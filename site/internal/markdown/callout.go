package markdown

import (
	"fmt"

	"github.com/yuin/goldmark/ast"
)

// callout is a note or a warning with an optional title, or a margin note.
type callout struct {
	ast.BaseBlock
	kind  string
	title string
}

var kindCallout = ast.NewNodeKind("Callout")

func (*callout) Kind() ast.NodeKind              { return kindCallout }
func (c *callout) Dump(source []byte, level int) { ast.DumpHelper(c, source, level, nil, nil) }

// plain is what the twin of a page has in front of a callout's text.
func (c *callout) plain() string {
	switch {
	case c.title != "":
		return "**" + c.title + "**\n\n"
	case c.kind == "warning":
		return "**Warning.**\n\n"
	}
	return ""
}

func (c *container) callout(p *pass) error {
	if len(c.attrs) > 0 {
		return fmt.Errorf("%s takes no attributes", c.name)
	}
	n := &callout{kind: c.name, title: c.arg}
	p.fence(c, n.plain())
	for child := c.FirstChild(); child != nil; child = c.FirstChild() {
		n.AppendChild(n, child)
	}
	c.AppendChild(c, n)
	return nil
}
