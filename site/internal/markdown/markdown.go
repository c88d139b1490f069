// Package markdown turns a page of the guide into HTML.
//
// Start reading at New, which is the whole configuration of goldmark, then at
// the one file per extension: container.go (:::demo, :::note, ...), span.go
// ([text]{.term}, [sentence.]{claim="id"}), value.go, math.go, heading.go.
// What an author may write is told in site/doc.go.
//
// The package knows no demo, no glossary and no claim: it asks its Guide.
// Whatever the guide cannot answer is an error with file and line; a page with
// an error is not rendered. Raw HTML is not passed through.
package markdown

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark"
	highlighting "github.com/yuin/goldmark-highlighting/v2"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Guide answers what the text refers to. Its methods report what is wrong in
// words that make sense after "file:line: ".
type Guide interface {
	// Demo shows a demo in a state. Of state and preset at most one is not
	// empty.
	Demo(id, state, preset string) (Shown, error)
	// Value runs a demo (link is "id" or "id#state") and returns one of its
	// metrics as text, with the given number of significant digits; digits is
	// -1 for the metric's own. Href leads to the demo in that state, "" if no
	// page shows it.
	Value(link, metric string, digits int) (says, href string, err error)
	// Table finds a table that is computed from kept results.
	Table(id string) (Kept, error)
	// Figure finds a picture that is made when the site is built.
	Figure(id string) (Kept, error)
	// Still draws a figure of a demo (link is "id" or "id#state") as it is in a
	// state: the one with this id, or the first if figure is "". At is the page
	// that has the demo, "" if it is the same one; knob is the setting that moves
	// the figure, "" for the one that its mark belongs to.
	Still(link, figure, at, knob string) (Kept, error)
	// Term finds a glossary entry.
	Term(name string) (Term, error)
	// Claim says whether a claim is one that the tests check.
	Claim(id string) error
	// Link translates the destination of a link that names no scheme.
	Link(dest string) (string, error)
	// Math sets TeX as MathML.
	Math(tex string, display bool) (string, error)
}

// Shown is a demo: its HTML around its fallback text, and what the twin of the
// page says instead of both.
type Shown struct{ Before, After, Markdown string }

// Kept is a table or a figure: its HTML, its caption or title as plain text,
// and what the twin of the page has of it.
type Kept struct{ HTML, Caption, Markdown string }

// Term is one entry of the glossary.
type Term struct {
	ID         string // fragment on the glossary page
	Href       string // link to it
	Definition string // plain text
}

// Heading is an entry of a page's table of contents.
type Heading struct {
	Level int // 2 or 3
	ID    string
	Text  string
}

// Document is a page's text as HTML, with its headings, and as Markdown that
// anybody can read.
type Document struct {
	HTML     string
	Markdown string
	Headings []Heading
	Sections []Section // at least the one before the first heading
}

// Converter turns pages into HTML.
type Converter struct{ md goldmark.Markdown }

// New configures goldmark: this is every option that we use.
func New() *Converter {
	dollars := []passthrough.Delimiters{{Open: "$", Close: "$"}}
	double := []passthrough.Delimiters{{Open: "$$", Close: "$$"}}
	md := goldmark.New(
		goldmark.WithParserOptions(
			parser.WithAutoHeadingID(),
			parser.WithAttribute(),
			parser.WithBlockParsers(util.Prioritized(containerParser{}, 750)),
			parser.WithInlineParsers(
				util.Prioritized(valueParser{}, 90),
				util.Prioritized(spanParser{}, 190), // before links, at 200
			),
			parser.WithASTTransformers(util.Prioritized(tableWrapper{}, 900)),
		),
		goldmark.WithExtensions(
			extension.GFM,
			extension.Footnote,
			extension.DefinitionList,
			extension.Typographer,
			highlighting.NewHighlighting(
				highlighting.WithFormatOptions(html.WithClasses(true), html.PreventSurroundingPre(true)),
				highlighting.WithWrapperRenderer(renderCodeBox),
			),
			passthrough.New(passthrough.Config{InlineDelimiters: dollars, BlockDelimiters: double}),
		),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(nodes{}, 50))),
	)
	return &Converter{md: md}
}

// Convert renders a page. The name is for messages; firstLine is the line of
// the file at which src begins.
func (c *Converter) Convert(guide Guide, name string, firstLine int, src []byte) (Document, error) {
	root := c.md.Parser().Parse(text.NewReader(src))
	p := &pass{guide: guide, name: name, first: firstLine, src: src}
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			p.resolve(n)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return Document{}, err
	}
	p.footnotes()
	if err := errors.Join(p.errs...); err != nil {
		return Document{}, err
	}
	var b bytes.Buffer
	if err := c.md.Renderer().Render(&b, src, root); err != nil {
		return Document{}, fmt.Errorf("%s: %w", name, err)
	}
	p.doc.HTML, p.doc.Markdown = b.String(), p.twin()
	p.doc.Sections = sections(root, src)
	return p.doc, nil
}

// pass is one walk over a page that asks the guide for everything that the
// page refers to.
type pass struct {
	guide Guide
	name  string
	first int
	src   []byte
	doc   Document
	demos []string // of the page so far
	edits []edit   // that make the twin
	last  int      // where the last link with an edit ended
	errs  []error
}

// resolver is a node that needs an answer before it can be rendered.
type resolver interface {
	ast.Node
	resolve(p *pass) error
}

func (p *pass) resolve(n ast.Node) {
	var err error
	switch n := n.(type) {
	case resolver:
		err = n.resolve(p)
	case *ast.Heading:
		err = p.heading(n)
	case *ast.Link:
		err = p.link(n)
	case *ast.Image:
		err = p.image(n)
	case *passthrough.PassthroughInline:
		err = p.math(n, n.Segment.Value(p.src), n.Delimiters, false)
	case *passthrough.PassthroughBlock:
		err = p.math(n, n.Lines().Value(p.src), n.Delimiters, true)
	case *ast.HTMLBlock, *ast.RawHTML:
		err = errors.New("raw HTML is not passed through")
	}
	if err != nil {
		p.errs = append(p.errs, fmt.Errorf("%s:%d: %w", p.name, p.line(n), err))
	}
}

// line is where a node, or else the block around it, begins in the file.
func (p *pass) line(n ast.Node) int {
	for ; n != nil; n = n.Parent() {
		if at := start(n); at >= 0 {
			return p.first + bytes.Count(p.src[:at], []byte("\n"))
		}
	}
	return p.first
}

func start(n ast.Node) int {
	switch n := n.(type) {
	case interface{ begin() int }:
		return n.begin()
	case *passthrough.PassthroughInline:
		return n.Segment.Start
	}
	if n.Type() != ast.TypeInline && n.Lines() != nil && n.Lines().Len() > 0 {
		return n.Lines().At(0).Start
	}
	if t, ok := n.FirstChild().(*ast.Text); ok {
		return t.Segment.Start
	}
	return -1
}
