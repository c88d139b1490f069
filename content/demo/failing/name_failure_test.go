package failing

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	page "openloop/content/demo/draw"
	"openloop/content/demo/text"
	"openloop/content/demotest"
	"openloop/sim"
	"openloop/sim/diagnose"
)

func hiddenDemo(t *testing.T) *demo.Demo { return demotest.Find(t, Training(), "name-the-failure") }

// seedOf is the first seed from one on whose case, of all fourteen, is a lever.
func seedOf(lever string, from uint32) uint32 {
	for drawCase(from, "clear", "all").lever != lever {
		from++
	}
	return from
}

// seedsOf is a seed for each lever and for none.
func seedsOf() map[string]uint32 {
	out := map[string]uint32{noLever: seedOf(noLever, 1)}
	for _, l := range sim.Levers() {
		out[l.ID] = seedOf(l.ID, 1)
	}
	return out
}

func linkOf(seed uint32, more string) string {
	return "among=all&seed=" + text.Shortest(float64(seed)) + more
}

// told is a run of a case with an answer; the run of the case itself is made once.
func told(t *testing.T, link string) (demo.State, demo.Task) {
	t.Helper()
	s, problems := demo.Parse(hiddenDemo(t), link)
	require.Empty(t, problems)
	round := s.Round().String()
	if cases[round] == nil {
		_, cases[round] = demotest.Run(t, s.Demo, round)
	}
	task, err := demo.StartFrom(cases[round], s)
	require.NoError(t, err)
	demo.Finish(task)
	require.Nil(t, demo.Stand(s, task))
	return s, task
}

var cases = map[string]demo.Task{}

// TestCasesAreDrawnEvenly: over many seeds each lever, and none, is hidden about as
// often, on each cluster that it may be on; every case can be run, and ends within
// the run; how hard it is changes nothing but the strength.
func TestCasesAreDrawnEvenly(t *testing.T) {
	const seeds = 6000
	for _, c := range []struct {
		among  string
		levers int
	}{{"all", len(sim.Levers()) + 1}, {"few", len(few)}} {
		count, bases, onset := map[string]int{}, map[string]int{}, map[sim.Nanos]int{}
		for seed := uint32(1); seed <= seeds; seed++ {
			h := drawCase(seed, "clear", c.among)
			count[h.lever]++
			bases[h.base]++
			onset[h.from]++
			require.True(t, h.from < h.to && h.to < sim.HealthySpan, "seed %d", seed)
			faint := drawCase(seed, "faint", c.among)
			faint.strength = h.strength
			require.Equal(t, h, faint)
			require.True(t, h.possible(h.lever), "seed %d", seed)
			if seed <= 200 {
				_, err := h.plan(h.lever, seed).scenario(baseOf(h.base))
				require.NoError(t, err, "seed %d", seed)
			}
		}
		require.Len(t, count, c.levers, c.among)
		for lever, n := range count {
			assert.InDelta(t, 1, float64(n*c.levers)/seeds, 0.25, "%s of %s", lever, c.among)
		}
		assert.Len(t, onset, onsets)
		if c.among == "few" {
			assert.Equal(t, map[string]int{onFour: seeds}, bases)
			continue
		}
		assert.Len(t, bases, 3)
		alone := float64(count["slow_kv_link"]) / float64(bases[onPools])
		assert.Less(t, alone, 0.4, "pools give the slow link away")
		alone = float64(count["retry_storm"]) / float64(bases[onImpatient])
		assert.Less(t, alone, 0.4, "impatient clients give the storm away")
	}
}

// TestEveryLookAlikeRuns: any failure that can be named and is possible on the
// cluster of a case can be run there.
func TestEveryLookAlikeRuns(t *testing.T) {
	for _, base := range []string{onFour, onImpatient, onPools} {
		for _, strength := range []float64{clearStrength, faintStrength} {
			h := hidden{base: base, strength: strength, from: 40 * sim.Second, to: 80 * sim.Second}
			for _, l := range append(sim.Levers(), sim.Lever{ID: noLever}) {
				for _, r := range remedies() {
					if r.id == "together" && !h.possible(l.ID) {
						continue // it takes the link away, and its failure with it
					}
					p := h.plan(l.ID, 1)
					p.remedy = r.id
					_, err := p.scenario(baseOf(base))
					assert.Equal(t, h.possible(l.ID), err == nil, "%s on %s with %s", l.ID, base, r.id)
				}
			}
		}
	}
}

// TestScore: the right answer is worth 1, each part its share, a wrong one nothing,
// and no answer nothing; whichever of several left first is right.
func TestScore(t *testing.T) {
	d := hiddenDemo(t)
	for lever, seed := range seedsOf() {
		_, task := told(t, linkOf(seed, ""))
		_, marked := task.(demo.Scored).Score()
		require.False(t, marked)
		r := task.(*hiddenRun)
		firsts, at := r.firstOut()
		right := []string{nothingLeft}
		if at >= 0 {
			right = nil
			for _, first := range firsts {
				right = append(right, first.words().id)
			}
		}
		isRight := func(first string) bool {
			for _, x := range right {
				if x == first {
					return true
				}
			}
			return false
		}
		var run demo.Task = task
		for _, first := range d.Knobs[d.Index("first")].Options {
			for _, cause := range []string{lever, "straggler", "cold_start", noLever, notSaid} {
				want := 0.0
				if cause == lever {
					want += 0.7
				}
				if isRight(first.Name) {
					want += 0.3
				}
				// without a run of its own: the answer to a wrong cause is another test's
				probe := *run.(*hiddenRun)
				probe.marked, probe.first, probe.cause = true, first.Name, cause
				got, marked := probe.Score()
				assert.True(t, marked)
				assert.InDelta(t, want, got, 1e-15, "%s: %s, %s", lever, first.Name, cause)
			}
		}
		link := linkOf(seed, "&mark=on&first="+right[len(right)-1]+"&cause="+lever)
		_, all := told(t, link)
		assert.Equal(t, 1.0, demotest.Metric(t, all, "score"), link)
	}
}

