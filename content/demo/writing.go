package demo

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"openloop/content/demo/text"
)

// Writing makes a knob a box of text, such as a command line or a log. Its
// value is UTF-8 without blanks around it, with lines that end in \n.
type Writing struct {
	Default string
	Max     int // bytes, at most
	Lines   int // height of the box, 1 or more

	// Loose text stays on the page: no link carries it, and what is done to the
	// settings by a link (undo, a preset, a reset) leaves it as it is. For what
	// is too long for a link, or nobody's business. Its Default is empty.
	Loose bool
}

// maxWriting is how many bytes all texts of a demo that stand in its links may
// have: a byte becomes three in a link.
const maxWriting = 2400

// Written is the text of a knob of text. It panics as Num does.
func (v Values) Written(name string) string { return v.texts[v.index(name)] }

// Text is the value of the i-th knob as it stands in a link.
func (v Values) Text(i int) string {
	if v.knobs[i].Writing != nil {
		return v.texts[i]
	}
	return v.knobs[i].Text(v.nums[i])
}

// IsDefault says whether the i-th knob is as the demo opens.
func (v Values) IsDefault(i int) bool {
	if w := v.knobs[i].Writing; w != nil {
		return v.texts[i] == w.Default
	}
	return v.nums[i] == v.knobs[i].Default
}

// read is the values with the i-th knob as the text says.
func (v Values) read(i int, s string) (Values, *text.Problem) {
	k := v.knobs[i]
	if k.Writing == nil {
		x, p := k.read(s)
		if p != nil {
			return v, p
		}
		return v.with(i, x), nil
	}
	s = written(s)
	fail := func(kind text.ProblemKind) (Values, *text.Problem) {
		return v, k.problem(kind, s)
	}
	switch {
	case len(s) > k.Writing.Max:
		return fail(text.TooLong)
	case !utf8.ValidString(s):
		return fail(text.NotText)
	}
	v.texts = slices.Clone(v.texts)
	v.texts[i] = s
	return v, nil
}

// written is a text as it is kept.
func written(s string) string {
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	return strings.TrimSpace(s)
}

// unwritten is the values with every text of a link at its default.
func (v Values) unwritten() Values {
	v.texts = slices.Clone(v.texts)
	for i, k := range v.knobs {
		if w := k.Writing; w != nil && !w.Loose {
			v.texts[i] = w.Default
		}
	}
	return v
}

// WithLoose is the state with the loose texts of another state of the demo.
func (s State) WithLoose(o State) State {
	v := s.Values
	for i, k := range v.knobs {
		if w := k.Writing; w != nil && w.Loose && v.texts[i] != o.Values.texts[i] {
			v.texts = slices.Clone(v.texts)
			v.texts[i] = o.Values.texts[i]
		}
	}
	return s.With(v, s.Seed)
}

// loose is a line for the head of a file about each loose text, which the state
// there does not hold: how long it is, and its FNV-1a hash of 64 bits.
func (s State) loose() (out []Pair) {
	for i, k := range s.Demo.Knobs {
		if w := k.Writing; w != nil && w.Loose && s.Values.texts[i] != "" {
			hash := uint64(14695981039346656037)
			for _, c := range []byte(s.Values.texts[i]) {
				hash = (hash ^ uint64(c)) * 1099511628211
			}
			out = append(out, Pair{k.Name, strconv.Itoa(len(s.Values.texts[i])) + " bytes, FNV-1a " + text.Hex32(uint32(hash >> 32))[2:] + text.Hex32(uint32(hash))[2:]})
		}
	}
	return out
}

func (k Knob) checkWriting() []string {
	var out []string
	w := k.Writing
	if w.Max < 1 || w.Lines < 1 {
		out = append(out, "a text has room for a byte and a line at least")
	}
	if w.Default != written(w.Default) || len(w.Default) > w.Max || w.Loose && w.Default != "" {
		out = append(out, "default is too long, has blanks around it, or no link could tell it from another text")
	}
	if k.Choice() || k.Min != 0 || k.Max != 0 || k.Unit != "" {
		out = append(out, "a text has no options, range or unit")
	}
	return out
}
