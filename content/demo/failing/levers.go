package failing

import (
	"math"
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/sim"
)

// The levers as a reader pulls them: which, how hard, when.

// noLever is the option of a healthy run.
const noLever = "none"

// leverKnob is a choice of all levers, none of them first.
func leverKnob(name, label, doc, first, group string) demo.Knob {
	k := demo.Knob{Name: name, Label: label, Doc: doc, Group: group, Options: []demo.Option{{Name: noLever, Label: "nothing, all is well"}}}
	for _, l := range sim.Levers() {
		k.Options = append(k.Options, demo.Option{Name: l.ID, Label: l.Name})
	}
	k.Max = float64(len(k.Options) - 1)
	for i, o := range k.Options {
		if o.Name == first {
			k.Default = float64(i)
		}
	}
	return k
}

// leverOf is a row of the table; nil for none.
func leverOf(id string) *sim.Lever {
	rows := sim.Levers()
	for i := range rows {
		if rows[i].ID == id {
			return &rows[i]
		}
	}
	return nil
}

// intensity is a lever's at a strength in (0,1]: 1 is its default, with which
// the matrix is tested, and 0 would be no failure. Levers of whole things are
// rounded up.
func intensity(l *sim.Lever, strength float64) float64 {
	switch {
	case l.ID == "replica_restart":
		return l.Default
	case l.ID == "retry_storm":
		return 1 + math.Ceil(float64((l.Default-1)*strength))
	case l.ID == "chunking_off": // from the budget of a step
		const budget = 1024
		return budget + math.Ceil(float64((l.Default-budget)*strength))
	case l.Low > 1:
		return 1 + float64((l.Default-1)*strength)
	}
	return float64(l.Default * strength)
}

// pulledText is how hard: "2.5 times the rate", "88% of the blocks".
func pulledText(l *sim.Lever, x float64) string {
	if of, share := strings.CutPrefix(l.Unit, "share"); share {
		return text.Percent(x, 3) + of
	}
	return text.WithUnit(text.Num(x, 3), l.Unit)
}

// baseFor is the base on which a lever is pulled: the same as the matrix has it
// on. Of two levers the more particular base counts.
func baseFor(levers ...string) Base {
	id := onFour
	for _, l := range levers {
		switch {
		case l == "slow_kv_link":
			return baseOf(onPools)
		case l == "retry_storm":
			id = onImpatient
		}
	}
	return baseOf(id)
}

// why is what makes a signal move under a lever, as a clause; "" if that was
// not to be expected. What the engine was found to do, and not only reasoned, is
// said too.
func why(lever string, id sim.SignalID) string {
	for i := range whys {
		if whys[i].lever == lever {
			return whys[i].clauses[id]
		}
	}
	return ""
}

