package sim

// A leak: blocks are lost, in squeezeSteps equal parts over the first half of
// the window, and come back at its end, as with a restart of the allocator.
var kvSqueeze = Lever{
	ID: "kv_squeeze", Name: "KV squeeze", Breaks: "KV blocks leak away",
	Unit: "share of the blocks", Low: 0.01, High: 1, Default: 0.88, Start: leverStart, End: leverEnd,
	pull: func(p *Pull, s *Scenario, _ *checker) {
		for k := range Nanos(squeezeSteps) {
			part := *p
			part.From += (p.To - p.From) / 2 * k / squeezeSteps
			s.change(&part, Change{Replica: All, LostKV: p.Intensity / squeezeSteps})
		}
	},
}

const squeezeSteps = 20
