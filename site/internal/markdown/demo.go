package markdown

import (
	"errors"
	"fmt"
	"slices"

	"github.com/yuin/goldmark/ast"
)

// demoNode is what a demo container becomes: the guide's HTML around the
// children, which say in words what a reader sees without the demo.
type demoNode struct {
	ast.BaseBlock
	before, after string
}

var kindDemo = ast.NewNodeKind("Demo")

func (*demoNode) Kind() ast.NodeKind              { return kindDemo }
func (d *demoNode) Dump(source []byte, level int) { ast.DumpHelper(d, source, level, nil, nil) }

func (c *container) demo(p *pass) error {
	if c.arg == "" {
		return errors.New("a demo fence names no demo")
	}
	for _, a := range c.attrs {
		if name := string(a.Name); name != "state" && name != "preset" {
			return fmt.Errorf("a demo fence has no attribute %q; there are state and preset", name)
		}
	}
	state, hasState := c.attr("state")
	preset, hasPreset := c.attr("preset")
	if hasState && hasPreset {
		return errors.New("a demo fence has a state or a preset, not both")
	}
	if slices.Contains(p.demos, c.arg) {
		return fmt.Errorf("demo %q is on this page already", c.arg)
	}
	shown, err := p.guide.Demo(c.arg, state, preset)
	if err != nil {
		return err
	}
	p.demos = append(p.demos, c.arg)
	p.replace(c.at, c.stop, shown.Markdown)
	d := &demoNode{before: shown.Before, after: shown.After}
	for n := c.FirstChild(); n != nil; n = c.FirstChild() {
		d.AppendChild(d, n)
	}
	c.AppendChild(c, d)
	return nil
}
