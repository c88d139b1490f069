package serving

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo/replica"
	"openloop/content/demotest"
	"openloop/content/tables"
	"openloop/sim"
)

// Both runs of each pair report the same tokens/s within 2%, over three seeds and,
// in the long test, ten, and the verdicts are opposite.
func TestFivePairs(t *testing.T) {
	seeds := 3
	if demotest.Long() {
		seeds = 10
	}
	d := demotest.Find(t, all, "five-things")
	for _, p := range fivePairs() {
		for seed := 1; seed <= seeds; seed++ {
			link := "thing=" + p.option.Name + "&seed=" + strconv.Itoa(seed)
			_, task := demotest.Run(t, d, link)
			r := task.(*fiveRun)
			assert.InDelta(t, 0, r.apart(), 2, link)
			assert.True(t, r.runs[0].meets(r.limit), "%s: the first misses the limit", link)
			assert.False(t, r.runs[1].meets(r.limit), "%s: the second meets the limit", link)
			for i := range r.runs {
				c := r.runs[i].counts
				assert.Equal(t, c.Sent, c.Completed, link)
			}
		}
	}
	// Under the other SLO the verdicts change places.
	for seed := 1; seed <= seeds; seed++ {
		_, task := demotest.Run(t, d, "thing=slo&on=itl&seed="+strconv.Itoa(seed))
		r := task.(*fiveRun)
		assert.False(t, r.runs[0].meets(r.limit))
		assert.True(t, r.runs[1].meets(r.limit))
	}
}

func TestPairsHaveEqualMeans(t *testing.T) {
	mean := func(v []int32) float64 {
		sum := 0.0
		for _, x := range v {
			sum += float64(x)
		}
		return sum / float64(len(v))
	}
	a, b := sixteenths(512, 512), sixteenths(6272, 128)
	for _, l := range []struct{ p, o []int32 }{{a.(sim.Joint).Prompt, a.(sim.Joint).Output}, {b.(sim.Joint).Prompt, b.(sim.Joint).Output}} {
		assert.Equal(t, 512.0, mean(l.p))
		assert.Equal(t, 192.0, mean(l.o))
	}
}

// Past capacity the mean follows the formula, once the seats are full; below
// it, it does not depend on the length.
func TestRunLength(t *testing.T) {
	d := demotest.Find(t, all, "run-length")
	for seed := 1; seed <= 3; seed++ {
		_, task := demotest.Run(t, d, "past=60&seed="+strconv.Itoa(seed))
		r := task.(*lengthRun)
		end := len(r.lengths) - 1
		assert.InEpsilon(t, r.fluid(float64(r.longest)), r.median(2, end), 0.15)
		assert.InEpsilon(t, r.median(0, r.at(50)), r.median(0, end), 0.1)
		assert.InDelta(t, 44.7, r.doneRate, 1.5)
	}
	// A cut leaves fewer lengths, and no empty mean.
	_, task := demotest.Run(t, d, "cut=60&longest=100")
	for _, load := range task.(*lengthRun).means {
		for _, seeds := range load {
			require.Len(t, seeds, 1)
			require.Positive(t, seeds[0])
		}
	}
}

// What needs no simulation, by hand: 512 tokens have 512*513/2 pairs.
func TestTracePrefill(t *testing.T) {
	d := demotest.Find(t, all, "real-traces")
	_, task := demotest.Run(t, d, "")
	assert.InDelta(t, 512*0.01602+131328*1.212e-6, demotest.Metric(t, task, "prefill_synthetic"), 1e-6)
	assert.InDelta(t, 400_000.0/576, demotest.Metric(t, task, "batch_synthetic"), 1e-6)
	for _, c := range task.(*traceRun).cases {
		assert.Equal(t, traceRequests, c.ended[sim.Completed], "%s: completed", c.name)
		// No batch is larger than what fits, beyond what short requests leave.
		assert.Less(t, c.running, min(replica.MaxSeqs, 1.2*c.batch), c.name)
	}
}

func TestHitAt(t *testing.T) {
	rows := []tables.CacheRow{{Tokens: 100, Hit: 0.1}, {Tokens: 300, Hit: 0.3}, {Tokens: 0, Hit: 0.5}}
	for tokens, want := range map[int]float64{50: 0.1, 100: 0.1, 200: 0.2, 300: 0.3, 1000: 0.5} {
		assert.InDelta(t, want, hitAt(rows, tokens), 1e-12, tokens)
	}
}

func TestMeasurementBets(t *testing.T) {
	for id, want := range map[string]int{"warm-up": 2, "run-length": 2, "real-traces": 2} {
		d := demotest.Find(t, all, id)
		_, task := demotest.Run(t, d, d.Bet.Reveal)
		assert.Equal(t, want, d.Bet.Answer(task), id)
	}
}
