package sim

import "slices"

// The reference's cluster over time: changes, crashes, swapping, and
// pools with a link. Conditions are asked of the list of changes whenever they
// are needed; nothing is remembered but what has to be.

// refPresence is what a replica has beyond its engine.
type refPresence struct {
	broken  bool // crashed, and not back yet
	host    int  // blocks in host memory
	copying Picos
	coming  []*refRequest // whose KV is on the way here
}

// active calls f with the changes that are in force for p.
func (p *refReplica) active(f func(x Change)) {
	for _, x := range p.w.c.Changes {
		if x.From.Picos() <= p.w.now && p.w.now < x.To.Picos() && (x.Replica == All || x.Replica == int(p.index)) {
			f(x)
		}
	}
}

func (p *refReplica) budget() int {
	n := p.e.MaxBatchedTokens
	p.active(func(x Change) { n = max(n, x.WholePrompts) })
	return n
}

func (p *refReplica) chunkTokens() int {
	n := p.e.PrefillChunkTokens
	p.active(func(x Change) {
		if x.WholePrompts > 0 {
			n = 0
		}
	})
	return n
}

func (p *refReplica) cost() StepCost {
	times := 1.0
	p.active(func(x Change) { times *= max(1, x.Slower) })
	if times == 1 {
		return p.e.Cost
	}
	return slowed(p.e.Cost, times)
}

func (p *refReplica) accept() []float64 {
	loss := 0.0
	p.active(func(x Change) { loss = 1 - (1-loss)*(1-x.AcceptLoss) })
	var out []float64
	for _, a := range p.e.Draft.Accept {
		out = append(out, a*(1-loss))
	}
	return out
}

func (p *refReplica) warmUp() WarmUp {
	price := p.e.WarmUp
	p.active(func(x Change) {
		if x.Cold {
			price.GraphCapture = max(price.GraphCapture, x.WarmUp.GraphCapture)
			price.Autotune = max(price.Autotune, x.WarmUp.Autotune)
			price.AllocatorGrowth = max(price.AllocatorGrowth, x.WarmUp.AllocatorGrowth)
		}
	})
	return price
}

func (p *refReplica) lost() int {
	share := 0.0
	p.active(func(x Change) { share += x.LostKV })
	return min(int(share*float64(p.e.KVBlocks)), p.e.KVBlocks-1)
}

func (p *refReplica) down() bool {
	is := false
	p.active(func(x Change) { is = is || x.Down })
	return is
}

// Events ------------------------------------------------------------------

func (w *refCluster) seeEvents(see func(Picos)) {
	for _, x := range w.c.Changes {
		for _, at := range []Picos{x.From.Picos(), x.To.Picos()} {
			if at > w.now || !w.begun {
				see(at)
			}
		}
	}
	for _, l := range w.links {
		if len(l.queue) > 0 {
			see(l.until)
		}
	}
	if e := w.c.RefreshEvery.Picos(); e > 0 {
		see((w.now/e + 1) * e)
	}
}

// events are those of this instant: changes, transfers, the router's look.
func (w *refCluster) events() {
	w.begun = true
	for _, x := range w.c.Changes {
		if x.From.Picos() == w.now || x.To.Picos() == w.now {
			for _, p := range w.replicas {
				p.change()
			}
			break
		}
	}
	for i, l := range w.links {
		for len(l.queue) > 0 && l.until == w.now {
			r := l.queue[0]
			l.queue = l.queue[1:]
			w.replicas[i].kv.release(r)
			r.sending = false
			if !r.status.Final() {
				to := w.replicas[r.replica]
				to.coming = refWithout(to.coming, r)
				to.waiting = append(to.waiting, r)
			}
			w.send(i)
		}
	}
	if e := w.c.RefreshEvery.Picos(); e > 0 && w.now > 0 && w.now%e == 0 {
		w.seen = nil
		for _, p := range w.replicas {
			w.seen = append(w.seen, p.routeLoad())
		}
	}
}

func (p *refReplica) change() {
	switch {
	case p.down() && !p.broken:
		p.crash()
	case !p.down():
		p.broken = false
	}
	p.active(func(x Change) {
		if x.Cold && x.From.Picos() == p.w.now {
			p.warm = refWarm{graphs: map[int]bool{}, tunes: map[int]bool{}}
			for _, b := range p.kv.free {
				p.kv.forget(b)
			}
		}
	})
	p.kv.lose(p.lost())
}

// crash loses everything: those that run, those that wait, those on the way.
func (p *refReplica) crash() {
	p.broken = true
	if len(p.inFlight) > 0 {
		p.totals.BusyPicos += max(0, p.w.now-p.inFlight[0].start)
	}
	p.inFlight = nil
	p.due = false
	p.copying = 0
	p.carried = nil
	for _, r := range slices.Clone(p.running) {
		p.leave(r, Aborted)
	}
	for len(p.waiting) > 0 {
		p.leave(p.head(), Aborted)
	}
	for i, l := range p.w.links {
		first := len(l.queue) > 0
		for k, r := range slices.Clone(l.queue) {
			if i != int(p.index) && r.replica != p.index {
				continue
			}
			first = first && k > 0
			l.queue = refWithout(l.queue, r)
			p.w.replicas[i].kv.release(r)
			r.sending = false
			if !r.status.Final() {
				p.w.replicas[r.replica].leave(r, Aborted)
			}
		}
		if !first {
			p.w.send(i)
		}
	}
	p.host = 0
	p.kv = newRefKV(p.e)
	p.warm = refWarm{graphs: map[int]bool{}, tunes: map[int]bool{}}
}

