package sim

// A replica is one engine: requests that wait, requests that run, KV blocks,
// and the steps in flight, of which the first is in progress. A synchronous
// engine has at most one step in flight, an asynchronous one two.

// seq is a request inside a replica.
type seq struct {
	request  int32
	prompt   int32
	output   int32
	priority int32

	generated int32
	computed  int32 // tokens whose KV is written, or will be by the steps in flight
	target    int32 // tokens to compute, in this pass, before the next one is generated
	reached   int32 // most tokens that were ever computed
	blocks    int32 // held
	flying    int32 // steps in flight that it is in
	room      int32 // tokens that its blocks hold
	last      Picos // when its last token came

	running bool
	queued  bool // inside the waiting queue, perhaps only as a mark
	ended   bool
	expired bool // its client has gone; it ends with the steps it is in
}

// piece is a request in a step.
type piece struct {
	slot   int32
	from   int32 // tokens computed before
	tokens int32 // tokens it is given
	drafts int16 // of those, guesses
	emits  bool  // the step gives its next token
}

// flight is a step that was scheduled and has not ended, or a run of such
// steps that differ only in that each request has one more token (jump.go).
type flight struct {
	pieces     []piece
	load       Load
	recomputed int64
	warmUp     Picos
	ramp       ramp
	scheduled  int // steps of the run that the state of the requests is ahead by

	fewest   int32 // steps like this one until the first decode has all its tokens
	lockstep bool  // all decodes are also in the step in flight before this one, if there is one
}

// clear makes it an empty step.
func (f *flight) clear() {
	f.pieces = f.pieces[:0]
	f.load, f.recomputed = Load{}, 0
	f.fewest, f.lockstep = maxTokens, true
}

type replica struct {
	s       *ServingSim
	id      int32
	kv      kvCache
	warm    transient
	running []int32 // slots in order of admission
	queue   waitQueue
	waiting int32 // requests in the queue

	flights  [2]flight
	first    int // which of them is in progress
	inFlight int
	depth    int  // most steps in flight
	due      bool // schedule is to be called at this instant, or at the end of the pause
	halt     halt

	preempted []int32 // since the last step that was traced
	leaving   int     // running requests whose client has gone

	gap     Picos // runs of equal inter-token gaps, not yet counted
	gaps    int64
	window  window
	sampled bool
}

func (r *replica) set(s *ServingSim, id int) {
	r.s, r.id = s, int32(id)
	r.kv = newKVCache(&s.c.Engine)
	r.warm.cost = s.c.Engine.WarmUp
	r.queue.policy = s.c.Engine.Policy
	r.depth = 1
	if s.c.Engine.Async {
		r.depth = 2
	}
	r.sampled = s.c.SampleEvery > 0
}

// requests is the number of requests inside.
func (r *replica) requests() int { return int(r.waiting) + len(r.running) }

func (r *replica) inProgress() *flight { return &r.flights[r.first] }

// setWake tells the loop when this replica is to be woken.
func (r *replica) setWake() {
	t := never
	if r.inFlight > 0 {
		t = r.inProgress().ramp.end(r.wakeAfter())
	}
	r.s.wake[r.id] = t
}

// wakeAfter is how many steps of the run in progress end before the next call
// of schedule. An asynchronous engine schedules when the last of them is still
// to be done.
func (r *replica) wakeAfter() int {
	return max(1, r.inProgress().ramp.steps-(r.depth-1))
}

// arrive puts a new request into the queue. A run of steps goes on unless the
// request could be admitted at the end of the step in progress.
func (r *replica) arrive(slot int32) {
	r.tick()
	q := &r.s.seqs[slot]
	q.queued = true
	r.queue.put(r.s.seqs, slot)
	r.waiting++
	r.window.row.Arrived++
	if r.inFlight == 0 {
		r.due = true
	} else if r.halt == queueEmpty || r.halt == headBlocked && r.queue.first() == slot {
		r.interrupt()
	}
}

// endStep is called when the step in progress ends, or the run of steps.
func (r *replica) endStep() {
	r.tick()
	f := r.inProgress()
	if f.ramp.steps == 1 {
		r.commit(f)
	} else {
		r.skip(r.wakeAfter())
	}
	if r.depth == 2 && f.ramp.steps > 0 {
		// The last step of a run is left; what comes after it is to be scheduled.
		r.due = true
		r.setWake()
		return
	}
	r.inFlight--
	r.first ^= 1
	r.due = true
	r.setWake()
}

