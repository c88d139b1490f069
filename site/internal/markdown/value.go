package markdown

import (
	"errors"
	"regexp"
	"strconv"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// value is {{ value "demo#state" "metric" digits }}: a number that the build
// computes by running the demo, and that leads to it. Digits (significant digits, 0 for a whole
// number in full) may be left out; then the metric says.
type value struct {
	ast.BaseInline
	at, size     int
	link, metric string
	digits       int
	bad          bool // not of this form
	text, href   string
}

var kindValue = ast.NewNodeKind("Value")

func (*value) Kind() ast.NodeKind              { return kindValue }
func (v *value) begin() int                    { return v.at }
func (v *value) Dump(source []byte, level int) { ast.DumpHelper(v, source, level, nil, nil) }

var (
	braces    = regexp.MustCompile(`^\{\{.*?\}\}`)
	valueForm = regexp.MustCompile(`^\{\{\s*value\s+"([^"]*)"\s+"([^"]*)"(?:\s+(\d{1,2}))?\s*\}\}$`)
)

type valueParser struct{}

func (valueParser) Trigger() []byte { return []byte{'{'} }

func (valueParser) Parse(parent ast.Node, r text.Reader, pc parser.Context) ast.Node {
	line, seg := r.PeekLine()
	whole := braces.Find(line)
	if whole == nil {
		return nil
	}
	r.Advance(len(whole))
	v := &value{at: seg.Start, size: len(whole), digits: -1}
	m := valueForm.FindSubmatch(whole)
	if m == nil {
		v.bad = true
		return v
	}
	v.link, v.metric = string(m[1]), string(m[2])
	if len(m[3]) > 0 {
		v.digits, _ = strconv.Atoi(string(m[3])) // two digits at most
	}
	return v
}

func (v *value) resolve(p *pass) error {
	if v.bad {
		return errors.New(`a computed number reads {{ value "demo#state" "metric" }}, with significant digits at the end if wanted`)
	}
	var err error
	v.text, v.href, err = p.guide.Value(v.link, v.metric, v.digits)
	for n := v.Parent(); n != nil; n = n.Parent() {
		if n.Kind() == ast.KindLink || n.Kind() == ast.KindHeading {
			v.href = "" // it leads elsewhere, or is repeated in lists of sections
		}
	}
	p.replace(v.at, v.at+v.size, v.text)
	return err
}
