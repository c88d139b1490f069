package score

import "openloop/sim"

// Runs in which nothing is broken, and which look as if: a server near its
// capacity, the peak of a day, a rolling restart.

// Fine is what goes on while nothing is broken.
type Fine uint8

// The kinds.
const (
	Calm    Fine = iota
	Busy         // at 95% of capacity
	Peak         // a day's peak, up to 85% of capacity
	Rolling      // one replica after the other is restarted
	NumFine
)

// String names the kind.
func (f Fine) String() string {
	return [NumFine]string{"as on any day", "at 95% load", "a day's peak", "a rolling restart"}[f]
}

// The shares of capacity.
const (
	busyLoad = 0.95
	peakLoad = 0.85
)

// DrawFine is healthy run number i of a kind under a seed.
func DrawFine(f Fine, seed uint64, i int) Case {
	r := newDice(seed, f.String(), i)
	all := Bases()
	b := all[r.IntN(len(all))]
	for f == Rolling && !canRoll(&b) {
		b = all[r.IntN(len(all))]
	}
	c := Case{Base: b.ID, Fine: f, Seed: r.Uint64() >> 32, Lead: r.IntN(10), scenario: b.Scenario}
	load := CapacityOf(b.ID).Load
	span := sim.Span{To: b.Config.Horizon}
	switch f {
	case Busy:
		c.Lead = lead // it takes long to fill
		c.scenario.Workload.Shifts = []sim.Shift{{Span: span, Rate: busyLoad / load}}
	case Peak:
		c.day(&b, r, load)
	case Rolling:
		c.roll(&b, r)
	}
	return c
}

// day has the rate go up and down again, in steps too small to see, once in
// the shown windows; where in it they begin is drawn.
func (c *Case) day(b *Base, r *dice, load float64) {
	const steps = 48
	from := b.Every * sim.Nanos(c.Lead+8+r.IntN(8))
	long := b.Every * sim.Nanos(Windows-r.IntN(12))
	high := float64(peakLoad / load * (0.8 + float64(0.2*r.Float64())))
	for k := range sim.Nanos(steps) {
		x := float64(2*float64(k)/steps) - 1 // -1 to 1
		rise := 1 - float64(x*x)
		rate := 1 + float64((high-1)*float64(rise*rise))
		if rate < 1 {
			rate = max(0.5, rate)
		}
		c.scenario.Workload.Shifts = append(c.scenario.Workload.Shifts,
			sim.Shift{Span: sim.Span{From: from + long*k/steps, To: from + long*(k+1)/steps}, Rate: rate})
	}
}

// canRoll says whether the others can do the work of one.
func canRoll(b *Base) bool {
	n := float64(b.Config.Replicas)
	return b.Config.Pools.Prefill == 0 && n > 1 && CapacityOf(b.ID).Load < 0.9*(n-1)/n
}

// roll restarts each replica in turn. What it holds is lost, as with a restart
// that does not wait.
func (c *Case) roll(b *Base, r *dice) {
	n := sim.Nanos(b.Config.Replicas)
	from := b.Every * sim.Nanos(c.Lead+12+r.IntN(6))
	each := b.Every * 20 / n
	down := sim.Nanos(float64(each) * (0.4 + float64(0.4*r.Float64())))
	for k := range n {
		at := from + each*k
		c.scenario.Config.Changes = append(c.scenario.Config.Changes,
			sim.Change{Span: sim.Span{From: at, To: at + down}, Replica: int(k), Down: true})
	}
}
