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
	putBack   int32 // row of Results.PutBacks that is open, from 1; 0 if none is
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
	kept       bool // in the trace
	scheduled  int  // steps of the run that the state of the requests is ahead by

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

	preempted []int32 // since the last step that was traced, as long as steps are
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
