package sim

// Throttled plans like an open loop and never has more than MaxInFlight
// requests in the system: rate and cap together, as --request-rate with
// --max-concurrency. A request is meant for its planned instant (IntendedAt)
// and sent when a slot is free (SentAt), first come, first served. Below the
// cap it is an open loop; at the cap it has become a closed one, and the
// waiting in the client is what a clock that starts at SentAt leaves out.
type Throttled struct {
	Arrivals    Arrivals
	MaxInFlight int
}

func (g Throttled) check(c *checker, field string, w *Workload) {
	checkArrivals(c, field+".Arrivals", g.Arrivals, w)
	c.int(field+".MaxInFlight", int64(g.MaxInFlight), 1, MaxClients)
}

func (g Throttled) source(w Workload, seed uint64) Source {
	return &throttledSource{openSource: *OpenLoop{g.Arrivals}.source(w, seed).(*openSource), slots: g.MaxInFlight}
}

// throttledSource needs no queue: the schedule is read only as far as the
// first request that has not been sent.
type throttledSource struct {
	openSource
	slots  int   // free
	freeAt Nanos // when a slot was last given back
}

func (s *throttledSource) Next() (Nanos, bool) {
	_, ok := s.openSource.Next()
	return max(s.at, s.freeAt), ok && s.slots > 0
}

func (s *throttledSource) Take(r *Spec) {
	sent, ok := s.Next()
	due(ok)
	s.write(r, s.at, sent)
	s.advance()
	s.slots--
}

func (s *throttledSource) Ended(_ int32, at Nanos, _ Status) {
	s.slots++
	s.freeAt = at
}
