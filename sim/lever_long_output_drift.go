package sim

// A new prompt template, or a model that thinks: answers grow longer and longer.
var longOutputDrift = Lever{
	ID: "long_output_drift", Name: "long-output drift", Breaks: "answers grow, evenly, to so many times their length",
	Unit: "times the length, at the end", Low: 1.05, High: 50, Default: 8, Start: leverStart, End: leverEnd,
	pull: func(p *Pull, s *Scenario, _ *checker) { s.shift(p, Shift{Outputs: p.Intensity}) },
}
