package draw

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

// Table is an HTML table with its caption, column heads with their units, and
// numbers at the precision of their columns. A word in the first column heads
// its row.
func Table(t demo.Table) string {
	t = shown(t)
	b := []byte("<table>")
	if t.Caption != "" {
		b = element(b, "caption", "", t.Caption)
	}
	b = append(b, "<thead><tr>"...)
	numeric := numericColumns(t)
	for i, c := range t.Columns {
		b = append(b, `<th scope="col"`...)
		if numeric[i] {
			b = append(b, ` class="num"`...)
		}
		b = append(b, '>')
		b = text.AppendEscape(b, c.Name)
		if c.Unit != "" {
			b = append(b, ` <small class="unit">(`...)
			b = text.AppendEscape(b, c.Unit)
			b = append(b, ")</small>"...)
		}
		b = append(b, "</th>"...)
	}
	b = append(b, "</tr></thead><tbody>"...)
	for _, row := range t.Rows {
		b = append(b, "<tr>"...)
		for i, c := range row {
			b = appendCell(b, c, i, t.Columns)
		}
		b = append(b, "</tr>"...)
	}
	return string(append(b, "</tbody></table>"...))
}

// shown is a table without the columns that say in every row that they are
// hidden: they would only take the room of the others.
func shown(t demo.Table) demo.Table {
	for i := len(t.Columns) - 1; i > 0; i-- {
		hidden := len(t.Rows) > 0
		for _, row := range t.Rows {
			hidden = hidden && i < len(row) && row[i].Word && row[i].Text == "hidden"
		}
		if !hidden {
			continue
		}
		rows := make([][]demo.Cell, len(t.Rows))
		for r, row := range t.Rows {
			rows[r] = append(append(rows[r], row[:i]...), row[i+1:]...)
		}
		t.Columns, t.Rows = append(append([]demo.Column(nil), t.Columns[:i]...), t.Columns[i+1:]...), rows
	}
	return t
}

// numericColumns says which columns hold no word in any row; their heads
// stand on the right, as their numbers do.
func numericColumns(t demo.Table) []bool {
	numeric := make([]bool, len(t.Columns))
	for i := range numeric {
		numeric[i] = len(t.Rows) > 0
		for _, row := range t.Rows {
			numeric[i] = numeric[i] && i < len(row) && !row[i].Word
		}
	}
	return numeric
}

func appendCell(b []byte, c demo.Cell, i int, columns []demo.Column) []byte {
	switch {
	case c.Word && i == 0:
		b = append(b, `<th scope="row">`...)
		b = text.AppendEscape(b, c.Text)
		return append(b, "</th>"...)
	case c.Word:
		return element(b, "td", "", c.Text)
	}
	digits := 0
	if i < len(columns) {
		digits = columns[i].Digits
	}
	return element(b, "td", "num", number(c.Num, digits))
}

// number is text.Num, but says of a cell without a value only that.
func number(x float64, digits int) string {
	if math.IsNaN(x) {
		return "–"
	}
	return text.Num(x, digits)
}

// element appends <tag class="class">content</tag>.
func element(b []byte, tag, class, content string) []byte {
	b = append(b, '<')
	b = append(b, tag...)
	if class != "" {
		b = append(b, ` class="`...)
		b = append(b, class...)
		b = append(b, '"')
	}
	b = append(b, '>')
	b = text.AppendWords(b, content)
	b = append(b, "</"...)
	b = append(b, tag...)
	return append(b, '>')
}
