package sim

// Heat or a power cap: every GPU is slower.
var allGPUsThrottled = Lever{
	ID: "all_gpus_throttled", Name: "all GPUs throttled", Breaks: "every step of every replica takes longer",
	Unit: "times as long", Low: 1.01, High: 100, Default: 2.5, Start: leverStart, End: leverEnd,
	pull: func(p *Pull, s *Scenario, _ *checker) { s.change(p, Change{Replica: All, Slower: p.Intensity}) },
}
