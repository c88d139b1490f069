package sim

import (
	"slices"
)

// The reference is the simulator written a second time: slow, obvious, one
// small function per rule, objects and maps where the kernel has flat columns,
// every step on its own where the kernel jumps. It exists to be compared with.
//
// This file is the cluster: the clock, arrivals, timeouts, pauses.
// reference_cluster_test.go is changes over time and pools,
// reference_route_test.go the router, reference_step_test.go one schedule call,
// reference_kv_test.go the paged cache, reference_sample_test.go what is written
// down.

// refRun runs c to its end, one instant after the other.
func refRun(c Config, src Source, seed uint64) *Results {
	w := &refCluster{c: c, src: src, seed: seed}
	for i := range c.Replicas {
		w.replicas = append(w.replicas, newRefReplica(w, int32(i)))
	}
	w.setLinks()
	for w.instant() {
	}
	return w.results()
}

type refCluster struct {
	c        Config
	src      Source
	seed     uint64
	now      Picos
	requests []*refRequest
	replicas []*refReplica
	turn     [2]int // round robin's next replica, in each pool
	seen     []int  // loads, as the router saw them last
	links    []*refLink
	begun    bool // the first instant has been
	recorder refRecorder
}

// refRequest is a request and all that the scheduler knows of it.
type refRequest struct {
	id       int32
	spec     Spec
	replica  int32
	status   Status
	admitted Nanos
	first    Nanos
	done     Nanos

	generated   int
	cached      int
	preemptions int
	lastToken   Picos // when its last token came out

	computed int // tokens whose KV is written or being written
	target   int // tokens that this pass must compute before it decodes
	peak     int // most tokens computed before any preemption
	expired  bool
	blocks   []*refBlock
	chain    []int // content of its blocks, as far as it was asked for

	stored  int  // tokens whose KV is outside the GPU
	swapped bool // in the host memory of Swap
	sending bool // on the way to another replica

	inFlight int // steps in flight that hold a piece of it
	emitting int // of those pieces, the ones that will give a token
}

func (r *refRequest) prompt() int { return int(r.spec.Prompt) }
func (r *refRequest) output() int { return int(r.spec.Output) }

// known is the number of tokens of r that exist: its prompt and what it has
// generated.
func (r *refRequest) known() int { return r.prompt() + r.generated }

// instant goes to the next instant at which anything happens and does all of
// it, in this order: ends of steps, timeouts, arrivals, schedule calls. It is
// false when the run is over.
func (w *refCluster) instant() bool {
	if w.allEnded() {
		w.recorder.close(w)
		return false
	}
	t, limit := w.next(), w.limit()
	if t > limit {
		w.advance(limit)
		w.recorder.close(w)
		return false
	}
	w.advance(t)
	for _, p := range w.replicas {
		p.endStep()
	}
	w.events()
	w.timeouts()
	w.arrivals()
	if !w.paused() {
		for _, p := range w.replicas {
			p.scheduleIfDue()
		}
	}
	w.recorder.window(w)
	return true
}

// limit is the last instant of the run. Nothing runs longer than MaxSeconds.
func (w *refCluster) limit() Picos {
	if w.c.Horizon > 0 {
		return w.c.Horizon.Picos()
	}
	return Seconds(MaxSeconds).Picos()
}

// allEnded says whether there is neither a request in the system nor one to
// come. A step that is still in flight then computes for nobody.
func (w *refCluster) allEnded() bool {
	if _, more := w.src.Next(); more {
		return false
	}
	for _, r := range w.requests {
		if !r.status.Final() {
			return false
		}
	}
	return true
}

