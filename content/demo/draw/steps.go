package draw

import (
	"math"
	"strconv"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

// Steps is a list of equations. Each is a native disclosure: its line has the
// values, what opens has the symbols, the source and the error. One with nothing
// more to say is a line and opens nothing.
func Steps(f demo.Figure) string {
	b := []byte(`<div class="steps">`)
	group := ""
	for _, s := range f.Steps {
		if s.Group != group {
			if group != "" {
				b = append(b, "</div>"...)
			}
			group = s.Group
			b = element(append(b, `<div class="steps-set">`...), "p", "steps-group", group)
		}
		b = appendStep(b, s)
	}
	if group != "" {
		b = append(b, "</div>"...)
	}
	return string(append(b, "</div>"...))
}

func appendStep(b []byte, s demo.Step) []byte {
	if s.Numbers == "" && s.Formula == "" && s.Source == "" && s.Error == "" && len(s.Code) == 0 && len(s.Terms) == 0 {
		return appendFlat(b, s)
	}
	class := "step"
	if s.Strong {
		class = "step step-strong"
	}
	b = append(b, `<details class="`+class+`" data-step="`...)
	b = text.AppendEscape(b, s.Key)
	b = append(b, `"><summary>`...)
	b = element(b, "span", "step-name", s.Name)
	if s.Numbers != "" {
		b = element(append(b, ' '), "span", "step-eq", s.Numbers+" =")
	}
	if s.Value != "" {
		b = element(append(b, ' '), "strong", "step-value", s.Value)
	}
	return append(appendOpened(append(b, "</summary>"...), s), "</details>"...)
}

// appendOpened is what a step opens to.
func appendOpened(b []byte, s demo.Step) []byte {
	if s.Formula != "" {
		b = element(b, "p", "step-formula", s.Formula)
	}
	if len(s.Code) > 0 {
		b = append(b, "<pre><code>"...)
		for i, line := range s.Code {
			if i > 0 {
				b = append(b, '\n')
			}
			b = text.AppendEscape(b, line)
		}
		b = append(b, "</code></pre>"...)
	}
	if len(s.Terms) > 0 {
		b = append(b, `<ul class="step-terms">`...)
		for _, t := range s.Terms {
			b = element(append(b, "<li>"...), "i", "", t.Symbol)
			b = text.AppendEscape(append(b, " = "...), t.Value)
			if t.Page != "" {
				b = append(linked(append(b, " <small>"...), demo.Page{Name: t.From, Path: t.Page}), "</small>"...)
			} else if t.From != "" {
				b = element(append(b, ' '), "small", "", t.From)
			}
			b = append(b, "</li>"...)
		}
		b = append(b, "</ul>"...)
	}
	return labeled(labeled(b, "Source", s.Source), "Error", s.Error)
}

func appendFlat(b []byte, s demo.Step) []byte {
	class := "step step-flat"
	if s.Strong {
		class += " step-strong"
	}
	b = element(append(b, `<p class="`+class+`">`...), "span", "step-name", s.Name)
	if s.Value != "" {
		b = element(append(b, ' '), "strong", "step-value", s.Value)
	}
	return append(b, "</p>"...)
}

func labeled(b []byte, label, says string) []byte {
	if says == "" {
		return b
	}
	b = element(append(b, `<p class="step-note">`...), "span", "step-label", label+": ")
	return append(text.AppendWords(b, says), "</p>"...)
}

// Ranks is a table with a bar beside each number that has one. The longest bar
// of the figure fills its cell.
func Ranks(f demo.Figure) string {
	r := f.Ranking
	most := 0.0
	for _, row := range r.Rows {
		for i, c := range row.Cells {
			if r.Columns[i].Bar {
				most = max(most, math.Abs(c.Num))
			}
		}
	}
	b := element([]byte(`<table class="ranks">`), "caption", "visually-hidden", f.Title)
	head := func(class, name string) {
		tag := `<th scope="col"`
		if name == "" { // over row heads that need none: no head, rather than an empty one
			tag = "<td"
		}
		b = append(text.AppendEscape(append(append(b, tag...), class+">"...), name), "</"+tag[1:3]+">"...)
	}
	b = append(b, "<thead><tr>"...)
	head("", r.Head)
	for _, c := range r.Columns {
		head(` class="num"`, c.Name)
	}
	if r.Says != "" {
		head("", r.Says)
	}
	b = append(b, "</tr></thead><tbody>"...)
	for _, row := range r.Rows {
		b = appendRank(b, r, row, most)
	}
	return string(append(b, "</tbody></table>"...))
}

func appendRank(b []byte, r demo.Ranking, row demo.Rank, most float64) []byte {
	if row.Strong {
		b = append(b, `<tr class="rank-strong">`...)
	} else {
		b = append(b, "<tr>"...)
	}
	b = text.AppendEscape(append(b, `<th scope="row">`...), row.Label)
	if row.Note != "" {
		b = element(append(b, ' '), "small", "", row.Note)
	}
	b = append(b, "</th>"...)
	for i, c := range row.Cells {
		b = append(b, `<td class="num">`...)
		if c.Text != "" || c.Spark != nil { // where rows stand alone a head would have nothing after it
			b = element(b, "small", "rank-head", r.Columns[i].Name+" ")
		}
		if c.Spark != nil {
			b = append(b, spark(c.Spark)...)
		}
		b = text.AppendEscape(b, c.Text)
		if r.Columns[i].Bar {
			class, share := "rank-bar", 0
			if most > 0 {
				share = int(100*math.Abs(c.Num)/most + 0.5)
			}
			if c.Num < 0 {
				class = "rank-bar rank-loss"
			}
			b = append(b, `<span class="rank-track"><span class="`+class+`" style="inline-size:`+strconv.Itoa(share)+`%"></span></span>`...)
		}
		b = append(b, "</td>"...)
	}
	switch {
	case r.Says == "":
	case row.Open != nil:
		b = text.AppendEscape(append(b, `<td class="rank-says"><details class="step" data-step="`...), row.Open.Key)
		b = element(append(b, `"><summary>`...), "span", "", row.Says)
		b = append(appendOpened(append(b, "</summary>"...), *row.Open), "</details></td>"...)
	default:
		b = element(b, "td", "rank-says", row.Says)
	}
	return append(b, "</tr>"...)
}
