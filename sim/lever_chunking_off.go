package sim

// A flag lost in a deployment: prompts are computed whole, and so a step may be
// as long as the longest of them. The intensity is how many tokens a step may
// have then; a longer prompt is computed in pieces of that size.
var chunkingOff = Lever{
	ID: "chunking_off", Name: "chunked prefill off", Breaks: "a whole prompt sits in one step, and all wait for it",
	Unit: "tokens of a step", Low: 16, High: 1 << 20, Default: 8192, Start: leverStart, End: leverEnd,
	pull: func(p *Pull, s *Scenario, c *checker) {
		e := &s.Config.Engine
		n := int(p.Intensity)
		switch {
		case e.PrefillChunkTokens == 0:
			c.fail("Engine.PrefillChunkTokens", "0", "above 0 for chunking_off")
		case float64(n) != p.Intensity || n <= e.MaxBatchedTokens:
			c.fail("Intensity", floatText(p.Intensity), "a whole number above Engine.MaxBatchedTokens, "+intText(int64(e.MaxBatchedTokens)))
		}
		s.change(p, Change{Replica: All, WholePrompts: n})
	},
}
