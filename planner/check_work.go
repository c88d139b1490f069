package planner

import (
	"iter"

	"openloop/sim"
)

// A check takes thousands of simulated steps, too long for a page to wait for. So
// it is a computation in turns: Work does a part and returns, as often as the
// page has time. The algorithm is written as if it ran through; it gives up its
// turn inside turns.run.

// Work is the part of Check, Search, Capacity and Ranking that takes turns.
type work struct {
	next  func() (struct{}, bool)
	stop  func()
	turns turns
	over  bool
}

// turns is what the algorithm sees of it.
type turns struct {
	yield  func(struct{}) bool
	budget int
	runs   int // finished
	err    error
}

func (w *work) start(f func(t *turns)) {
	w.next, w.stop = iter.Pull(func(yield func(struct{}) bool) {
		w.turns.yield = yield
		f(&w.turns)
	})
}

// Work does about budget units of work, a unit being near 1 us of native time,
// and says whether all is done. At the most one run of the simulator ends in a
// call.
func (w *work) Work(budget int) (done bool) {
	if w.over {
		return true
	}
	w.turns.budget = max(budget, 1)
	_, more := w.next()
	w.over = !more
	return w.over
}

// Stop gives up: a computation that is not worked to its end holds memory until
// then.
func (w *work) Stop() {
	w.over = true
	w.stop()
}

// Runs is how many runs of the simulator have ended.
func (w *work) Runs() int { return w.turns.runs }

// run works a simulation to its end; false if nobody wants it any more.
func (t *turns) run(s *sim.ServingSim) bool {
	for !s.Work(t.budget) {
		if !t.yield(struct{}{}) {
			return false
		}
	}
	t.runs++
	return t.yield(struct{}{})
}
