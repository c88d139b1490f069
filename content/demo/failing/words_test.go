package failing

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/verdict"
	"openloop/content/demotest"
	"openloop/sim"
	"openloop/sim/diagnose"
)

// What is said of a run is so in that run, in each of its states.

func ran(t *testing.T, id, link string) demo.Task {
	t.Helper()
	d, ok := demo.Find(Demos(), id)
	require.True(t, ok)
	_, task := demotest.Run(t, d, link)
	return task
}

// TestTailsFollowTheState: what the sentence about long prompts ends in is so in
// every one of its states.
func TestTailsFollowTheState(t *testing.T) {
	for remedy, tail := range map[string]string{
		"none": "tell the two apart, the queues do not.", "kv": "the one short of KV is well, the one short of prefill is not.",
		"prefill": "the one short of prefill is well, the one short of KV is not.", "both": "both are well.",
	} {
		task := ran(t, "long-prompts", "remedy="+remedy)
		r, says := task.(*promptsRun), task.Summary().String()
		assert.True(t, strings.HasSuffix(says, tail), "%s: %s", remedy, says)
		if strings.Contains(says, "preemptions tell") {
			assert.Greater(t, r.mean(0, dialID(sim.PreemptionRate)), someThrown, says)
		}
	}
}

// TestRulesAndFigureAgree: of a signal that the figure marks as moved the rules do
// not say that it is as before, and where both say that it moved they say the same
// way; a state does not begin before the signal that it is a state of.
func TestRulesAndFigureAgree(t *testing.T) {
	for _, lever := range []string{"kv_squeeze", "long_prompt_flood", "straggler"} {
		task := ran(t, "eight-signals", "lever="+lever)
		r := task.(*eightRun)
		read := r.reading()
		for _, x := range read.Reasons {
			id, ok := x.Sign.Signal()
			if !ok {
				continue
			}
			m := r.move(&r.run, dialID(id), r.now())
			says := verdict.Found(x.Finding, r.run.windows)
			if m.first >= 0 && x.Move == sim.Flat {
				assert.Contains(t, says, "hardly moved", "%s: %s is marked", lever, id.Describe().Name)
			}
			if m.first >= 0 && x.Move != sim.Flat {
				assert.Equal(t, m.move, x.Move, "%s: %s", lever, id.Describe().Name)
			}
		}
		if f := read.Found[diagnose.Preempting]; f.Move == sim.Up {
			assert.GreaterOrEqual(t, f.From, read.Found[diagnose.SignOf(sim.PreemptionRate)].From, "%s: preemptions", lever)
			assert.InDelta(t, r.move(&r.run, dialID(sim.PreemptionRate), r.now()).first, f.From, 1, "%s: preemptions, by band and by noise", lever)
		}
	}
}

// TestTwoAtOnce: what the preset claims is what the rules see.
func TestTwoAtOnce(t *testing.T) {
	for _, p := range eightSignals().Presets {
		if p.Name != "Two at once" {
			continue
		}
		task := ran(t, "eight-signals", p.State)
		r := task.(*eightRun)
		read := r.reading()
		assert.ElementsMatch(t, r.plan.levers[:], []string{read.Verdict, read.Also})
	}
}

// TestBetAnswerIsFirst: what the bet calls first is what the sentence under it does.
func TestBetAnswerIsFirst(t *testing.T) {
	d := eightSignals()
	task := ran(t, "eight-signals", d.Bet.Reveal)
	first, _ := task.(*eightRun).firstMovers(&task.(*eightRun).run, len(task.(*eightRun).run.windows))
	answer := d.Bet.Options[d.Bet.Answer(task)]
	for _, id := range first {
		assert.Contains(t, answer, id.Describe().Name)
	}
}

// TestHeadroomPreset: it is set beside the same cache without headroom, and keeps its word.
func TestHeadroomPreset(t *testing.T) {
	good := map[string]float64{}
	for _, p := range sameUtilization().Presets {
		if strings.Contains(p.State, "kv=32000") {
			task := ran(t, "same-utilization", p.State)
			good[p.State] = task.(*twinRun).good(1)
		}
	}
	require.Len(t, good, 2)
	assert.Less(t, good["kv=32000&headroom=20"], good["kv=32000"])
}
