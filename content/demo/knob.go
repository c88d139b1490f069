package demo

import (
	"slices"
	"strings"
)

// Knob is one setting of a demo. Its value is a float64 in the unit that it
// names; a choice holds the index of its option. A knob of Writing holds text.
type Knob struct {
	Name    string // key in links and sweeps: lower case letters, digits, '_'
	Label   string
	Unit    string // "" for a count or a choice
	Doc     string // one sentence that a reader sees under the control
	Default float64
	Min     float64 // smallest legal value
	Max     float64 // largest legal value
	Step    float64 // of the slider; typed values may lie between steps unless Whole
	Whole   bool    // only whole numbers are legal
	Log     bool    // the slider moves in equal ratios; Min > 0, or 0 for whole numbers of which 0 is no amount (Zero), and then 1 is next
	Options []Option
	Writing *Writing // nil but for a knob of text
	Zero    string   // what 0 stands for where it is no amount: "as listed", "none"
	More    bool     // kept behind "more settings"
	Group   string   // title of the group of the demo's Groups that it stands in; "" for none

	// Answer says that the knob is what a reader answers to the run of the seed and
	// of the other knobs: it goes back to its default, unless it is locked, when
	// somebody changes one of those.
	Answer bool

	// Idle says why the knob changes nothing beside other settings, such as
	// "Drafts is 0"; "", or no function, if it counts. A page shows an idle knob
	// only if it was moved, and then with the reason.
	Idle func(v Values) string
}

// Option is one value of a choice knob.
type Option struct {
	Name  string // in links
	Label string // in the panel
}

// Group is knobs under a title of their own, that a reader opens and closes. One
// that is closed says which of its knobs have been moved.
type Group struct {
	Title string
	Open  bool // as the page opens
}

// OnlyWith is the Idle of a knob that counts with some options of a choice.
func OnlyWith(choice string, options ...string) func(Values) string {
	return func(v Values) string {
		if slices.Contains(options, v.Option(choice)) {
			return ""
		}
		return v.says(choice)
	}
}

// NotAt is the Idle of a knob that counts unless a number has this value.
func NotAt(number string, x float64) func(Values) string {
	return func(v Values) string {
		if v.Num(number) != x {
			return ""
		}
		return v.says(number)
	}
}

// says is a setting in words: "Drafts is 0 tokens".
func (v Values) says(name string) string {
	i := v.index(name)
	return v.knobs[i].Label + " is " + v.knobs[i].Says(v.nums[i])
}

// Idle says why the i-th knob changes nothing now; "" if it counts.
func (s State) Idle(i int) string {
	if k := s.Demo.Knobs[i]; k.Idle != nil {
		return k.Idle(s.Values)
	}
	return ""
}

// GroupSays is the knobs of a group that are not at their defaults, in words:
// "Chunk 512 tokens, Drafts 4"; "" if all are.
func (s State) GroupSays(title string) string {
	var out []string
	for i, k := range s.Demo.Knobs {
		switch {
		case k.Group != title || s.Values.IsDefault(i):
		case k.Writing != nil:
			out = append(out, k.Label)
		default:
			says := k.Label + " " + k.Says(s.Values.At(i))
			if s.Idle(i) != "" {
				says += " (not used now)"
			}
			out = append(out, says)
		}
	}
	return strings.Join(out, ", ")
}

// Choice says whether the knob picks one of its Options.
func (k Knob) Choice() bool { return len(k.Options) > 0 }

// Values are the settings of one run: one legal value for each knob.
type Values struct {
	knobs []Knob
	nums  []float64
	texts []string // of the knobs of Writing; nil if there are none
}

// Defaults returns the default setting of every knob.
func (d *Demo) Defaults() Values {
	v := Values{knobs: d.Knobs, nums: make([]float64, len(d.Knobs))}
	for i, k := range d.Knobs {
		v.nums[i] = k.Default
		if k.Writing != nil {
			if v.texts == nil {
				v.texts = make([]string, len(d.Knobs))
			}
			v.texts[i] = k.Writing.Default
		}
	}
	return v
}

// Num is the value of a knob. It panics on a name that the demo does not
// declare: that is a mistake in the demo, not in its input. Written is that of
// a knob of text.
func (v Values) Num(name string) float64 { return v.nums[v.index(name)] }

// Int is Num for a knob of whole numbers.
func (v Values) Int(name string) int { return int(v.Num(name)) }

// Option is the name of the option that a choice knob has picked.
func (v Values) Option(name string) string {
	i := v.index(name)
	return v.knobs[i].Options[int(v.nums[i])].Name
}

// On is Option for a knob whose options are off and on.
func (v Values) On(name string) bool { return v.Option(name) == "on" }

func (v Values) index(name string) int {
	for i := range v.knobs {
		if v.knobs[i].Name == name {
			return i
		}
	}
	panic("demo: no knob is called " + name)
}
