package data

import (
	"regexp"
	"strings"
)

// Writing Markdown that means what the words of the tables mean.

// plain escapes every mark that Markdown could read as more than itself.
func plain(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '\n' {
			r = ' '
		}
		if strings.ContainsRune("\\`*_{}[]<>#|$~^!:&\"'", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// solid is plain for a cell that should not be broken into lines.
func solid(s string) string {
	return strings.NewReplacer(" ", "\u00a0", "-", "\u2011").Replace(plain(s))
}

func link(words, to string) string { return "[" + plain(words) + "](" + to + ")" }

// cited is a citation as the tables have it, "owner/name: path (commit ...)",
// with the path linked; other words as they are.
var citedForm = regexp.MustCompile(`^([\w.-]+/[\w.-]+): ([^\s;,(]+\.\w+)(.*)$`)
var commitForm = regexp.MustCompile(`(?:commit |@)([0-9a-f]{7,40})`)

func cited(s string) string {
	m := citedForm.FindStringSubmatch(s)
	if m == nil {
		return plain(s)
	}
	commit := "HEAD"
	if c := commitForm.FindStringSubmatch(m[3]); c != nil {
		commit = c[1]
	}
	return link(m[1]+": "+end(m[2]), "https://github.com/"+m[1]+"/blob/"+commit+"/"+m[2]) + plain(m[3])
}

// end is the last two names of a path: the link has the whole.
func end(path string) string {
	parts := strings.Split(path, "/")
	if len(parts) <= 2 {
		return path
	}
	return "…/" + strings.Join(parts[len(parts)-2:], "/")
}

// table is a table of Markdown; its cells are Markdown.
type table struct {
	heads []string
	rows  [][]string
	from  string // the source of the last row
}

// sourced is a row whose last cell says where its value is from: once, where that
// is the same as in the row above.
func (t *table) sourced(what, value, from string) {
	cell := from
	if from != "" && from == t.from {
		cell = "as above"
	}
	t.from = from
	t.row(what, value, cell)
}

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) write(b *strings.Builder) {
	line := func(cells []string) {
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	line(t.heads)
	b.WriteString(strings.Repeat("|---", len(t.heads)) + "|\n")
	for _, r := range t.rows {
		line(r)
	}
	b.WriteByte('\n')
}
