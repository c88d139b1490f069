package sim

import "math"

// Clients that try again. An attempt that is refused, given up or lost with its
// replica is followed by another one, until one completes or the policy says
// no. To the cluster each attempt is a request of its own; Results.Origin says
// which belong together, and the load generator hears of the last one only.
//
// A repeated attempt has the same words as the first, so it can hit the prefix
// cache. Its SentAt is its own; its IntendedAt is that of the first, so that
// the clock FromIntended tells how long the user waits.

// Retry is the policy of all clients. Attempts 0 and 1 are no retries.
type Retry struct {
	Attempts int // most attempts at a request, the first included

	// Backoff is the pause before the second attempt; each further pause is
	// Factor times the one before (0 is 1). A share Jitter of a pause is drawn
	// uniformly: pause * (1 - Jitter + Jitter*U). At most 1 hour.
	Backoff Nanos
	Factor  float64
	Jitter  float64

	// Budget allows so many retries for each first attempt, over all clients:
	// a bucket that holds at most RetryBurst retries, full at the start. 0 is
	// no limit. (gRPC's throttle and Finagle's budget are of this kind.)
	Budget float64
}

// RetryBurst is how many retries a budget can save up.
const RetryBurst = 10

const longestPause = 3600 * Second

func (p Retry) check(c *checker, field string) {
	c.int(field+".Attempts", int64(p.Attempts), 0, 100)
	c.span(field+".Backoff", p.Backoff, 0, longestPause)
	if p.Factor != 0 {
		c.float(field+".Factor", p.Factor, 1, 100)
	}
	c.float(field+".Jitter", p.Jitter, 0, 1)
	c.float(field+".Budget", p.Budget, 0, 100)
}

// pause is the wait after attempt n, counted from 0.
func (p Retry) pause(n int32, r *Rand) Nanos {
	span := float64(p.Backoff)
	if p.Factor > 1 {
		for range n {
			span = min(span*p.Factor, float64(longestPause))
		}
	}
	if p.Jitter > 0 {
		span *= 1 - p.Jitter + float64(p.Jitter*r.Float64())
	}
	return Nanos(math.Floor(span))
}

// retrySource stands between a load generator and the cluster.
type retrySource struct {
	Source
	policy Retry
	rand   Rand
	ready  wakeups // attempts to come, by place in live
	tokens float64 // of the budget

	rows  []retryRow // by request of the cluster
	live  []Spec     // of the requests that have not ended for good; Prefix is their own
	free  []int32
	taken int32 // by the inner source's count
}

type retryRow struct {
	place int32 // in live
	inner int32
}

func newRetrySource(inner Source, p Retry, seed uint64) Source {
	return &retrySource{Source: inner, policy: p, rand: NewRand(seed, StreamRetries, 0), tokens: RetryBurst}
}

// Next is the earlier of a new request and an attempt at an old one, which goes
// first at the same instant.
func (s *retrySource) Next() (Nanos, bool) {
	at, ok := s.Source.Next()
	if w, again := s.ready.first(); again && (!ok || w.at <= at) {
		return w.at, true
	}
	return at, ok
}

func (s *retrySource) Take(r *Spec) {
	at, ok := s.Source.Next()
	w, again := s.ready.first()
	if again && (!ok || w.at <= at) {
		s.ready.pop()
		*r = s.live[w.who]
		r.SentAt = w.at
		inner := s.rows[r.Origin].inner
		s.rows = append(s.rows, retryRow{w.who, inner})
		return
	}
	s.Source.Take(r)
	s.tokens = min(RetryBurst, s.tokens+s.policy.Budget)
	if len(s.free) == 0 {
		s.free = append(s.free, int32(len(s.live)))
		s.live = append(s.live, Spec{})
	}
	place := s.free[len(s.free)-1]
	s.free = s.free[:len(s.free)-1]
	kept := &s.live[place]
	prefix := append(kept.Prefix[:0], r.Prefix...)
	*kept = *r
	kept.Prefix, kept.Origin = prefix, int32(len(s.rows))
	s.rows = append(s.rows, retryRow{place, s.taken})
	s.taken++
}

func (s *retrySource) Ended(i int32, at Nanos, status Status) {
	row := s.rows[i]
	r := &s.live[row.place]
	if status == Completed || status == Failed || int(r.Attempt)+1 >= s.policy.Attempts || !s.affords() {
		s.free = append(s.free, row.place)
		s.Source.Ended(row.inner, at, status)
		return
	}
	s.ready.push(at+s.policy.pause(r.Attempt, &s.rand), row.place)
	r.Attempt++
}

// affords takes a retry out of the budget.
func (s *retrySource) affords() bool {
	if s.policy.Budget == 0 {
		return true
	}
	if s.tokens < 1 {
		return false
	}
	s.tokens--
	return true
}
