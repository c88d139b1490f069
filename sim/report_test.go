package sim

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mixed is a run with every status in it, and clients that send late.
func mixed(seed uint64) *Results {
	due, service := fifoRandom(seed, 600, 2, 1.3)
	sent := slices.Clone(due)
	for i := range sent {
		sent[i] += Nanos(i%5) * Millisecond
		if i > 0 {
			sent[i] = max(sent[i], sent[i-1])
		}
	}
	r := fifo{servers: 2, maxWaiting: 30, patience: 12 * Second, horizon: due[550], sentAt: sent}.run(due, service)
	r.Status[5], r.AdmittedAt[5], r.FirstTokenAt[5], r.DoneAt[5], r.Generated[5] = Failed, Never, Never, r.SentAt[5], 0
	r.Output[7], r.Generated[7] = 1, 1
	return r
}

// TestReportByHand: three requests whose every number can be seen.
//
//	request  sent  admitted  first  done   output
//	0        0     0         1      11     11
//	1        4     11        12     21     10     (and due at 3)
//	2        10    -         -      14            gave up
func TestReportByHand(t *testing.T) {
	const s = Second
	r := &Results{
		IntendedAt: []Nanos{0, 3 * s, 10 * s}, SentAt: []Nanos{0, 4 * s, 10 * s}, AdmittedAt: []Nanos{0, 11 * s, Never},
		FirstTokenAt: []Nanos{1 * s, 12 * s, Never}, DoneAt: []Nanos{11 * s, 21 * s, 14 * s},
		Prompt: []int32{100, 200, 300}, Output: []int32{11, 10, 5}, Generated: []int32{11, 10, 0},
		Replica: []int32{0, 0, 0}, Client: []int32{-1, -1, -1}, Status: []Status{Completed, Completed, TimedOut}, EndAt: 21 * s,
	}
	r.Totals.BusyPicos = 21 * s.Picos() / 2
	for range 10 {
		r.ITL.Add(s.Picos(), 1)
	}
	rep := NewReport(r, ReportOptions{SLO: SLO{TTFT: 5 * s, TPOT: s}})
	assert.Equal(t, Counts{Sent: 3, Completed: 2, TimedOut: 1}, rep.Counts)
	assert.Equal(t, int64(1), rep.Counts.Lost())
	assert.Equal(t, []Nanos{0, 21 * s}, []Nanos{rep.From, rep.To})
	assert.Equal(t, Rates{
		Planned: 3.0 / 21, Sent: 3.0 / 21, Completed: 2.0 / 21, Ended: 3.0 / 21,
		OutputTokens: 21.0 / 21, PromptTokens: 300.0 / 21, TotalTokens: 1 + 300.0/21,
	}, rep.Rates)
	assert.Equal(t, Goodput{PerSec: 1.0 / 21, Good: 1, Frac: 1.0 / 3}, rep.Goodput)
	assert.Equal(t, Little{InFlight: 32.0 / 21, PerSec: 3.0 / 21, Seconds: 32.0 / 3}, rep.Little)
	assert.Equal(t, 0.5, rep.BusyFrac)
	assert.Equal(t, int64(2), rep.TTFT.Count)
	assert.Equal(t, int64(1), rep.TTFT.Lost)
	assert.Equal(t, 4.5, rep.TTFT.Mean)
	assert.Equal(t, []Nanos{1 * s, 8 * s}, []Nanos{rep.TTFT.Min, rep.TTFT.Max})
	assert.Equal(t, 1.0, rep.TPOT.Mean)
	assert.Equal(t, 14.0, rep.E2E.Mean)
	assert.Equal(t, 3.5, rep.QueueTime.Mean)
	assert.Equal(t, ReasonTooFew, rep.Verdict.Reason)
	assert.Equal(t, 1.0, rep.ITL.Mean)
	p99, ok := rep.TTFT.At(0.99)
	require.True(t, ok)
	assert.Equal(t, Quantile{Q: 0.99, Value: 8 * s, Lo: 8 * s, Hi: Never}, p99, "both of two values lie below p99 in 98% of cases")
	_, ok = rep.TTFT.At(0.123)
	assert.False(t, ok)

	assert.Equal(t, rep.TTFT.Quantiles, NewDist(r, TTFT, ReportOptions{}).Quantiles)

	planned := NewReport(r, ReportOptions{Clock: FromIntended, LostAreNever: true})
	assert.Equal(t, 33.0/21, planned.Little.InFlight)
	assert.True(t, math.IsInf(planned.TTFT.Mean, 1))
	assert.Equal(t, Never, planned.TTFT.Max)
	assert.Equal(t, []Nanos{9 * s, Never, Never}, []Nanos{planned.TTFT.Quantiles[0].Value, planned.TTFT.Quantiles[1].Value, planned.TTFT.Quantiles[2].Value})

	// The window [4, 12): request 1 and 2 were sent in it, 0 ended in it; its
	// tokens 4 to 11 came in it (1 a second from 1 to 11).
	part := NewReport(r, ReportOptions{From: 4 * s, To: 12 * s, SLO: SLO{TTFT: 2 * s}})
	assert.Equal(t, Counts{Sent: 2, Completed: 1, TimedOut: 1}, part.Counts)
	assert.Equal(t, 1.0/8, part.Rates.Completed)
	assert.Equal(t, 7.0/8, part.Rates.OutputTokens)
	assert.Equal(t, 0.0, part.Rates.PromptTokens)
	assert.Equal(t, Little{InFlight: 17.0 / 8, PerSec: 1.0 / 8, Seconds: 11, CarriedIn: 4.0 / 8, LeftOver: 10.0 / 8}, part.Little)
	assert.Equal(t, Goodput{PerSec: 1.0 / 8}, part.Goodput, "request 0 ended in time here, request 1 was sent here")
	assert.True(t, math.IsNaN(part.BusyFrac))
	assert.Equal(t, int64(1), part.TTFT.Count)
}

