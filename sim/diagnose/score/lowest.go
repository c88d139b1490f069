package score

import (
	"math"

	"openloop/sim"
)

// How hard a lever must be pulled to be seen at all. The rule: take the signal
// that the matrix names as the first to move; over thirty healthy runs its
// values, one of a window, have a mean and a standard deviation; the lowest
// intensity is the first on a grid at which that signal's mean while the lever
// is pulled, over a few runs, lies three standard deviations to the side that
// the matrix says. Where no intensity does that, the lever is not drawn there.

// The rule's numbers.
const (
	HealthySeeds = 30
	LeverSeeds   = 4
	Sigmas       = 3
	gridSteps    = 16

	firstHealthySeed = 1_000_001
	firstLeverSeed   = 2_000_001
)

// Lowest is what the rule gave for a lever on a base.
type Lowest struct {
	Base, Lever string
	Intensity   float64 // 0: no intensity is enough
	Mean, SD    float64 // of the signal in good health, over windows
}

// Lowests are all of them, base by base, in the order of the levers. A lever
// that a base has no use for has no row.
func Lowests() []Lowest { return lowests }

// Capacity is how many requests a second a base serves when three times too
// many come, and the share of it that its own load is.
type Capacity struct {
	Base   string
	PerSec float64
	Load   float64
}

// Capacities has a row for each base.
func Capacities() []Capacity { return capacities }

// hardest is the top of the range that a lever is drawn from: as hard as its
// row has it, and in most cases harder.
func hardest(l *sim.Lever, b *Base) float64 {
	switch l.ID {
	case "traffic_surge":
		return 4
	case "long_prompt_flood":
		return 0.6
	case "long_output_drift":
		return 12
	case "kv_squeeze":
		return 0.95
	case "prefix_collapse", "draft_collapse":
		return 1
	case "all_gpus_throttled":
		return 4
	case "straggler":
		return 16
	case "replica_restart":
		return float64(max(1, b.Config.Replicas/2))
	case "retry_storm":
		return 8
	case "cold_start":
		return 3
	case "skewed_routing":
		return 0.9
	case "slow_kv_link":
		return 1000
	}
	return 16384 // chunking_off: tokens of a step
}

// grid is an intensity from the least that is legal to the hardest, by equal
// factors; whole where only that is legal.
func grid(l *sim.Lever, b *Base, k int) float64 {
	low, high := l.Low, hardest(l, b)
	switch l.ID {
	case "replica_restart", "retry_storm":
		return min(high, low+float64(k))
	case "chunking_off":
		low = float64(b.Config.Engine.MaxBatchedTokens + 1)
	}
	x := spread(low, high, float64(k)/gridSteps)
	if l.ID == "chunking_off" {
		return math.Floor(x)
	}
	return x
}

// ruleSpan is when the lever is pulled: from the 13th shown window to the 28th.
func ruleSpan(b *Base) sim.Span {
	return sim.Span{From: b.Every * (lead + 12), To: b.Every * (lead + 28)}
}

// HealthyRuns are the windows of the rule's span, over the healthy seeds.
func HealthyRuns(b *Base) []sim.Window {
	return ruleWindows(b.Scenario, firstHealthySeed, HealthySeeds)
}

// FindLowest applies the rule to a base of these healthy runs. Scenarios that do
// not allow the lever have no row.
func FindLowest(b *Base, l *sim.Lever, healthy []sim.Window) (Lowest, bool) {
	out := Lowest{Base: b.ID, Lever: l.ID}
	at := func(x float64) sim.Pull { return sim.Pull{Lever: l.ID, Span: ruleSpan(b), Intensity: x} }
	if _, err := b.Pulled(at(grid(l, b, 0))); err != nil {
		return out, false
	}
	sig, _ := sim.Signature(l.ID)
	values := signalIn(healthy, sig.First)
	if len(values) == 0 {
		return out, false
	}
	in := sim.OverSeeds(values, 0.95)
	out.Mean, out.SD = in.Mean, in.SD
	enough := func(k int) bool {
		s, err := b.Pulled(at(grid(l, b, k)))
		if err != nil {
			return false
		}
		moved := sim.OverSeeds(signalIn(ruleWindows(s, firstLeverSeed, LeverSeeds), sig.First), 0.95).Mean - in.Mean
		return float64(moved)*float64(sig.Moves[sig.First]) >= Sigmas*in.SD
	}
	for k := range gridSteps + 1 { // not by halving: pulled harder, a signal may move less
		if enough(k) {
			out.Intensity = grid(l, b, k)
			break
		}
	}
	return out, true
}

// ruleWindows are those of the rule's span, of several runs.
func ruleWindows(s sim.Scenario, seed uint64, seeds int) []sim.Window {
	var out []sim.Window
	for k := range uint64(seeds) {
		out = append(out, play(s, seed+k)[lead+12:lead+28]...)
	}
	return out
}

func signalIn(w []sim.Window, id sim.SignalID) []float64 {
	var out []float64
	for i := range w {
		if x := w[i].Signal[id]; x.Known {
			out = append(out, x.Value)
		}
	}
	return out
}

// play runs a scenario.
func play(s sim.Scenario, seed uint64) []sim.Window {
	x, err := s.New(seed)
	if err != nil {
		panic("score: " + err.Error())
	}
	x.Run()
	return sim.NewWindows(x.Results(), sim.SeriesOptions{KVBlocks: s.Config.Engine.KVBlocks, SLO: sim.HealthySLO})
}

// FindCapacity measures one.
func FindCapacity(b *Base) Capacity {
	rate := func(s sim.Scenario, id sim.StripID) float64 {
		sum := 0.0
		w := play(s, firstHealthySeed)[lead:]
		for i := range w {
			sum += w[i].Strip[id].Value
		}
		return sum / float64(len(w))
	}
	flooded := b.Scenario
	flooded.Config.Timeout, flooded.Workload.Retry = 0, sim.Retry{}
	flooded.Workload.Shifts = []sim.Shift{{Span: sim.Span{To: flooded.Config.Horizon}, Rate: 3}}
	c := Capacity{Base: b.ID, PerSec: rate(flooded, sim.CompletedRate)}
	c.Load = rate(b.Scenario, sim.OfferedRate) / c.PerSec
	return c
}

// CapacityOf is the row of a base.
func CapacityOf(base string) Capacity {
	for _, c := range capacities {
		if c.Base == base {
			return c
		}
	}
	return Capacity{}
}

// spread is low to high by equal factors, at t from 0 to 1.
func spread(low, high, t float64) float64 {
	return float64(low * pow(high/low, t))
}
