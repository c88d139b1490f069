package markdown

import (
	"fmt"
	"html"
	"strings"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	highlighting "github.com/yuin/goldmark-highlighting/v2"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"openloop/content/demo/text"
)

// nodes writes the nodes of this package, and headings, which carry a link to
// themselves.
type nodes struct{}

func (nodes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(kindContainer, nothing)
	r.Register(kindDemo, renderDemo)
	r.Register(kindKeptTable, renderKeptTable)
	r.Register(kindCallout, renderCallout)
	r.Register(kindSpan, renderSpan)
	r.Register(kindValue, renderValue)
	r.Register(kindScroll, renderScroll)
	r.Register(ast.KindHeading, renderHeading)
	r.Register(ast.KindCodeSpan, renderCode)
	r.Register(passthrough.KindPassthroughInline, renderMath)
	r.Register(passthrough.KindPassthroughBlock, renderMath)
}

func nothing(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
	return ast.WalkContinue, nil
}

func renderDemo(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	d := n.(*demoNode)
	open, end := d.before, d.after
	if d.HasChildren() {
		open += "<noscript><div class=\"demo-fallback\">\n"
		end = "</div></noscript>\n" + end
	}
	if entering {
		_, err := w.WriteString(open)
		return ast.WalkContinue, err
	}
	_, err := w.WriteString(end)
	return ast.WalkContinue, err
}

// renderCode keeps the flags of commands whole, wherever the line breaks.
func renderCode(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	b := []byte("<code>")
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		says := c.(*ast.Text).Segment.Value(src)
		b = text.AppendWords(b, strings.ReplaceAll(string(says), "\n", " "))
	}
	_, err := w.Write(append(b, "</code>"...))
	return ast.WalkSkipChildren, err
}

func renderKeptTable(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	k := n.(*keptTable)
	if entering {
		_, err := w.WriteString(k.open)
		return ast.WalkContinue, err
	}
	_, err := w.WriteString(k.end)
	return ast.WalkContinue, err
}

func renderCallout(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	c := n.(*callout)
	tag, open := "div", `<div class="callout `+c.kind+`" role="note">`
	if c.kind == "aside" {
		tag, open = "aside", `<aside class="margin" role="note">` // many unnamed landmarks would be no landmarks
	}
	if !entering {
		_, err := fmt.Fprintf(w, "</%s>\n", tag)
		return ast.WalkContinue, err
	}
	title := c.title
	if title == "" && c.kind == "warning" {
		title = "Warning"
	}
	_, _ = w.WriteString(open + "\n")
	if title != "" {
		_, _ = fmt.Fprintf(w, "<p class=\"callout-title\">%s</p>\n", html.EscapeString(title))
	}
	return ast.WalkContinue, nil
}

func renderSpan(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	s := n.(*span)
	if entering {
		_, err := w.WriteString(s.open)
		return ast.WalkContinue, err
	}
	_, err := w.WriteString(s.close)
	return ast.WalkContinue, err
}

func renderValue(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	v := n.(*value)
	open, end := `<span class="value">`, "</span>"
	if v.href != "" {
		open, end = `<a class="value" href="`+html.EscapeString(v.href)+`">`, "</a>"
	}
	_, err := w.WriteString(open + html.EscapeString(v.text) + end)
	return ast.WalkContinue, err
}

func renderScroll(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, err := fmt.Fprintf(w, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table %d\">\n", n.(*scroll).number)
		return ast.WalkContinue, err
	}
	_, err := w.WriteString("</div>\n")
	return ast.WalkContinue, err
}

func renderHeading(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	h := n.(*ast.Heading)
	id := ""
	if v, ok := h.AttributeString("id"); ok {
		id = html.EscapeString(string(v.([]byte)))
	}
	if entering {
		_, err := fmt.Fprintf(w, `<h%d id="%s">`, h.Level, id)
		return ast.WalkContinue, err
	}
	label := html.EscapeString("Link to: " + plain(h, src))
	_, err := fmt.Fprintf(w, " <a class=\"anchor\" href=\"#%s\" aria-label=\"%s\">#</a></h%d>\n", id, label, h.Level)
	return ast.WalkContinue, err
}

func renderMath(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	m, ok := n.AttributeString("math")
	if !ok {
		return ast.WalkStop, fmt.Errorf("formula was not set")
	}
	_, err := w.Write(m.([]byte))
	if n.Type() == ast.TypeBlock {
		_ = w.WriteByte('\n')
	}
	return ast.WalkSkipChildren, err
}

// renderCodeBox lets the keyboard reach code that scrolls sideways.
func renderCodeBox(w util.BufWriter, c highlighting.CodeBlockContext, entering bool) {
	if !entering {
		_, _ = w.WriteString("</code></pre>\n")
		return
	}
	lang, _ := c.Language()
	_, _ = fmt.Fprintf(w, `<pre class="chroma" tabindex="0" data-lang="%s"><code>`, html.EscapeString(string(lang)))
}
