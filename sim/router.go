package sim

// Routing. The router knows which replicas are up at once; their loads it knows
// as they are, or as they were when it last looked (Config.RefreshEvery). Then
// it does not count what it has sent since, as routers that work side by side
// cannot.
//
//	RoundRobin      one after the other
//	LeastRequests   the fewest waiting and running; the lowest index on a tie
//	LeastKV         the fewest KV blocks held; then by requests, as they are
//	PrefixAffinity  of the replicas with at most Guard requests more than the
//	                least loaded one: the one that has the longest run of the
//	                prompt's first Blocks blocks in its cache; then the fewest
//	                requests, then the lowest index. What is cached is known at
//	                once, as to a router that is told of each block
//
// With pools the rule is used in each; between decode replicas PrefixAffinity
// is LeastRequests.

// route picks the replica of request i; -1 if none is up.
func (s *ServingSim) route(i int32, r *Spec) int {
	if len(s.replicas) == 1 && !s.eventful {
		return 0
	}
	if len(s.c.Changes) > 0 {
		if to := s.skewed(i); to >= 0 {
			return to
		}
	}
	last := len(s.replicas)
	if s.c.Pools.Prefill > 0 {
		last = s.c.Pools.Prefill
	}
	if s.c.Routing == PrefixAffinity {
		s.probe.set(r, i)
		return s.pick(0, last, &s.probe)
	}
	return s.pick(0, last, nil)
}

// skewed is the replica that a change forces request i to; -1 if none does.
func (s *ServingSim) skewed(i int32) int {
	for k := range s.c.Changes {
		x := &s.c.Changes[k]
		if x.Skew > 0 && s.now >= x.From.Picos() && s.now < x.To.Picos() && s.replicas[x.Replica].accepts() &&
			draw(s.seed^skewDraws, i, int32(k)) < x.Skew {
			return x.Replica
		}
	}
	return -1
}

// skewDraws keeps the draws of skewed routing apart from those of drafts.
const skewDraws = 0x534b4557

// pick picks among the replicas [from, to), by what t says if it is given; -1
// if none is up.
func (s *ServingSim) pick(from, to int, t *text) int {
	if s.c.Routing == RoundRobin {
		return s.next(from, to)
	}
	best, least := -1, int64(0)
	for i := from; i < to; i++ {
		r := &s.replicas[i]
		if !r.accepts() {
			continue
		}
		n := s.load(r)
		if best < 0 || n < least || n == least && s.c.Routing == LeastKV && r.requests() < s.replicas[best].requests() {
			best, least = i, n
		}
	}
	if t != nil && best >= 0 {
		return s.longest(from, to, t, least)
	}
	return best
}

// next is the next replica that is up, one after the other; each pool has a
// turn of its own.
func (s *ServingSim) next(from, to int) int {
	turn := &s.turn[b2i(from > 0)]
	for k := range to - from {
		i := from + (*turn+k)%(to-from)
		if s.replicas[i].accepts() {
			*turn = (i - from + 1) % (to - from)
			return i
		}
	}
	return -1
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// load is what the router thinks a replica has.
func (s *ServingSim) load(r *replica) int64 {
	if s.seen != nil {
		return s.seen[r.id]
	}
	return r.routeLoad()
}

// routeLoad is what the routing rule counts.
func (r *replica) routeLoad() int64 {
	if r.s.c.Routing == LeastKV {
		r.settleBefore()
		return int64(r.kv.used())
	}
	return int64(r.requests())
}

// longest is PrefixAffinity; least is the fewest requests.
func (s *ServingSim) longest(from, to int, t *text, least int64) int {
	blockTokens := int32(s.c.Engine.BlockTokens)
	blocks := min(s.c.Affinity.Blocks, int((t.prompt-1)/blockTokens))
	best, most, fewest := -1, -1, int64(0)
	for i := from; i < to; i++ {
		r := &s.replicas[i]
		n := s.load(r)
		if !r.accepts() || n > least+int64(s.c.Affinity.Guard) {
			continue
		}
		r.settleBefore()
		found := 0
		for found < blocks && r.kv.prefix.find(t.hash(found, blockTokens)) >= 0 {
			found++
		}
		if found > most || found == most && n < fewest {
			best, most, fewest = i, found, n
		}
	}
	return best
}
