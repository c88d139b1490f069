package sim

import (
	"slices"
)

// refReplica is one engine: two lists, a cache, and the steps in flight.
type refReplica struct {
	w        *refCluster
	e        Engine
	index    int32
	waiting  []*refRequest
	running  []*refRequest // in order of admission
	kv       *refKV
	inFlight []*refStep // at most one, or two when asynchronous
	due      bool       // a step has ended since the last schedule call
	carried  []int32    // preempted by calls that gave no step
	warm     refWarm
	totals   Totals
	window   refWindow
}

// refStep is what one schedule call decided.
type refStep struct {
	start, end Picos
	pieces     []*refPiece
	preempted  []int32
	load       Load
	warm       Picos
	again      int64 // prefill tokens computed a second time
	number     int   // of all steps of the run, in the order of scheduling
}

type refPiece struct {
	r      *refRequest
	from   int
	tokens int
	decode bool // its next token, not a part of its prompt
	emits  bool // a token comes out
}

func (p *refPiece) drafts() int {
	if p.decode {
		return p.tokens - 1
	}
	return 0
}

func newRefReplica(w *refCluster, index int32) *refReplica {
	return &refReplica{
		w: w, e: w.c.Engine, index: index,
		kv:   newRefKV(w.c.Engine),
		warm: refWarm{graphs: map[int]bool{}, tunes: map[int]bool{}},
	}
}

func (p *refReplica) load() int { return len(p.waiting) + len(p.running) }

// Calls -----------------------------------------------------------------

// wantsToSchedule: the engine looks at its lists when a step has ended, or when
// nothing is in flight and somebody is there. While its last step is in flight
// it sees no arrival.
func (p *refReplica) wantsToSchedule() bool {
	return p.load() > 0 && (p.due || len(p.inFlight) == 0)
}

// scheduleIfDue fills the pipeline: one step in flight, or two when
// asynchronous. An empty result is not a step. If it is empty because the
// only request looked at was its own victim, an idle engine looks again.
func (p *refReplica) scheduleIfDue() {
	if !p.wantsToSchedule() {
		p.due = false
		return
	}
	p.due = false
	depth := 1
	if p.e.Async {
		depth = 2
	}
	for len(p.inFlight) < depth {
		s := p.schedule()
		p.carried = append(p.carried, s.preempted...)
		if len(s.pieces) > 0 {
			p.launch(s)
			continue
		}
		if len(p.inFlight) > 0 || len(s.preempted) == 0 {
			break
		}
	}
	if len(p.inFlight) == 0 && p.load() > 0 {
		panic("reference: an idle engine with requests found nothing to do")
	}
}

// schedule is one call: running requests first, in list order, then waiting
// ones (rule 2), unless something was preempted (rule 7).
func (p *refReplica) schedule() *refStep {
	s := &refStep{}
	budget := p.scheduleRunning(s)
	for _, piece := range s.pieces {
		p.commit(piece)
	}
	if len(s.preempted) == 0 {
		p.admit(s, budget)
	}
	return s
}

// Rules 3, 5: running ----------------------------------------------------

// scheduleRunning gives each running request its tokens while the budget
// lasts, and returns what is left of the budget.
func (p *refReplica) scheduleRunning(s *refStep) int {
	budget := p.e.MaxBatchedTokens
	for _, r := range slices.Clone(p.running) {
		if budget == 0 {
			break
		}
		if r.status != Running {
			continue // preempted earlier in this loop
		}
		n := p.newTokens(r, budget)
		if n <= 0 {
			continue // rule 3: skipped, and the loop goes on
		}
		if !p.makeRoom(s, r, n, &budget) {
			break // rule 5: it was its own victim; the loop ends
		}
		p.kv.grow(r, p.blocksFor(r, n))
		s.pieces = append(s.pieces, p.piece(r, n))
		budget -= n
	}
	return budget
}

