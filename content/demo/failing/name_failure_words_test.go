package failing

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/sim"
)

// What is said of an answer.

// marked is all that is said of an answer: the sentence, and the rows under it.
func marked(task demo.Task) string {
	says := task.Summary().String()
	for _, f := range task.Figures() {
		if f.ID == "marking" {
			for _, row := range f.Ranking.Rows {
				says += " " + row.Label + ": " + row.Says
			}
		}
	}
	return says
}

// TestNothingSaid: an answer of nothing, or half an answer, is not marked, it is refused in words; who
// gives up is told, for 0.
func TestNothingSaid(t *testing.T) {
	for lever, seed := range seedsOf() {
		_, task := told(t, linkOf(seed, "&mark=on"))
		_, isMarked := task.(demo.Scored).Score()
		assert.False(t, isMarked)
		assert.Contains(t, task.Summary().String(), "nothing is marked")
		for half, asks := range map[string]string{"&first=kv": "what is broken", "&cause=kv_squeeze": "what left first"} {
			_, task = told(t, linkOf(seed, "&mark=on"+half))
			_, isMarked = task.(demo.Scored).Score()
			assert.False(t, isMarked, half)
			assert.Contains(t, task.Summary().String(), "nothing is marked", half)
			assert.Contains(t, task.Summary().String(), asks, half)
		}
		_, task = told(t, linkOf(seed, "&mark=tell"))
		score, isMarked := task.(demo.Scored).Score()
		assert.True(t, isMarked)
		assert.Zero(t, score)
		assert.Contains(t, strings.ToLower(task.Summary().String()), named(lever))
		return // one case is like another in this
	}
}

// TestFeedback: for every failure, and wrong answers of several kinds, the words are
// whole, name the truth and the answer, and the chain is in the order of time.
func TestFeedback(t *testing.T) {
	i := 0
	for lever, seed := range seedsOf() {
		truth := "Nothing is broken"
		if l := leverOf(lever); l != nil {
			truth = "It is " + l.Name
		}
		for _, answer := range []string{"&cause=traffic_surge&first=nothing&remedy=kv", "&cause=slow_kv_link&first=kv&pair=on", "&cause=none&first=prefix_hit&remedy=mend", "&mark=tell", "&first=queue&pair=on&cause=" + lever} {
			if i++; answer != "&mark=tell" && i%4 != 0 && !strings.HasSuffix(answer, lever) {
				continue // each kind meets some levers; all of them cost too much
			}
			if !strings.Contains(answer, "mark=") {
				answer += "&mark=on"
			}
			_, task := told(t, linkOf(seed, answer))
			r := task.(*hiddenRun)
			limit := 160
			for _, more := range []string{"remedy=", "pair="} {
				if strings.Contains(answer, more) {
					limit += 140
				}
			}
			assert.Less(t, len(task.Summary().String()), limit, "it is heard; the rest stands in rows")
			says := marked(task)
			assert.Contains(t, says, truth, answer)
			for _, bad := range []string{"NaN", "n/a", "  ", "..", ": .", " ,", "demo:"} {
				assert.NotContains(t, says, bad)
			}
			assert.Less(t, len(says)-len(task.Summary().String()), 800, "too long to be read: %s", says)
			assert.True(t, strings.HasSuffix(says, "."), says)
			if !r.right() && r.cause != notSaid && r.hidden.possible(r.cause) {
				assert.Equal(t, r.cause, r.likeLever, "what was named is what is drawn beside it")
				assert.Contains(t, says, "Most unlike "+r.likeName())
			}
			for _, f := range task.Figures() {
				assert.False(t, f.Away, f.ID)
				last := 0.0
				if f.ID == "chain" {
					for _, row := range f.Ranking.Rows {
						assert.GreaterOrEqual(t, row.Cells[0].Num, last)
						last = row.Cells[0].Num
						assert.NotEmpty(t, row.Says)
					}
				}
				for _, x := range f.Traces {
					assert.Equal(t, r.pair || r.mended.windows != nil, x.Ref != nil, "%s of %s: %s", x.ID, f.ID, answer)
				}
			}
		}
	}
}

// TestWhatLeftFirstHasAReason: whatever left first and is right as an answer is told
// with a why, be it a signal or what stands beside them.
func TestWhatLeftFirstHasAReason(t *testing.T) {
	links := []string{"seed=55"}
	for _, seed := range seedsOf() {
		links = append(links, linkOf(seed, ""))
	}
	for _, link := range links {
		_, task := told(t, link+"&mark=tell")
		r := task.(*hiddenRun)
		first, _ := r.firstOut()
		reasons := 0
		for _, d := range first {
			m := r.move(&r.run, d, len(r.run.windows))
			if e, _ := sim.Signature(r.hidden.lever); d < dialID(sim.NumSignals) && e.Moves[d] != m.move {
				continue // the matrix does not expect it
			}
			reasons++
			why := r.reason(d, m.move)
			assert.NotEmpty(t, why, "%s: %s %s under %s", link, d.words().name, goes(m.move), r.hidden.lever)
			assert.Contains(t, r.leftText(d, m), capital(why))
		}
		assert.Equal(t, len(first) > 0, reasons > 0, "%s: the matrix expects none of what left", link)
	}
	_, task := told(t, "seed=55&first=offered&cause=traffic_surge&mark=on")
	r := task.(*hiddenRun)
	require.Equal(t, "traffic_surge", r.hidden.lever)
	require.True(t, r.firstRight())
	first, _ := r.firstOut()
	assert.Equal(t, "offered: the surge itself", r.nearest(first), "the load is nearer to a surge than what it fills")
}

// TestLittleGainIsExplained: where a remedy leaves the goodput as it was because the
// failure does, that is said with the two numbers, and once.
func TestLittleGainIsExplained(t *testing.T) {
	for _, lever := range []string{"chunking_off", "prefix_collapse", "kv_squeeze"} {
		_, task := told(t, linkOf(seedOf(lever, 1), "&first=kv&remedy=mend&mark=on&cause="+lever))
		r := task.(*hiddenRun)
		_, keeps, bare := bestRemedy(lever)
		little := keeps-bare < littleGain && r.littleChange()
		assert.Equal(t, little, strings.Contains(task.Summary().String(), "hardly suffers"), lever)
		assert.LessOrEqual(t, strings.Count(r.remedyFeedback().String(), "hardly suffers"), 1)
		w := dialGoodput.words()
		if with := w.says(r.fromOnset(&r.mended)); with == w.says(r.fromOnset(&r.run)) {
			assert.NotContains(t, task.Summary().String(), "instead of", lever)
			assert.Contains(t, task.Summary().String(), "stays "+with, lever)
		}
		if lever == "chunking_off" {
			assert.True(t, little)
		}
	}
}

// TestLookAlikeIsSaid: drawing it says what it is and what tells it, so that the
// switch is heard too.
func TestLookAlikeIsSaid(t *testing.T) {
	for _, answer := range []string{"&first=kv&cause=straggler&mark=on", "&mark=tell"} {
		link := linkOf(seedOf("kv_squeeze", 1), answer)
		_, without := told(t, link)
		_, with := told(t, link+"&pair=on")
		says := with.Summary().String()
		assert.NotEqual(t, without.Summary().String(), says)
		assert.Contains(t, says, "Dashed: "+with.(*hiddenRun).likeName())
		assert.Contains(t, says, "Most unlike")
	}
}
