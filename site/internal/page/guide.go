package page

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/site/internal/engine"
	"openloop/site/internal/markdown"
)

// guide answers what the text of one page refers to; it is the page's
// markdown.Guide.
type guide struct {
	*builder
	page *source
}

func (b *builder) convert(p *source) error {
	p.explained = map[string]bool{}
	doc, err := b.md.Convert(guide{b, p}, p.file, p.line, p.body)
	p.doc = doc
	return err
}

func (g guide) Demo(id, link, preset string) (markdown.Shown, error) {
	d, err := g.in.Engine.Find(id)
	if err != nil {
		return markdown.Shown{}, err
	}
	var s demo.State
	if preset != "" {
		s, err = engine.Preset(d, preset)
	} else {
		s, err = engine.State(d, link)
	}
	if err != nil {
		return markdown.Shown{}, err
	}
	shown, err := g.show(s, explainer{g.terms, cmp.Or(g.page.root(), "./"), g.page.explained})
	if err != nil {
		return markdown.Shown{}, err
	}
	g.page.demos = append(g.page.demos, shown)
	return markdown.Shown{Before: shown.before, After: shown.after, Markdown: sayDemo(s, shown.run, g.page.root())}, nil
}

func (g guide) Value(link, metric string, digits int) (says, href string, err error) {
	if says, err = g.in.Engine.Value(link, metric, digits); err != nil {
		return "", "", err
	}
	s, err := g.in.Engine.Open(link)
	if err != nil {
		return "", "", err
	}
	switch at := g.places[s.Demo.ID]; at {
	case "":
		return says, "", nil
	case g.page.path:
		return says, stateLink(s), nil
	default:
		return says, g.page.root() + at + stateLink(s), nil
	}
}

// stateLink is the part of an address that opens a demo in a state.
func stateLink(s demo.State) string { return "#demo=" + s.Demo.ID + "&" + s.String() }

func (g guide) Table(id string) (markdown.Kept, error) {
	var ids []string
	for _, t := range g.in.Tables {
		if t.ID == id {
			made := t.Make()
			return markdown.Kept{HTML: cards(linked(made, t.Link), made), Caption: made.Caption, Markdown: sayTable(made)}, nil
		}
		ids = append(ids, t.ID)
	}
	return markdown.Kept{}, fmt.Errorf("no table is called %q; there are %s", id, text.List(ids, "and"))
}

func (g guide) Figure(id string) (markdown.Kept, error) {
	var ids []string
	for _, f := range g.in.Figures {
		if f.ID == id {
			made := f.Make()
			made.ID = id
			g.page.needs.add(made)
			g.page.figures = append(g.page.figures, keptFigure{made, "figure-" + id})
			v, err := g.figure("figure", made, nil)
			if err != nil {
				return markdown.Kept{}, err
			}
			html, err := g.execute("figure", v)
			return markdown.Kept{HTML: html, Caption: made.Title, Markdown: sayFigure(made)}, err
		}
		ids = append(ids, f.ID)
	}
	return markdown.Kept{}, fmt.Errorf("no figure is called %q; there are %s", id, text.List(ids, "and"))
}

func (g guide) Term(name string) (markdown.Term, error) {
	e, err := g.terms.find(name)
	if err != nil {
		return markdown.Term{}, err
	}
	if g.page.explained != nil {
		g.page.explained[e.Name] = true // a demo further down need not link it again
	}
	if g.page.file != glossaryFile {
		g.used["term "+e.ID] = true
	}
	return markdown.Term{ID: e.ID, Href: g.page.root() + "glossary.html#" + e.ID, Definition: e.Definition}, nil
}

func (g guide) Claim(id string) error {
	for _, c := range g.in.Claims {
		if c.ID == id {
			g.used["claim "+id] = true
			return nil
		}
	}
	return fmt.Errorf("no test checks claim %q; add it to content/prose", id)
}

// Link turns a link to a source file into one to its page. Whether an anchor
// exists is for package check.
func (g guide) Link(dest string) (string, error) {
	file, fragment, hasFragment := strings.Cut(dest, "#")
	switch {
	case file == "":
		return dest, nil
	case strings.HasPrefix(file, "/"):
		return "", fmt.Errorf("link %s begins with a slash; links between pages name the source file, such as 05-name.md", dest)
	}
	full := path.Join(path.Dir(g.page.file), file)
	to, ok := g.bySource[full]
	if !ok {
		return "", fmt.Errorf("link %s: there is no content/%s", dest, full)
	}
	out := g.page.root() + to.path
	if hasFragment {
		out += "#" + fragment
	}
	return out, nil
}

func (g guide) Math(tex string, display bool) (string, error) {
	if tex == "" {
		return "", errors.New("empty")
	}
	return g.in.Math.Set(tex, display)
}