// next is the earliest instant, from now on, that something waits for.
func (w *refCluster) next() Picos {
	t := Picos(1<<63 - 1)
	see := func(at Picos) { t = min(t, max(at, w.now)) }
	if at, ok := w.src.Next(); ok {
		see(at.Picos())
	}
	for _, r := range w.requests {
		if d, ok := w.deadline(r); ok && !r.status.Final() && !r.expired {
			see(d)
		}
	}
	for _, p := range w.replicas {
		for _, s := range p.inFlight {
			see(s.end)
			if s.start > w.now {
				see(s.start)
			}
		}
		if w.paused() && p.wantsToSchedule() {
			see(w.afterPauses(w.now))
		}
	}
	if at := w.recorder.nextWindow(w); at > 0 {
		see(at)
	}
	w.seeEvents(see)
	return t
}

// advance moves the clock and lets the recorder integrate what stood still in
// between.
func (w *refCluster) advance(t Picos) {
	if t < w.now {
		panic("reference: the clock went back")
	}
	w.recorder.pass(w, t)
	w.now = t
}

// deadline is when the client of r gives up.
func (w *refCluster) deadline(r *refRequest) (Picos, bool) {
	return (r.spec.SentAt + w.c.Timeout).Picos(), w.c.Timeout > 0
}

// timeouts ends the requests whose clients give up now. Who waits leaves at
// once. Who runs is not scheduled again, and leaves at the end of the step in
// progress; from an asynchronous engine when no step in flight holds it.
func (w *refCluster) timeouts() {
	for _, r := range w.requests {
		d, ok := w.deadline(r)
		if !ok || r.status.Final() || r.expired || d > w.now {
			continue
		}
		r.expired = true
		p := w.replicas[r.replica]
		if r.status == Waiting || r.sending || len(p.inFlight) == 0 || p.e.Async && r.inFlight == 0 {
			p.leave(r, TimedOut)
		}
	}
}

// arrivals takes every request that is due. A request may be due a little
// before now: a client that answers an end has heard of it in whole
// nanoseconds.
func (w *refCluster) arrivals() {
	for {
		at, ok := w.src.Next()
		if !ok || at.Picos() > w.now {
			return
		}
		r := &refRequest{id: int32(len(w.requests)), replica: -1, admitted: Never, first: Never, done: Never}
		w.src.Take(&r.spec)
		r.spec.Prefix = slices.Clone(r.spec.Prefix)
		w.requests = append(w.requests, r)
		w.place(r)
	}
}

// place fails a request that can never run, or routes it to a replica, which
// refuses it if its queue is full.
func (w *refCluster) place(r *refRequest) {
	if !w.canEverRun(r) {
		w.end(r, Failed)
		return
	}
	p := w.route(r)
	if p == nil {
		w.end(r, Dropped)
		return
	}
	if w.c.MaxWaiting > 0 && len(p.waiting) >= w.c.MaxWaiting {
		w.end(r, Dropped)
		return
	}
	r.replica = p.index
	r.status = Waiting
	p.window.arrived++
	p.waiting = append(p.waiting, r)
}

// canEverRun refuses what is longer than the model, than the whole cache (the
// KV of the last token is never written), or, with chunked prefill off, than
// one step.
func (w *refCluster) canEverRun(r *refRequest) bool {
	e := w.c.Engine
	if e.MaxModelLen > 0 && r.prompt()+r.output() > e.MaxModelLen {
		return false
	}
	if ceilDiv(r.prompt()+r.output()-1, e.BlockTokens) > e.KVBlocks {
		return false
	}
	return e.PrefillChunkTokens > 0 || r.prompt() <= e.MaxBatchedTokens
}

// end writes down how r ended and tells the source.
func (w *refCluster) end(r *refRequest, s Status) {
	r.status, r.done = s, w.now.Nanos()
	w.src.Ended(r.id, r.done, s)
}

// paused says whether no replica may start a step now.
func (w *refCluster) paused() bool { return w.afterPauses(w.now) != w.now }

// afterPauses is t, or the end of the pause that t lies in.
func (w *refCluster) afterPauses(t Picos) Picos {
	for _, s := range w.c.Pauses {
		if s.From.Picos() <= t && t < s.To.Picos() {
			t = s.To.Picos()
		}
	}
	return t
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
