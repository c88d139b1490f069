package score

import (
	"openloop/numerics/detmath"
	"openloop/sim"
)

// A run of a known failure, or of none.

// Case is one.
type Case struct {
	Base  string
	Lever string // "" where nothing is broken
	Fine  Fine   // what else goes on, where nothing is
	Pulls []sim.Pull
	Seed  uint64
	Lead  int // windows before those that are shown

	scenario sim.Scenario
}

// Windows runs it.
func (c *Case) Windows() []sim.Window {
	return play(c.scenario, c.Seed)[c.Lead:][:Windows]
}

// Scenario is what is run.
func (c *Case) Scenario() sim.Scenario { return c.scenario }

// Draw is run number i of a lever under a seed.
func Draw(lever string, seed uint64, i int) Case {
	return draw(lever, newDice(seed, lever, i))
}

// DrawPair is a run with two levers that overlap, the second pulled somewhat
// later; ok is false where no base takes both.
func DrawPair(first, second string, seed uint64, i int) (c Case, ok bool) {
	r := newDice(seed, first+"+"+second, i)
	both := basesFor(first, second)
	if len(both) == 0 {
		return c, false
	}
	b := both[r.IntN(len(both))]
	c = Case{Base: b.ID, Lever: first, Seed: r.Uint64() >> 32, Lead: r.IntN(10), scenario: b.Scenario}
	p := r.pull(&b, first, c.Lead)
	q := r.pull(&b, second, c.Lead)
	shift := p.From + (p.To-p.From)/4 - q.From
	q.From, q.To = q.From+shift, q.To+shift
	c.Pulls = []sim.Pull{p, q}
	return c, c.pulled() == nil
}

func draw(lever string, r *dice) Case {
	all := basesFor(lever)
	b := all[r.IntN(len(all))]
	c := Case{Base: b.ID, Lever: lever, Seed: r.Uint64() >> 32, Lead: r.IntN(10), scenario: b.Scenario}
	c.Pulls = []sim.Pull{r.pull(&b, lever, c.Lead)}
	if err := c.pulled(); err != nil {
		panic("score: " + err.Error())
	}
	return c
}

func (c *Case) pulled() error {
	s, err := c.scenario.Pulled(c.Pulls...)
	c.scenario = s
	return err
}

// basesFor are the bases on which each of the levers can be seen.
func basesFor(levers ...string) []Base {
	var out []Base
	for _, b := range Bases() {
		fits := 0
		for _, l := range levers {
			if lowestOf(b.ID, l) > 0 {
				fits++
			}
		}
		if fits == len(levers) {
			out = append(out, b)
		}
	}
	return out
}

func lowestOf(base, lever string) float64 {
	for _, l := range lowests {
		if l.Base == base && l.Lever == lever {
			return l.Intensity
		}
	}
	return 0
}

// dice are the random numbers of a case.
type dice struct{ sim.Rand }

// newDice has its own numbers for each seed, name and number.
func newDice(seed uint64, name string, i int) *dice {
	sub := uint64(14695981039346656037)
	for _, b := range []byte(name) {
		sub = (sub ^ uint64(b)) * 1099511628211
	}
	return &dice{sim.NewRand(seed, sim.StreamFaults, sub+uint64(i))}
}

// pull draws when, how hard and where. It begins between the 13th and the 24th
// of the shown windows and lasts for 6 to 20 of them, so that some see the end
// of it and some do not.
func (r *dice) pull(b *Base, lever string, shown int) sim.Pull {
	l := leverOf(lever)
	from := b.Every*sim.Nanos(shown+12) + sim.Nanos(r.Float64()*float64(12*b.Every))
	long := sim.Nanos(float64(6+float64(14*r.Float64())) * float64(b.Every))
	if lever == "retry_storm" {
		// Clients ask again only if the stall, a fifth of it, is longer than
		// their patience.
		long = sim.Nanos((5.25 + float64(2.25*r.Float64())) * float64(b.Config.Timeout))
	}
	p := sim.Pull{Lever: lever, Span: sim.Span{From: from, To: from + long}, Replica: r.IntN(b.Config.Replicas)}
	if lever == "skewed_routing" && b.Config.Pools.Prefill > 0 {
		p.Replica = r.IntN(b.Config.Pools.Prefill)
	}
	p.Intensity = r.intensity(l, b)
	return p
}

func (r *dice) intensity(l *sim.Lever, b *Base) float64 {
	low, high := lowestOf(b.ID, l.ID), hardest(l, b)
	switch l.ID {
	case "replica_restart", "retry_storm":
		return low + float64(r.IntN(int(high-low)+1))
	case "chunking_off":
		return float64(int(spread(low, high, r.Float64())))
	}
	return min(l.High, max(l.Low, spread(low, high, r.Float64())))
}

func leverOf(id string) *sim.Lever {
	levers := sim.Levers()
	for i := range levers {
		if levers[i].ID == id {
			return &levers[i]
		}
	}
	panic("score: no lever " + id)
}

func pow(x, y float64) float64 { return detmath.Pow(x, y) }

// SignalsOnly takes everything but the eight signals away.
func SignalsOnly(w []sim.Window) []sim.Window {
	out := append([]sim.Window(nil), w...)
	for i := range out {
		out[i].Strip = [sim.NumStrip]sim.Measured{}
		out[i].Replicas = nil
	}
	return out
}
