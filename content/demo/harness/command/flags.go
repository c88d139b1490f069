package command

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// The flags of one command. A tool lists its flags in one string of words:
// "--rate=" takes a value, "--goodput*" takes the words up to the next flag,
// "--streaming" takes none, and "-m,--model=" has two names, of which the last
// is the one it is asked for by.

type tool struct {
	name    string
	words   []string // that name it in a command, alternatives in turn; " " joins words that follow each other
	flags   string
	shorten bool // a flag may be cut as long as it is the only one (Python's argparse)
	engine  bool // it takes the flags of its engine too
	use     string
	read    func(*given, *Reading)
}

// given is the flags of a command as typed.
type given struct {
	tool     *tool
	said     string // which of the tool's words the command has
	values   map[string][]string
	typed    map[string]string // name as typed, by name
	bare     map[string]bool   // those that want a value and came without one
	lost     []string          // names of those whose value cannot be read
	unread   []string          // and what of them decides the load, as typed
	problems []Problem
}

// find looks for a tool in the words of a command; said is which of its words that
// has, rest what follows.
func find(words []string) (t *tool, said string, rest []string, ok bool) {
	all := tools()
	for i := range words {
		for k := range all {
			for _, name := range all[k].words {
				parts := strings.Split(name, " ")
				if len(words)-i >= len(parts) && named(words[i:i+len(parts)], parts) {
					return &all[k], name, words[i+len(parts):], true
				}
			}
		}
	}
	return nil, "", nil, false
}

func named(words, parts []string) bool {
	for i, part := range parts {
		if words[i][strings.LastIndexByte(words[i], '/')+1:] != part {
			return false
		}
	}
	return true
}

// known lists the tools.
func known() string {
	var names []string
	for _, t := range tools() {
		names = append(names, t.name)
	}
	return strings.Join(names, ", ") + " and the user.conf of MLPerf's LoadGen"
}

func (t *tool) reading(said string, rest []string) Reading {
	g := &given{tool: t, said: said, values: map[string][]string{}, typed: map[string]string{}, bare: map[string]bool{}}
	g.take(rest)
	r := Reading{Tool: t.name, For: t.use}
	t.read(g, &r)
	r.Unread = g.unread
	r.Problems = append(r.Problems, g.problems...)
	return r
}

// take sorts words into flags and their values.
func (g *given) take(words []string) {
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		if !isFlag(word) {
			continue // a subcommand, or what an unknown flag takes
		}
		if word == "--" {
			return // what follows is for another program
		}
		name, value, hasValue := strings.Cut(word, "=")
		full, takes, ok := g.tool.flag(name)
		if !ok {
			if !g.tool.engine {
				g.problem(UnknownFlag, name, value, "")
			}
			continue
		}
		if g.typed[full] != "" && takes != '*' {
			g.problem(NoEffect, name, "", "it is given twice; the last one counts")
			g.values[full] = nil
		}
		g.typed[full] = name
		delete(g.bare, full)
		switch {
		case hasValue:
			g.values[full] = append(g.values[full], value)
		case takes == '=':
			if len(words) == 0 || isFlag(words[0]) {
				g.problem(BadValue, name, "", "it takes a value")
				g.bare[full] = true
				continue
			}
			g.values[full] = append(g.values[full], words[0])
			words = words[1:]
		case takes == '*':
			for len(words) > 0 && !isFlag(words[0]) {
				g.values[full] = append(g.values[full], words[0])
				words = words[1:]
			}
		}
	}
}

// isFlag tells a flag from a value: -3 and -inf are values.
func isFlag(word string) bool {
	if len(word) < 2 || word[0] != '-' {
		return false
	}
	_, isNumber := number(word)
	return !isNumber
}

// flag finds a flag by what was typed: its name with _ for -, or a part of it.
func (t *tool) flag(typed string) (name string, takes byte, ok bool) {
	typed = strings.ReplaceAll(typed, "_", "-")
	hits := 0
	for entry := range strings.FieldsSeq(t.flags) {
		as := entry[len(entry)-1]
		if as != '=' && as != '*' {
			as = ' '
		} else {
			entry = entry[:len(entry)-1]
		}
		names := strings.Split(entry, ",")
		last := names[len(names)-1]
		for _, n := range names {
			switch {
			case n == typed:
				return last, as, true
			case t.shorten && len(typed) > 3 && strings.HasPrefix(typed, "--") && strings.HasPrefix(n, typed):
				if hits == 0 || name != last {
					hits++
				}
				name, takes = last, as
			}
		}
	}
	return name, takes, hits == 1
}

func (g *given) problem(kind Trouble, flag, value, says string) {
	g.problems = append(g.problems, Problem{kind, flag, value, says})
}

// has says whether a flag was given.
func (g *given) has(name string) bool { return g.typed[name] != "" }

// text is the value of a flag, or the default.
func (g *given) text(name, otherwise string) string {
	if v := g.values[name]; len(v) > 0 {
		return v[len(v)-1]
	}
	return otherwise
}

// num is the value of a flag as a number; ok is false if it was not given or
// nobody here can know it.
func (g *given) num(name string) (x float64, ok bool) {
	if !g.has(name) {
		return 0, false
	}
	if x, ok = number(g.text(name, "")); !ok {
		g.cannot(name, "it is not a number")
	}
	return x, ok
}

// cannot is for a flag whose value nobody here can know, or that the tool would
// refuse, for the reason given. It is never read as if it had not been typed.
func (g *given) cannot(name, says string) {
	v := g.text(name, "")
	switch {
	case g.bare[name]: // take has said it
	case variable(v):
		g.problem(Variable, g.typed[name], v, "")
	default:
		g.problem(BadValue, g.typed[name], v, says)
	}
	g.lost = append(g.lost, name)
	if !strings.Contains(name, "warm") { // what is sent before the run is not its load
		g.lose(g.typed[name])
	}
}

// lose notes that something which decides the load cannot be read.
func (g *given) lose(what string) {
	if !slices.Contains(g.unread, what) {
		g.unread = append(g.unread, what)
	}
}

// hasLost says whether a flag was given and could not be read.
func (g *given) hasLost(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(g.lost, n) })
}

// variable says that a shell puts something else in the place of the text.
func variable(s string) bool { return strings.ContainsAny(s, "$`") }

// limit is a flag that caps what is in flight, or says how many clients there
// are; n is 0 if it was not given, or if it was and cannot be read.
func (g *given) limit(name string) (n int, capped bool) {
	return g.whole(name, 0, 1), g.has(name)
}

// whole is num for a count from least up; 0 if it was given and cannot be read.
func (g *given) whole(name string, otherwise, least int) int {
	x, ok := g.num(name)
	switch {
	case !g.has(name):
		return otherwise
	case !ok:
		return 0
	case x != math.Trunc(x) || x < float64(least) || x > 1e9:
		g.cannot(name, "it takes a whole number, "+strconv.Itoa(least)+" or more")
		return 0
	}
	return int(x)
}

// number reads a number as Python does: 8, -0.5, 1e3, 1_000, inf.
func number(s string) (float64, bool) {
	switch strings.ToLower(strings.TrimLeft(s, "+")) {
	case "inf", "infinity":
		return math.Inf(1), true
	case "-inf", "-infinity":
		return math.Inf(-1), true
	}
	s = strings.ReplaceAll(s, "_", "")
	if s == "" || strings.Trim(s, "0123456789+-.eE") != "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(x, 0) {
		return 0, false
	}
	return x, true
}
