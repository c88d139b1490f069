package markdown

import "html"

// claim marks a sentence that states a number or an ordering. Its id must be
// in the table of package content/prose, whose tests check what it says.
func (s *span) claim(p *pass, id string) error {
	if err := p.guide.Claim(id); err != nil {
		return err
	}
	s.open = `<span data-claim="` + html.EscapeString(id) + `">`
	s.close = "</span>"
	return nil
}
