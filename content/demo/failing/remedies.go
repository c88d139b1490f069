package failing

import (
	"openloop/content/demo"
	"openloop/sim"
)

// Remedies are settings that change the run. Most are in place from the start,
// as settings are; those that need a hand come mendAfter after the failure
// began. A remedy against another failure runs too, and shows that it does not
// help.

const mendAfter = 12 * sim.Second

// remedy is a row. Apply changes the scenario, before the levers are pulled at
// from, and may change until when and whether they are.
type remedy struct {
	id, label string
	says      string // what is done, as a clause
	hand      bool   // it comes mendAfter after the failure began
	apply     func(s *sim.Scenario, pulls []sim.Pull, from sim.Nanos) []sim.Pull
}

func remedies() []remedy {
	config := func(change func(c *sim.Config)) func(*sim.Scenario, []sim.Pull, sim.Nanos) []sim.Pull {
		return func(s *sim.Scenario, pulls []sim.Pull, _ sim.Nanos) []sim.Pull {
			change(&s.Config)
			return pulls
		}
	}
	return []remedy{
		{id: "none", label: "none", apply: config(func(*sim.Config) {})},
		{id: "mend", label: "mend the cause", says: "the cause is mended", hand: true, apply: mend},
		{id: "kv", label: "twice the KV cache", says: "each replica has twice the KV blocks", apply: config(func(c *sim.Config) { c.Engine.KVBlocks *= 2 })},
		{id: "headroom", label: "admit with headroom", says: "an admission leaves a tenth of the blocks free and must fit whole", apply: config(func(c *sim.Config) {
			c.Engine.Watermark, c.Engine.FullPromptGate = 0.1, true
		})},
		{id: "replicas", label: "two more replicas", says: "there are two more replicas", apply: config(func(c *sim.Config) {
			c.Replicas += 2
			if c.Pools.Prefill > 0 {
				c.Pools.Prefill++
			}
		})},
		{id: "limit", label: "admission limit", says: "a replica with 8 waiting refuses more", apply: config(func(c *sim.Config) { c.MaxWaiting = 8 })},
		{id: "budget", label: "retry budget", says: "clients ask again for one in ten of their requests at most", apply: func(s *sim.Scenario, pulls []sim.Pull, _ sim.Nanos) []sim.Pull {
			s.Workload.Retry.Budget = 0.1
			return pulls
		}},
		{id: "drain", label: "take replica 1 out", says: "replica 1 is taken out of rotation", hand: true, apply: func(s *sim.Scenario, pulls []sim.Pull, from sim.Nanos) []sim.Pull {
			from += mendAfter
			s.Config.Changes = append(s.Config.Changes, sim.Change{Span: sim.Span{From: from, To: max(s.Config.Horizon, from+1)}, Down: true})
			return pulls
		}},
		{id: "affinity", label: "prefix-affinity routing", says: "requests go where their beginning is cached", apply: config(func(c *sim.Config) {
			c.Routing, c.Affinity = sim.PrefixAffinity, sim.Affinity{Blocks: 32, Guard: 8}
		})},
		{id: "drafts", label: "one draft instead of three", says: "one token is drafted a step instead of three", apply: config(func(c *sim.Config) {
			c.Engine.Draft.Accept = c.Engine.Draft.Accept[:min(1, len(c.Engine.Draft.Accept))]
		})},
		{id: "warm", label: "warm up before traffic", says: "new sizes of step are compiled before there is traffic", apply: warm},
		{id: "together", label: "prefill and decode together", says: "every replica prefills and decodes, and no KV goes over a link", apply: together},
	}
}

// mend ends, mendAfter after it began, what somebody broke: users cannot be
// mended.
func mend(_ *sim.Scenario, pulls []sim.Pull, _ sim.Nanos) []sim.Pull {
	for i := range pulls {
		if p := &pulls[i]; mends(p.Lever) != "" {
			p.To = min(p.To, p.From+mendAfter)
		}
	}
	return pulls
}

// mends is what mending a failure means; "" if its cause is with the users.
func mends(lever string) string {
	switch lever {
	case "long_output_drift":
		return "the old prompt template is back"
	case "kv_squeeze":
		return "the leak is stopped and its blocks are back"
	case "prefix_collapse":
		return "prompts begin alike again"
	case "draft_collapse":
		return "the draft model fits again"
	case "all_gpus_throttled":
		return "the power cap is off"
	case "straggler":
		return "the slow machine is repaired"
	case "replica_restart":
		return "the replica is back sooner"
	case "cold_start":
		return "the sizes that are left are compiled aside"
	case "skewed_routing":
		return "the sticky key is off"
	case "slow_kv_link":
		return "the link is repaired"
	case "chunking_off":
		return "chunked prefill is back on"
	}
	return ""
}

// warm leaves of a cold start what no warm-up helps against: empty caches.
func warm(s *sim.Scenario, pulls []sim.Pull, _ sim.Nanos) []sim.Pull {
	var left []sim.Pull
	for _, p := range pulls {
		if p.Lever == "cold_start" {
			s.Config.Changes = append(s.Config.Changes, sim.Change{Span: p.Span, Replica: sim.All, Cold: true})
			continue
		}
		left = append(left, p)
	}
	return left
}

// together has no pools, and so no link that could be slow.
func together(s *sim.Scenario, pulls []sim.Pull, _ sim.Nanos) []sim.Pull {
	s.Config.Pools = sim.Pools{}
	var left []sim.Pull
	for _, p := range pulls {
		if p.Lever != "slow_kv_link" {
			left = append(left, p)
		}
	}
	return left
}

func remedyKnob() demo.Knob {
	k := demo.Knob{Name: "remedy", Label: "Remedy", Doc: "A setting of the cluster that really changes the run. The run without it stays as a dashed line."}
	for _, r := range remedies() {
		k.Options = append(k.Options, demo.Option{Name: r.id, Label: r.label})
	}
	k.Max = float64(len(k.Options) - 1)
	return k
}
