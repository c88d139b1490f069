package page

import (
	"math"
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/site/internal/engine"
)

// Every page has a twin in Markdown beside it, and llms.txt lists them: the
// guide for programs that read, with every number filled in.

const introduction = "llms.txt"

// twinPath is where the twin of a page lies.
func twinPath(path string) string { return strings.TrimSuffix(path, ".html") + ".md" }

// twins writes the twin of every page that has a text, and the list of them.
func (b *builder) twins() {
	for _, p := range b.pages {
		var w strings.Builder
		w.WriteString("# " + mark(p.front.Title) + "\n\n")
		if says := p.front.Lede; says != "" {
			w.WriteString("> " + mark(says) + "\n\n")
		}
		w.WriteString(p.doc.Markdown)
		if p.path == "index.html" {
			w.WriteString("\n## Chapters\n\n")
			for _, c := range b.on(guideFolder) {
				w.WriteString("- [" + mark(c.front.Title) + "](" + twinPath(c.path) + ")\n")
			}
		}
		b.files[twinPath(p.path)] = []byte(w.String())
	}
	b.files[introduction] = []byte(b.introduce())
}

// introduce is llms.txt: what the site is and what it has, with links to the
// twins; absolute ones if it is known where the site will be.
func (b *builder) introduce() string {
	var w strings.Builder
	top := b.address("")
	item := func(title, path, says string) {
		w.WriteString("- [" + mark(title) + "](" + top + path + "): " + mark(says) + "\n")
	}
	home := b.pages[0]
	w.WriteString("# Openloop\n\n> " + mark(home.front.Description) + "\n\n")
	w.WriteString("Each page below is the Markdown twin of a page of the same name that ends in .html. Numbers in it were computed by the guide's engine when the site was built. `openloop run DEMO 'STATE' -format csv` gives the rows behind a demo.\n")
	for _, s := range shelves {
		if pages := b.on(s.folder); len(pages) > 0 {
			w.WriteString("\n## " + s.name + "\n\n")
			for _, p := range pages {
				item(p.front.Title, twinPath(p.path), p.front.Description)
			}
		}
	}
	w.WriteString("\n## Demos\n\n")
	for _, d := range b.in.Engine.Demos() {
		item(d.Title, embedPath(d), d.Lead)
	}
	if p := b.bySource[glossaryFile]; p != nil {
		w.WriteString("\n## Optional\n\n")
		item(p.front.Title, twinPath(p.path), p.front.Description)
	}
	return w.String()
}

// sayDemo is what the twin of a page says of a demo: what it is for, what it
// found in this state, what its figures show, and how to run it.
func sayDemo(s demo.State, run engine.Result, root string) string {
	d := s.Demo
	var w strings.Builder
	w.WriteString("**Demo: " + mark(d.Title) + ".** " + mark(d.Lead) + "\n\n" + mark(run.Summary.String()) + "\n\n")
	for _, f := range run.Figures {
		if f.Away {
			continue
		}
		w.WriteString("- " + mark(f.Title+": "+f.Alt) + "\n")
	}
	w.WriteString("\nRun it: [" + mark(d.Title) + "](" + root + embedPath(d) + "#" + s.String() + "), or `openloop run " + d.ID + " '" + s.String() + "'`.\n")
	return w.String()
}

// sayFigure is what the twin of a page has of a figure without a demo.
func sayFigure(f demo.Figure) string {
	out := "**Figure: " + mark(f.Title) + ".** " + mark(f.Alt) + "\n\n"
	for _, n := range f.Notes {
		out += "- " + mark(n) + "\n"
	}
	f.Table.Caption = ""
	return out + "\n" + sayTable(f.Table)
}

// sayTable is a table as GitHub's Markdown has it, with the same digits as on
// the page.
func sayTable(t demo.Table) string {
	var w strings.Builder
	if t.Caption != "" {
		w.WriteString("**Table: " + mark(t.Caption) + "**\n\n")
	}
	line := func(n int, cell func(i int) string) {
		for i := range n {
			w.WriteString("| " + cell(i) + " ")
		}
		w.WriteString("|\n")
	}
	line(len(t.Columns), func(i int) string {
		name := t.Columns[i].Name
		if t.Columns[i].Unit != "" {
			name += " (" + t.Columns[i].Unit + ")"
		}
		return mark(name)
	})
	line(len(t.Columns), func(int) string { return "---" })
	for _, row := range t.Rows {
		line(min(len(row), len(t.Columns)), func(i int) string {
			switch c := row[i]; {
			case c.Word:
				return mark(c.Text)
			case math.IsNaN(c.Num):
				return "–"
			default:
				return text.Num(c.Num, t.Columns[i].Digits)
			}
		})
	}
	w.WriteString("\n")
	return w.String()
}

// mark writes words so that Markdown reads them as they are.
func mark(s string) string {
	return markdownMarks.Replace(s)
}

var markdownMarks = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, "|", `\|`, "`", "\\`", "$", `\$`, "\n", " ")
