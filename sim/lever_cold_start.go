package sim

// A deployment that is given traffic before it is warm: all caches are empty,
// and every size of batch and of prefill pays for its first time.
var coldStart = Lever{
	ID: "cold_start", Name: "cold start", Breaks: "engines without warm-up get all the traffic",
	Unit: "s for each new size", Low: 0.01, High: 100, Default: 1, Start: leverStart, End: leverEnd,
	pull: func(p *Pull, s *Scenario, _ *checker) {
		price := Seconds(p.Intensity).Picos()
		s.change(p, Change{Replica: All, Cold: true, WarmUp: WarmUp{GraphCapture: price, Autotune: price}})
	},
}
