// Package queueing runs the simulator as the queues of textbooks, to hold it
// against formulas that owe nothing to it.
//
// One replica with as many seats as the queue has servers, steps of one length,
// prompts of one token, KV for everyone: then the tokens of an answer are its
// steps, and the wait is that from arrival to the first step. What a step engine
// differs by from a textbook, whose time has no steps, is computed as well
// (sim.MMKSteps, sim.MG1), so that nothing has to be excused by it.
package queueing

import (
	"strconv"

	"openloop/sim"
)

// MeanSteps is the mean number of steps of a request; Step is how long one
// takes. Their product, the mean service time, is the unit of all waits here.
const (
	MeanSteps = 100
	Step      = sim.Picos(1_000_000_000) // 1 ms
	service   = MeanSteps * float64(Step) / 1e12
)

// LeftOut is the first part of every run, which does not count.
const LeftOut = 0.05

// Shape is the distribution of the number of steps; all have mean MeanSteps.
type Shape uint8

// The shapes.
const (
	Geometric Shape = iota // the exponential of discrete time: the M of M/M/k
	Fixed                  // the D of M/D/1
	Uniform                // 1 to 199
	TwoPoint               // nine requests in ten take 20, the tenth 820
)

// Case is one queue at one load.
type Case struct {
	Queue    string
	Seats    int
	Shape    Shape
	Load     float64 // rate * mean service / seats
	Requests int     // of one run; LeftOut is warm-up

	// FirstSeed is that of its first run. No two cases share a seed: the same
	// gaps and lengths would make all of them err alike.
	FirstSeed uint64
}

// Loads are those of the comparison, with the requests that a run needs: near
// saturation waits are long and alike for thousands of requests in a row.
var loads = []struct {
	load     float64
	requests int
}{{0.3, 50_000}, {0.5, 100_000}, {0.7, 150_000}, {0.8, 200_000}, {0.9, 400_000}, {0.95, 800_000}}

// Cases are all queues at all loads, queue by queue.
func Cases() []Case {
	var out []Case
	add := func(queue string, seats int, shape Shape) {
		for _, l := range loads {
			out = append(out, Case{queue, seats, shape, l.load, l.requests, uint64(100*len(out) + 1)})
		}
	}
	for _, k := range []int{1, 2, 4, 8, 16} {
		add("M/M/"+strconv.Itoa(k), k, Geometric)
	}
	add("M/D/1", 1, Fixed)
	add("M/U/1", 1, Uniform)
	add("M/G/1", 1, TwoPoint)
	return out
}

// Loads are the loads of Cases.
func Loads() (out []float64) {
	for _, l := range loads {
		out = append(out, l.load)
	}
	return out
}

// Waits is what a run gave, in mean service times.
type Waits struct{ Mean, P99 float64 }

// Run simulates one seed, with steps of the given length; Step is the right
// one.
func (c Case) Run(seed uint64, step sim.Picos) Waits {
	r := c.simulate(seed, step, 0)
	skip := int(LeftOut * float64(c.Requests))
	var waits sim.Selector
	total := sim.Nanos(0)
	for i := skip; i < len(r.SentAt); i++ {
		wait := r.AdmittedAt[i] - r.SentAt[i]
		total += wait
		waits.Add(wait)
	}
	p99 := waits.Quantiles(nil, []float64{0.99}, sim.NearestRank, 0.99)[0].Value
	return Waits{total.Seconds() / float64(waits.Len()) / service, p99.Seconds() / service}
}

func (c Case) simulate(seed uint64, step sim.Picos, sampleEvery sim.Nanos) *sim.Results {
	return run(sim.Workload{
		Generator: sim.OpenLoop{Arrivals: sim.Poisson{RatePerSec: c.rate()}},
		Lengths:   c.Shape.lengths(), Requests: c.Requests,
	}, engine(c.Seats, step), sampleEvery, seed)
}

// rate is in requests per second.
func (c Case) rate() float64 { return c.Load * float64(c.Seats) / service }

// engine has seats and nothing else that is scarce.
func engine(seats int, step sim.Picos) sim.Engine {
	const block = 1 << 20 // tokens: one block holds any request
	return sim.Engine{
		MaxNumSeqs: seats, MaxBatchedTokens: seats, PrefillChunkTokens: 1,
		BlockTokens: block, KVBlocks: seats, Cost: sim.LinearCost{Base: step},
	}
}

func run(w sim.Workload, e sim.Engine, sampleEvery sim.Nanos, seed uint64) *sim.Results {
	source, err := sim.NewSource(w, seed)
	if err != nil {
		panic("queueing: " + err.Error())
	}
	s, err := sim.New(sim.Config{Replicas: 1, Engine: e, SampleEvery: sampleEvery}, source, seed)
	if err != nil {
		panic("queueing: " + err.Error())
	}
	s.Run()
	return s.Results()
}

func (s Shape) lengths() sim.Lengths {
	switch s {
	case Fixed:
		return sim.Separate{Prompt: sim.FixedCount(1), Output: sim.FixedCount(MeanSteps)}
	case Uniform:
		return sim.Separate{Prompt: sim.FixedCount(1), Output: sim.UniformCount{Min: 1, Max: 2*MeanSteps - 1}}
	case TwoPoint:
		return sim.Joint{
			Prompt: []int32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
			Output: []int32{20, 20, 20, 20, 20, 20, 20, 20, 20, 820},
		}
	}
	return sim.Separate{Prompt: sim.FixedCount(1), Output: sim.GeometricCount{Mean: MeanSteps}}
}

// scv is the squared coefficient of variation of the steps.
func (s Shape) scv() float64 {
	switch s {
	case Fixed:
		return 0
	case Uniform:
		const n = 2*MeanSteps - 1
		return (n*n - 1) / 12.0 / (MeanSteps * MeanSteps)
	case TwoPoint:
		return (0.9*20*20+0.1*820*820)/(MeanSteps*MeanSteps) - 1
	}
	return 1 - 1.0/MeanSteps
}

// Theory is the mean wait and its 99th percentile in the queue of steps,
// without approximation; the percentile is 0 where no formula is known.
func (c Case) Theory() Waits {
	if c.Shape != Geometric {
		return Waits{Mean: sim.MG1(c.rate(), service, c.Shape.scv()).WaitSeconds / service}
	}
	q := sim.MMKSteps(c.Seats, c.rate(), service/MeanSteps, MeanSteps)
	return Waits{q.WaitSeconds / service, q.WaitQuantile(0.99) / service}
}

// Textbook is the same in a time without steps: M/M/k has exponential service.
func (c Case) Textbook() Waits {
	if c.Shape != Geometric {
		return c.Theory() // Pollaczek and Khinchine's formula does not ask what service looks like
	}
	q := sim.MMK(c.Seats, c.rate(), service)
	return Waits{q.WaitSeconds / service, q.WaitQuantile(0.99) / service}
}
