package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Anchors are the ids that a link to a page may name: of its second and third
// level headings, and of its demos, in the order of the page.
func (c *Converter) Anchors(src []byte) []string {
	var out []string
	_ = ast.Walk(c.md.Parser().Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if id, ok := n.AttributeString("id"); ok && n.Level <= 3 {
				out = append(out, string(id.([]byte)))
			}
		case *container:
			if n.name == "demo" {
				out = append(out, "demo-"+n.arg)
			}
		}
		return ast.WalkContinue, nil
	})
	return out
}
