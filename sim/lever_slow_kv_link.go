package sim

// The network between prefill and decode is slow: a bad cable, a noisy neighbor.
var slowKVLink = Lever{
	ID: "slow_kv_link", Name: "slow KV link", Breaks: "KV takes longer from prefill to decode",
	Unit: "times as long", Low: 1.1, High: 1e6, Default: 100, Start: leverStart, End: leverEnd,
	pull: func(p *Pull, s *Scenario, c *checker) {
		if s.Config.Pools.Prefill == 0 {
			c.fail("Pools.Prefill", "0", "1 or more for slow_kv_link")
		}
		s.change(p, Change{Replica: All, LinkSlower: p.Intensity})
	},
}
