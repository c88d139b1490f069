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
	if strings.Contains(c.arg, "#") {
		return c.still(p)
	}
	for _, a := range c.attrs {
		return fmt.Errorf("a figure fence has no attribute %q", a.Name)
	}
	made, err := p.guide.Figure(c.arg)
	if err != nil {
		return err
	}
	p.fence(c, made.Markdown)
	c.wrap(&keptTable{caption: made.Caption, open: "<div class=\"kept-figure\">\n" + made.HTML, end: "</div>\n"})
	return nil
}

// still shows a figure of a demo in a state, under the children.
func (c *container) still(p *pass) error {
	for _, a := range c.attrs {
		if name := string(a.Name); name != "figure" && name != "at" && name != "knob" {
			return fmt.Errorf("a figure fence of a demo has no attribute %q; there are figure, at and knob", name)
		}
	}
	figure, _ := c.attr("figure")
	at, _ := c.attr("at")
	knob, _ := c.attr("knob")
	made, err := p.guide.Still(c.arg, figure, at, knob)
	if err != nil {
		return err
	}
	p.replace(c.at, min(c.at+lineLength(p.src[c.at:]), c.shut), "")
	p.replace(c.shut, c.stop, "\n"+made.Markdown)
	c.wrap(&keptTable{caption: made.Caption, open: "<div class=\"still\">\n<div class=\"still-says\">\n", end: "</div>\n" + made.HTML + "</div>\n"})
	return nil
}

// side stands the containers in it side by side where there is room.
func (c *container) side(p *pass) error {
	if c.arg != "" || len(c.attrs) > 0 {
		return errors.New("a side fence has no argument and no attribute")
	}
	p.fence(c, "")
	c.wrap(&keptTable{open: "<div class=\"side\">\n", end: "</div>\n"})
	return nil
}

// wrap puts what the container holds into k, and k in its place.
func (c *container) wrap(k *keptTable) {
	for n := c.FirstChild(); n != nil; n = c.FirstChild() {
		k.AppendChild(k, n)
	}
	c.AppendChild(c, k)
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
	c.wrap(k)
	return nil
}
