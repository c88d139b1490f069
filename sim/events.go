package sim

// What happens to a cluster between the ends of steps and the arrivals of an
// instant, in this order: changes, transfers, replicas that come up, the
// autoscaler, the router's look at the replicas. A cluster without any of these
// does not come here.

// eventful says whether a configuration has such events.
func (c *Config) eventful() bool {
	return len(c.Changes) > 0 || c.Pools.Prefill > 0 || c.Scale.Every > 0 || c.RefreshEvery > 0
}

// setEvents prepares them.
func (s *ServingSim) setEvents() {
	s.evaluateAt, s.refreshAt, s.fewer = never, never, -1
	if !s.eventful {
		return
	}
	s.boundaries = boundaries(s.c.Changes)
	if s.c.Pools.Prefill > 0 {
		s.links = make([]link, s.c.Pools.Prefill)
		for i := range s.links {
			s.links[i].until = never
			s.replicas[i].prefillOnly = true
		}
	}
	if s.c.Scale.Every > 0 {
		s.evaluateAt = s.c.Scale.Every.Picos()
		for i := s.c.Replicas; i < len(s.replicas); i++ {
			s.replicas[i].presence = off
		}
	}
	if s.c.RefreshEvery > 0 {
		s.seen = make([]int64, len(s.replicas))
		s.refreshAt = s.c.RefreshEvery.Picos()
	}
}

// nextEvent is when the next of them is due.
func (s *ServingSim) nextEvent() Picos {
	t := min(s.evaluateAt, s.refreshAt)
	if len(s.boundaries) > 0 {
		t = min(t, s.boundaries[0])
	}
	for i := range s.links {
		t = min(t, s.links[i].until)
	}
	if s.c.Scale.Every > 0 {
		for i := range s.replicas {
			if r := &s.replicas[i]; r.presence == booting {
				t = min(t, r.bootAt)
			}
		}
	}
	return max(t, s.now)
}

// willMove says whether an event is to come that can free blocks.
func (s *ServingSim) willMove() bool {
	if len(s.boundaries) > 0 {
		return true
	}
	for i := range s.links {
		if s.links[i].until != never {
			return true
		}
	}
	return false
}

// events does those that are due.
func (s *ServingSim) events() {
	if len(s.boundaries) > 0 && s.boundaries[0] <= s.now {
		s.changeDue()
	}
	s.landDue()
	s.bootDue()
	if s.evaluateAt <= s.now {
		s.evaluate()
		s.evaluateAt = s.now + s.c.Scale.Every.Picos()
	}
	if s.refreshAt <= s.now {
		for i := range s.replicas {
			s.seen[i] = s.replicas[i].routeLoad()
		}
		s.refreshAt = s.now + s.c.RefreshEvery.Picos()
	}
}
