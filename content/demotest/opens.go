package demotest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

// Every number opens: which numbers of a task stand in its tables and sentences and
// open to nothing.

var numbers = regexp.MustCompile(`[0-9][0-9,]*(\.[0-9]+)?`)

// Numbers are the numbers in a text, without the digits of names such as p99 or GPT-4.
func Numbers(s string) (out []string) {
	for _, at := range numbers.FindAllStringIndex(s, -1) {
		if before := s[:at[0]]; before != "" && strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-.$%", rune(before[len(before)-1])) && !strings.HasSuffix(before, "$") {
			continue
		}
		out = append(out, strings.TrimRight(s[at[0]:at[1]], ","))
	}
	return out
}

// Unopened is what has no equation within reach, of a task whose settings are given:
// a row of a ranking with a number but nothing that opens to a formula, a source and an
// error; an equation that lacks one of them; a symbol of it without a value; and a
// number of a sentence (summary, notes, reasons) that no equation or row has, and no
// setting, and none of the words that are allowed.
func Unopened(task demo.Task, settings []string, allowed ...string) (out []string) {
	known := map[string]bool{}
	know := func(texts ...string) {
		for _, s := range texts {
			for _, n := range Numbers(s) {
				known[n] = true
				if x, err := strconv.ParseFloat(n, 64); err == nil && x < 1 {
					known[text.Num(100*x, 3)] = true // the same in per cent
				}
			}
		}
	}
	know(settings...)
	know(allowed...)
	step := func(where string, s *demo.Step) {
		know(s.Numbers, s.Value, s.Error, s.Source)
		for _, t := range s.Terms {
			know(t.Value, t.From)
			if t.Value == "" && t.From == "" {
				out = append(out, where+": "+t.Symbol+" has no value")
			}
		}
		if s.Formula == "" || s.Source == "" || s.Error == "" {
			out = append(out, where+": no formula, source or error")
		}
	}
	figures := task.Figures()
	for i := range figures {
		f := &figures[i]
		for k := range f.Steps {
			if s := &f.Steps[k]; s.Formula != "" || s.Numbers != "" {
				step(f.ID+", "+s.Name, s)
			}
		}
		for _, row := range f.Ranking.Rows {
			has := false
			for _, c := range row.Cells {
				has = has || len(Numbers(c.Text)) > 0
			}
			switch {
			case row.Open != nil:
				step(f.ID+", "+row.Label, row.Open)
				for _, c := range row.Cells {
					know(c.Text)
				}
			case has:
				out = append(out, f.ID+", "+row.Label+": opens to nothing")
			}
		}
	}
	sentence := func(where, s string) {
		for _, n := range Numbers(s) {
			if !known[n] {
				out = append(out, where+": "+n+" in “"+s+"”")
			}
		}
	}
	sentence("summary", task.Summary().String())
	for i := range figures {
		f := &figures[i]
		for _, n := range f.Notes {
			sentence(f.ID+", note", n)
		}
		for _, row := range f.Ranking.Rows {
			sentence(f.ID+", "+row.Label, row.Says)
			sentence(f.ID+", "+row.Label, row.Note)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
