package sim

import "slices"

// refWindow collects what one replica does in one window of the samples.
type refWindow struct {
	arrived, steps, completed, preempted int32
	tokens, lookedUp, hit                int64
	draftSteps, accepted                 int64
	ttft                                 []Nanos
	itl                                  Hist
	waiting, running, busy               Picos // integrals over time
}

// refRecorder writes the steps and the samples.
type refRecorder struct {
	itl      Hist
	steps    []StepTrace // all, whether they are kept or not
	notKept  int64
	putBacks []PutBack
	samples  []Sample
	from     Picos // start of the window that is open
	endAt    Nanos
}

// again ends the wait of r, if it was put back and has not been admitted since.
func (c *refRecorder) again(r *refRequest, now Picos) {
	for i := range c.putBacks {
		if b := &c.putBacks[i]; b.Request == r.id && b.Again == Never && r.status == Waiting {
			b.Again = now.Nanos()
		}
	}
}

// count writes down a step when it ends.
func (p *refReplica) count(s *refStep) {
	p.window.steps++
	p.totals.Steps++
	p.totals.PrefillTokens += s.load.PrefillTokens
	p.totals.Recomputed += s.again
	p.totals.BusyPicos += s.end - s.start
	p.totals.WarmUpPicos += s.warm
	if kept := p.w.c.TraceSteps; kept > 0 && s.number >= kept {
		p.w.recorder.notKept++
	}
}

// trace keeps a step as it was scheduled.
func (p *refReplica) trace(s *refStep) {
	t := StepTrace{
		Replica: p.index, Start: s.start.Nanos(), End: s.end.Nanos(),
		Used: int32(p.kv.used()), Preempt: s.preempted, Waiting: int32(len(p.waiting)),
	}
	for _, piece := range s.pieces {
		t.Pieces = append(t.Pieces, Piece{piece.r.id, int32(piece.tokens), int32(piece.from)})
	}
	s.number = len(p.w.recorder.steps)
	p.w.recorder.steps = append(p.w.recorder.steps, t)
}

// counted writes down the tokens that come out of a piece: the first of them
// ends a gap, the accepted drafts share its instant.
func (p *refReplica) counted(piece *refPiece, accepted int) {
	r, now := piece.r, p.w.now
	n := 1 + accepted
	if r.first == Never {
		r.first = now.Nanos()
		p.window.ttft = append(p.window.ttft, r.first-r.spec.SentAt)
		n--
		p.window.tokens++
	} else {
		p.w.recorder.itl.Add(now-r.lastToken, 1)
		p.window.itl.Add(now-r.lastToken, 1)
	}
	r.lastToken = now
	p.totals.DecodeTokens += int64(n)
	p.window.tokens += int64(n)
	p.totals.Drafted += int64(piece.drafts())
	p.totals.Accepted += int64(accepted)
	p.window.accepted += int64(accepted)
	if piece.drafts() > 0 {
		p.window.draftSteps++
	}
	if r.generated+1+accepted == r.output() && !r.expired {
		p.window.completed++
	}
}

// nextWindow is where the open window ends; 0 if there are no samples.
func (c *refRecorder) nextWindow(w *refCluster) Picos {
	if w.c.SampleEvery == 0 {
		return 0
	}
	return c.from + w.c.SampleEvery.Picos()
}

// pass integrates the gauges from now until t.
func (c *refRecorder) pass(w *refCluster, t Picos) {
	dt := t - w.now
	for _, p := range w.replicas {
		p.window.waiting += dt * Picos(len(p.waiting))
		p.window.running += dt * Picos(len(p.running))
		if len(p.inFlight) > 0 && p.inFlight[0].start <= w.now {
			p.window.busy += dt
		}
	}
}

// window closes the open window if now is its end; all that happens now
// belongs to it.
func (c *refRecorder) window(w *refCluster) {
	if at := c.nextWindow(w); at > 0 && at == w.now {
		c.row(w)
	}
}

// close ends the run, and with it the open window. The part of a step that was
// done counts as busy.
func (c *refRecorder) close(w *refCluster) {
	c.endAt = w.now.Nanos()
	for _, p := range w.replicas {
		if len(p.inFlight) > 0 {
			p.totals.BusyPicos += max(0, w.now-p.inFlight[0].start)
		}
	}
	if w.c.SampleEvery > 0 && w.now > c.from {
		c.row(w)
	}
}