var whys = [...]struct {
	lever   string
	clauses [sim.NumSignals]string
}{
	{"traffic_surge", [sim.NumSignals]string{
		sim.RunningBatch: "more requests are inside at once, until all seats are taken",
		sim.KVOccupancy:  "each of them holds blocks",
		sim.QueueDepth:   "who finds no seat waits",
		sim.TTFTp99:      "the wait is part of the time to first token",
		sim.ITLp99:       "a step with more sequences is longer, for all in it",
	}},
	{"long_prompt_flood", [sim.NumSignals]string{
		sim.KVOccupancy:    "a long prompt takes the blocks of many ordinary ones when it is admitted",
		sim.PrefixHit:      "the shared beginning is a small part of a long prompt",
		sim.ITLp99:         "every step now carries a piece of a long prompt",
		sim.TTFTp99:        "a long prompt takes long to compute, and those behind it wait for blocks",
		sim.QueueDepth:     "the head of the queue waits for blocks, and nobody may pass it",
		sim.PreemptionRate: "when no block is free, the last who came is thrown back",
	}},
	{"long_output_drift", [sim.NumSignals]string{
		sim.RunningBatch:   "as many come as before, and each stays longer",
		sim.KVOccupancy:    "blocks grow with each token of an answer",
		sim.PreemptionRate: "answers that grow find no free block, and somebody is thrown back",
		sim.PrefixHit:      "who was thrown back looks up the same prompt again and finds it: more hits, no better cache",
		sim.QueueDepth:     "seats and blocks are taken for longer",
		sim.TTFTp99:        "the wait is part of the time to first token",
		sim.ITLp99:         "steps with more sequences are longer",
	}},
	{"kv_squeeze", [sim.NumSignals]string{
		sim.KVOccupancy:    "blocks that leaked read as used",
		sim.PreemptionRate: "running requests find no free block and are thrown back",
		sim.RunningBatch:   "fewer fit at once",
		sim.QueueDepth:     "who was thrown back waits beside those who come",
		sim.TTFTp99:        "the wait for blocks is part of the time to first token",
		sim.PrefixHit:      "cached blocks that nobody holds are the first to go",
	}},
	{"prefix_collapse", [sim.NumSignals]string{
		sim.PrefixHit:   "no prompt begins as another one did",
		sim.TTFTp99:     "twice as many prompt tokens are computed before the first token",
		sim.KVOccupancy: "each request holds its own copy of what was shared",
	}},
	{"draft_collapse", [sim.NumSignals]string{
		sim.AcceptedLength: "a verification gives one token, its own",
		sim.RunningBatch:   "an answer takes twice the steps, so twice as many requests are inside",
		sim.KVOccupancy:    "and they hold their blocks for as long",
	}},
	{"all_gpus_throttled", [sim.NumSignals]string{
		sim.ITLp99:       "every step takes longer, at once",
		sim.RunningBatch: "everybody stays longer",
		sim.KVOccupancy:  "and holds blocks for longer",
		sim.QueueDepth:   "capacity is below the load now",
		sim.TTFTp99:      "prompts are computed in the same slow steps, after a wait",
	}},
	{"straggler", [sim.NumSignals]string{
		sim.ITLp99:       "the gaps of the slow replica are the worst of the cluster",
		sim.RunningBatch: "its requests stay longer, and the others get more",
		sim.TTFTp99:      "more than one request in a hundred gets its first token there",
	}},
	{"replica_restart", [sim.NumSignals]string{
		sim.KVOccupancy: "three replicas hold what four did",
	}},
	{"retry_storm", [sim.NumSignals]string{
		sim.QueueDepth:   "nothing is served during the stall, and what gives up comes again",
		sim.TTFTp99:      "those who are answered have waited the whole queue",
		sim.RunningBatch: "all seats are taken by attempts, most of which will be given up",
		sim.KVOccupancy:  "and so are blocks",
	}},
	{"cold_start", [sim.NumSignals]string{
		sim.ITLp99:       "a size of step that is new is compiled in the middle of everybody's answers",
		sim.QueueDepth:   "requests pile up behind it",
		sim.TTFTp99:      "first tokens wait for it too",
		sim.RunningBatch: "nobody gets on, so nobody leaves",
		sim.KVOccupancy:  "and all keep their blocks",
	}},
	{"skewed_routing", [sim.NumSignals]string{
		sim.KVOccupancy: "one replica fills up while the others empty; the worst counts",
		sim.QueueDepth:  "its seats are taken, and its queue grows",
		sim.TTFTp99:     "most requests wait in that queue",
	}},
	{"slow_kv_link", [sim.NumSignals]string{
		sim.QueueDepth:     "requests whose KV is on the way wait for it",
		sim.RunningBatch:   "the decode pool starves",
		sim.KVOccupancy:    "blocks stay at their source until they are sent",
		sim.PreemptionRate: "blocks that wait to be sent crowd out prompts that are half computed",
		sim.ITLp99:         "the first gap of each answer holds the transfer",
		sim.TTFTp99:        "prompts find no blocks, and wait too",
	}},
	{"chunking_off", [sim.NumSignals]string{
		sim.ITLp99: "a whole prompt sits in one step, and all who decode wait for it",
	}},
}