// mayBeStuck: blocks that were lost, or that wait to be sent, come back.
func (p *refReplica) mayBeStuck() bool { return len(p.w.c.Changes) > 0 || p.prefillOnly() }

// lose withholds blocks, as far as they are free; the rest when they are.
func (kv *refKV) lose(n int) {
	kv.toLose = n
	kv.loseFree()
	for len(kv.lost) > n {
		b := kv.lost[len(kv.lost)-1]
		kv.lost = kv.lost[:len(kv.lost)-1]
		b.refs = 0
		kv.free = append(kv.free, b)
	}
}

func (kv *refKV) loseFree() {
	for len(kv.lost) < kv.toLose && len(kv.free) > 0 {
		kv.lost = append(kv.lost, kv.take())
	}
}

// forget takes a block out of the index.
func (kv *refKV) forget(b *refBlock) {
	if b.content != 0 {
		kv.byContent[b.content] = refWithoutBlock(kv.byContent[b.content], b)
		b.content = 0
	}
}

func refWithoutBlock(list []*refBlock, b *refBlock) []*refBlock {
	return slices.DeleteFunc(slices.Clone(list), func(x *refBlock) bool { return x == b })
}

// Swapping ----------------------------------------------------------------

// swapOut keeps what v has computed in host memory, if there is room.
func (p *refReplica) swapOut(v *refRequest) bool {
	n := ceilDiv(v.computed, p.e.BlockTokens)
	if p.e.Swap.HostBlocks == 0 || v.expired || n == 0 || p.host+n > p.e.Swap.HostBlocks {
		return false
	}
	p.host += n
	v.stored, v.swapped = v.computed, true
	p.copying += Picos(n) * p.e.Swap.PerBlock
	p.totals.SwappedOut += int64(n)
	return true
}

// resume admits the head r, whose KV is stored, and returns its tokens; 0 if it
// does not fit.
func (p *refReplica) resume(s *refStep, r *refRequest, budget int) int {
	n := min(1+len(p.e.Draft.Accept), budget, p.modelLen()-1-r.stored)
	if r.stored < r.target {
		n = p.chunk(r.target-r.stored, budget)
	}
	free := len(p.kv.free)
	need := ceilDiv(r.stored+n, p.e.BlockTokens)
	all := ceilDiv(max(r.stored+n, r.target), p.e.BlockTokens)
	switch {
	case n <= 0, need > free, p.e.FullPromptGate && all > free,
		len(p.running) > 0 && free-need < int(p.e.Watermark*float64(p.e.KVBlocks)):
		return 0
	}
	if r.swapped {
		n := ceilDiv(r.stored, p.e.BlockTokens)
		p.host -= n
		p.copying += Picos(n) * p.e.Swap.PerBlock
		p.totals.SwappedIn += int64(n)
	}
	p.kv.grow(r, need)
	p.waiting = refWithout(p.waiting, r)
	p.running = append(p.running, r)
	p.w.recorder.again(r, p.w.now)
	r.status = Running
	r.computed, r.stored, r.swapped = r.stored, 0, false
	piece := p.piece(r, n)
	s.pieces = append(s.pieces, piece)
	p.commit(piece)
	return n
}

// Pools -------------------------------------------------------------------

type refLink struct {
	queue []*refRequest // the one on the way first
	until Picos
}

func (w *refCluster) setLinks() {
	for range w.c.Pools.Prefill {
		w.links = append(w.links, &refLink{})
	}
}

func (p *refReplica) prefillOnly() bool { return int(p.index) < p.w.c.Pools.Prefill }

// handOver sends r, which has its first token, to where it decodes.
func (p *refReplica) handOver(r *refRequest) {
	to := p.w.choose(p.w.replicas[p.w.c.Pools.Prefill:], 1, nil)
	if to == nil {
		p.leave(r, Aborted)
		return
	}
	p.running = refWithout(p.running, r)
	r.chain = nil // contents are numbered by each cache for itself
	r.sending, r.stored, r.status, r.replica = true, r.computed, Waiting, to.index
	p.totals.Sent += int64(r.stored)
	to.coming = append(to.coming, r)
	l := p.w.links[p.index]
	l.queue = append(l.queue, r)
	if len(l.queue) == 1 {
		p.w.send(int(p.index))
	}
}

// send starts the first transfer in the queue of a link.
func (w *refCluster) send(from int) {
	l := w.links[from]
	if len(l.queue) == 0 {
		return
	}
	slower := 1.0
	w.replicas[from].active(func(x Change) { slower *= max(1, x.LinkSlower) })
	seconds := float64(l.queue[0].stored) * float64(w.c.Pools.BytesPerToken) / w.c.Pools.BytesPerSec * slower
	l.until = Seconds(MaxSeconds).Picos()
	if seconds < MaxSeconds {
		l.until = w.now + max(1, Seconds(seconds)).Picos()
	}
}
