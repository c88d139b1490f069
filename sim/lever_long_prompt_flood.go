package sim

// Somebody sends documents: a share of the prompts is floodTokens long.
var longPromptFlood = Lever{
	ID: "long_prompt_flood", Name: "long-prompt flood", Breaks: "a share of the prompts is ten times as long",
	Unit: "share of the requests", Low: 0.001, High: 1, Default: 0.2, Start: leverStart, End: leverEnd,
	pull: func(p *Pull, s *Scenario, c *checker) {
		e := &s.Config.Engine
		tokens := int32(floodTokens)
		if e.MaxModelLen > 0 { // as long as the model allows, with the same room for an answer
			tokens = min(tokens, int32(e.MaxModelLen)*3/4)
		}
		tokens = min(tokens, int32(int64(e.KVBlocks)*int64(e.BlockTokens)/2))
		if tokens < 1 {
			c.fail("Engine.KVBlocks", intText(int64(e.KVBlocks)), "room for a long prompt")
			return
		}
		s.shift(p, Shift{LongShare: p.Intensity, LongTokens: tokens})
	},
}

// floodTokens is the length of a long prompt; shorter if half the KV cache is.
const floodTokens = 8192