func (c *refRecorder) row(w *refCluster) {
	at, width := w.now.Nanos(), float64(w.now-c.from)
	c.from = w.now
	for _, p := range w.replicas {
		x := &p.window
		s := Sample{
			At: at, Replica: p.index,
			Waiting: int32(len(p.waiting)), Running: int32(len(p.running)),
			WaitingMean: float64(x.waiting) / width, RunningMean: float64(x.running) / width,
			UsedBlocks: int32(p.kv.used()), Steps: x.steps, Busy: float64(x.busy) / width,
			Arrived: x.arrived, FirstTokens: int32(len(x.ttft)), Completed: x.completed, Preempted: x.preempted,
			Tokens: x.tokens, LookedUp: x.lookedUp, Hit: x.hit, DraftSteps: x.draftSteps, Accepted: x.accepted,
			TTFTp99: Never, ITLp99: Never,
		}
		if n := len(x.ttft); n > 0 {
			slices.Sort(x.ttft)
			s.TTFTp99 = x.ttft[(99*n+99)/100-1] // the ceil(0.99 n)-th
		}
		if x.itl.Count() > 0 {
			_, hi := x.itl.Quantile(0.99)
			s.ITLp99 = hi.Nanos()
		}
		c.samples = append(c.samples, s)
		p.window = refWindow{}
	}
}

// results lays the run out in columns.
func (w *refCluster) results() *Results {
	r := &Results{ITL: w.recorder.itl, Samples: w.recorder.samples, EndAt: w.recorder.endAt}
	for _, q := range w.requests {
		r.IntendedAt = append(r.IntendedAt, q.spec.IntendedAt)
		r.SentAt = append(r.SentAt, q.spec.SentAt)
		r.AdmittedAt = append(r.AdmittedAt, q.admitted)
		r.FirstTokenAt = append(r.FirstTokenAt, q.first)
		r.DoneAt = append(r.DoneAt, q.done)
		r.Prompt = append(r.Prompt, q.spec.Prompt)
		r.Output = append(r.Output, q.spec.Output)
		r.Generated = append(r.Generated, int32(q.generated))
		r.Cached = append(r.Cached, int32(q.cached))
		r.Preemptions = append(r.Preemptions, int32(q.preemptions))
		r.Replica = append(r.Replica, q.replica)
		r.Session = append(r.Session, q.spec.Session)
		r.Turn = append(r.Turn, q.spec.Turn)
		r.Client = append(r.Client, q.spec.Client)
		r.Status = append(r.Status, q.status)
	}
	for _, p := range w.replicas {
		r.Totals = addTotals(r.Totals, p.totals)
	}
	if n := min(w.c.TraceSteps, len(w.recorder.steps)); n > 0 {
		r.Steps = w.recorder.steps[:n]
	}
	r.StepsNotKept, r.PutBacks = w.recorder.notKept, w.recorder.putBacks
	return r
}

func addTotals(a, b Totals) Totals {
	a.Steps += b.Steps
	a.PrefillTokens += b.PrefillTokens
	a.Recomputed += b.Recomputed
	a.DecodeTokens += b.DecodeTokens
	a.LookedUp += b.LookedUp
	a.Hit += b.Hit
	a.Drafted += b.Drafted
	a.Accepted += b.Accepted
	a.Preempted += b.Preempted
	a.BusyPicos += b.BusyPicos
	a.WarmUpPicos += b.WarmUpPicos
	return a
}

// refAccepted says how many of k drafts are accepted: up to the first that is
// refused. Each draft token has its own draw, so the order of scheduling does
// not matter.
func refAccepted(seed uint64, r *refRequest, k int, accept []float64) int {
	n := 0
	for n < k && refDraw(seed, r.id, int32(r.generated+n)) < accept[n] {
		n++
	}
	return n
}

// refDraw is a uniform number in [0,1) for draft token g of request i.
func refDraw(seed uint64, i, g int32) float64 {
	x := refMix(refMix(seed) ^ uint64(uint32(i))<<32 ^ uint64(uint32(g)))
	return float64(x>>11) / (1 << 53)
}

// refMix is the finalizer of SplitMix64.
func refMix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
