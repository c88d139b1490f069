package queueing

import (
	"fmt"

	"openloop/sim"
)

// EveryWait holds a run, request by request and to the nanosecond, against the
// recursion that defines such a queue (Lindley's for one seat, Kiefer and
// Wolfowitz's for more, on a clock of steps): a request starts when it is there,
// a seat is free, and the step in progress has ended. Nothing random is in this
// comparison.
func (c Case) EveryWait(seed uint64) error {
	r := c.simulate(seed, Step, 0)
	step := Step.Nanos()
	free := make([]sim.Nanos, c.Seats) // when each seat is
	var phase, busyTo sim.Nanos        // a step starts at phase; until busyTo some step is in progress
	for i, sent := range r.SentAt {
		seat := 0
		for j := range free {
			if free[j] < free[seat] {
				seat = j
			}
		}
		start := sent
		if busyTo > sent {
			start = phase + (max(sent, free[seat])-phase+step-1)/step*step
		} else {
			phase = sent
		}
		end := start + sim.Nanos(r.Output[i])*step
		free[seat], busyTo = end, max(busyTo, end)
		if start != r.AdmittedAt[i] || end != r.DoneAt[i] {
			return fmt.Errorf("%s at %v: request %d is served from %d to %d ns, not from %d to %d", c.Queue, c.Load, i, r.AdmittedAt[i], r.DoneAt[i], start, end)
		}
	}
	return nil
}
