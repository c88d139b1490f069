package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Section is the plain words of a page under one heading of the table of
// contents, or before the first.
type Section struct {
	ID, Heading string // empty before the first heading
	Text        string
}

// sections cuts a resolved page at its headings. What a demo or a figure shows
// is not part of it; captions of tables are.
func sections(root ast.Node, src []byte) []Section {
	out := []Section{{}}
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok || h.Level > 3 {
			out[len(out)-1].Text += spoken(n, src) + " "
			continue
		}
		id, _ := h.AttributeString("id")
		raw, _ := id.([]byte)
		out = append(out, Section{ID: string(raw), Heading: plain(h, src)})
	}
	for i := range out {
		out[i].Text = strings.Join(strings.Fields(out[i].Text), " ")
	}
	return out
}

// spoken is the text of a block and of what is in it, with spaces between
// blocks.
func spoken(n ast.Node, src []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			if entering {
				b.Write(n.Lines().Value(src))
			}
			return ast.WalkSkipChildren, nil
		case *demoNode:
			return ast.WalkSkipChildren, nil // the demo is found by itself
		case *keptTable:
			if entering {
				b.WriteString(n.caption + " ")
			}
		}
		if n.Type() == ast.TypeBlock {
			b.WriteByte(' ')
		}
		if entering {
			switch n.(type) {
			case *ast.Text, *ast.String, *value:
				b.WriteString(plain(n, src))
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
