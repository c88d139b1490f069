package sim

// The draft model no longer fits the text, or the target model was replaced.
var draftCollapse = Lever{
	ID: "draft_collapse", Name: "draft collapse", Breaks: "guessed tokens are refused",
	Unit: "share of the acceptance that is lost", Low: 0.01, High: 1, Default: 1, Start: leverStart, End: leverEnd,
	pull: func(p *Pull, s *Scenario, c *checker) {
		if len(s.Config.Engine.Draft.Accept) == 0 {
			c.fail("len(Engine.Draft.Accept)", "0", "1 to 64 for draft_collapse")
		}
		s.change(p, Change{Replica: All, AcceptLoss: p.Intensity})
	},
}