func TestLatency(t *testing.T) {
	r := fifo{}.run([]Nanos{5}, []Nanos{1000})
	r.SentAt[0], r.FirstTokenAt[0], r.Output[0], r.Generated[0] = 7, 997, 4, 4
	for _, c := range []struct {
		m    Metric
		c    Clock
		want Nanos
	}{{TTFT, FromSent, 990}, {TTFT, FromIntended, 992}, {E2E, FromSent, 998}, {E2E, FromIntended, 1000}, {QueueTime, FromIntended, 0}, {TPOT, FromSent, 3}} {
		got, ok := r.Latency(c.m, 0, c.c)
		assert.True(t, ok)
		assert.Equal(t, c.want, got, "metric %d clock %d", c.m, c.c) // TPOT is 8/3
	}
	_, ok := r.Latency(numMetrics, 0, FromSent)
	assert.False(t, ok)
}

func TestSLO(t *testing.T) {
	r := fifo{}.run([]Nanos{0}, []Nanos{10 * Second}) // TTFT 1 s, TPOT 0.9 s, E2E 10 s
	for _, c := range []struct {
		slo  SLO
		want bool
	}{
		{SLO{}, true},
		{SLO{TTFT: Second, TPOT: 900 * Millisecond, E2E: 10 * Second}, true}, // at the limit
		{SLO{TTFT: Second - 1}, false},
		{SLO{TPOT: 900*Millisecond - 1}, false},
		{SLO{E2E: 10*Second - 1}, false},
	} {
		assert.Equal(t, c.want, c.slo.Met(r, 0, FromSent), "%+v", c.slo)
	}
	r.Output[0], r.Generated[0] = 1, 1
	assert.True(t, SLO{TPOT: 1}.Met(r, 0, FromSent), "one token has no TPOT")
	r.Status[0] = TimedOut
	assert.False(t, SLO{}.Met(r, 0, FromSent))
	assert.True(t, SLO{}.Empty())
}

// TestReportLaws checks over random runs and windows what must always hold.
func TestReportLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for seed := range uint64(20) {
		r := mixed(seed)
		from := Nanos(rng.Int64N(int64(r.EndAt / 2)))
		for _, o := range []ReportOptions{
			{}, {Clock: FromIntended}, {Rule: Linear}, {LostAreNever: true},
			{From: from, To: from + r.EndAt/4}, {From: from}, {From: from, To: from + r.EndAt/3, Clock: FromIntended},
		} {
			o.SLO = SLO{TTFT: 3 * Second}
			rep := NewReport(r, o)
			c := rep.Counts
			assert.Equal(t, c.Sent, c.Completed+c.Failed+c.TimedOut+c.Dropped+c.Running+c.Waiting)
			l := rep.Little
			assert.InEpsilon(t, l.InFlight, l.PerSec*l.Seconds-l.CarriedIn+l.LeftOver, 1e-9, "Little")
			assert.LessOrEqual(t, rep.Goodput.PerSec, rep.Rates.Completed)
			assert.LessOrEqual(t, rep.Goodput.Good, c.Completed)
			assert.LessOrEqual(t, rep.Rates.Completed, rep.Rates.Ended)
			assert.Equal(t, c.Completed, rep.E2E.Count)
			assert.Equal(t, c.Sent-c.Completed, rep.E2E.Lost)
			for _, d := range []Dist{rep.TTFT, rep.TPOT, rep.E2E, rep.QueueTime} {
				last := d.Min
				for _, q := range d.Quantiles {
					assert.LessOrEqual(t, last, q.Value)
					assert.LessOrEqual(t, q.Value, d.Max)
					last = q.Value
				}
				if !math.IsInf(d.Mean, 1) {
					assert.True(t, d.Min.Seconds() <= d.Mean && d.Mean <= d.Max.Seconds())
				}
			}
		}
		whole := NewReport(r, ReportOptions{})
		tokens := int64(0)
		for _, n := range r.Generated {
			tokens += int64(n)
		}
		assert.InEpsilon(t, float64(tokens), whole.Rates.OutputTokens*r.EndAt.Seconds(), 1e-12)
		// Windows that cover the run add up to it.
		cut := NewReport(r, ReportOptions{To: from})
		rest := NewReport(r, ReportOptions{From: from})
		assert.Equal(t, whole.Counts.Sent, cut.Counts.Sent+rest.Counts.Sent)
		assert.InEpsilon(t, float64(tokens), cut.Rates.OutputTokens*from.Seconds()+rest.Rates.OutputTokens*(r.EndAt-from).Seconds(), 1e-5)
	}
}

