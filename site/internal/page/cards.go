package page

import (
	"html"
	"regexp"
	"strings"

	"openloop/content/demo"
)

// Tables of sentences on a narrow screen. A row becomes a card, with the head of
// its column before each cell, where a table of many wide columns would be read
// through a slit. The markup is put in after the table was drawn, as links are.

// Columns from which, and letters of a cell from which, a table is one of sentences.
const (
	manyColumns = 4
	longCell    = 40
)

func sentences(t demo.Table) bool {
	if len(t.Columns) < manyColumns {
		return false
	}
	for _, row := range t.Rows {
		for _, c := range row {
			if c.Word && len(c.Text) >= longCell {
				return true
			}
		}
	}
	return false
}

var (
	headOf  = regexp.MustCompile(`<th scope="col"[^>]*>(.*?)</th>`)
	tag     = regexp.MustCompile(`<[^>]*>`)
	cellTag = regexp.MustCompile(`<tr>|<th scope="row"|<td`)
)

// cards is a table of sentences with its heads beside its cells; another one stays
// as it is.
func cards(table string, t demo.Table) string {
	head, body, ok := strings.Cut(table, "<tbody>")
	if !ok || !sentences(t) {
		return table
	}
	var heads []string
	for _, m := range headOf.FindAllStringSubmatch(head, -1) {
		heads = append(heads, html.UnescapeString(tag.ReplaceAllString(m[1], "")))
	}
	column := 0
	body = cellTag.ReplaceAllStringFunc(body, func(open string) string {
		if open == "<tr>" {
			column = 0
			return open
		}
		column++
		if open != "<td" || column > len(heads) {
			return open
		}
		return `<td data-head="` + html.EscapeString(heads[column-1]) + `"`
	})
	return strings.Replace(head, "<table>", `<table class="cards">`, 1) + "<tbody>" + body
}
