package demo

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"openloop/content/demo/text"
)

// Parse reads a link, with or without '#'. It never fails: a part that cannot
// be used keeps its default and is reported, so that an old or a broken link
// shows a demo and says what is wrong, never a blank page. Of very many
// problems the last one stands for those that are not listed.
func Parse(d *Demo, link string) (State, []text.Problem) {
	r := reader{state: NewState(d)}
	link = strings.TrimPrefix(link, "#")
	if len(link) > MaxLink {
		r.report(text.TooLong, "link", link, "at most "+strconv.Itoa(MaxLink)+" bytes")
		return r.state, r.problems
	}
	pairs := r.split(link)
	for _, p := range r.version(pairs) {
		r.take(p)
	}
	// Encoding can make unknown keys up to three times as long.
	if len(r.state.String()) > MaxLink {
		r.report(text.TooLong, "link", r.state.String(), "at most "+strconv.Itoa(MaxLink)+" bytes; keys that are not known here are dropped")
		r.state.Unknown = nil
	}
	if len(r.state.String()) > MaxLink {
		r.report(text.TooLong, "link", r.state.String(), "at most "+strconv.Itoa(MaxLink)+" bytes; the texts in it are dropped")
		r.state.Values = r.state.Values.unwritten()
	}
	if more := len(r.problems) - maxProblems; more > 0 {
		r.problems = r.problems[:maxProblems]
		r.report(text.Unlisted, "link", "and "+strconv.Itoa(more)+" more", "")
	}
	return r.state, r.problems
}

// reader is one Parse under way.
type reader struct {
	state    State
	problems []text.Problem
}

func (r *reader) report(kind text.ProblemKind, key, got, legal string) {
	r.problems = append(r.problems, text.Problem{Kind: kind, Key: key, Got: got, Legal: legal})
}

// split decodes the parts of a link and keeps the first of each key.
func (r *reader) split(link string) []Pair {
	var pairs []Pair
	seen := map[string]bool{}
	for part := range strings.SplitSeq(link, "&") {
		if part == "" {
			continue
		}
		rawKey, rawValue, _ := strings.Cut(part, "=")
		key, ok1 := unescape(rawKey)
		value, ok2 := unescape(rawValue)
		switch {
		case !ok1 || !ok2:
			r.report(text.BadEscape, "link", part, "% is written %25")
		case key == "":
			r.report(text.BadPart, "link", part, "")
		case seen[key]:
			r.report(text.Duplicate, key, value, "")
		default:
			seen[key] = true
			pairs = append(pairs, Pair{key, value})
		}
	}
	return pairs
}

// version takes v out of the pairs and brings the others up to the version of
// the demo.
func (r *reader) version(pairs []Pair) []Pair {
	i := slices.IndexFunc(pairs, func(p Pair) bool { return p.Key == "v" })
	if i < 0 {
		return pairs
	}
	got := pairs[i].Value
	pairs = slices.Delete(pairs, i, i+1)
	v, ok := readNumber(got)
	if !ok || v != math.Trunc(v) {
		r.report(text.OtherVersion, "v", got, strconv.Itoa(r.state.Demo.Version))
		return pairs
	}
	pairs, known := migrate(r.state.Demo, v, pairs)
	if !known {
		r.report(text.OtherVersion, "v", got, strconv.Itoa(r.state.Demo.Version))
	}
	return pairs
}

// migrate rewrites the pairs of a link of version v so that they mean the same
// in the demo's own version. There is one version of every demo so far; a demo
// that changes a default or a name gets a higher Version and its case here. A
// version that is not known is read as if it were the demo's own.
func migrate(d *Demo, v float64, pairs []Pair) (out []Pair, known bool) {
	return pairs, v == float64(d.Version)
}

// take puts one pair into the state.
func (r *reader) take(p Pair) {
	s := &r.state
	switch p.Key {
	case "seed":
		seed, problem := readSeed(p.Value)
		if problem != nil {
			r.problems = append(r.problems, *problem)
			return
		}
		s.Seed = seed
	case "lock":
		s.Lock = r.lock(p.Value)
	case "hide":
		s.Hide = r.hide(p.Value)
	case "theme":
		if !slices.Contains(Themes, p.Value) {
			r.report(text.NotOption, "theme", p.Value, text.List(Themes, "or"))
			return
		}
		s.Theme = p.Value
	case "at":
		x, problem := readAt(p.Value)
		if problem != nil {
			r.problems = append(r.problems, *problem)
			return
		}
		s.At, s.HasAt = x, true
	case "engine":
		x, ok := readNumber(p.Value)
		if !ok || x != math.Trunc(x) || x < 1 || x > maxEngine {
			r.report(text.OutOfRange, "engine", p.Value, "a whole number, 1 to "+strconv.Itoa(maxEngine))
			return
		}
		s.Engine = int(x)
		if s.Engine != EngineVersion {
			r.report(text.OtherEngine, "engine", p.Value, strconv.Itoa(EngineVersion))
		}
	case "demo":
		if p.Value != s.Demo.ID {
			r.report(text.OtherDemo, "demo", p.Value, s.Demo.ID)
		}
	default:
		r.knob(p)
	}
}

func (r *reader) knob(p Pair) {
	s := &r.state
	i := s.Demo.Index(p.Key)
	if i < 0 {
		// Put in by order: a sort of its own would cost the module 3 KB.
		at := len(s.Unknown)
		for s.Unknown = append(s.Unknown, p); at > 0 && s.Unknown[at-1].Key >= p.Key; at-- {
			s.Unknown[at] = s.Unknown[at-1]
		}
		s.Unknown[at] = p
		return
	}
	v, problem := s.Values.read(i, p.Value)
	if problem != nil {
		r.problems = append(r.problems, *problem)
		return
	}
	s.Values = v
}

// lock reads a list of names; all makes the others needless.
func (r *reader) lock(list string) []string {
	legal := []string{"all", "seed"}
	for _, k := range r.state.Demo.Knobs {
		legal = append(legal, k.Name)
	}
	names := r.names("lock", list, legal, func(string) bool { return false })
	if slices.Contains(names, "all") {
		return []string{"all"}
	}
	return names
}

// hide reads a list of names. What could be the id of a figure is kept; see
// State.CheckHide.
func (r *reader) hide(list string) []string {
	legal := slices.Clone(Parts)
	for _, k := range r.state.Demo.Knobs {
		legal = append(legal, k.Name)
	}
	names := r.names("hide", list, legal, couldBeID)
	if len(names) > maxNames {
		r.report(text.TooMany, "hide", list, "at most "+strconv.Itoa(maxNames)+" names")
		return nil
	}
	return names
}

// names reads a comma list into canonical order: the legal names as they are
// listed, then others that are allowed, sorted; each once.
func (r *reader) names(key, list string, legal []string, others func(string) bool) []string {
	given := map[string]bool{}
	var more []string
	for name := range strings.SplitSeq(list, ",") {
		switch {
		case name == "" || given[name]:
			continue
		case slices.Contains(legal, name):
		case others(name):
			at := len(more)
			for more = append(more, name); at > 0 && more[at-1] > name; at-- {
				more[at] = more[at-1]
			}
			more[at] = name
		default:
			r.report(text.UnknownName, key, name, text.List(legal, "or"))
		}
		given[name] = true
	}
	var out []string
	for _, name := range legal {
		if given[name] {
			out = append(out, name)
		}
	}
	return append(out, more...)
}

// couldBeID says whether a name is made like the ids of figures.
func couldBeID(name string) bool {
	return len(name) <= maxName && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}
