package sim

// More users: the plan of arrivals goes so many times as fast.
var trafficSurge = Lever{
	ID: "traffic_surge", Name: "traffic surge", Breaks: "requests come faster than they can be served",
	Unit: "times the rate", Low: 1.01, High: 20, Default: 2.5, Start: leverStart, End: leverEnd,
	pull: func(p *Pull, s *Scenario, _ *checker) { s.shift(p, Shift{Rate: p.Intensity}) },
}
