package markdown

import (
	"bytes"
	"fmt"
	"regexp"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// A container is a block between two lines of colons:
//
//	:::name argument {key="value"}
//	Markdown
//	:::
//
// A container inside another is written with more colons outside: a line of
// colons closes the innermost container that was opened with as many.
type container struct {
	ast.BaseBlock
	at     int // offset in the source
	shut   int // offset of the line that closes it
	stop   int // and of the line after that
	colons int
	name   string
	arg    string
	attrs  parser.Attributes
}

var kindContainer = ast.NewNodeKind("Container")

func (*container) Kind() ast.NodeKind                { return kindContainer }
func (c *container) begin() int                      { return c.at }
func (c *container) Dump(source []byte, level int)   { ast.DumpHelper(c, source, level, nil, nil) }
func (c *container) attr(name string) (string, bool) { return attribute(c.attrs, name) }

func attribute(attrs parser.Attributes, name string) (string, bool) {
	v, ok := attrs.Find([]byte(name))
	if !ok {
		return "", false
	}
	if b, ok := v.([]byte); ok {
		return string(b), true
	}
	return fmt.Sprint(v), true
}

var (
	fenceLine = regexp.MustCompile(`^(:{3,})\s*([a-z]*)[ \t]*([^{\n]*?)[ \t]*(\{.*\})?[ \t]*\r?\n?$`)
	closeLine = regexp.MustCompile(`^(:{3,})[ \t]*\r?\n?$`)
)

type containerParser struct{}

func (containerParser) Trigger() []byte { return []byte{':'} }

func (containerParser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	if pc.BlockOffset() < 0 {
		return nil, parser.NoChildren
	}
	m := fenceLine.FindSubmatch(line[pc.BlockOffset():])
	if m == nil || len(m[2]) == 0 {
		return nil, parser.NoChildren
	}
	c := &container{at: seg.Start, shut: len(r.Source()), stop: len(r.Source()), colons: len(m[1]), name: string(m[2]), arg: string(m[3])}
	if len(m[4]) > 0 {
		attrs, ok := parser.ParseAttributes(text.NewReader(m[4]))
		if !ok {
			return nil, parser.NoChildren
		}
		c.attrs = attrs
	}
	r.AdvanceToEOL()
	return c, parser.HasChildren
}

func (containerParser) Continue(n ast.Node, r text.Reader, pc parser.Context) parser.State {
	line, seg := r.PeekLine()
	m := closeLine.FindSubmatch(bytes.TrimLeft(line, " "))
	if c := n.(*container); m != nil && len(m[1]) == c.colons {
		c.shut, c.stop = seg.Start, seg.Stop
		r.AdvanceToEOL()
		return parser.Close
	}
	return parser.Continue | parser.HasChildren
}

func (containerParser) Close(ast.Node, text.Reader, parser.Context) {}
func (containerParser) CanInterruptParagraph() bool                 { return true }
func (containerParser) CanAcceptIndentedLine() bool                 { return false }

func (c *container) resolve(p *pass) error {
	switch c.name {
	case "demo":
		return c.demo(p)
	case "table":
		return c.table(p)
	case "figure":
		return c.figure(p)
	case "side":
		return c.side(p)
	case "note", "warning", "aside":
		return c.callout(p)
	}
	return fmt.Errorf("no container is called %q; there are demo, table, figure, side, note, warning and aside", c.name)
}
