package markdown

import (
	"fmt"
	"html"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// span is [text]{attributes}: a glossary term (.term) or a claim (claim="id").
// The text may hold other inline marks and may run over lines.
type span struct {
	ast.BaseInline
	at    int // offset in the source
	shut  int // offset of the closing bracket
	stop  int // and of what follows the attributes
	attrs parser.Attributes
	open  string // HTML before and after the text, once resolved
	close string
}

var kindSpan = ast.NewNodeKind("Span")

func (*span) Kind() ast.NodeKind              { return kindSpan }
func (s *span) begin() int                    { return s.at }
func (s *span) Dump(source []byte, level int) { ast.DumpHelper(s, source, level, nil, nil) }

// spanStart marks an opening bracket until its closing one is reached.
type spanStart struct {
	ast.BaseInline
	at     int
	close  int // offset of the closing bracket
	bottom ast.Node
	outer  *spanStart
}

var (
	kindSpanStart = ast.NewNodeKind("SpanStart")
	openSpans     = parser.NewContextKey()
)

func (*spanStart) Kind() ast.NodeKind              { return kindSpanStart }
func (s *spanStart) Dump(source []byte, level int) { ast.DumpHelper(s, source, level, nil, nil) }

type spanParser struct{}

func (spanParser) Trigger() []byte { return []byte{'[', ']'} }

func (spanParser) Parse(parent ast.Node, r text.Reader, pc parser.Context) ast.Node {
	_, seg := r.PeekLine()
	top, _ := pc.Get(openSpans).(*spanStart)
	if r.Source()[seg.Start] == '[' {
		end := spanEnd(r.Source(), seg.Start)
		if end < 0 {
			return nil
		}
		s := &spanStart{at: seg.Start, close: end, outer: top, bottom: pc.LastDelimiter()}
		pc.Set(openSpans, s)
		r.Advance(1)
		return s
	}
	if top == nil || top.close != seg.Start {
		return nil
	}
	line, pos := r.Position()
	r.Advance(1)
	attrs, ok := parser.ParseAttributes(r)
	if !ok {
		r.SetPosition(line, pos)
		return nil
	}
	pc.Set(openSpans, top.outer)
	parser.ProcessDelimiters(top.bottom, pc)
	_, after := r.PeekLine()
	s := &span{at: top.at, shut: top.close, stop: after.Start, attrs: attrs}
	for n := top.NextSibling(); n != nil; {
		next := n.NextSibling()
		parent.RemoveChild(parent, n)
		s.AppendChild(s, n)
		n = next
	}
	parent.RemoveChild(parent, top)
	return s
}

// CloseBlock leaves no bracket open over the end of a paragraph.
func (spanParser) CloseBlock(parent ast.Node, r text.Reader, pc parser.Context) {
	for s, _ := pc.Get(openSpans).(*spanStart); s != nil; s = s.outer {
		at := text.NewSegment(s.at, s.at+1)
		s.Parent().ReplaceChild(s.Parent(), s, ast.NewTextSegment(at))
	}
	pc.Set(openSpans, nil)
}

// spanEnd finds the bracket that closes the one at start if a brace follows
// it, or -1. It looks no further than the end of the paragraph.
func spanEnd(src []byte, start int) int {
	depth := 0
	for i := start; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '\n':
			if i+1 < len(src) && src[i+1] == '\n' {
				return -1
			}
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				if i+1 < len(src) && src[i+1] == '{' {
					return i
				}
				return -1
			}
		}
	}
	return -1
}

func (s *span) resolve(p *pass) error {
	p.replace(s.at, s.at+1, "")
	p.replace(s.shut, s.stop, "")
	id, isClaim := attribute(s.attrs, "claim")
	class, hasClass := attribute(s.attrs, "class")
	switch {
	case isClaim && len(s.attrs) == 1:
		return s.claim(p, id)
	case hasClass && class == "term":
		return s.term(p)
	}
	return fmt.Errorf("[%s]{...} is neither a .term nor a claim", plain(s, p.src))
}

// plain is the text of a node without its marks.
func plain(n ast.Node, src []byte) string {
	var b []byte
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			words := n.Segment.Value(src)
			if n.Parent() == nil || n.Parent().Kind() != ast.KindCodeSpan {
				words = util.UnescapePunctuations(words)
			}
			b = append(b, words...)
			if n.SoftLineBreak() || n.HardLineBreak() {
				b = append(b, ' ')
			}
		case *ast.String:
			b = append(b, html.UnescapeString(string(n.Value))...) // the typographer's quotes are entities
		case *value:
			b = append(b, n.text...)
		}
		return ast.WalkContinue, nil
	})
	return string(b)
}
