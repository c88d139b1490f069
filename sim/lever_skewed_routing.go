package sim

// A sticky key that most users share: one replica gets a share of the arrivals
// whatever its load, the others what is left.
var skewedRouting = Lever{
	ID: "skewed_routing", Name: "skewed routing", Breaks: "one replica gets more than its part",
	Unit: "share of the arrivals", Low: 0.01, High: 1, Default: 0.7, Start: leverStart, End: leverEnd,
	pull: func(p *Pull, s *Scenario, c *checker) {
		c.int("Replicas", int64(s.Config.Replicas), 2, maxReplicas)
		if n := s.Config.Pools.Prefill; n == 1 {
			c.fail("Pools.Prefill", "1", "2 or more for skewed_routing")
		}
		s.change(p, Change{Replica: p.Replica, Skew: p.Intensity})
	},
}
