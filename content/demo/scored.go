package demo

// Demos in which a reader names what is hidden in a run: the answer is a few of
// the knobs, one of which says that it is to be marked, and the run itself knows
// what it is worth. So an answer is in the link, can be taken back, and is marked
// by the command line as it is by a page.

// Scored is a Task whose knobs may hold an answer.
type Scored interface {
	Task
	// Score is what the answer is worth, in [0,1]; marked is false before it is
	// to be marked. Until then nothing that the task gives may hold what is
	// hidden, in words or as a number.
	Score() (score float64, marked bool)
}

// Round is the state without its answers: what was asked. Two answers to one
// question have the same.
func (s State) Round() State {
	r := NewState(s.Demo)
	r.Values, r.Seed = s.Values, s.Seed
	return r.reopened(true)
}

// reopened is the state with every answer that is not locked taken back, if so.
func (s State) reopened(so bool) State {
	for i, k := range s.Demo.Knobs {
		if so && k.Answer && !s.Locked(k.Name) {
			s = s.With(s.Values.with(i, k.Default), s.Seed)
		}
	}
	return s
}

// asks says whether v, in which knob i may have changed, is another question.
func (s State) asks(i int, v Values) bool {
	return !s.Demo.Knobs[i].Answer && !v.Equal(s.Values)
}