// TestReportDoesNotDependOnOrder permutes the requests. Only what is made of
// their order of sending may change: batch means and warm-up.
func TestReportDoesNotDependOnOrder(t *testing.T) {
	r := mixed(1)
	o := ReportOptions{From: r.EndAt / 5, To: r.EndAt / 2, SLO: SLO{TTFT: 2 * Second}}
	want := orderless(NewReport(r, o))
	rng := rand.New(rand.NewPCG(1, 3))
	for range 5 {
		rng.Shuffle(len(r.Status), func(i, j int) {
			for _, col := range [][]Nanos{r.IntendedAt, r.SentAt, r.AdmittedAt, r.FirstTokenAt, r.DoneAt} {
				col[i], col[j] = col[j], col[i]
			}
			for _, col := range [][]int32{r.Prompt, r.Output, r.Generated} {
				col[i], col[j] = col[j], col[i]
			}
			r.Status[i], r.Status[j] = r.Status[j], r.Status[i]
		})
		assert.Equal(t, want, orderless(NewReport(r, o)))
	}
}

func orderless(rep Report) Report {
	rep.WarmUp, rep.Warnings = [2]WarmUpLength{}, nil
	if math.IsNaN(rep.BusyFrac) {
		rep.BusyFrac = -1
	}
	for _, d := range []*Dist{&rep.TTFT, &rep.TPOT, &rep.E2E, &rep.QueueTime} {
		d.MeanInterval = Interval{}
	}
	return rep
}

// TestReportOfLostRequests: leaving the lost out makes overload look better
// than it is; counting them as never does not.
func TestReportOfLostRequests(t *testing.T) {
	due, service := fifoRandom(3, 2000, 1, 1.5)
	r := fifo{patience: 5 * Second}.run(due, service)
	left := NewReport(r, ReportOptions{})
	counted := NewReport(r, ReportOptions{LostAreNever: true})
	assert.Less(t, left.TTFT.Quantiles[2].Value, 20*Second)
	assert.Equal(t, Never, counted.TTFT.Quantiles[2].Value)
	assert.Equal(t, left.TTFT.Lost, counted.TTFT.Lost)
}

func TestBusyFrac(t *testing.T) {
	r := fifo{}.run(evenly(10, 2*Second), alike(10, Second)) // busy every other second until 19
	assert.InDelta(t, 10.0/19, NewReport(r, ReportOptions{}).BusyFrac, 1e-12)
	assert.InDelta(t, 5.0/19, NewReport(r, ReportOptions{Replicas: 2}).BusyFrac, 1e-12)
	for k := Nanos(1); k <= 10; k++ {
		at := min(k*2*Second, r.EndAt)
		r.Samples = append(r.Samples, Sample{At: at, Replica: 0, Busy: 1}, Sample{At: at, Replica: 1, Busy: 0.5})
	}
	assert.InDelta(t, 0.75, NewReport(r, ReportOptions{From: 3 * Second, To: 8 * Second}).BusyFrac, 1e-12)
	assert.InDelta(t, 5.0/19, NewReport(r, ReportOptions{}).BusyFrac, 1e-12, "two replicas are named now")
}

// codes lists the warnings' codes, each once.
func codes(ws []Warning) []WarningCode {
	var out []WarningCode
	for _, w := range ws {
		if !slices.Contains(out, w.Code) {
			out = append(out, w.Code)
		}
	}
	slices.Sort(out)
	return out
}

