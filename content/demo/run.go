package demo

import (
	"errors"
	"strings"

	"openloop/content/demo/text"
)

// slice is the budget of one Step where nobody waits in between, about 0.1 s.
const slice = 100_000

// Start begins the run that a state names. The error is a text.Problem of kind
// CannotRun: legal values that do not go together.
func Start(s State) (Task, error) {
	t, err := s.Demo.Start(s.Values, s.Seed)
	if err != nil {
		return nil, text.Problem{Kind: text.CannotRun, Key: s.Demo.ID, Got: s.String(), Legal: err.Error()}
	}
	return t, nil
}

// Reusable is a Task that, once finished, can answer other values of some of its
// knobs with less running, or none: a window that moves over the run, say, or a
// run that was seen before. ok is false if it has nothing to lend. The task it
// gives is stepped as any other, and equals what Start gives to the last bit.
type Reusable interface {
	Reuse(v Values, seed uint32) (t Task, ok bool)
}

// StartFrom is Start for a state of the same demo as a finished run, which is
// used again if it can be.
func StartFrom(finished Task, s State) (Task, error) {
	if r, ok := finished.(Reusable); ok {
		if t, ok := r.Reuse(s.Values, s.Seed); ok {
			return t, nil
		}
	}
	return Start(s)
}

// Run is Start, stepped to the end, and standing where the state says.
func Run(s State) (Task, error) {
	t, err := Start(s)
	if err != nil {
		return nil, err
	}
	Finish(t)
	if p := Stand(s, t); p != nil {
		return nil, *p
	}
	return t, nil
}

// Finish steps a task to its end.
func Finish(t Task) {
	for !t.Step(slice) {
	}
}

// Score says how a bet ended: the right option, and 1 or 0 for the one that
// was chosen. The task must be the finished run of the bet's Reveal, started
// from s; anything else is an error. The seed is free, because a link may lock
// another one.
func Score(s State, t Task, chosen int) (right int, score float64, err error) {
	b := s.Demo.Bet
	if b == nil {
		return 0, 0, errors.New("there is no bet")
	}
	reveal, _ := Parse(s.Demo, b.Reveal)
	if !s.Values.Equal(reveal.Values) {
		return 0, 0, errors.New("the answer is in the run of " + reveal.String())
	}
	if chosen < 0 || chosen >= len(b.Options) {
		return 0, 0, errors.New("the bet has " + text.Count(len(b.Options), "option", "options"))
	}
	right = b.Answer(t)
	if right == chosen {
		score = 1
	}
	return right, score, nil
}

// Found is what decides a bet, in the words and digits of its metrics: "Rate left
// after the slowdown: 61%". The task is that of Score.
func (b *Bet) Found(t Task) string {
	var out []string
	for _, name := range b.By {
		m, _ := MetricNamed(t, name)
		out = append(out, m.Says())
	}
	return strings.Join(out, "; ")
}

// Says is a metric in a sentence: money with its sign in front, and a time below a
// second in milliseconds, as summaries have them.
func (m Metric) Says() string {
	value := text.Num(m.Value, m.Digits)
	switch rest, money := strings.CutPrefix(m.Unit, "$"); {
	case money && m.Value < 0:
		value = "−$" + text.Num(-m.Value, m.Digits) + rest
	case money:
		value = "$" + value + rest
	case m.Unit == "s" && m.Value > 0 && m.Value < 1:
		value = text.Num(1000*m.Value, m.Digits) + " ms"
	default:
		value = text.WithUnit(value, m.Unit)
	}
	return m.Label + ": " + value
}

// MetricNamed finds a metric of a finished run.
func MetricNamed(t Task, name string) (Metric, bool) {
	for _, m := range t.Metrics() {
		if m.Name == name {
			return m, true
		}
	}
	return Metric{}, false
}
