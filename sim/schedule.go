package sim

// schedule decides what the next step does, by the rules of vLLM's V1
// scheduler. Its words: a request has computed so many of its tokens (prompt and
// generated ones); a step gives it some of those that are left.
//
//	1  There is no prefill or decode phase. A request is given the tokens that
//	   it has and has not computed: a decode is the case of one token.
//	2  Running requests come first, in order of admission; then waiting ones.
//	3  A request is given no more than a chunk of its prompt, and no more than
//	   is left of the budget, MaxBatchedTokens. Given none, it is passed over.
//	4  Nothing else limits the mix. The last prompt is cut where the budget
//	   ends; with chunked prefill off it is not admitted instead.
//	5  A running request that needs a block when none is free has a victim
//	   preempted for it: the last of the running list or, under Priority, the
//	   one with the largest (Priority, arrival). That can be itself; then no
//	   further running request is looked at. A victim that was already in this
//	   step is taken out of it, and its tokens return to the budget.
//	6  A preempted request loses its blocks and all it has computed, keeps the
//	   tokens that it has generated, and goes to the front of the queue (under
//	   Priority: where its key puts it).
//	7  When something was preempted, nothing is admitted in that step.
//	8  The head of the queue is admitted while there are seats, budget and
//	   blocks for it. If it cannot be, nobody behind it is.
//	9  FullPromptGate: there must be free blocks for all tokens of the head,
//	   although only those of its first chunk are taken.
//	10 Watermark: that many blocks must stay free, if something is running.
//	11 A request holds blocks for the tokens computed, those of this step, and
//	   its next drafts, within MaxModelLen and what there is. The drafts get
//	   none at an admission.
//	12 Blocks with cached content that nobody holds are free; a request that
//	   finds them needs them as it needs blank ones.
//	13 Tokens count as computed as soon as they are scheduled.
//	14 Full blocks can be found by later requests as soon as they are scheduled.
//	15 The step that computes the last token of a prompt gives the first token.
//
// An asynchronous engine calls schedule when a step ends while the next one is
// already running, so it does not yet know the token which that one gives:
//
//	16 A request whose last token is in flight is not scheduled again, but keeps
//	   its seat and blocks until the token is there.
//
// Progress: if nothing runs, the head of the queue can be admitted, for all
// blocks and the whole budget are free and arrive refuses what does not fit in
// them. If something runs, then the first running request is in a step in
// flight, or is given at least a token after as many preemptions as it takes,
// or preempts itself, which makes the running list shorter; scheduleAll then
// calls again.

// halt is why admission stopped.
type halt uint8

const (
	queueEmpty  halt = iota
	noSeat           // or no budget: whoever is at the head
	headBlocked      // no blocks for the head, or its prompt does not fit
	preempting       // rule 7
)

// scheduleAll fills the flights.
func (r *replica) scheduleAll() {
	r.due = false
	r.tick()
	if r.inFlight == 1 && r.inProgress().ramp.steps > 1 {
		r.lead() // as the run has it
		r.setWake()
		return
	}
	for r.inFlight < r.depth {
		before := len(r.running)
		if !r.schedule() && (r.inFlight > 0 || len(r.running) == before) {
			break // nothing to do, until a step ends or a request arrives
		}
	}
	r.setWake()
}

// schedule puts the next step in flight, unless it would be empty.
func (r *replica) schedule() bool {
	f := &r.flights[r.first^r.inFlight]
	f.clear()
	budget := int32(r.s.c.Engine.MaxBatchedTokens)
	if r.scheduleRunning(f, &budget) {
		r.halt = preempting
	} else {
		r.halt = r.admit(f, budget)
	}
	if len(f.pieces) == 0 {
		return false
	}
	r.launch(f)
	return true
}