// newTokens is rule 3 for a running request.
func (p *refReplica) newTokens(r *refRequest, budget int) int {
	if r.expired {
		return 0
	}
	if r.generated+r.emitting >= r.output() {
		return 0 // asynchronous: its last token is in flight
	}
	if r.computed < r.target {
		return p.chunk(r.target-r.computed, budget)
	}
	return min(1+len(p.e.Draft.Accept), budget, p.modelLen()-1-r.computed)
}

// chunk cuts the prefill that is left of a request at the chunk limit and the
// budget (rule 4). With chunked prefill off it is everything or nothing; but a
// resumed request that has grown longer than a whole step would then stall for
// ever, so that one is computed in chunks of a whole budget.
func (p *refReplica) chunk(left, budget int) int {
	if c := p.e.PrefillChunkTokens; c > 0 {
		return min(left, c, budget)
	}
	left = min(left, p.e.MaxBatchedTokens)
	if left > budget {
		return 0
	}
	return left
}

// modelLen is the longest request that the engine allows, prompt and output;
// the KV of the last token is never written.
func (p *refReplica) modelLen() int {
	fits := p.e.KVBlocks*p.e.BlockTokens + 1
	if p.e.MaxModelLen > 0 {
		return min(fits, p.e.MaxModelLen)
	}
	return fits
}

// blocksFor is rule 11: the blocks held by r once n more tokens of it are
// scheduled, with room for the drafts of the step after.
func (p *refReplica) blocksFor(r *refRequest, n int) int {
	slots := r.computed + n + len(p.e.Draft.Accept)
	if p.e.MaxModelLen > 0 {
		slots = min(slots, p.e.MaxModelLen)
	}
	return min(ceilDiv(slots, p.e.BlockTokens), p.e.KVBlocks)
}

// makeRoom is rule 5: preempt until the blocks of r are free. It is false if r
// itself had to go.
func (p *refReplica) makeRoom(s *refStep, r *refRequest, n int, budget *int) bool {
	for p.blocksFor(r, n)-len(r.blocks) > len(p.kv.free) {
		v := p.victim()
		*budget += p.withdraw(s, v)
		p.preempt(s, v)
		if v == r {
			return false
		}
	}
	return true
}

// victim is the tail of the running list, or under Priority the largest by
// (priority, arrival).
func (p *refReplica) victim() *refRequest {
	if p.e.Policy == FCFS {
		return p.running[len(p.running)-1]
	}
	return slices.MaxFunc(p.running, refOrder)
}

// refOrder is rule 17: smaller priority first, then arrival.
func refOrder(a, b *refRequest) int {
	if a.spec.Priority != b.spec.Priority {
		return int(a.spec.Priority) - int(b.spec.Priority)
	}
	return int(a.id - b.id)
}

// withdraw takes a victim's piece out of the step that is being made, and
// gives its tokens back to the budget.
func (p *refReplica) withdraw(s *refStep, v *refRequest) int {
	for i, piece := range s.pieces {
		if piece.r == v {
			s.pieces = slices.Delete(s.pieces, i, i+1)
			return piece.tokens
		}
	}
	return 0
}

// preempt is rule 6: all blocks back, nothing computed, generated tokens kept,
// to the front of the queue (under Priority the queue has no front).
func (p *refReplica) preempt(s *refStep, v *refRequest) {
	s.preempted = append(s.preempted, v.id)
	p.totals.Preempted++
	p.window.preempted++
	v.preemptions++
	p.w.recorder.putBacks = append(p.w.recorder.putBacks, PutBack{v.id, p.w.now.Nanos(), Never})
	v.peak = max(v.peak, min(v.computed, v.known()))
	v.computed = 0
	p.running = refWithout(p.running, v)
	p.kv.release(v)
	v.status = Waiting
	p.waiting = slices.Insert(p.waiting, 0, v)
}

// Rule 8: admission -------------------------------------------------------

