package sim

import "slices"

// The reference's router.

// route picks the replica of an arriving request; nil if none is up.
func (w *refCluster) route(r *refRequest) *refReplica {
	for k, x := range w.c.Changes {
		if x.Skew > 0 && x.From.Picos() <= w.now && w.now < x.To.Picos() && !w.replicas[x.Replica].broken &&
			refDraw(w.seed^0x534b4557, r.id, int32(k)) < x.Skew {
			return w.replicas[x.Replica]
		}
	}
	if n := w.c.Pools.Prefill; n > 0 {
		return w.choose(w.replicas[:n], 0, r)
	}
	return w.choose(w.replicas, 0, r)
}

// choose is the routing rule, over a pool; r is there if prefixes count.
func (w *refCluster) choose(pool []*refReplica, turn int, r *refRequest) *refReplica {
	if w.c.Routing == RoundRobin {
		for range pool {
			p := pool[w.turn[turn]%len(pool)]
			w.turn[turn]++
			if !p.broken {
				return p
			}
		}
		return nil
	}
	var there []*refReplica
	for _, p := range pool {
		if !p.broken {
			there = append(there, p)
		}
	}
	if len(there) == 0 {
		return nil
	}
	least := slices.MinFunc(there, func(a, b *refReplica) int {
		if d := a.knownLoad() - b.knownLoad(); d != 0 || w.c.Routing != LeastKV {
			return d
		}
		return a.load() - b.load()
	})
	if w.c.Routing != PrefixAffinity || r == nil {
		return least
	}
	there = slices.DeleteFunc(there, func(p *refReplica) bool { return p.knownLoad() > least.knownLoad()+w.c.Affinity.Guard })
	return slices.MinFunc(there, func(a, b *refReplica) int {
		if d := b.found(r) - a.found(r); d != 0 {
			return d
		}
		return a.knownLoad() - b.knownLoad()
	})
}

// found is how many leading blocks of r are cached here, of those looked at.
func (p *refReplica) found(r *refRequest) int {
	n := 0
	for n < p.w.c.Affinity.Blocks && n < (r.prompt()-1)/p.e.BlockTokens && len(p.kv.byContent[p.kv.contentOf(r, n)]) > 0 {
		n++
	}
	// The chain of contents is numbered by each cache for itself.
	r.chain = nil
	return n
}

// knownLoad is what the router knows of a replica.
func (p *refReplica) knownLoad() int {
	switch {
	case p.w.c.RefreshEvery == 0:
		return p.routeLoad()
	case p.w.seen == nil:
		return 0
	}
	return p.w.seen[p.index]
}

func (p *refReplica) routeLoad() int {
	if p.w.c.Routing == LeastKV {
		return p.kv.used()
	}
	return p.load()
}
