// Package refusal says what the planner refuses in the words of a reader: the
// name of a setting instead of a field, and numbers in the unit in which one
// types them.
//
// The planner names the input that makes a plan impossible by its path. Every
// path that it can name has a row in names.go; a test reads the planner's source
// for them. Sentences that need more than the refusal itself, such as what else
// would do, are made by the demos.
package refusal

import (
	"strconv"
	"strings"

	"openloop/content/demo/text"
	"openloop/planner"
)

// Words are an input as a reader knows it.
type Words struct {
	Name  string
	Unit  string  // of what is typed; "" for a plain number
	Scale float64 // what is typed, over the planner's value
	Legal string  // what is possible, where the planner says it in its own names
}

// Of finds the words of a field; a class of requests is found whatever its number.
func Of(field string) (Words, bool) {
	if rest, second, ok := ofClass(field); ok {
		w, found := find(classes, rest)
		if second {
			w.Name += " of the second kind"
		}
		return w, found
	}
	for _, of := range parts {
		if rest, ok := strings.CutPrefix(field, of.prefix); ok {
			return find(of.names, rest)
		}
	}
	return Words{}, false
}

// ofClass splits Workload.Classes[1].HitFrac into HitFrac and whether it is of
// another class than the first.
func ofClass(field string) (rest string, second, ok bool) {
	rest, ok = strings.CutPrefix(field, "Workload.Classes[")
	if !ok {
		return "", false, false
	}
	number, rest, ok := strings.Cut(rest, "].")
	return rest, number != "0", ok
}

func find(rows []row, field string) (Words, bool) {
	for _, r := range rows {
		if r.field == field {
			if r.Scale == 0 {
				r.Scale = 1
			}
			return r.Words, true
		}
	}
	return Words{}, false
}

// digits keep a value on its side of a limit: the planner rounds what it suggests
// to six.
const digits = 7

// Value is a number of the planner in the reader's unit; what is no number stays.
func (w Words) Value(s string) string {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return w.unit(w.number(x))
}

func (w Words) number(x float64) string {
	s := text.Num(float64(x*w.Scale), digits)
	if w.Unit == "$" {
		return "$" + s
	}
	return s
}

// unit puts the unit behind a number that has none before it.
func (w Words) unit(number string) string {
	if w.Unit == "$" {
		return number
	}
	return text.WithUnit(number, w.Unit)
}

// ofRange are the words of a range beside its numbers.
const ofRange = " to or more than up at most least "

// legal is what is possible: a range in the unit of the reader, which stands once,
// or the planner's words, whose numbers are of something else.
func (w Words) legal(s string) string {
	if w.Legal != "" {
		return w.Legal
	}
	words := strings.Fields(s)
	last, isRange := -1, true
	for i, word := range words {
		bare := strings.TrimRight(word, ",")
		x, err := strconv.ParseFloat(bare, 64)
		switch {
		case err != nil:
			isRange = isRange && strings.Contains(ofRange, " "+bare+" ")
		case isRange:
			last, words[i] = i, w.number(x)+word[len(bare):]
		default:
			words[i] = text.Num(x, digits) + word[len(bare):]
		}
	}
	if isRange && last >= 0 {
		words[last] = w.unit(words[last])
	}
	return strings.Join(words, " ")
}

// Say is a refusal as a sentence or two: "MFU is 130%; possible: more than 0, up
// to 100%. Nearest: 100%."
func Say(e *planner.ValueError) string {
	w, ok := Of(e.Field)
	if !ok {
		return "One of the settings makes the plan impossible."
	}
	says := w.Name + " is " + w.Value(e.Value) + "; possible: " + w.legal(e.Legal) + "."
	if e.Nearest != "" {
		says += " Nearest: " + w.Value(e.Nearest) + "."
	}
	return says
}
