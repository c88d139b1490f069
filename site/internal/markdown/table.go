package markdown

import (
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// scroll is a box that scrolls sideways, so that a wide table never widens
// the page; the keyboard can reach it.
type scroll struct {
	ast.BaseBlock
	number int // on the page, from 1: its name among the regions
}

var kindScroll = ast.NewNodeKind("Scroll")

func (*scroll) Kind() ast.NodeKind              { return kindScroll }
func (s *scroll) Dump(source []byte, level int) { ast.DumpHelper(s, source, level, nil, nil) }

// tableWrapper puts every table into such a box.
type tableWrapper struct{}

func (tableWrapper) Transform(doc *ast.Document, r text.Reader, pc parser.Context) {
	var tables []ast.Node
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && n.Kind() == east.KindTable {
			tables = append(tables, n)
		}
		return ast.WalkContinue, nil
	})
	for i, t := range tables {
		box := &scroll{number: i + 1}
		t.Parent().ReplaceChild(t.Parent(), t, box)
		box.AppendChild(box, t)
	}
}
