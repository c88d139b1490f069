package draw

import (
	"encoding/xml"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
)

var update = flag.Bool("update", false, "write the golden files anew")

var nasty = `<b>"Tom" & 'Jerry'</b>`

func sampleTable() demo.Table {
	return demo.Table{
		Caption: "Time by " + nasty,
		Columns: []demo.Column{{Name: "order", Unit: ""}, {Name: "time", Unit: "ms<", Digits: 3}, {Name: "count"}, {Name: "note"}},
		Rows: [][]demo.Cell{
			{demo.W("pairwise"), demo.N(1234.56), demo.N(1234.56), demo.W(nasty)},
			{demo.W(nasty), demo.N(-1.2e-7), demo.N(0), demo.W("")},
			{demo.W("none"), demo.N(math.NaN()), demo.N(math.Inf(1)), demo.N(2)},
		},
	}
}

func sampleBits() demo.Figure {
	return demo.Figure{ID: "sums", Title: "Sums & bits", Kind: demo.Bits, Bits: []demo.BitRow{
		{Label: "exact", Value: 124.58590, Ref: 124.58590},
		{Label: "pairwise", Value: math.Float32frombits(0x42f92bfb), Ref: math.Float32frombits(0x42f92c04), ULPs: -9, Says: "a < b"},
		{Label: "far", Value: -1.5, Ref: 0.1, ULPs: 1234567},
		{Label: "minus zero", Value: float32(math.Copysign(0, -1)), ULPs: 0},
		{Label: "NaN", Value: float32(math.NaN()), Ref: float32(math.Inf(1))},
	}}
}

func sampleStrips() demo.Figure {
	return demo.Figure{ID: "words", Kind: demo.Strips, Strips: []demo.Strip{
		{Label: "alone", Cells: []demo.StripCell{{Text: "the"}, {Text: "<cat>"}}},
		{Label: "in a batch of 8 &", Cells: []demo.StripCell{{Text: "the"}, {Text: "dog", Differ: true}}},
		{Label: "empty"},
	}}
}

func sampleSeeds() demo.Task {
	return fixed{[]demo.Figure{
		{Title: "Sum " + nasty, Alt: "4 points from 1 to 9 " + nasty, Table: sampleTable(), Marks: []demo.Mark{{At: 2.5, Level: true}},
			Series: []demo.Series{{X: []float64{1, 2, 3, 4}, Y: []float64{9, 1, 2, 3}}}},
		{Title: "All equal", Series: []demo.Series{{X: []float64{1, 2}, Y: []float64{5, 5}}}},
		{Title: "Wide", Series: []demo.Series{{X: []float64{1, 2, 3}, Y: []float64{-math.MaxFloat64, math.MaxFloat64, math.Inf(1)}}}},
		{Title: "None", Marks: []demo.Mark{{At: math.NaN(), Level: true}}, Series: []demo.Series{{}}},
	}}
}

func sampleSteps() demo.Figure {
	return demo.Figure{Kind: demo.Steps, Steps: []demo.Step{
		{Group: nasty, Key: "T", Name: nasty, Numbers: "max(1 s, 2 s)", Value: "2 s", Strong: true, Formula: "T = max(a, b)",
			Terms: []demo.Term{{Symbol: "a", Value: "1 s", From: nasty}, {Symbol: "b", Value: nasty}, {Symbol: "c", Value: "3 s", From: nasty, Page: "data/a.html"}}, Source: nasty, Error: "none"},
		{Group: nasty, Key: "R", Name: "Replicas", Value: "3"},
		{Group: "Commands", Key: nasty, Name: "A tool", Code: []string{"tool " + nasty, "  --flag"}},
	}}
}

func sampleRanks() demo.Figure {
	return demo.Figure{Kind: demo.Ranks, Title: nasty, Ranking: demo.Ranking{
		Head: "Lever", Says: "Why", Columns: []demo.RankColumn{{Name: "Alone", Bar: true}, {Name: nasty}},
		Rows: []demo.Rank{
			{Label: nasty, Note: "on", Cells: []demo.RankCell{{Num: 8, Text: "8 GPUs"}, {Num: 99, Text: "99", Spark: &demo.Spark{Y: []float64{1, 2, math.NaN(), 9}, Band: true, Lo: 1, Hi: 2, Top: 5, From: 0.4, To: 0.8, Moved: true}}}, Says: nasty, Strong: true},
			{Label: "b", Cells: []demo.RankCell{{Num: -2, Text: "−2 GPUs"}, {Text: "n/a"}}},
			{Label: "c", Cells: []demo.RankCell{{Num: 1, Text: "1 GPU"}, {Text: "n/a"}}, Says: nasty, Open: &demo.Step{Key: nasty, Formula: "G = a", Source: nasty}},
		},
	}}
}

