package demo

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"openloop/content/demo/text"
)

// State is a demo with everything that a link can say about it. Its String is
// the canonical link: the same state always has the same bytes, and Parse
// reads them back as the same state.
//
//	v=1&seed=7&rate=12.5&lock=seed&hide=bet&theme=projector&at=3&engine=1&own=x
//
// v and seed are always there, then come the knobs that differ from their
// defaults in the order of the catalog, loose texts left out, then the reserved
// keys, then unknown keys sorted. A State is a value: the methods that change it return another.
type State struct {
	Demo    *Demo
	Values  Values
	Seed    uint32   // 1 to 4294967295
	Lock    []string // "all", or "seed" and knob names in canonical order
	Hide    []string // parts of the page, figure ids and knob names in canonical order
	Theme   string   // one of Themes; "auto" is not written
	At      float64  // a time of a Timed run, else on the x axis of the first figure; if HasAt
	HasAt   bool
	Engine  int    // the EngineVersion the link was made with; 0 if it does not say
	Unknown []Pair // kept for whoever understands them, sorted by key
}

// Pair is one key=value of a link, decoded.
type Pair struct{ Key, Value string }

// Limits of a link.
const (
	DefaultSeed = 7
	MaxLink     = 8 << 10 // bytes, as it comes and as it is written
	maxNames    = 64      // names in hide
	maxName     = 64      // bytes in one of them
	maxEngine   = 1_000_000
	maxProblems = 20 // that are listed
)

// Themes are the values of theme.
var Themes = []string{"auto", "light", "dark", "projector"}

// Parts are the parts of a demo's page that hide may name, beside figure ids
// and knob names.
var Parts = []string{"bet", "presets", "knobs", "summary", "table", "foot", "clock", "room", "events"}

// LinkKeys are the keys that a link may carry beside the settings of its demo.
func LinkKeys() []string { return slices.Clone(reserved) }

// reserved are the keys that a knob may not be called.
var reserved = []string{"v", "seed", "lock", "hide", "theme", "at", "engine", "demo"}

// NewState is a demo as it opens: defaults, DefaultSeed, nothing else.
func NewState(d *Demo) State {
	return State{Demo: d, Values: d.Defaults(), Seed: DefaultSeed, Theme: "auto"}
}

// String is the canonical link, without '#'.
func (s State) String() string {
	b := []byte("v=" + strconv.Itoa(s.Demo.Version) + "&seed=" + strconv.FormatUint(uint64(s.Seed), 10))
	put := func(key, value string) {
		b = append(b, '&')
		b = appendEscaped(b, key)
		b = append(b, '=')
		b = appendEscaped(b, value)
	}
	for i, k := range s.Demo.Knobs {
		if !s.Values.IsDefault(i) && (k.Writing == nil || !k.Writing.Loose) {
			put(k.Name, s.Values.Text(i))
		}
	}
	if len(s.Lock) > 0 {
		put("lock", strings.Join(s.Lock, ","))
	}
	if len(s.Hide) > 0 {
		put("hide", strings.Join(s.Hide, ","))
	}
	if s.Theme != "auto" && s.Theme != "" {
		put("theme", s.Theme)
	}
	if s.HasAt {
		put("at", text.Shortest(s.At))
	}
	if s.Engine != 0 {
		put("engine", strconv.Itoa(s.Engine))
	}
	for _, p := range s.Unknown {
		put(p.Key, p.Value)
	}
	return string(b)
}

// Set changes one knob, or the seed, to what somebody typed. On a problem the
// state is returned as it was. It does not look at Lock: that is for the page.
func (s State) Set(key, value string) (State, *text.Problem) {
	if key == "seed" {
		seed, p := readSeed(typed(value))
		if p != nil {
			return s, p
		}
		return s.With(s.Values, seed).reopened(seed != s.Seed), nil
	}
	i := s.Demo.Index(key)
	if i < 0 {
		return s, unknownKnob(s.Demo, key, "seed")
	}
	if s.Demo.Knobs[i].Writing == nil {
		value = typed(value)
	}
	v, p := s.Values.read(i, value)
	if p != nil {
		return s, p
	}
	next := s.With(v, s.Seed).reopened(s.asks(i, v))
	if len(v.texts) > 0 && len(next.String()) > MaxLink {
		return s, &text.Problem{Kind: text.TooLong, Key: key, Got: value, Legal: "what fits into a link of " + strconv.Itoa(MaxLink) + " bytes"}
	}
	return next, nil
}

