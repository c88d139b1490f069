package sim

import "slices"

// Changes in virtual time: what a replica is made to be different by. At each
// instant at which a change begins or ends, the conditions of every replica are
// worked out anew from the list.

// conditions is how a replica works at the moment.
type conditions struct {
	cost   StepCost
	budget int32 // most tokens of a step
	chunk  int32 // most prompt tokens of a request in it; 0 is all or nothing
	accept []float64
	warmUp WarmUp

	slower     float64
	lost       int32 // blocks
	acceptLoss float64
	linkSlower float64
	down       bool
}

func (e *Engine) conditions() conditions {
	return conditions{
		cost: e.Cost, budget: int32(e.MaxBatchedTokens), chunk: int32(e.PrefillChunkTokens), accept: e.Draft.Accept, warmUp: e.WarmUp,
		slower: 1, linkSlower: 1,
	}
}

// boundaries are the instants at which changes begin or end, in order.
func boundaries(changes []Change) []Picos {
	var out []Picos
	for i := range changes {
		out = append(out, changes[i].From.Picos(), changes[i].To.Picos())
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// changeDue makes the changes of this instant.
func (s *ServingSim) changeDue() {
	for len(s.boundaries) > 0 && s.boundaries[0] <= s.now {
		s.boundaries = s.boundaries[1:]
	}
	for i := range s.replicas {
		s.replicas[i].change()
	}
}

// change works out the conditions of now, and acts on those that are new.
func (r *replica) change() {
	s := r.s
	c := s.c.Engine.conditions()
	cold := false
	lost := 0.0
	for i := range s.c.Changes {
		x := &s.c.Changes[i]
		if s.now < x.From.Picos() || s.now >= x.To.Picos() || x.Replica != All && x.Replica != int(r.id) {
			continue
		}
		c.slower *= max(1, x.Slower)
		c.linkSlower *= max(1, x.LinkSlower)
		c.acceptLoss = 1 - float64((1-c.acceptLoss)*(1-x.AcceptLoss))
		c.down = c.down || x.Down
		lost += x.LostKV
		if x.WholePrompts > 0 {
			c.chunk, c.budget = 0, max(c.budget, int32(x.WholePrompts))
		}
		if x.Cold {
			cold = cold || x.From.Picos() == s.now
			c.warmUp = c.warmUp.larger(x.WarmUp)
		}
	}
	c.lost = min(int32(float64(lost*float64(r.kv.total))), r.kv.total-1)
	c.derive(&s.c.Engine, &r.cond)

	wasDown := r.cond.down
	r.tick()
	r.interrupt()
	r.settle() // the step in progress has its blocks before any is lost
	r.cond = c
	r.warm.cost = c.warmUp
	switch {
	case c.down && !wasDown && r.presence != off:
		r.broken = true
		r.crash()
	case !c.down && r.broken:
		r.broken = false
		r.boot()
	}
	if cold {
		r.chill()
	}
	r.kv.lose(c.lost)
	r.wakeIfIdle()
}

// derive fills in what follows from factors, as it was before if they are.
func (c *conditions) derive(e *Engine, before *conditions) {
	switch {
	case c.slower == before.slower:
		c.cost = before.cost
	case c.slower > 1:
		c.cost = slowed(e.Cost, c.slower)
	}
	switch {
	case c.acceptLoss == before.acceptLoss:
		c.accept = before.accept
	case c.acceptLoss > 0:
		c.accept = make([]float64, len(e.Draft.Accept))
		for i, p := range e.Draft.Accept {
			c.accept[i] = float64(p * (1 - c.acceptLoss))
		}
	}
}

// wakeIfIdle has schedule called if requests wait and nothing is in flight.
func (r *replica) wakeIfIdle() {
	if r.inFlight == 0 && (r.queue.n > 0 || len(r.running) > 0) {
		r.due = true
	}
}

func (w WarmUp) larger(o WarmUp) WarmUp {
	return WarmUp{max(w.GraphCapture, o.GraphCapture), max(w.Autotune, o.Autotune), max(w.AllocatorGrowth, o.AllocatorGrowth)}
}

// chill forgets what a replica had warmed up.
func (r *replica) chill() {
	r.warm = transient{cost: r.cond.warmUp}
	if r.kv.prefix != nil {
		r.kv.prefix.forgetFree()
	}
}

// slowed is a cost in which every step takes so many times as long. One that is
// linear stays so: its coefficients are rounded up, each by less than 1 ps.
func slowed(c StepCost, times float64) StepCost {
	l, ok := c.(LinearCost)
	if !ok {
		return slowCost{c, times}
	}
	return LinearCost{
		Base: l.Base.times(times), PerPrefillToken: l.PerPrefillToken.times(times), PerPrefillPair: l.PerPrefillPair.times(times),
		PerDecode: l.PerDecode.times(times), PerDraftToken: l.PerDraftToken.times(times), PerKVToken: l.PerKVToken.times(times),
	}
}

func (p Picos) times(x float64) Picos {
	y := float64(float64(p) * x)
	n := Picos(y)
	if float64(n) < y {
		n++
	}
	return n
}

type slowCost struct {
	StepCost
	times float64
}

func (c slowCost) Picos(l Load) Picos { return min(c.StepCost.Picos(l), maxRun).times(c.times) }

// lose withholds blocks until so many are lost, or gives them back. Those that
// are in use are lost as soon as they are free.
func (k *kvCache) lose(n int32) {
	k.owed = max(0, n-k.lost)
	k.payOwed()
	for k.lost > n {
		k.lost--
		k.free++
		if k.prefix != nil {
			k.prefix.release(k.lostBlocks[k.lost:])
			k.lostBlocks = k.lostBlocks[:k.lost]
		}
	}
}

func (k *kvCache) payOwed() {
	n := min(k.owed, k.free)
	k.owed -= n
	k.lost += n
	k.free -= n
	if k.prefix != nil {
		k.lostBlocks = k.prefix.take(k.lostBlocks, n)
	}
}

// forgetFree empties the index of the blocks that nobody holds.
func (p *prefixCache) forgetFree() {
	for b := range p.held {
		if p.held[b] == 0 && p.hash[b] != 0 {
			p.forget(int32(b))
		}
	}
}
