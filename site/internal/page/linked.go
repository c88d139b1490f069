package page

import (
	"html"
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/draw"
)

// Marks around the words of a cell that leads somewhere, of the characters that
// no text uses.
const linkOpen, linkEnd = "\ue000", "\ue001"

// linked is a table with links in it. They are put in after it was drawn: what
// draws tables is carried into the browser, where no table has links.
func linked(t demo.Table, href func(row, column int) string) string {
	if href == nil {
		return draw.Table(t)
	}
	var to []string
	rows := make([][]demo.Cell, len(t.Rows))
	for r, row := range t.Rows {
		rows[r] = append([]demo.Cell(nil), row...)
		for c := range row {
			if address := href(r, c); address != "" && row[c].Word {
				rows[r][c].Text = linkOpen + row[c].Text + linkEnd
				to = append(to, address)
			}
		}
	}
	t.Rows = rows
	var b strings.Builder
	for i, part := range strings.Split(draw.Table(t), linkOpen) {
		if i > 0 {
			b.WriteString(`<a href="` + html.EscapeString(to[i-1]) + `">`)
			part = strings.Replace(part, linkEnd, "</a>", 1)
		}
		b.WriteString(part)
	}
	return b.String()
}