func sampleTraces() demo.Figure {
	nan := math.NaN()
	return demo.Figure{Kind: demo.Traces, Title: nasty, X: demo.Axis{Max: 100, Unit: "s"}, Cursor: 60,
		Bands: []demo.Band{{From: 40, To: 80, Label: nasty}}, Marks: []demo.Mark{{At: 52, Label: "remedy"}},
		Traces: []demo.Trace{
			{ID: "a", Name: nasty, Unit: "requests", X: []float64{20, 40, 60}, Y: []float64{3, 12, 1e9}, Band: true, Lo: 2, Hi: 4, Top: 20, Left: 40, Digits: 3, Says: "▲ from 40 s"},
			{ID: "b", Name: "flat", X: []float64{4, 8, 12, 16, 20}, Y: []float64{nan, 0, nan, 1, 1}, Band: true, Top: 1, Digits: 2},
			{ID: "c", Name: "with another", Unit: "1/s", X: []float64{20, 40}, Y: []float64{5, 5}, RefX: []float64{20, 40, 60}, Ref: []float64{4, 3, 2}, Top: 5, Digits: 1},
			{ID: "d", Name: "nothing known", X: []float64{20}, Y: []float64{nan}, Top: 1},
			{ID: "e", Name: "nothing at all", Top: 1},
		}}
}

func dense(f demo.Figure) demo.Figure {
	f.Dense, f.Cursor, f.Bands, f.Marks = true, 0, nil, nil
	return f
}

func samples() map[string]string {
	return map[string]string{
		"table":    Table(sampleTable()),
		"bits":     Bits(sampleBits()),
		"strips":   Strips(sampleStrips()),
		"steps":    Steps(sampleSteps()),
		"ranks":    Ranks(sampleRanks()),
		"traces":   Traces(sampleTraces()),
		"dense":    Traces(dense(sampleTraces())),
		"sentence": Sentence(demo.Say("At ", nasty, " it is ", "2×", ".")),
		"notes":    Notes([]string{nasty, "plain"}, []demo.Page{{Name: nasty, Path: "data/a.html#b"}, {Name: "c", Path: "data/" + nasty}}),
		"seeds":    Seeds(sampleSeeds()),
		"events":   Events([]demo.Event{{At: 1.25, Says: demo.Say("It ", "broke", ".")}}, demo.Axis{Unit: "s"}),
	}
}

func TestGolden(t *testing.T) {
	for name, got := range samples() {
		path := filepath.Join("testdata", name+".html")
		got = strings.NewReplacer("><tr", ">\n<tr", "><li", ">\n<li", "><tbody", ">\n<tbody", "><td", ">\n  <td", "><th", ">\n  <th",
			"><text", ">\n<text", "><rect", ">\n<rect", "><line", ">\n<line", "><polyline", ">\n<polyline", "><path", ">\n<path").Replace(got) + "\n"
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, string(want), got, path)
	}
}

// known are the attributes that the markup has.
var known = strings.Fields("class scope data-step href target rel style viewBox role aria-label aria-hidden focusable x y x1 x2 y1 y2 cx cy r d points width height " +
	"fill fill-opacity stroke stroke-width stroke-dasharray stroke-linejoin font-size font-weight text-anchor")

// Nothing from a demo becomes markup, and everything is closed.
func TestWellFormed(t *testing.T) {
	for name, got := range samples() {
		d := xml.NewDecoder(strings.NewReader("<root>" + got + "</root>"))
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			require.NoError(t, err, "%s: %s", name, got)
			if start, ok := token.(xml.StartElement); ok {
				assert.NotEqual(t, "b", start.Name.Local, "text of the demo became markup in "+name)
				for _, a := range start.Attr {
					assert.Contains(t, known, a.Name.Local, name)
				}
			}
		}
	}
}

// The marks are exactly the bits that differ, and the pattern reads as the
// value, whatever the two values are.
func FuzzPattern(f *testing.F) {
	f.Add(uint32(0x42f92bfb), uint32(0x42f92c04))
	f.Add(uint32(0), uint32(math.MaxUint32))
	f.Fuzz(func(t *testing.T, pattern, ref uint32) {
		var got, marked uint32
		d := xml.NewDecoder(strings.NewReader("<root>" + string(appendPattern(nil, pattern, pattern^ref)) + "</root>"))
		inMark, hidden, bit := false, false, 31
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
			switch x := token.(type) {
			case xml.StartElement:
				inMark = x.Name.Local == "mark"
				hidden = len(x.Attr) > 0 && x.Attr[0].Value == "visually-hidden"
			case xml.EndElement:
				inMark = false
			case xml.CharData:
				if hidden {
					continue
				}
				for _, c := range string(x) {
					got |= uint32(c-'0') << bit
					if inMark {
						marked |= 1 << bit
					}
					bit--
				}
			}
		}
		require.Equal(t, -1, bit)
		require.Equal(t, pattern, got)
		require.Equal(t, pattern^ref, marked)
	})
}