// admit takes waiting requests from the head until one does not fit. Nobody
// overtakes, and nobody is preempted for an admission.
func (p *refReplica) admit(s *refStep, budget int) {
	for len(p.waiting) > 0 && budget > 0 && len(p.running) < p.e.MaxNumSeqs {
		r := p.head()
		hits := p.kv.lookup(r)
		cached := len(hits) * p.e.BlockTokens
		n := p.chunk(r.known()-cached, budget)
		if n == 0 || !p.fits(r, hits, n) {
			return
		}
		p.kv.adopt(r, hits)
		p.kv.grow(r, ceilDiv(cached+n, p.e.BlockTokens))
		p.waiting = refWithout(p.waiting, r)
		p.running = append(p.running, r)
		p.admitted(r, cached)
		piece := p.piece(r, n)
		s.pieces = append(s.pieces, piece)
		p.commit(piece)
		budget -= n
	}
}

// head is the next to be admitted.
func (p *refReplica) head() *refRequest {
	if p.e.Policy == FCFS {
		return p.waiting[0]
	}
	return slices.MinFunc(p.waiting, refOrder)
}

// fits is the room check of an admission (rules 9, 10, 13). A hit that nobody
// holds is in the free queue, and counts as needed because it leaves it.
func (p *refReplica) fits(r *refRequest, hits []*refBlock, n int) bool {
	held := 0 // hits that others hold already
	for _, b := range hits {
		if b.refs > 0 {
			held++
		}
	}
	free := len(p.kv.free)
	need := ceilDiv(len(hits)*p.e.BlockTokens+n, p.e.BlockTokens) - held
	if need > free {
		return false
	}
	if p.e.FullPromptGate && ceilDiv(r.known(), p.e.BlockTokens)-held > free {
		return false
	}
	return len(p.running) == 0 || free-need >= int(p.e.Watermark*float64(p.e.KVBlocks))
}

// admitted starts a pass of r over all its present tokens, of which the first
// were found in the cache.
func (p *refReplica) admitted(r *refRequest, cached int) {
	p.w.recorder.again(r, p.w.now)
	r.status = Running
	r.target = r.known()
	r.computed = cached
	if r.admitted == Never {
		r.admitted = p.w.now.Nanos()
		r.cached = cached
	}
	if p.e.PrefixCache {
		p.totals.LookedUp += int64(r.known())
		p.totals.Hit += int64(cached)
		p.window.lookedUp += int64(r.known())
		p.window.hit += int64(cached)
	}
}

func (p *refReplica) piece(r *refRequest, n int) *refPiece {
	decode := r.computed >= r.target
	return &refPiece{r: r, from: r.computed, tokens: n, decode: decode, emits: decode || r.computed+n == r.target}
}

// commit is rule 14: computed advances when the step is scheduled. Full blocks
// enter the index then, as far as their tokens are known: drafts are not, nor
// is, to an asynchronous engine, the token in flight.
func (p *refReplica) commit(piece *refPiece) {
	r := piece.r
	r.computed += piece.tokens
	r.inFlight++
	if piece.emits {
		r.emitting++
	}
	p.kv.index(r, min(r.computed, r.known()))
}

// Steps -------------------------------------------------------------------

// launch puts a step behind those in flight and writes it down.
func (p *refReplica) launch(s *refStep) {
	start := p.w.now
	for _, before := range p.inFlight {
		start = max(start, before.end)
	}
	s.start = p.w.afterPauses(start)
	s.load = refLoad(s)
	s.warm = p.warm.pay(p.e, s.load, p.kv.used())
	s.end = s.start + p.e.Cost.Picos(s.load) + s.warm
	s.preempted, p.carried = p.carried, nil
	p.inFlight = append(p.inFlight, s)
	p.trace(s)
}

// refLoad is the work of a step, and how much of it was done before.
func refLoad(s *refStep) Load {
	var l Load
	for _, piece := range s.pieces {
		n, c := int64(piece.tokens), int64(piece.from)
		if piece.decode {
			l.Decodes++
			l.DecodeTokens += n
			l.KVTokens += c + n
			continue
		}
		l.PrefillTokens += n
		l.PrefillPairs += n*c + n*(n+1)/2
		s.again += max(0, min(c+n, int64(piece.r.peak))-c)
	}
	return l
}
