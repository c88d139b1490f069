package sim

// The scenarios of MLPerf's LoadGen. Its clock starts at the scheduled instant,
// which is IntendedAt.

// MLPerfOffline sends all samples in one query at 0. Requests says how many.
type MLPerfOffline struct{}

func (g MLPerfOffline) check(c *checker, field string, w *Workload) { Burst{}.check(c, field, w) }

func (g MLPerfOffline) source(w Workload, seed uint64) Source {
	return OpenLoop{Burst{}}.source(w, seed)
}

// MLPerfServer is a Poisson open loop of single-sample queries.
type MLPerfServer struct{ TargetQPS float64 }

func (g MLPerfServer) check(c *checker, field string, w *Workload) {
	c.float(field+".TargetQPS", g.TargetQPS, minRate, maxRate)
	w.checkRate(c, field+".TargetQPS", g.TargetQPS)
}

func (g MLPerfServer) source(w Workload, seed uint64) Source {
	return OpenLoop{Poisson{g.TargetQPS}}.source(w, seed)
}

// MLPerfSingleStream sends a sample when the one before has been answered: a
// closed loop of one client that does not think.
type MLPerfSingleStream struct{}

func (g MLPerfSingleStream) check(*checker, string, *Workload) {}

func (g MLPerfSingleStream) source(w Workload, seed uint64) Source {
	return ClosedLoop{Clients: 1}.source(w, seed)
}

// MLPerfMultiStream sends a query of several samples at once, and the next when
// all of them have been answered. Request i is sample i mod SamplesPerQuery,
// its Client, of query i div SamplesPerQuery, its Turn. After a query with a
// sample without an answer the next waits for 1 ms, as in ClosedLoop. LoadGen
// judges the latency of queries: ReportOptions.SamplesPerQuery.
type MLPerfMultiStream struct{ SamplesPerQuery int }

func (g MLPerfMultiStream) check(c *checker, field string, w *Workload) {
	c.int(field+".SamplesPerQuery", int64(g.SamplesPerQuery), 1, MaxClients)
	if c.Err == nil && w.Requests%g.SamplesPerQuery != 0 {
		c.fail("Requests", intText(int64(w.Requests)), "whole queries of "+intText(int64(g.SamplesPerQuery)))
	}
}

func (g MLPerfMultiStream) source(w Workload, seed uint64) Source {
	return &multiSource{plan: newPlan(w, seed), size: int32(g.SamplesPerQuery), toSend: int32(g.SamplesPerQuery)}
}

type multiSource struct {
	plan
	size       int32
	toSend     int32 // samples of this query not yet sent
	inFlight   int32
	at         Nanos // of this query
	unanswered bool
}

func (s *multiSource) Next() (Nanos, bool) { return s.at, s.toSend > 0 && s.more(s.at) }

func (s *multiSource) Take(r *Spec) {
	_, ok := s.Next()
	due(ok)
	query, sample := s.taken/s.size, s.taken%s.size
	s.write(r, s.at, s.at)
	r.Client, r.Turn = sample, query
	s.toSend--
	s.inFlight++
}

func (s *multiSource) Ended(_ int32, at Nanos, status Status) {
	s.inFlight--
	s.unanswered = s.unanswered || status != Completed
	// A sample may end before the others of its query are sent.
	if s.inFlight > 0 || s.toSend > 0 {
		return
	}
	s.at = at
	if s.unanswered {
		s.at += noAnswerPause
	}
	s.toSend, s.unanswered = s.size, false
}
