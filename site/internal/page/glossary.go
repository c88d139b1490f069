package page

import (
	"fmt"
	"strings"

	"openloop/site/internal/markdown"
)

// glossary is the entries by their name in lower case.
type glossary map[string]markdown.Entry

func readGlossary(md *markdown.Converter, p *source) (glossary, error) {
	g := glossary{}
	entries, err := md.Entries(p.file, p.line, p.body)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		key := strings.ToLower(e.Name)
		if _, dup := g[key]; dup {
			return nil, fmt.Errorf("%s: %q is defined twice", p.file, e.Name)
		}
		g[key] = e
	}
	return g, nil
}

// find takes a name in any case and in the plain plural.
func (g glossary) find(name string) (markdown.Entry, error) {
	key := strings.ToLower(strings.Join(strings.Fields(name), " "))
	for _, k := range []string{key, strings.TrimSuffix(key, "s"), strings.TrimSuffix(key, "es")} {
		if e, ok := g[k]; ok {
			return e, nil
		}
	}
	return markdown.Entry{}, fmt.Errorf(`the glossary has no %q; add it to %s, or name the entry: {.term is="..."}`, name, glossaryFile)
}

func (b *builder) unusedTerms() []string {
	var out []string
	for _, p := range b.pages {
		if p.file != glossaryFile {
			continue
		}
		for _, h := range p.doc.Headings {
			if h.Level == 2 && !b.used["term "+h.ID] {
				out = append(out, h.Text)
			}
		}
	}
	return out
}

func (b *builder) unusedClaims() []string {
	var out []string
	for _, c := range b.in.Claims {
		if !b.used["claim "+c.ID] {
			out = append(out, c.ID)
		}
	}
	return out
}
