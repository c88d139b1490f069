package page

import (
	"slices"
	"strings"
	"unicode"

	"openloop/content/demo"
	"openloop/site/internal/search"
)

// searchIndex is what the search box of every page asks.
const searchIndex = "assets/search.js"

// find makes the index of everything that can be found: pages, their parts,
// entries of the glossary and demos, each of these on the first page that shows it.
func (b *builder) find() error {
	var ix search.Index
	for _, p := range b.pages {
		shelf := ""
		if s := shelfOf(p.path); s != nil {
			shelf = s.name
		}
		ix.Add(p.path, p.front.Title, shelf, b.parts(p))
	}
	raw, err := ix.Script()
	b.files[searchIndex] = raw
	return err
}

func (b *builder) parts(p *source) []search.Part {
	var out []search.Part
	for _, s := range p.doc.Sections {
		part := search.Part{Fragment: s.ID, Heading: s.Heading, Text: s.Text}
		switch {
		case s.ID == "":
			part.Heading, part.Text = p.front.Title, p.front.Lede+" "+s.Text+" "+p.front.Find
		case p.file == glossaryFile:
			part.Kind = search.Term
		}
		out = append(out, part)
	}
	for _, shown := range p.demos {
		if b.about(shown.demo) == p {
			out = append(out, search.Part{Fragment: "demo-" + shown.demo.ID, Kind: search.Demo, Heading: shown.demo.Title, Text: aboutDemo(shown.demo, shown.run.Figures)})
		}
	}
	for _, f := range p.figures {
		out = append(out, search.Part{Fragment: f.key + "-t", Heading: f.Title, Text: f.Alt + " " + labels(f.Figure)})
	}
	return out
}

// aboutDemo is what a demo can be found by beside its title: what it is for, the
// names of its settings and presets, and the words in its figures.
func aboutDemo(d *demo.Demo, figures []demo.Figure) string {
	said := []string{d.Lead}
	var names []string
	for _, k := range d.Knobs {
		names = append(names, k.Label)
	}
	for _, p := range d.Presets {
		names = append(names, p.Name)
	}
	if len(names) > 0 {
		said = append(said, strings.Join(names, ", ")+".")
	}
	for _, f := range figures {
		said = append(said, f.Title, labels(f))
	}
	return strings.Join(said, " ")
}

// labels are the words that stand in a figure: at its axes and lines, and before the
// rows of what is read.
func labels(f demo.Figure) string {
	said := []string{f.X.Label, f.Y.Label}
	said = append(append(said, f.X.Names...), f.Y.Names...)
	for _, s := range f.Series {
		said = append(said, s.Name)
	}
	for _, m := range f.Marks {
		said = append(said, m.Label)
	}
	for _, b := range f.Bands {
		said = append(said, b.Label)
	}
	for _, t := range f.Traces {
		said = append(said, t.Name)
	}
	for _, s := range f.Strips {
		said = append(said, s.Label)
	}
	for _, s := range f.Steps {
		said = append(said, s.Name)
	}
	for _, c := range f.Table.Columns {
		said = append(said, c.Name)
	}
	said = slices.DeleteFunc(said, func(s string) bool { return strings.IndexFunc(s, unicode.IsLetter) < 0 })
	slices.Sort(said)
	return strings.Join(slices.Compact(said), ", ")
}
