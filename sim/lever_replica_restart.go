package sim

// A crash: so many replicas, from Pull.Replica on, lose all they hold at From,
// and come back at To with empty caches. If that is all of them, requests are
// refused meanwhile.
var replicaRestart = Lever{
	ID: "replica_restart", Name: "replica restart", Breaks: "replicas crash and come back cold",
	Unit: "replicas", Low: 1, High: maxReplicas, Default: 1, Start: leverStart, End: leverEnd,
	pull: func(p *Pull, s *Scenario, c *checker) {
		n := int(p.Intensity)
		if float64(n) != p.Intensity || n > s.Config.Replicas {
			c.fail("Intensity", floatText(p.Intensity), "a whole number up to Replicas, "+intText(int64(s.Config.Replicas)))
			return
		}
		for k := range n {
			s.change(p, Change{Replica: (p.Replica + k) % s.Config.Replicas, Down: true})
		}
	},
}