// With is the state with these values and this seed. If they are not its own,
// it says no longer with which engine it was made.
func (s State) With(v Values, seed uint32) State {
	if seed != s.Seed || !v.Equal(s.Values) {
		s.Engine = 0
	}
	s.Values, s.Seed = v, seed
	return s
}

// Slide moves one knob to a position of its slider, 0 to Positions. The state
// is returned as it was if the demo has no such knob or the slider no such
// position.
func (s State) Slide(knob string, pos int) State {
	i := s.Demo.Index(knob)
	if i < 0 {
		return s
	}
	if x, ok := ValueAt(s.Demo.Knobs[i], pos); ok {
		v := s.Values.with(i, x)
		return s.With(v, s.Seed).reopened(s.asks(i, v))
	}
	return s
}

// Locked says whether lock names the knob (or "seed") or everything.
func (s State) Locked(name string) bool {
	return slices.Contains(s.Lock, name) || slices.Contains(s.Lock, "all")
}

// SameRun says whether two states of one demo give the same run: whatever
// else they say, their values and seed agree.
func (s State) SameRun(o State) bool {
	return s.Demo == o.Demo && s.Seed == o.Seed && s.Values.Equal(o.Values)
}

// CheckHide reports the names in Hide that are neither a part of the page, nor
// a knob, nor one of these figures. Parse cannot know the figures: they come
// with a run.
func (s State) CheckHide(figures []Figure) []text.Problem {
	legal := slices.Clone(Parts)
	for _, f := range figures {
		legal = append(legal, f.ID)
	}
	for _, k := range s.Demo.Knobs {
		legal = append(legal, k.Name)
	}
	var out []text.Problem
	for _, name := range s.Hide {
		if !slices.Contains(legal, name) {
			out = append(out, text.Problem{Kind: text.UnknownName, Key: "hide", Got: name, Legal: text.List(legal, "or")})
		}
	}
	return out
}

// Unused reports what stays in the link and changes nothing: settings that do not
// count beside the others, and keys that are no setting of the demo.
func (s State) Unused() []text.Problem {
	var out []text.Problem
	for i, k := range s.Demo.Knobs {
		if x := s.Values.At(i); x != k.Default {
			if why := s.Idle(i); why != "" {
				out = append(out, text.Problem{Kind: text.Idle, Key: k.Name, Name: k.Label, Got: k.Text(x), Legal: why})
			}
		}
	}
	for i, u := range s.Unknown {
		if i == maxProblems {
			return append(out, text.Problem{Kind: text.Unlisted, Key: "link", Got: "and " + strconv.Itoa(len(s.Unknown)-i) + " more"})
		}
		out = append(out, text.Problem{Kind: text.UnknownKey, Key: s.Demo.ID, Got: u.Key})
	}
	return out
}

// unknownKnob is about a key that is neither a knob nor one of the others.
func unknownKnob(d *Demo, key string, others ...string) *text.Problem {
	legal := slices.Clone(others)
	for _, k := range d.Knobs {
		legal = append(legal, k.Name)
	}
	return &text.Problem{Kind: text.UnknownName, Key: d.ID, Got: key, Legal: text.List(legal, "or")}
}

// SetAt changes where the state stands, to what somebody typed; "" takes the
// place away: the whole run. On a problem the state is returned as it was.
func (s State) SetAt(value string) (State, *text.Problem) {
	value = typed(value)
	if value == "" {
		s.At, s.HasAt = 0, false
		return s, nil
	}
	x, p := readAt(value)
	if p == nil {
		s.At, s.HasAt = x, true
	}
	return s, p
}

func readAt(s string) (float64, *text.Problem) {
	x, ok := readNumber(s)
	if !ok || math.IsInf(x, 0) {
		return 0, &text.Problem{Kind: text.NotNumber, Key: "at", Got: s, Legal: "a time of the run, or a number on the x axis of the first figure"}
	}
	return x, nil
}

func readSeed(s string) (uint32, *text.Problem) {
	p := &text.Problem{Key: "seed", Got: s, Legal: "a whole number, 1 to 4294967295"}
	x, ok := readNumber(s)
	switch {
	case !ok:
		p.Kind = text.NotNumber
	case !(x >= 1 && x <= 1<<32-1):
		p.Kind = text.OutOfRange
	case x != float64(uint32(x)):
		p.Kind = text.NotWhole
	default:
		return uint32(x), nil
	}
	return 0, p
}
