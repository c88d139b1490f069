package markdown

import (
	"fmt"
	"html"
)

// term makes a glossary term: a link to the glossary page, which page.js turns
// into a button that shows the definition. The words may differ from the
// entry's name: [gaps]{.term is="ULP"}.
func (s *span) term(p *pass) error {
	name := plain(s, p.src)
	for _, a := range s.attrs {
		if key := string(a.Name); key != "class" && key != "is" {
			return fmt.Errorf("a term has no attribute %q; there is is", key)
		}
	}
	if is, ok := attribute(s.attrs, "is"); ok {
		name = is
	}
	t, err := p.guide.Term(name)
	if err != nil {
		return err
	}
	s.open = fmt.Sprintf(`<a class="term" href="%s" data-definition="%s">`, html.EscapeString(t.Href), html.EscapeString(t.Definition))
	s.close = "</a>"
	return nil
}
