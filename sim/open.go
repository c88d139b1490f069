package sim

// OpenLoop sends at the instants of a plan, whatever the server does: users who
// do not know of each other. IntendedAt and SentAt are equal.
type OpenLoop struct{ Arrivals Arrivals }

func (g OpenLoop) check(c *checker, field string, w *Workload) {
	checkArrivals(c, field+".Arrivals", g.Arrivals, w)
}

func (g OpenLoop) source(w Workload, seed uint64) Source {
	return &openSource{plan: newPlan(w, seed), schedule: newSchedule(g.Arrivals, &w, seed)}
}

type openSource struct {
	plan
	schedule
}

func (s *openSource) Next() (Nanos, bool) { return s.at, s.ok && s.more(s.at) }

func (s *openSource) Take(r *Spec) {
	_, ok := s.Next()
	due(ok)
	s.write(r, s.at, s.at)
	s.advance()
}

func (s *openSource) Ended(int32, Nanos, Status) {}

// schedule holds the next planned instant.
type schedule struct {
	instants instants
	at       Nanos
	ok       bool
	warp     *warp // nil if the plan is as it is
}

func newSchedule(a Arrivals, w *Workload, seed uint64) schedule {
	s := schedule{instants: a.stream(seed)}
	if len(w.Shifts) > 0 {
		s.warp = newWarp(w.Shifts)
	}
	s.advance()
	return s
}

func (s *schedule) advance() {
	s.at, s.ok = s.instants.next()
	if s.warp != nil && s.ok {
		s.at, s.ok = s.warp.run(s.at)
	}
}
