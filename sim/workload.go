package sim

// Workload is what clients ask of a cluster, as data: who sends and when, how
// long requests are, what they share, and when it ends. The same workload and
// seed give the same requests in every run as far as they do not depend on the
// answers; those of closed loops and sessions are sent when answers allow it.
type Workload struct {
	Generator Generator
	Lengths   Lengths
	Shared    SharedPrefixes
	Batch     BatchTier
	Retry     Retry
	Shifts    []Shift // what clients do otherwise for a while

	// Requests is the most that are sent. Until ends the plan: nothing is
	// planned for that instant or later (a throttled request planned before
	// it is still sent after it). 0 leaves the other to say; one of them must,
	// unless rows or sessions are counted. MaxRequests and MaxSeconds bound
	// every plan.
	Requests int
	Until    Nanos
}

// MaxRequests is the most requests of a run.
const MaxRequests = 10_000_000

const maxNanos = MaxSeconds * Second

// Generator is a load generator. It is one kind or another by its type:
// OpenLoop, ClosedLoop, Throttled, Sessions, or one of the MLPerf scenarios.
type Generator interface {
	check(c *checker, field string, w *Workload)
	source(w Workload, seed uint64) Source
}

// BatchTier puts a share of the requests (of sessions, if there are any) into a
// tier that can wait: they get this Priority, the others 0. Zero is off.
type BatchTier struct {
	Share    float64
	Priority int32 // larger is served later under Policy Priority
}

// NewSource makes the workload's requests. An error is a *ValueError.
func NewSource(w Workload, seed uint64) (Source, error) {
	c := &checker{}
	w.check(c)
	if err := c.result(); err != nil {
		return nil, err
	}
	s := w.Generator.source(w, seed)
	if w.Retry.Attempts > 1 {
		s = newRetrySource(s, w.Retry, seed)
	}
	return s, nil
}

func (w *Workload) check(c *checker) {
	c.int("Requests", int64(w.Requests), 0, MaxRequests)
	c.span("Until", w.Until, 0, maxNanos)
	w.Shared.check(c, "Shared")
	c.float("Batch.Share", w.Batch.Share, 0, 1)
	w.Retry.check(c, "Retry")
	for i := range w.Shifts {
		w.Shifts[i].check(c, indexed("Shifts", i), w)
	}
	if w.Lengths == nil {
		c.fail("Lengths", "missing", "Separate, Joint or Rows")
	} else {
		w.Lengths.check(c, "Lengths")
	}
	rows, isRows := w.Lengths.(Rows)
	if len(rows.Hashes) > 0 && w.Shared.Prefixes > 0 {
		c.fail("Shared.Prefixes", intText(int64(w.Shared.Prefixes)), "0 where Lengths has Hashes")
	}
	if w.Generator == nil {
		c.fail("Generator", "missing", "OpenLoop, ClosedLoop, Throttled, Sessions or an MLPerf scenario")
		return
	}
	if s, ok := w.Generator.(Sessions); w.Requests == 0 && w.Until == 0 && !isRows && !(ok && s.Count > 0) {
		c.fail("Requests", "0", "1 to "+intText(MaxRequests)+" where Until is 0 too")
	}
	w.Generator.check(c, "Generator", w)
}

// checkRate refuses a plan whose requests would take longer than a run may.
func (w *Workload) checkRate(c *checker, field string, perSec float64) {
	if w.Until == 0 && float64(w.Requests) > perSec*MaxSeconds {
		c.fail(field, floatText(perSec), "at least "+floatText(float64(w.Requests)/MaxSeconds)+" for "+
			intText(int64(w.Requests))+" requests, or an Until")
	}
}

// plan is what all generators share: how much may still be sent, and what the
// next request holds.
type plan struct {
	taken, limit int32
	until        Nanos
	lengths      Lengths
	rows         Rows // zero if lengths are not rows
	batch        BatchTier
	sharing      sharing
	shifts       []Shift

	prompts, outputs, prefixes, tiers, faults Rand
	prefix                                    []Segment // of the last request, reused
}

func newPlan(w Workload, seed uint64) plan {
	p := plan{
		limit:    int32(w.Requests),
		until:    w.Until,
		lengths:  w.Lengths,
		batch:    w.Batch,
		sharing:  newSharing(w.Shared),
		prompts:  NewRand(seed, StreamPrompts, 0),
		outputs:  NewRand(seed, StreamOutputs, 0),
		prefixes: NewRand(seed, StreamPrefixes, 0),
		tiers:    NewRand(seed, StreamTiers, 0),
		shifts:   w.Shifts,
		faults:   NewRand(seed, StreamFaults, 0),
	}
	if p.limit == 0 {
		p.limit = MaxRequests
	}
	if p.until == 0 {
		p.until = maxNanos
	}
	if rows, ok := w.Lengths.(Rows); ok {
		p.rows = rows
		p.limit = min(p.limit, int32(len(rows.Prompt)))
	}
	return p
}

// Most is how many requests there are if nothing but their number ends the plan.
func (p *plan) Most() int {
	if p.limit == MaxRequests || p.until < maxNanos {
		return 0
	}
	return int(p.limit)
}

// more says whether one more request may be planned for this instant.
func (p *plan) more(at Nanos) bool { return p.taken < p.limit && at < p.until }

// write fills r with the next request.
func (p *plan) write(r *Spec, intended, sent Nanos) {
	prompt, output := p.lengths.draw(p.taken, &p.prompts, &p.outputs)
	p.prefix = p.rows.prefix(p.prefix[:0], p.taken)
	if s := p.sharing.draw(&p.prefixes); s.Tokens > 0 {
		p.prefix = append(p.prefix, s)
		prompt += s.Tokens
	}
	*r = Spec{
		IntendedAt: intended, SentAt: sent, Prompt: prompt, Output: output,
		Priority: p.priority(), Session: -1, Client: -1, Prefix: p.prefix,
	}
	p.taken++
	if len(p.shifts) > 0 {
		p.shift(r)
	}
}

func (p *plan) priority() int32 {
	if p.batch.Share > 0 && p.tiers.Float64() < p.batch.Share {
		return p.batch.Priority
	}
	return 0
}

// due panics if Take is called when Next has nothing: the caller is wrong.
func due(ok bool) {
	if !ok {
		panic("sim: Take without a request that is due")
	}
}