// commit does what the end of a single step does: tokens come out, requests
// that have all of theirs end, and their seats and blocks are free at once.
func (r *replica) commit(f *flight) {
	s, at := r.s, f.ramp.end(1)
	total := &s.res.Totals
	total.Steps++
	total.PrefillTokens += f.load.PrefillTokens
	total.Recomputed += f.recomputed
	total.BusyPicos += at - f.ramp.start
	total.WarmUpPicos += f.warmUp
	r.window.row.Steps++
	s.effort += int64(len(f.pieces))
	ended := false
	tokens := int64(0)
	for i := range f.pieces {
		p := &f.pieces[i]
		q := &s.seqs[p.slot]
		q.flying--
		if q.ended { // it was ahead of its own end: accepted drafts, or its client left
			s.vacate(p.slot)
			continue
		}
		if p.emits {
			if p.drafts == 0 && q.generated > 0 { // by far the most
				r.countGap(at - q.last)
				q.last = at
				q.generated++
				tokens++
			} else {
				r.emit(q, p, at)
			}
			if r.kv.prefix != nil && r.depth == 2 && q.running {
				r.kv.index(s, p.slot, q.prompt+q.generated-1) // the token has become known
			}
		}
		if q.generated == q.output || q.expired && q.flying == 0 {
			ended = true
			r.depart(p.slot)
		}
	}
	f.ramp.steps = 0
	total.DecodeTokens += tokens
	r.window.row.Tokens += tokens
	r.countGaps()
	if r.leaving > 0 && r.depth == 1 {
		ended = true
		for _, slot := range r.running {
			if q := &s.seqs[slot]; q.expired && !q.ended {
				r.depart(slot)
			}
		}
	}
	if ended {
		r.closeRanks()
	}
}

// emit gives a request the tokens of a step: the next one and the drafts that
// were accepted, as far as it wants them.
func (r *replica) emit(q *seq, p *piece, at Picos) {
	s := r.s
	n := int32(1)
	if p.drafts > 0 {
		kept := accepted(s.c.Engine.Draft.Accept, s.seed, q.request, q.generated, int(p.drafts))
		kept = min(kept, int(q.output-q.generated-1))
		if q.running { // a preempted request has nothing computed to take back
			q.computed -= int32(int(p.drafts) - kept)
		}
		n += int32(kept)
		s.res.Totals.Drafted += int64(p.drafts)
		s.res.Totals.Accepted += int64(kept)
		r.window.row.DraftSteps++
		r.window.row.Accepted += int64(kept)
	}
	if q.generated == 0 {
		s.res.FirstTokenAt[q.request] = at.Nanos()
		s.res.Totals.DecodeTokens--
		r.window.row.FirstTokens++
		if r.sampled {
			r.window.ttft = append(r.window.ttft, at.Nanos()-s.res.SentAt[q.request])
		}
	} else {
		r.countGap(at - q.last)
	}
	q.last = at
	q.generated += n
	s.res.Totals.DecodeTokens += int64(n)
	r.window.row.Tokens += int64(n)
}

// countGap collects equal gaps, which come in a row because they are those of
// one step.
func (r *replica) countGap(gap Picos) {
	if gap != r.gap {
		r.countGaps()
		r.gap = gap
	}
	r.gaps++
}

func (r *replica) countGaps() {
	if r.gaps > 0 {
		r.s.res.ITL.Add(r.gap, r.gaps)
		if r.sampled {
			r.window.itl.add(r.gap, r.gaps)
		}
		r.gaps = 0
	}
}

// depart ends a request that has all its tokens or whose client has gone. If it
// runs, the caller takes it out of the running list.
func (r *replica) depart(slot int32) {
	s := r.s
	q := &s.seqs[slot]
	status := Completed
	if q.expired {
		status = TimedOut
	} else {
		r.window.row.Completed++
	}
	q.ended = true
	if q.running {
		r.kv.release(s, slot)
		if q.expired {
			r.leaving--
		}
	} else {
		r.waiting--
	}
	s.live--
	i := q.request
	s.res.Status[i] = status
	s.res.DoneAt[i] = s.now.Nanos()
	s.res.Generated[i] = q.generated
	if !q.running {
		s.vacate(slot)
	}
	s.tellEnd(i, status)
}

// closeRanks takes the requests that have ended out of the running list.
func (r *replica) closeRanks() {
	kept := r.running[:0]
	for _, slot := range r.running {
		if q := &r.s.seqs[slot]; q.ended {
			q.running = false
			r.s.vacate(slot)
		} else {
			kept = append(kept, slot)
		}
	}
	r.running = kept
}

// giveUp ends a request whose client has gone: now if it is in no step, else
// when the steps that it is in have ended. A synchronous engine hears of it
// only between steps, in whichever step the request is.
func (r *replica) giveUp(slot int32) {
	r.tick()
	r.interrupt()
	q := &r.s.seqs[slot]
	q.expired = true
	if !q.running {
		r.depart(slot)
		return
	}
	r.leaving++
	if r.inFlight == 0 || r.depth == 2 && q.flying == 0 {
		r.depart(slot)
		r.closeRanks()
	}
}

// publish brings the results up to date with what the requests have.
func (r *replica) publish() {
	r.settle()
	for _, slot := range r.running {
		q := &r.s.seqs[slot]
		r.s.res.Generated[q.request] = q.generated
	}
	for i := range r.queue.n {
		slot := r.queue.at(i)
		if q := &r.s.seqs[slot]; !q.ended {
			r.s.res.Generated[q.request] = q.generated
		}
	}
}

// stop is the end of the run: the part of a step that was done counts as busy.
func (r *replica) stop() {
	r.tick()
	r.settle()
	if r.inFlight > 0 {
		r.s.res.Totals.BusyPicos += max(0, r.s.now-r.inProgress().ramp.start)
	}
}
