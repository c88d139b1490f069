package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// metShare is the share of the requests sent after the first 20 s that met an
// SLO, and the share of the time that the replicas were busy in.
func metShare(t *testing.T, s Scenario, seed uint64, slo SLO) (met, busy float64) {
	t.Helper()
	r := leverRun(t, s, seed)
	report := NewReport(r, ReportOptions{From: 20 * Second, To: 100 * Second, SLO: slo})
	return report.Goodput.Frac, report.BusyFrac
}

// TestBusyPair: the dial that shows utilization reads the same, and goodput is
// at least three times apart.
func TestBusyPair(t *testing.T) {
	healthy, thrashing := BusyPair()
	for seed := range uint64(5) {
		good, goodBusy := metShare(t, healthy, seed, PresetSLO)
		bad, badBusy := metShare(t, thrashing, seed, PresetSLO)
		assert.Greater(t, goodBusy, 0.99)
		assert.Greater(t, badBusy, 0.99)
		assert.Greater(t, good, 0.95)
		assert.Greater(t, good, 3*bad, "healthy %v, thrashing %v", good, bad)
		r := leverRun(t, thrashing, seed)
		assert.Greater(t, r.Totals.Preempted, int64(len(r.Status)/4), "it preempts")
		assert.Zero(t, leverRun(t, healthy, seed).Totals.Preempted)
	}
}

// TestLongPromptTwice: both look the same from the queue; each has a remedy
// that does nothing for the other.
func TestLongPromptTwice(t *testing.T) {
	moreKV := func(s Scenario) Scenario { s.Config.Engine.KVBlocks *= 2; return s }
	faster := func(s Scenario) Scenario {
		c := s.Config.Engine.Cost.(LinearCost)
		c.PerPrefillToken /= 2
		s.Config.Engine.Cost = c
		return s
	}
	as := func(s Scenario) Scenario { return s }
	kv, prefill := LongPromptPair()
	slo := SLO{TTFT: PresetSLO.TTFT}
	for _, c := range []struct {
		name   string
		s      Scenario
		remedy func(Scenario) Scenario
		helps  bool
	}{
		{"short of KV", kv, as, false},
		{"short of KV, more KV", kv, moreKV, true},
		{"short of KV, faster prefill", kv, faster, false},
		{"short of prefill", prefill, as, false},
		{"short of prefill, more KV", prefill, moreKV, false},
		{"short of prefill, faster prefill", prefill, faster, true},
	} {
		for seed := range uint64(3) {
			met, _ := metShare(t, c.remedy(c.s), seed, slo)
			if c.helps {
				assert.Greater(t, met, 0.95, "%s: seed %d", c.name, seed)
			} else {
				assert.Less(t, met, 0.5, "%s: seed %d", c.name, seed)
			}
		}
	}
}

// TestRetryStorm: the stall is over and the load is as before, and goodput
// stays below half of what it was, because the replicas work on answers that
// nobody waits for any more. With a budget for retries the same stall passes.
func TestRetryStorm(t *testing.T) {
	p := defaultPull(&retryStorm)
	stallEnds := p.From + (p.To-p.From)/stallPart
	base := Healthy(retryStorm.ID)
	// Late in the run: long after the stall. The clock is the user's.
	late := func(r *Results) float64 {
		s := NewSeries(r, SeriesOptions{SLO: SLO{E2E: 10 * Second}, Clock: FromIntended})
		sum, n := 0.0, 0
		for k, at := range s.At {
			if at > stallEnds+20*Second {
				sum += s.Goodput[k]
				n++
			}
		}
		return sum / float64(n)
	}
	thrifty := base
	thrifty.Workload.Retry.Budget = 0.1
	for seed := range uint64(5) {
		before := late(leverRun(t, base, seed))
		storm, calm := leverRun(t, base, seed, p), leverRun(t, thrifty, seed, p)
		assert.Greater(t, before, 25.0)
		assert.Less(t, late(storm), before/2, "seed %d", seed)
		assert.Greater(t, late(calm), 0.9*before, "seed %d", seed)
		a := NewReport(storm, ReportOptions{}).Attempts
		assert.Greater(t, a.Retries, a.Requests/4)
		b := NewReport(calm, ReportOptions{}).Attempts
		assert.LessOrEqual(t, float64(b.Retries), 0.1*float64(b.Requests)+RetryBurst)
		assert.Greater(t, b.Answered, a.Answered)
	}
}
