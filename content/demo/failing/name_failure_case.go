package failing

import "openloop/sim"

// What is hidden, drawn from the seed: which lever, on which cluster, from when.
// The lever does not depend on how strong it is pulled, so a case can be given
// clear and faint. Whoever wants a certain failure looks for a seed that has it.

// few are the failures of the easier choice, and nothing.
var few = [...]string{"traffic_surge", "kv_squeeze", "prefix_collapse", "draft_collapse", "straggler", noLever}

// hidden is a case.
type hidden struct {
	lever    string // or noLever
	base     string
	from, to sim.Nanos
	strength float64
	bands    bool // are drawn before the answer
}

// How strong, when, and how long: onsets are at the edges of windows, after the
// batch has filled, and all levers end within the run.
const (
	clearStrength = 1
	faintStrength = 0.5
	window        = 4 // s
	firstOnset    = 32
	onsets        = 6
	shortest      = 36
	lengths       = 3
)

// drawCase is the case of a seed.
func drawCase(seed uint32, level, among string) hidden {
	r := sim.NewRand(uint64(seed), sim.StreamFaults, 1)
	h := hidden{base: onFour, strength: clearStrength, bands: level == "bands"}
	if level == "faint" {
		h.strength = faintStrength
	}
	if among == "few" {
		h.lever = few[r.IntN(len(few))]
	} else {
		h.lever = noLever
		levers := sim.Levers()
		if i := r.IntN(len(levers) + 1); i < len(levers) {
			h.lever = levers[i].ID
		}
		h.base = baseFrom(h.lever, r.IntN(4))
	}
	h.from = sim.Seconds(float64(firstOnset + window*r.IntN(onsets)))
	h.to = h.from + sim.Seconds(float64(shortest+window*r.IntN(lengths)))
	return h
}

// baseFrom is the cluster of a lever, one draw in four on each of the other two:
// so a link between replicas, or clients without patience, give nothing away. On
// pools only levers whose shape is there the same.
func baseFrom(lever string, draw int) string {
	switch {
	case lever == "slow_kv_link":
		return onPools
	case lever == "retry_storm", draw == 0:
		return onImpatient
	case draw == 1 && alikeOnPools(lever):
		return onPools
	}
	return onFour
}

// alikeOnPools says whether a lever looks on replicas that prefill or decode as it
// does on four equal ones. One slow replica, or one that more comes to, is half of
// a pool there; where replicas only decode no prompt is in the way of an answer.
func alikeOnPools(lever string) bool {
	switch lever {
	case "straggler", "skewed_routing", "chunking_off", "retry_storm":
		return false
	}
	return true
}

// possible says whether a lever can be pulled on the cluster of the case.
func (h *hidden) possible(lever string) bool {
	return lever != "slow_kv_link" || h.base == onPools
}

// plan is the case with this lever in place of its own.
func (h *hidden) plan(lever string, seed uint32) plan {
	return plan{
		levers: [2]string{lever, noLever}, strengths: [2]float64{h.strength, 1},
		from: h.from, to: h.to, remedy: "none", seed: seed, base: h.base,
	}
}

// row is the number of the lever in the matrix, from 1 on; 0 is nothing.
func (h *hidden) row() int {
	for i, l := range sim.Levers() {
		if l.ID == h.lever {
			return i + 1
		}
	}
	return 0
}
