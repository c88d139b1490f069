package demo

import "openloop/content/demo/text"

// Demos whose run has a clock: a page can play it, step through it, and stand
// still in the middle. What a run was is simulated once, to its end; the clock
// only says how much of it is shown.

// Timed is a Task whose run has a clock: its figures can stand as they were at
// a time of the run.
//
// As after Step, the whole run is shown until Seek is called. Seek changes what
// Figures, Summary and Events give, and what Room gives; Metrics and Records
// stay those of the whole run, so that a number in prose or a file does not
// depend on where somebody stopped. Figures keep their ids, kinds, slots and
// axes, so that nothing jumps while it is played.
type Timed interface {
	Task
	Clock() Clock
	// Seek goes to a time within the clock, back or forth. It is called five to
	// ten times a second while a reader plays the run, so it and the Figures
	// after it should take well under a frame. Seek(Clock().To) is the whole run.
	Seek(at float64)
}

// Clock is the simulated time of a run. From < To; Step is what one press of
// "step" adds, above 0: the time between two states that are worth a look.
type Clock struct {
	From, To, Step float64
	Unit           string
}

// Scenic is a Timed task that can be drawn as an engine room as it is at its
// time.
type Scenic interface {
	Timed
	// Room writes the room at the time of the last Seek into dst, which it may
	// grow, and returns it. The layout is that of package content/demo/room.
	Room(dst []float64) []float64
	// RoomSays is the same room in words, with more about one request; a negative
	// number is none.
	RoomSays(request int) RoomSays
}

// RoomSays is an engine room for those who do not look at its picture.
type RoomSays struct {
	Says     Sentence
	Replicas Table
	Requests Table // at most 20 rows
	Picked   Table // what has become of one request so far; no rows if none was asked for
	IDs      []int // of the requests that are in the picture
	Names    []string
}

// Holds says whether a time is on the clock.
func (c Clock) Holds(at float64) bool { return c.From <= at && at <= c.To }

// Says is the time in words: "12.5 s of 60 s".
func (c Clock) Says(at float64) string {
	return text.WithUnit(text.Exact(at), c.Unit) + " of " + text.WithUnit(text.Exact(c.To), c.Unit)
}

// Stand puts a finished run where its state says: at a time, if the state has
// one and the run a clock, else at its end. Of a time that is not on the clock
// it says so and shows the whole run.
func Stand(s State, t Task) *text.Problem {
	timed, ok := t.(Timed)
	if !ok {
		return nil
	}
	p := Misplaced(s, timed)
	if s.HasAt && p == nil {
		timed.Seek(s.At)
	} else {
		timed.Seek(timed.Clock().To)
	}
	return p
}

// Misplaced is the problem of a state whose time is not on the clock of its run,
// or nil.
func Misplaced(s State, t Timed) *text.Problem {
	c := t.Clock()
	if !s.HasAt || c.Holds(s.At) {
		return nil
	}
	return &text.Problem{
		Kind: text.OutOfRange, Key: "at", Got: text.Shortest(s.At),
		Legal: text.Shortest(c.From) + " to " + text.WithUnit(text.Shortest(c.To), c.Unit) + ", the time of this run",
	}
}