// scheduleRunning goes through the running list and says whether it preempted.
func (r *replica) scheduleRunning(f *flight, budget *int32) (preempted bool) {
	s := r.s
	lookahead := int32(len(s.c.Engine.Draft.Accept))
	left := *budget
running:
	for i := 0; i < len(r.running) && left > 0; i++ {
		if lookahead == 0 {
			if n := r.giveDecodes(f, r.running[i:], left); n > 0 {
				left -= int32(n)
				i += n - 1
				continue
			}
		}
		slot := r.running[i]
		q := &s.seqs[slot]
		n := r.share(q, left)
		if n <= 0 {
			continue
		}
		need := min(q.computed+n+lookahead, r.kv.longest) // rule 11
		for !r.kv.reserve(s, slot, need) {
			preempted = true
			v := r.victim()
			self := v == i
			left += r.preempt(f, v)
			if self {
				break running
			}
			if v < i {
				i--
			}
		}
		r.give(f, slot, n)
		left -= n
	}
	if r.kv.prefix != nil {
		for i := range f.pieces {
			r.remember(&f.pieces[i])
		}
	}
	*budget = left
	return preempted
}

// share is how many tokens a running request is given of what is left of the
// budget (rules 1, 3, 16).
func (r *replica) share(q *seq, left int32) int32 {
	if q.expired {
		return 0
	}
	if n := q.target - q.computed; n > 0 {
		return r.chunk(n, left)
	}
	if q.flying > 0 && q.generated+1 >= q.output {
		return 0
	}
	return min(1+int32(len(r.s.c.Engine.Draft.Accept)), left, r.kv.lastWritten-q.computed)
}

// chunk cuts n prompt tokens to what one step may compute. With chunked prefill
// off only a resumed request can be longer than the whole budget, because of
// what it has generated. vLLM would be stuck with it; here it is computed in
// pieces of a whole budget.
func (r *replica) chunk(n, left int32) int32 {
	e := &r.s.c.Engine
	if e.PrefillChunkTokens > 0 {
		return min(n, int32(e.PrefillChunkTokens), left)
	}
	if n = min(n, int32(e.MaxBatchedTokens)); n > left {
		return 0
	}
	return n
}

// victim is the place in the running list of the request to preempt (rule 5).
func (r *replica) victim() int {
	last := len(r.running) - 1
	if r.queue.policy == Priority {
		seqs := r.s.seqs
		for i := range r.running {
			if before(&seqs[r.running[last]], &seqs[r.running[i]]) {
				last = i
			}
		}
	}
	return last
}

// preempt takes the request at place v of the running list back into the queue
// (rule 6). It returns the tokens that it had been given in this step.
func (r *replica) preempt(f *flight, v int) (tokens int32) {
	s := r.s
	slot := r.running[v]
	q := &s.seqs[slot]
	copy(r.running[v:], r.running[v+1:])
	r.running = r.running[:len(r.running)-1]
	for i := range f.pieces {
		if f.pieces[i].slot == slot {
			tokens = r.takeBack(f, i)
			break
		}
	}
	q.reached = max(q.reached, min(q.computed, q.prompt+q.generated))
	q.computed = 0
	q.running, q.queued = false, true
	if q.expired {
		r.leaving--
	}
	r.kv.release(s, slot)
	r.queue.putBack(s.seqs, slot)
	r.waiting++
	s.res.Status[q.request] = Waiting
	s.res.Preemptions[q.request]++
	s.res.Totals.Preempted++
	s.res.PutBacks = append(s.res.PutBacks, PutBack{Request: q.request, At: s.now.Nanos(), Again: Never})
	q.putBack = int32(len(s.res.PutBacks))
	r.window.row.Preempted++
	if len(s.res.Steps) < s.c.TraceSteps {
		r.preempted = append(r.preempted, q.request)
	}
	return tokens
}

// remember lets later requests find the blocks that a piece fills, as far as
// its tokens are known (rule 14): not drafts, nor a token in flight.
func (r *replica) remember(p *piece) {
	q := &r.s.seqs[p.slot]
	r.kv.index(r.s, p.slot, min(p.from+p.tokens, q.prompt+q.generated))
}
