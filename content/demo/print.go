package demo

import (
	"unicode/utf8"

	"openloop/content/demo/text"
)

// Text is a finished run for a terminal: title, link, what happened, the
// metrics as people read them, and the records in aligned columns (numbers to
// the right). Files that are read by programs come from CSV and JSON.
func Text(s State, t Task) []byte {
	b := []byte(s.Demo.Title + "\n")
	for _, p := range head(s, t)[1:] {
		b = append(b, p.Key+": "+p.Value+"\n"...)
	}
	b = append(b, "\n"+t.Summary().String()+"\n"...)
	if metrics := t.Metrics(); len(metrics) > 0 {
		rows := make([][]Cell, len(metrics))
		for i, m := range metrics {
			rows[i] = []Cell{W(m.Name), W(text.WithUnit(text.Num(m.Value, m.Digits), m.Unit)), W(m.Label)}
		}
		b = appendAligned(append(b, '\n'), make([]Column, 3), rows)
	}
	table := t.Records()
	names := make([]Cell, len(table.Columns))
	for i, c := range table.Columns {
		names[i] = W(c.Name)
		if c.Unit != "" {
			names[i] = W(c.Name + " (" + c.Unit + ")")
		}
	}
	return appendAligned(append(b, '\n'), table.Columns, append([][]Cell{names}, table.Rows...))
}

func appendAligned(b []byte, columns []Column, rows [][]Cell) []byte {
	words := make([][]string, len(rows))
	width := make([]int, len(columns))
	right := make([]bool, len(columns))
	for r, row := range rows {
		words[r] = make([]string, len(row))
		for i, c := range row {
			words[r][i] = c.Text
			if c.Text == "" && !c.Word {
				words[r][i] = text.Num(c.Num, columns[i].Digits)
			}
			right[i] = right[i] || !c.Word
			width[i] = max(width[i], utf8.RuneCountInString(words[r][i]))
		}
	}
	for _, row := range words {
		for i, w := range row {
			pad := width[i] - utf8.RuneCountInString(w)
			if i > 0 {
				b = append(b, "  "...)
			}
			switch {
			case right[i]:
				b = append(blanks(b, pad), w...)
			case i == len(row)-1:
				b = append(b, w...)
			default:
				b = blanks(append(b, w...), pad)
			}
		}
		b = append(b, '\n')
	}
	return b
}

func blanks(b []byte, n int) []byte {
	for range n {
		b = append(b, ' ')
	}
	return b
}
