package queueing

import "openloop/sim"

// Think is the mean think time of a client, in service times.
const Think = 10

// ClosedCase is a closed loop in front of the same engine: clients that think,
// for an exponential time, send, and wait for the answer.
type ClosedCase struct {
	Clients  int
	Seats    int
	Requests int

	FirstSeed uint64 // as in Case
}

// ClosedCases has few clients, as many as keep the seats just busy, and twice
// that.
func ClosedCases() []ClosedCase {
	var out []ClosedCase
	for _, k := range []int{1, 4} {
		knee := k * (Think + 1)
		for _, n := range []int{knee / 2, knee, 2 * knee} {
			out = append(out, ClosedCase{n, k, 100_000, uint64(10_000 + 100*len(out) + 1)})
		}
	}
	return out
}

// Loop is what a closed loop gives: requests per service time, and the mean
// time from sending to the answer, in service times.
type Loop struct{ Rate, Response float64 }

// Run simulates one seed.
func (c ClosedCase) Run(seed uint64) Loop {
	r := run(sim.Workload{
		Generator: sim.ClosedLoop{Clients: c.Clients, Think: sim.ThinkTime{Mean: sim.Seconds(Think * service), Exponential: true}},
		Lengths:   Geometric.lengths(), Requests: c.Requests,
	}, engine(c.Seats, Step), 0, seed)
	first, last := c.Requests/20, c.Requests-1
	total := sim.Nanos(0)
	for i := first; i < last; i++ {
		total += r.DoneAt[i] - r.SentAt[i]
	}
	n := float64(last - first)
	return Loop{n * service / (r.SentAt[last] - r.SentAt[first]).Seconds(), total.Seconds() / n / service}
}

// Theory is that loop in steps, without approximation.
func (c ClosedCase) Theory() Loop {
	q := sim.ClosedSteps(c.Clients, c.Seats, Think, 1.0/MeanSteps, MeanSteps)
	return Loop{q.PerSec, q.Seconds}
}

// Textbook is machine repair with exponential service; with one seat it is mean
// value analysis.
func (c ClosedCase) Textbook() Loop {
	if c.Seats == 1 {
		q := sim.MVA(c.Clients, Think, 1)
		return Loop{q.PerSec, q.Seconds}
	}
	q := sim.MachineRepair(c.Clients, c.Seats, Think, 1)
	return Loop{q.PerSec, q.Seconds}
}
