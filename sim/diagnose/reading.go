package diagnose

import "openloop/sim"

// The verdicts beside the IDs of the levers.
const (
	Healthy      = "healthy"
	Undetermined = "undetermined"
)

// Reading is what a series of windows says.
type Reading struct {
	Verdict string   // a lever's ID, Healthy or Undetermined
	Second  string   // the runner-up, "" if nothing else fits at all
	Also    string   // another failure at the same time, "" if there is none
	Else    []Sign   // moved clearly, and neither Verdict nor Also explains it; the clearest first
	Hidden  []string // could be there beside Verdict and Also, since it would show nothing that they do not; what fits best first
	Among   bool     // Second is about one of several replicas, which the windows do not tell apart

	Points, SecondPoints float64 // what the table gives them

	Separator Separator // between Verdict and Second
	Reasons   []Reason  // for the verdict, the strongest first
	Remedy    Remedy
	Missing   []Sign // not known, and would have decided

	// Onset is when it began, in seconds on the windows' clock, the start of
	// the first window that is not normal; OnsetWindow is its number, -1 if
	// nothing began.
	Onset       float64
	OnsetWindow int
	Since       Comparison

	// Found is what was found of every sign.
	Found [NumSigns]Finding
}

// Comparison is what the windows were compared with.
type Comparison uint8

// The ways.
const (
	WithNothing  Comparison = iota // too few windows: states only
	WithLifetime                   // one window against everything before it
	WithFirst                      // a few windows against the first of them
	WithNormal                     // a series against its own first part, whose noise is known
)

// Finding is what was found of a sign.
type Finding struct {
	Sign  Sign
	Known bool
	Move  sim.Move // Flat: within its noise

	Before, After float64 // typical value before, and from From to To
	Noise         float64 // one width, in the sign's unit; of a factor: as a share of Before
	Widths        float64 // how many widths it moved, on average while out

	// From and To are the windows in which it is out: [From, To); of a sign
	// that is flat they are those in which it is furthest out, but not far enough
	// for long enough. A state holds from From on.
	From, To int
	Back     bool // it came back before the end
	Fades    bool // it is largest at the start and wears off
	Replica  int  // the one that is apart, for signs of replicas; -1 otherwise
}

// Reason is one line of the verdict's evidence.
type Reason struct {
	Finding
	Kind   Kind
	Wanted sim.Move // what the table expects of the verdict
	Points float64
}

// Kind is what a reason is about.
type Kind uint8

// The kinds.
const (
	Moved Kind = iota // it moved as the failure moves it
	First             // and before all others
	Stays             // it did not move, as it should not
	Holds             // a state
)

// Separator is the sign on which two verdicts disagree most.
type Separator struct {
	Sign    Sign
	Verdict sim.Move // what each expects of it, where it expects anything
	Second  sim.Move
	Expects [2]bool // whether they do: Verdict, Second
	Found   Finding // what it did; not Known if that is missing
	Points  float64 // how far it sets the two apart
	HasSign bool    // false if there is no runner-up, or nothing separates them
}

// Separate is the sign that speaks most for one verdict and against another in a
// series of windows, whatever the rules make of it. Healthy is then that nothing
// moves.
func Separate(w []sim.Window, verdict, other string) Separator {
	m := measure(w)
	m.compare()
	m.states()
	return m.separator(rowOf(verdict), rowOf(other))
}

// Read names the failure that a series of windows shows. It never panics, and
// always has a verdict.
func Read(w []sim.Window) Reading {
	m := measure(w)
	m.compare()
	m.states()
	return m.judge()
}
