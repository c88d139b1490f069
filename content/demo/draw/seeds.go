package draw

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

// The panel of a run over many seeds: what it says, and for each number a row
// of dots, one for each seed, above its lowest, median and highest value.

// Seeds is that panel, for the task of demo.Spread.
func Seeds(t demo.Task) string {
	b := []byte(`<p class="seeds-say">` + Sentence(t.Summary()) + "</p>")
	for _, f := range t.Figures() {
		b = append(b, `<figure class="seeds-fig">`...)
		b = element(b, "figcaption", "fig-title", f.Title)
		b = appendDots(b, f)
		b = append(b, Table(f.Table)...)
		b = append(b, "</figure>"...)
	}
	return string(b)
}

// Size of the row of dots, in units of its viewBox.
const (
	dotsWidth  = 600
	dotsHeight = 32
	dotsRadius = 4
)

// appendDots draws each value of the first series by its size from left to
// right, in lanes so that equal values stay apart, and the marks as lines.
// With one distinct value everything stands in the middle; infinities are left
// to the table.
func appendDots(b []byte, f demo.Figure) []byte {
	low, high := math.Inf(1), math.Inf(-1)
	for _, y := range f.Series[0].Y {
		if !math.IsInf(y, 0) {
			low, high = min(low, y), max(high, y)
		}
	}
	at := func(y float64) string {
		share := 0.5
		if low < high {
			// Halves, so that a range as wide as float64 does not overflow.
			half := float64(low / 2)
			share = (float64(y/2) - half) / (float64(high/2) - half)
		}
		return text.Num(dotsRadius+float64(share*(dotsWidth-2*dotsRadius)), 4)
	}
	b = append(b, `<svg class="seeds-dots" viewBox="0 0 600 32" role="img" aria-label="`...)
	b = text.AppendEscape(b, f.Alt)
	b = append(b, `">`...)
	for _, m := range f.Marks {
		if m.Level && m.At >= low && m.At <= high {
			x := at(m.At)
			b = append(b, `<line class="seeds-median" x1="`+x+`" x2="`+x+`" y1="0" y2="32"/>`...)
		}
	}
	const lanes = 3
	for i, y := range f.Series[0].Y {
		if math.IsInf(y, 0) {
			continue
		}
		b = append(b, `<circle class="seeds-dot" cx="`+at(y)+`" cy="`+text.Whole(dotsHeight*(1+i%lanes)/(lanes+1))+`" r="4"/>`...)
	}
	b = append(b, "</svg>"...)
	if low < high {
		ends := [2]string{text.Num(low, f.Y.Digits), text.WithUnit(text.Num(high, f.Y.Digits), f.Y.Unit)}
		b = append(b, `<p class="seeds-ends" aria-hidden="true">`...)
		for _, end := range ends {
			b = element(b, "span", "", end)
		}
		b = append(b, "</p>"...)
	}
	return b
}
