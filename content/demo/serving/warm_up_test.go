package serving

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/content/demotest"
)

func TestWarmUpPresets(t *testing.T) {
	d := demotest.Find(t, all, "warm-up")
	metric := func(link, name string) float64 {
		_, task := demotest.Run(t, d, link)
		return demotest.Metric(t, task, name)
	}
	// Cold: the first ten seconds report far too little, and a long wait.
	assert.Less(t, metric("", "tokens_off"), -25.0)
	assert.Greater(t, metric("", "ttft_ratio"), 4.0)
	assert.InDelta(t, 5, metric("", "paid"), 1)
	// Compiled, the batch has still to fill; the first token does not show it.
	assert.Less(t, metric("start=warm", "tokens_off"), -10.0)
	assert.InDelta(t, 1, metric("start=warm", "ttft_ratio"), 0.1)
	assert.Zero(t, metric("start=warm", "paid"))
	// A minute after the start all is well but for the size that comes at 70 s.
	assert.InDelta(t, 0, metric("cut=60&length=60", "tokens_off"), 3)
	assert.InDelta(t, 70, metric("", "mser"), 1)
	assert.Greater(t, metric("cut=60&length=60", "ttft_p99"), 2*metric("cut=60&length=60", "ttft_p99_long"))
	// A cold prefix cache shows in the first token.
	assert.Greater(t, metric("prefixes=200&rate=20&start=warm&seeds=on", "ttft_off_seeds"), 15.0)
}

// Every window in whole seconds: what the third figure says of a start is what
// a window there reports.
func TestWarmUpAnswers(t *testing.T) {
	d := demotest.Find(t, all, "warm-up")
	_, task := demotest.Run(t, d, "length=20")
	s := task.(*warmUpRun).seeds[0]
	for _, cut := range []string{"0", "7", "60"} {
		_, task := demotest.Run(t, d, "length=20&cut="+cut)
		r := task.(*warmUpRun)
		assert.Equal(t, s.answers[r.cut], r.seeds[0].window[warmTokens], cut)
	}
}

// The long run below capacity gives what is offered, and requests are
// conserved.
func TestWarmUpLongRun(t *testing.T) {
	d := demotest.Find(t, all, "warm-up")
	_, task := demotest.Run(t, d, "seeds=on&cut=60&length=60")
	r := task.(*warmUpRun)
	assert.Len(t, r.seeds, warmUpSeeds)
	// 30 requests/s of 195.5 tokens: the clipped normal has a mean above 192.
	assert.InEpsilon(t, 30*195.5, r.over(warmTokens).long, 0.02)
	for _, s := range r.seeds {
		c := s.counts
		assert.Equal(t, c.Sent, c.Completed+c.Lost()+c.Unfinished())
		assert.True(t, s.interval[warmTokens].Lo < s.window[warmTokens] && s.window[warmTokens] < s.interval[warmTokens].Hi)
	}
	// No interval from a window that is too short for one.
	_, task = demotest.Run(t, d, "cut=0&length=45")
	assert.True(t, math.IsInf(task.(*warmUpRun).seeds[0].interval[warmTTFT].Hi, 1))
}

// Where the queue does not end there is no long run to compare to, and the
// figure still holds what it draws.
func TestWarmUpUnsteady(t *testing.T) {
	d := demotest.Find(t, all, "warm-up")
	for link, want := range map[string]string{
		"": "", "rate=40": "", "prefixes=200&rate=20": "",
		"prefixes=200": "at its limit, and 150 s there are not a long run", "prefixes=400": "overloaded: there is no long run",
	} {
		_, task := demotest.Run(t, d, link)
		r := task.(*warmUpRun)
		assert.Equal(t, want, r.seeds[0].unsteady, link)
		assert.Equal(t, want != "", math.IsNaN(demotest.Metric(t, task, "ttft_ratio")), link)
		f := task.Figures()[1]
		assert.LessOrEqual(t, largest(f.Series[1].Hi), f.Y.Max, link)
		assert.LessOrEqual(t, f.Marks[0].At, f.Y.Max, link)
		assert.True(t, r.paidEarly > 0 && r.paidEarly <= r.seeds[0].paid, link)
	}
}
