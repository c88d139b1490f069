package sim

// One machine is slower than its brothers.
var straggler = Lever{
	ID: "straggler", Name: "straggler", Breaks: "every step of one replica takes longer",
	Unit: "times as long", Low: 1.01, High: 100, Default: 12, Start: leverStart, End: leverEnd,
	pull: func(p *Pull, s *Scenario, c *checker) {
		c.int("Replicas", int64(s.Config.Replicas), 2, maxReplicas)
		s.change(p, Change{Replica: p.Replica, Slower: p.Intensity})
	},
}
