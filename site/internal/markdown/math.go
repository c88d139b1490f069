package markdown

import (
	"fmt"
	"strings"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark/ast"
)

// math sets $...$ and $$...$$ as MathML while the page is built; a dollar sign
// in prose is written \$. The result replaces the content of the node as an
// attribute, because the node is not ours.
func (p *pass) math(n ast.Node, raw []byte, d *passthrough.Delimiters, display bool) error {
	tex := strings.TrimSpace(string(raw))
	tex = strings.TrimSuffix(strings.TrimPrefix(tex, d.Open), d.Close)
	m, err := p.guide.Math(strings.TrimSpace(tex), display)
	if err != nil {
		return fmt.Errorf("formula %q: %w", tex, err)
	}
	n.SetAttributeString("math", []byte(m))
	return nil
}
