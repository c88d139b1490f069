package sim

// A time stamp at the head of the prompt, or a new cache salt: what was shared
// is not any more, and every prompt is computed whole.
var prefixCollapse = Lever{
	ID: "prefix_collapse", Name: "prefix-cache collapse", Breaks: "prompts no longer begin alike",
	Unit: "share of the requests", Low: 0.01, High: 1, Default: 1, Start: leverStart, End: leverEnd,
	pull: func(p *Pull, s *Scenario, c *checker) {
		rows, _ := s.Workload.Lengths.(Rows)
		switch {
		case !s.Config.Engine.PrefixCache:
			c.fail("Engine.PrefixCache", "false", "true for prefix_collapse")
		case s.Workload.Shared.Share == 0 && len(rows.Hashes) == 0:
			c.fail("Shared.Share", "0", "above 0 for prefix_collapse")
		}
		s.shift(p, Shift{PrefixLoss: p.Intensity})
	},
}
