package failing

import "openloop/sim"

// The clusters that are watched, in good health. What is usual on each of them
// is kept in content/tables, from 30 runs.

// Base is a scenario in good health.
type Base struct {
	ID       string
	Says     string // what it is, as a phrase
	Scenario sim.Scenario
	SLO      sim.SLO
	Clock    sim.Clock // of goodput
}

// Ids of bases.
const (
	onFour       = "four"
	onPools      = "pools"
	onImpatient  = "impatient"
	onBusy       = "busy"
	onMoreKV     = "more-kv"
	onFastPrompt = "fast-prompt"
)

// Bases are all of them.
func Bases() []Base {
	busy, _ := sim.BusyPair()
	kv, prompts := sim.LongPromptPair()
	return []Base{
		{ID: onFour, Says: "four replicas at half of what they can serve", Scenario: sim.Healthy(""), SLO: sim.HealthySLO},
		{ID: onPools, Says: "two replicas that prefill and two that decode", Scenario: sim.Healthy("slow_kv_link"), SLO: sim.HealthySLO},
		{ID: onImpatient, Says: "four busier replicas, whose clients give up after 8 s", Scenario: sim.Healthy("retry_storm"), SLO: sim.HealthySLO},
		{ID: onBusy, Says: "one replica, busy all the time", Scenario: busy, SLO: sim.PresetSLO},
		{ID: onMoreKV, Says: "long prompts and room for them", Scenario: twiceTheKV(kv), SLO: sim.SLO{TTFT: sim.PresetSLO.TTFT}},
		{ID: onFastPrompt, Says: "long prompts, computed fast enough", Scenario: twiceThePrefill(prompts), SLO: sim.SLO{TTFT: sim.PresetSLO.TTFT}},
	}
}

// baseOf is the base with this id, which must be there.
func baseOf(id string) Base {
	for _, b := range Bases() {
		if b.ID == id {
			return b
		}
	}
	panic("demo: no base is called " + id)
}

// twiceTheKV is the scenario with two times the KV blocks.
func twiceTheKV(s sim.Scenario) sim.Scenario {
	s.Config.Engine.KVBlocks *= 2
	return s
}

// twiceThePrefill is the scenario with prompts computed at twice the speed.
func twiceThePrefill(s sim.Scenario) sim.Scenario {
	c := s.Config.Engine.Cost.(sim.LinearCost)
	c.PerPrefillToken /= 2
	s.Config.Engine.Cost = c
	return s
}
