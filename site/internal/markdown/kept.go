package markdown

import (
	"errors"
	"fmt"
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// keptTable is what a table container becomes: a table of the guide's in a box
// that scrolls, with the children as remarks under it, all of it folded behind
// a line if the author gives one.
type keptTable struct {
	ast.BaseBlock
	open, end string
	caption   string // or title of the figure
}

var kindKeptTable = ast.NewNodeKind("KeptTable")

func (*keptTable) Kind() ast.NodeKind              { return kindKeptTable }
func (k *keptTable) Dump(source []byte, level int) { ast.DumpHelper(k, source, level, nil, nil) }

// figure shows a picture, with the children as remarks under it.
func (c *container) figure(p *pass) error {
	if c.arg == "" {
		return errors.New("a figure fence names no figure")
	}
	for _, a := range c.attrs {
		return fmt.Errorf("a figure fence has no attribute %q", a.Name)
	}
	made, err := p.guide.Figure(c.arg)
	if err != nil {
		return err
	}
	p.fence(c, made.Markdown)
	k := &keptTable{caption: made.Caption, open: "<div class=\"kept-figure\">\n" + made.HTML, end: "</div>\n"}
	for n := c.FirstChild(); n != nil; n = c.FirstChild() {
		k.AppendChild(k, n)
	}
	c.AppendChild(c, k)
	return nil
}

func (c *container) table(p *pass) error {
	if c.arg == "" {
		return errors.New("a table fence names no table")
	}
	for _, a := range c.attrs {
		if name := string(a.Name); name != "fold" {
			return fmt.Errorf("a table fence has no attribute %q; there is fold", name)
		}
	}
	made, err := p.guide.Table(c.arg)
	if err != nil {
		return err
	}
	p.fence(c, made.Markdown)
	caption := made.Caption
	// The caption stands above the box, where it does not scroll; the box is named by it.
	table := strings.Replace(made.HTML, "<caption>", "<caption class=\"visually-hidden\">", 1)
	k := &keptTable{caption: caption, open: "<p class=\"caption\" aria-hidden=\"true\">" + html.EscapeString(caption) + "</p>\n" + fmt.Sprintf("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n%s\n</div>\n", html.EscapeString(caption), table)}
	if fold, ok := c.attr("fold"); ok {
		k.open = fmt.Sprintf("<details class=\"fold\"><summary>%s</summary>\n", html.EscapeString(fold)) + k.open
		k.end = "</details>\n"
	}
	for n := c.FirstChild(); n != nil; n = c.FirstChild() {
		k.AppendChild(k, n)
	}
	c.AppendChild(c, k)
	return nil
}
