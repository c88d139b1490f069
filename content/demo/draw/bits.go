package draw

import (
	"math"
	"math/bits"
	"slices"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

// Bits is a table with one row for each float32 of the figure: its label, its
// value to nine significant digits (enough to tell any two apart), its pattern
// in hexadecimal and as 32 bits in the groups sign (s), exponent (e) and
// fraction (f), its distance from the reference in representable values, and a
// remark where any row has one. Bits that differ from the reference are marked, and counted in words
// for those who do not see the marks.
func Bits(f demo.Figure) string {
	b := []byte(`<table class="bits">`)
	b = element(b, "caption", "visually-hidden", f.Title)
	b = append(b, `<thead><tr><th scope="col">Name</th><th scope="col" class="num">Value</th><th scope="col">Hex</th>`...)
	b = append(b, `<th scope="col">Sign, exponent, fraction</th><th scope="col" class="ulps">ULPs</th>`...)
	remarks := slices.ContainsFunc(f.Bits, func(r demo.BitRow) bool { return r.Says != "" })
	if remarks {
		b = append(b, `<th scope="col">Remark</th>`...)
	}
	b = append(b, "</tr></thead><tbody>"...)
	for _, r := range f.Bits {
		b = appendBitRow(b, r, remarks)
	}
	return string(append(b, "</tbody></table>"...))
}

func appendBitRow(b []byte, r demo.BitRow, remarks bool) []byte {
	pattern, ref := math.Float32bits(r.Value), math.Float32bits(r.Ref)
	b = append(b, `<tr><th scope="row">`...)
	b = text.AppendEscape(b, r.Label)
	b = append(b, "</th>"...)
	b = element(b, "td", "num", float32Value(r.Value))
	b = append(b, "<td><code>"...)
	b = append(b, text.Hex32(pattern)...)
	b = append(b, `</code></td><td class="pattern">`...)
	b = appendPattern(b, pattern, pattern^ref)
	b = append(b, "</td>"...)
	b = element(b, "td", "ulps", text.Signed(r.ULPs))
	if remarks {
		b = element(b, "td", "says", r.Says)
	}
	return append(b, "</tr>"...)
}

// float32Value is the value to nine significant digits.
func float32Value(x float32) string {
	if x != x {
		return "NaN"
	}
	if math.Float32bits(x) == 1<<31 {
		return "−0"
	}
	return text.Num(float64(x), 9)
}

// appendPattern writes the three groups, with runs of differing bits marked.
func appendPattern(b []byte, pattern, differ uint32) []byte {
	for _, g := range [...]struct {
		class    string
		high, to int // bit numbers, the highest first
	}{{"s", 31, 31}, {"e", 30, 23}, {"f", 22, 0}} {
		b = append(b, `<span class="`+g.class+`">`...)
		open := false
		for i := g.high; i >= g.to; i-- {
			if marked := differ>>i&1 == 1; marked != open {
				b = append(b, tag(marked)...)
				open = marked
			}
			b = append(b, '0'+byte(pattern>>i&1))
		}
		if open {
			b = append(b, tag(false)...)
		}
		b = append(b, "</span>"...)
	}
	if n := bits.OnesCount32(differ); n > 0 {
		b = element(b, "span", "visually-hidden", " "+text.Count(n, "bit differs", "bits differ"))
	}
	return b
}

func tag(open bool) string {
	if open {
		return "<mark>"
	}
	return "</mark>"
}
