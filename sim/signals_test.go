package sim

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSignalTable(t *testing.T) {
	names := map[string]bool{}
	for id := range NumSignals {
		s := id.Describe()
		assert.Equal(t, id, s.ID)
		assert.False(t, names[s.Name], s.Name)
		names[s.Name] = true
		assert.NotEmpty(t, s.Definition)
		assert.Contains(t, s.VLLM, "vllm:")
		assert.Contains(t, s.SGLang, "sglang:")
		assert.False(t, strings.HasSuffix(s.Definition, "."), "a phrase, to stand in a table")
	}
	assert.Len(t, names, 8)
}

// TestSeriesByHand: two replicas, two windows of 10 s, a last one of 5 s.
func TestSeriesByHand(t *testing.T) {
	const s = Second
	never := Sample{TTFTp99: Never, ITLp99: Never}
	a, b := never, never
	a.At, a.Replica, a.Waiting, a.Running, a.UsedBlocks, a.Preempted = 10*s, 0, 3, 5, 80, 2
	a.Busy, a.Hit, a.LookedUp, a.DraftSteps, a.Accepted, a.ITLp99 = 1, 30, 100, 10, 15, 20*Millisecond
	b.At, b.Replica, b.Waiting, b.Running, b.UsedBlocks, b.Preempted = 10*s, 1, 0, 4, 20, 1
	b.Busy, b.Hit, b.LookedUp, b.DraftSteps, b.Accepted, b.ITLp99 = 0.5, 0, 50, 10, 5, 50*Millisecond
	idle := func(at Nanos, replica int32) Sample { x := never; x.At, x.Replica = at, replica; return x }
	r := &Results{
		Samples: []Sample{a, b, idle(20*s, 0), idle(20*s, 1), idle(25*s, 0), idle(25*s, 1)},
		SentAt:  []Nanos{0, 1 * s, 10 * s, 20 * s}, IntendedAt: []Nanos{0, 0, 10 * s, 20 * s}, AdmittedAt: []Nanos{0, s, 10 * s, 20 * s},
		FirstTokenAt: []Nanos{2 * s, 5 * s, 10 * s, Never}, DoneAt: []Nanos{10 * s, 10*s + 1, 25 * s, Never},
		Output: []int32{1, 1, 1, 1}, Generated: []int32{1, 1, 1, 0}, Status: []Status{Completed, Completed, Completed, Running}, EndAt: 25 * s,
	}
	got := NewSeries(r, SeriesOptions{KVBlocks: 100, SLO: SLO{TTFT: 3 * s}})
	nan := math.NaN()
	for name, c := range map[string]struct{ got, want []float64 }{
		"queue":      {got.Signal[QueueDepth], []float64{3, 0, 0}},
		"TTFT":       {got.Signal[TTFTp99], []float64{4, nan, nan}}, // pooled: 2, 4, 0
		"ITL":        {got.Signal[ITLp99], []float64{0.05, nan, nan}},
		"running":    {got.Signal[RunningBatch], []float64{9, 0, 0}},
		"KV":         {got.Signal[KVOccupancy], []float64{0.8, 0, 0}},
		"preemption": {got.Signal[PreemptionRate], []float64{0.3, 0, 0}},
		"hit":        {got.Signal[PrefixHit], []float64{0.2, nan, nan}}, // not the mean of 0.3 and 0
		"accepted":   {got.Signal[AcceptedLength], []float64{2, nan, nan}},
		"busy":       {got.Busy, []float64{0.75, 0, 0}},
		"KV mean":    {got.KVMean, []float64{0.5, 0, 0}},
		"offered":    {got.Offered, []float64{0.3, 0.1, 0}},
		"completed":  {got.Completed, []float64{0.1, 0.1, 0.2}},
		"goodput":    {got.Goodput, []float64{0.1, 0, 0.2}}, // the second one's TTFT was 4 s
		"imbalance":  {got.Imbalance, []float64{16.0 / 12, nan, nan}},
	} {
		assert.Len(t, c.got, 3)
		for k := range c.want {
			if math.IsNaN(c.want[k]) {
				assert.True(t, math.IsNaN(c.got[k]), "%s %d: %v", name, k, c.got[k])
			} else {
				assert.InDelta(t, c.want[k], c.got[k], 1e-12, "%s %d", name, k)
			}
		}
	}
	assert.Equal(t, []Nanos{10 * s, 20 * s, 25 * s}, got.At)
	assert.True(t, math.IsNaN(NewSeries(r, SeriesOptions{}).Signal[KVOccupancy][0]))
	planned := NewSeries(r, SeriesOptions{Clock: FromIntended})
	assert.Equal(t, 5.0, planned.Signal[TTFTp99][0])
	assert.Empty(t, NewSeries(&Results{}, SeriesOptions{}).At)
	r.Samples = nil
	assert.Empty(t, NewSeries(r, SeriesOptions{}).At)
}

// TestSeriesAgainstReport: TTFT of each window is that of the requests, and
// windows add up to the run.
func TestSeriesAgainstReport(t *testing.T) {
	r := mixed(4)
	rng := rand.New(rand.NewPCG(4, 4))
	width := r.EndAt / 17
	for at := width; ; at += width {
		at = min(at, r.EndAt)
		r.Samples = append(r.Samples, Sample{At: at, ITLp99: Never, TTFTp99: Nanos(rng.Int64())})
		if at == r.EndAt {
			break
		}
	}
	s := NewSeries(r, SeriesOptions{})
	sent, completed, from := 0.0, 0.0, Nanos(0)
	for k, at := range s.At {
		sent += s.Offered[k] * (at - from).Seconds()
		completed += s.Completed[k] * (at - from).Seconds()
		var spans []Nanos
		for i, first := range r.FirstTokenAt {
			if first <= at && (first > from || k == 0) {
				spans = append(spans, first-r.SentAt[i])
			}
		}
		slices.Sort(spans)
		if n := len(spans); n > 0 {
			assert.Equal(t, spans[int(math.Ceil(0.99*float64(n)))-1].Seconds(), s.Signal[TTFTp99][k])
		} else {
			assert.True(t, math.IsNaN(s.Signal[TTFTp99][k]))
		}
		from = at
	}
	rep := NewReport(r, ReportOptions{})
	assert.InDelta(t, float64(rep.Counts.Sent), sent, 1e-6)
	assert.InDelta(t, float64(rep.Counts.Completed), completed, 1e-6)
}

// TestPooledPercentileBound: the largest of the replicas' p99 is at least the
// p99 of all, which is what UpperMost relies on.
func TestPooledPercentileBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for range 500 {
		var all Selector
		most := Nanos(0)
		for range 1 + rng.IntN(6) {
			var one Selector
			scale := 1 + rng.Int64N(1000)
			for range 1 + rng.IntN(300) {
				x := Nanos(rng.Int64N(scale))
				one.Add(x)
				all.Add(x)
			}
			most = max(most, one.Quantiles(nil, []float64{0.99}, NearestRank, 0.95)[0].Value)
		}
		assert.LessOrEqual(t, all.Quantiles(nil, []float64{0.99}, NearestRank, 0.95)[0].Value, most)
	}
}
