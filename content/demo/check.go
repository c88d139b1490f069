package demo

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"openloop/content/demo/text"
)

// Check says what is wrong with a catalog entry, one sentence each; nothing
// if it keeps the contract. It runs no task: whether presets show what they
// promise is for the tests of the demo.
func (d *Demo) Check() []string {
	var out []string
	bad := func(what ...string) { out = append(out, d.ID+": "+strings.Join(what, "")) }
	if !couldBeID(d.ID) || d.ID == "" {
		bad("id is not lower case words joined by hyphens")
	}
	if d.Version < 1 || d.Title == "" || d.Lead == "" || d.Limits == "" || d.Start == nil {
		bad("version, title, lead, limits or start is missing")
	}
	var names []string
	inLinks := 0
	for _, k := range d.Knobs {
		if k.Writing != nil && !k.Writing.Loose {
			inLinks += k.Writing.Max
		}
		if slices.Contains(names, k.Name) {
			bad("knob ", k.Name, " is declared twice")
		}
		names = append(names, k.Name)
		if k.Group != "" && (k.More || !slices.ContainsFunc(d.Groups, func(g Group) bool { return g.Title == k.Group })) {
			bad("knob ", k.Name, " is in no group, or behind more settings as well")
		}
		for _, what := range k.check() {
			bad("knob ", k.Name, ": ", what)
		}
	}
	if inLinks > maxWriting {
		bad("texts of ", strconv.Itoa(inLinks), " bytes are more than links carry")
	}
	for _, p := range d.Presets {
		for _, problem := range d.linkProblems(p.State) {
			bad("preset ", p.Name, ": ", problem)
		}
	}
	if b := d.Bet; b != nil {
		if b.Question == "" || len(b.Options) < 2 || len(b.Options) != len(b.Feedback) || b.Answer == nil {
			bad("bet needs a question, two options or more, as many answers to the reader, and Answer")
		}
		for _, problem := range d.linkProblems(b.Reveal) {
			bad("bet: ", problem)
		}
		if len(b.By) == 0 {
			bad("bet names no metric that decides it")
		}
		for _, says := range b.Feedback {
			if strings.HasPrefix(says, "Right") || strings.HasPrefix(says, "Not this") {
				bad("bet: ", says, " repeats the verdict, which stands before it")
			}
		}
	}
	return out
}

// linkProblems checks a link that the demo itself carries: nothing in it may
// be unknown or without effect.
func (d *Demo) linkProblems(link string) []string {
	s, problems := Parse(d, link)
	var out []string
	for _, p := range problems {
		out = append(out, p.Error())
	}
	for _, p := range s.Unused() {
		out = append(out, p.Error())
	}
	return out
}

func (k Knob) check() []string {
	var out []string
	bad := func(what string) { out = append(out, what) }
	if k.Name == "" || strings.Trim(k.Name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		bad("name is not lower case letters, digits and _")
	}
	if slices.Contains(reserved, k.Name) || slices.Contains(Parts, k.Name) || k.Name == "all" {
		bad("name is reserved")
	}
	if k.Label == "" || k.Doc == "" {
		bad("label or doc is missing")
	}
	if k.Writing != nil {
		return append(out, k.checkWriting()...)
	}
	if k.Choice() {
		return append(out, k.checkOptions()...)
	}
	for _, x := range []float64{k.Min, k.Max, k.Default, k.Step} {
		if math.IsNaN(x) || math.IsInf(x, 0) || k.Whole && x != math.Trunc(x) && !(k.Log && x == k.Step) {
			bad(text.Shortest(x) + " is not finite, or not whole")
		}
	}
	if !(k.Min < k.Max) {
		bad("min is not below max")
		return out
	}
	if _, p := k.read(text.Shortest(k.Default)); p != nil {
		bad("default " + p.Error())
	}
	if k.Step < 0 || k.Step > k.Max-k.Min {
		bad("step is not within the range")
	}
	if k.Log && !(k.Min > 0) && !(k.Min == 0 && k.Whole && k.Zero != "") {
		bad("min of a logarithmic knob is not above 0, nor 0 with a word for it and whole numbers above")
		return out
	}
	if n := Positions(k); n > 10_000 {
		bad(strconv.Itoa(n) + " slider positions are too many")
	}
	return out
}

func (k Knob) checkOptions() []string {
	var out, names []string
	for _, o := range k.Options {
		if o.Label == "" || o.Name == "" || strings.ContainsAny(o.Name, ", ") || slices.Contains(names, o.Name) {
			out = append(out, "option "+o.Name+": no label, no name, a comma or blank in it, or twice")
		}
		names = append(names, o.Name)
	}
	if i := k.Default; i != math.Trunc(i) || i < 0 || int(i) >= len(k.Options) {
		out = append(out, "default is not the index of an option")
	}
	return out
}