func TestWarnings(t *testing.T) {
	const s = Second
	slowStart := alike(2000, s/10)
	for i := range 40 {
		slowStart[i] = s * 9 / 10
	}
	steady := fifo{}.run(evenly(2000, s), alike(2000, s/2))
	lost := func(every int) *Results {
		r := fifo{}.run(evenly(2000, s), alike(2000, s/2))
		for i := 0; i < 2000; i += every {
			r.Status[i], r.Generated[i] = TimedOut, 3
		}
		return r
	}
	late := func(by Nanos) *Results {
		sent := evenly(2000, s)
		for i := range sent {
			sent[i] += by
		}
		return fifo{sentAt: sent}.run(evenly(2000, s), alike(2000, s/2))
	}
	for _, c := range []struct {
		name string
		r    *Results
		o    ReportOptions
		want []WarningCode
	}{
		{"nothing to say", steady, ReportOptions{}, nil},
		{"empty", &Results{}, ReportOptions{}, []WarningCode{EmptyWindow}},
		{"beyond the end", steady, ReportOptions{From: 9000 * s}, []WarningCode{EmptyWindow, ITLIsWholeRun}},
		{"just enough", fifo{}.run(evenly(1000, s), alike(1000, s/2)), ReportOptions{}, nil},
		{"few", fifo{}.run(evenly(200, s), alike(200, s/2)), ReportOptions{}, []WarningCode{FewBeyond}},
		{"very few", fifo{}.run(evenly(60, s), alike(60, s/2)), ReportOptions{}, []WarningCode{FewBeyond, IsMaximum}},
		{"warm-up inside", fifo{}.run(evenly(2000, s), slowStart), ReportOptions{}, []WarningCode{StartsInWarmUp}},
		{"warm-up cut off", fifo{}.run(evenly(2000, s), slowStart), ReportOptions{From: 40 * s}, []WarningCode{ITLIsWholeRun, BusyIsUnknown}},
		{"short window", fifo{servers: 1000}.run(evenly(2000, s), alike(2000, 400*s)), ReportOptions{}, []WarningCode{ShortWindow}},
		{"unfinished", fifo{horizon: 1990 * s, servers: 9}.run(evenly(2000, s), alike(2000, 5*s)), ReportOptions{}, []WarningCode{UnfinishedAtEnd}},
		{"one in forty lost", lost(40), ReportOptions{}, []WarningCode{LossAboveOne}},
		{"one in eight lost", lost(8), ReportOptions{}, []WarningCode{LossAboveFive}},
		{"sent late", late(20 * Millisecond), ReportOptions{}, []WarningCode{SentLate}},
		{"sent very late", late(100 * Millisecond), ReportOptions{}, []WarningCode{SentVeryLate}},
		{"sent very late, by the plan", late(100 * Millisecond), ReportOptions{Clock: FromIntended}, nil},
		{"closed", steady, ReportOptions{ClosedLoop: true}, []WarningCode{NoOverloadShown}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := NewReport(c.r, c.o).Warnings
			assert.Equal(t, c.want, codes(got), "%+v", got)
		})
	}
	over := NewReport(fifo{}.run(evenly(2000, s), alike(2000, s*6/5)), ReportOptions{})
	assert.Equal(t, []WarningCode{BatchesTooShort, WarmUpNotFound, MeansGrowWithRun}, codes(over.Warnings))
}

// TestReportOptions: bad ones are the caller's error, odd windows are not.
func TestReportOptions(t *testing.T) {
	r := mixed(2)
	assert.Panics(t, func() { NewReport(r, ReportOptions{Level: 2}) })
	assert.Panics(t, func() { NewReport(r, ReportOptions{Level: math.NaN()}) })
	assert.Panics(t, func() { NewReport(r, ReportOptions{Quantiles: []float64{2}}) })
	for _, o := range []ReportOptions{{From: 5 * Second, To: 5 * Second}, {From: 9 * Second, To: 2 * Second}, {From: -5, To: -1}, {From: Never}, {From: -Never}, {To: Never}} {
		rep := NewReport(r, o)
		assert.LessOrEqual(t, rep.From, rep.To)
		assert.False(t, math.IsNaN(rep.Rates.Sent) || math.IsInf(rep.Rates.OutputTokens, 0))
	}
	// All at one instant, and nothing takes any time.
	zero := &Results{
		IntendedAt: []Nanos{0}, SentAt: []Nanos{0}, AdmittedAt: []Nanos{Never}, FirstTokenAt: []Nanos{Never}, DoneAt: []Nanos{0},
		Prompt: []int32{1}, Output: []int32{1}, Generated: []int32{0}, Replica: []int32{-1}, Client: []int32{-1}, Status: []Status{Failed},
	}
	rep := NewReport(zero, ReportOptions{})
	assert.Equal(t, int64(1), rep.Counts.Failed)
	assert.Equal(t, Rates{}, rep.Rates)
}
