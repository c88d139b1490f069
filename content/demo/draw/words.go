package draw

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

// Strips is rows of labeled cells. A cell that departs from the row above is
// marked by its class and says so in words that only a screen reader speaks.
func Strips(f demo.Figure) string {
	b := []byte(`<div class="strips">`)
	for _, s := range f.Strips {
		b = append(b, `<div class="strip">`...)
		b = element(b, "span", "strip-label", s.Label)
		b = append(b, "<ol>"...)
		for _, c := range s.Cells {
			if !c.Differ {
				b = element(b, "li", "", c.Text)
				continue
			}
			b = append(b, `<li class="differ">`...)
			b = text.AppendEscape(b, c.Text)
			b = append(b, `<span class="visually-hidden"> differs</span></li>`...)
		}
		b = append(b, "</ol></div>"...)
	}
	return string(append(b, "</div>"...))
}

// Sentence is the sentence with its findings strong.
func Sentence(s demo.Sentence) string {
	var b []byte
	for _, p := range s {
		if p.Strong {
			b = element(b, "strong", "", p.Text)
			continue
		}
		b = text.AppendWords(b, p.Text)
	}
	return string(b)
}

// Notes is the items of a list, the last of them links: what stands inside <ul
// class="fig-notes">.
func Notes(notes []string, pages []demo.Page) string {
	var b []byte
	for _, s := range notes {
		b = element(b, "li", "", s)
	}
	for _, p := range pages {
		if p.Next {
			b = append(linked(append(b, `<li class="note-next">`...), p), "</li>"...)
		}
	}
	more := 0
	for _, p := range pages {
		switch {
		case p.Next:
			continue
		case more == 0:
			b = append(b, "<li>More about these numbers: "...)
		default:
			b = append(b, ", "...)
		}
		more++
		b = linked(b, p)
	}
	if more > 0 {
		b = append(b, "</li>"...)
	}
	return string(b)
}

// linked is a link to another page, which opens beside the demo so that its
// state stays. Every page that has a demo lies in a folder of the site.
func linked(b []byte, p demo.Page) []byte {
	b = text.AppendEscape(append(b, `<a href="../`...), p.Path)
	return append(text.AppendEscape(append(b, `" target="_blank" rel="noopener">`...), p.Name), "</a>"...)
}

// Events is the items of the list of what happened: where on the x axis of the
// first figure, and what.
func Events(events []demo.Event, x demo.Axis) string {
	var b []byte
	for _, e := range events {
		b = append(b, "<li>"+event(e, x)+"</li>"...)
	}
	return string(b)
}

func event(e demo.Event, x demo.Axis) string {
	if math.IsNaN(e.At) {
		return Sentence(e.Says)
	}
	b := element(nil, "span", "event-at", text.WithUnit(text.Num(e.At, max(x.Digits, 3)), x.Unit))
	return string(append(b, ' ')) + Sentence(e.Says)
}