// TestNothingIsToldBefore: until the answer is marked neither the frame of the page
// nor any file has the name of what is hidden, when it begins, or where it is seen.
func TestNothingIsToldBefore(t *testing.T) {
	for lever, seed := range seedsOf() {
		for _, more := range []string{"", "&first=queue&remedy=kv", "&level=faint", "&at=60", "&mark=on"} {
			s, task := told(t, linkOf(seed, more))
			frame, _ := page.Frame(s, task)
			var told strings.Builder
			told.Write(frame)
			told.Write(demo.CSV(s, task))
			told.Write(demo.JSON(s, task))
			told.Write(demo.Text(s, task))
			all := told.String()
			names := []string{`"round"`, "failure</text>", "matrix has"}
			for _, l := range sim.Levers() {
				names = append(names, l.ID, l.Name, l.Breaks)
			}
			for _, w := range whys {
				for _, clause := range w.clauses {
					if clause != "" {
						names = append(names, clause)
					}
				}
			}
			for _, name := range names {
				assert.NotContains(t, all, name, "%s: %s", lever, s)
			}
			assert.Empty(t, task.Events())
			for _, name := range []string{"score", "cause_right", "first_right", "hidden", "onset", "goodput_from", "goodput_remedied"} {
				assert.True(t, math.IsNaN(demotest.Metric(t, task, name)), name)
			}
			for _, f := range task.Figures() {
				assert.Empty(t, f.Bands)
				assert.Empty(t, f.Marks)
				for _, x := range f.Traces {
					assert.False(t, x.Band || x.Left != 0 || x.Says != "" || x.Ref != nil || x.Hi != 0, "%s of %s", x.ID, f.ID)
				}
			}
		}
	}
}

// TestRulesReadTheCases: a case can be told from its shape, because the rules, which
// see the windows and nothing else, can.
func TestRulesReadTheCases(t *testing.T) {
	right, n := 0, 0
	for _, level := range []string{"clear", "faint"} {
		for lever, seed := range seedsOf() {
			_, task := told(t, linkOf(seed, "&level="+level))
			r := task.(*hiddenRun)
			n++
			if r.read.Verdict == verdictOf(lever) {
				right++
			} else {
				t.Log(level, lever, "on", r.hidden.base, "is read as", r.read.Verdict)
			}
			if at := 0; lever != noLever {
				_, at = r.firstOut()
				assert.GreaterOrEqual(t, at, 0, "%s %s: nothing leaves its band", level, lever)
			}
		}
	}
	assert.GreaterOrEqual(t, float64(right), 0.9*float64(n), "of %d", n)
}

// TestSeparate: what tells a failure from another is what speaks for it, of a real
// run; and of two that are the same nothing does.
func TestSeparate(t *testing.T) {
	h := hidden{lever: "kv_squeeze", base: onFour, strength: 1, from: 40 * sim.Second, to: 80 * sim.Second}
	s, err := h.plan(h.lever, 3).scenario(baseOf(onFour))
	require.NoError(t, err)
	x, err := s.New(3)
	require.NoError(t, err)
	x.Run()
	w := watchRun(x.Results(), s, sim.HealthySLO, 0).windows
	for _, c := range []struct {
		is, other string
		sign      diagnose.Sign
		verdict   sim.Move
	}{
		{"kv_squeeze", "traffic_surge", diagnose.KVPerRequest, sim.Up},
		{"kv_squeeze", diagnose.Healthy, diagnose.KVPerRequest, sim.Up},
	} {
		got := diagnose.Separate(w, c.is, c.other)
		require.True(t, got.HasSign)
		assert.Equal(t, c.sign.Key(), got.Sign.Key(), c.other)
		assert.Positive(t, got.Points)
		assert.True(t, got.Found.Known)
		assert.Equal(t, c.verdict, got.Verdict)
	}
	assert.LessOrEqual(t, diagnose.Separate(w, diagnose.Healthy, diagnose.Healthy).Points, 0.0)
}

// TestFirstCasesDiffer: who begins with the first preset and goes on to the next
// case meets five cases of which no two are the same.
func TestFirstCasesDiffer(t *testing.T) {
	d := nameTheFailure()
	s, problems := demo.Parse(d, d.Presets[0].State)
	require.Empty(t, problems)
	seen := map[string]bool{}
	for k := range uint32(5) {
		seen[drawCase(s.Seed+k, s.Values.Option("level"), s.Values.Option("among")).lever] = true
	}
	assert.Len(t, seen, 5)
	assert.True(t, seen[noLever], "nothing is an answer")
}
