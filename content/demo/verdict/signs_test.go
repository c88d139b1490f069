package verdict

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/sim"
	"openloop/sim/diagnose"
)

// TestKind: a state that a failure rules out does not read as if it were so, nor
// its absence as if that spoke against the verdict.
func TestKind(t *testing.T) {
	state := diagnose.Reason{Kind: diagnose.Holds, Finding: diagnose.Finding{Sign: diagnose.KVFull, Known: true, Move: sim.Up}}
	assert.Equal(t, "is so", Kind(state))
	assert.Equal(t, "it is so", Found(state.Finding, nil))
	state.Move = sim.Flat
	assert.Equal(t, "would count against it", Kind(state))
	assert.Equal(t, "it is not so", Found(state.Finding, nil))
}

// TestEverySignHasAName: a reason without one would be an empty line.
func TestEverySignHasAName(t *testing.T) {
	seen := map[string]bool{}
	for s := range diagnose.NumSigns {
		assert.NotEmpty(t, Sign(s), "sign %s", s.Key())
		assert.False(t, seen[Sign(s)], "%s twice", Sign(s))
		seen[Sign(s)] = true
	}
	for _, l := range sim.Levers() {
		assert.Equal(t, l.Name, Name(l.ID))
		assert.NotEqual(t, "nothing", Remedy(diagnose.RemedyOf(l.ID)), l.ID)
	}
	for _, v := range []string{diagnose.Undetermined, diagnose.SeatLimit} {
		assert.NotEqual(t, v, Name(v))
	}
}

// TestFoundTells: of a sign that did not count it is said what it did, and a move
// is named by the end of its window, as in a figure.
func TestFoundTells(t *testing.T) {
	w := make([]sim.Window, 5)
	for k := range w {
		w[k] = sim.Window{Start: float64(4 * k), End: float64(4*k + 4), Timed: true}
	}
	f := diagnose.Finding{Sign: diagnose.SignOf(sim.PrefixHit), Known: true, Before: 0.52, After: 0.44, From: 2, To: 4}
	assert.Equal(t, "hardly moved: 52%, at its furthest 44%, from 12 s to 16 s, too little to count", Found(f, w))
	f.To = 3
	assert.Equal(t, "hardly moved: 52%, at its furthest 44%, at 12 s, too little to count", Found(f, w))
	f.After = 0.52
	assert.Equal(t, "as before, 52%", Found(f, w))
	f.After, f.Move, f.Widths, f.To = 0.3, sim.Down, 5, 5
	assert.Equal(t, "down from 52% to 30%, from 12 s on, 5 times its noise", Found(f, w))
	for want, kind := range map[sim.Move]string{sim.Flat: "stayed", 2: "did not rise", -2: "did not fall"} {
		assert.Equal(t, kind, Kind(diagnose.Reason{Kind: diagnose.Stays, Wanted: want}))
	}
}

// TestSecond: a runner-up is called one, and only if it has points; what a verdict
// does not expect of a sign is not put into its mouth.
func TestSecond(t *testing.T) {
	r := diagnose.Reading{Verdict: "kv_squeeze", Second: "cold_start", Points: 10}
	for points, says := range map[float64]string{
		0.5: "The rules read it as KV squeeze.",
		4:   "The rules read it as KV squeeze (runner-up: far behind, cold start).",
		8:   "The rules read it as KV squeeze (runner-up: cold start).",
	} {
		r.SecondPoints = points
		assert.Equal(t, says, Says(&r).String())
	}
	s := diagnose.Separator{HasSign: true, Sign: diagnose.SignOf(sim.QueueDepth), Verdict: sim.Up, Expects: [2]bool{true, false}, Found: diagnose.Finding{Known: true}}
	assert.Equal(t, "queue depth: up under KV squeeze, cold start does not need it", Apart(&s, "kv_squeeze", "cold_start"))
	assert.Equal(t, "queue depth: up under KV squeeze, as before under healthy", Apart(&s, "kv_squeeze", diagnose.Healthy))
}

// TestElse: a sign that is left over is named, with its way, in the sentence and
// under the reasons, and without one nothing is said.
func TestElse(t *testing.T) {
	r := diagnose.Reading{Verdict: "all_gpus_throttled", Points: 9}
	assert.Empty(t, Else(&r))
	assert.NotContains(t, Says(&r).String(), "Something else")
	mean := diagnose.StripSign(sim.OutputTokensMean)
	r.Else = []diagnose.Sign{mean, diagnose.SignOf(sim.PrefixHit)}
	r.Found[mean] = diagnose.Finding{Sign: mean, Known: true, Move: sim.Up}
	want := "Something else is going on too: mean answer up, which it does not explain."
	assert.Equal(t, "The rules read it as all GPUs throttled. "+want, Says(&r).String())
	assert.Contains(t, Notes(&r), want)
	r.Also = "straggler"
	assert.Contains(t, Says(&r).String(), "mean answer up, which neither explains.")
}
