package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// drain takes all requests of a source; the caller says how each ends.
func drain(t *testing.T, s Source, end func(i int32, r *Spec) (Nanos, Status)) []Spec {
	t.Helper()
	var all []Spec
	for {
		if _, ok := s.Next(); !ok {
			return all
		}
		var r Spec
		s.Take(&r)
		all = append(all, r)
		require.Less(t, len(all), 10_000)
		at, status := end(int32(len(all)-1), &r)
		s.Ended(int32(len(all)-1), at, status)
	}
}

// TestRetryByHand: one request, refused each time: after 1 s, 2 s, 4 s again,
// and after the fourth attempt no more.
func TestRetryByHand(t *testing.T) {
	w := Workload{
		Generator: OpenLoop{Constant{1}}, Lengths: Separate{FixedCount(7), FixedCount(3)}, Requests: 1,
		Shared: SharedPrefixes{Prefixes: 1, Tokens: 4, Share: 1},
		Retry:  Retry{Attempts: 4, Backoff: sec, Factor: 2},
	}
	s, err := NewSource(w, 1)
	require.NoError(t, err)
	all := drain(t, s, func(_ int32, r *Spec) (Nanos, Status) { return r.SentAt, Dropped })
	require.Len(t, all, 4)
	for k, at := range inSeconds(0, 1, 3, 7) {
		r := all[k]
		assert.Equal(t, at, r.SentAt)
		assert.Equal(t, []any{Nanos(0), int32(k), int32(0), int32(11), int32(3)}, []any{r.IntendedAt, r.Attempt, r.Origin, r.Prompt, r.Output})
		assert.Equal(t, all[0].Prefix, r.Prefix)
	}
	w.Retry.Jitter = 0.5
	s, _ = NewSource(w, 1)
	for k, r := range drain(t, s, func(_ int32, r *Spec) (Nanos, Status) { return r.SentAt, TimedOut })[1:] {
		assert.LessOrEqual(t, r.SentAt, []Nanos{sec, 3 * sec, 7 * sec}[k])
		assert.GreaterOrEqual(t, r.SentAt, []Nanos{sec / 2, 3 * sec / 2, 7 * sec / 2}[k])
	}
}

// TestRetryBudget: of 1,000 requests that all fail, with two retries for each
// 10 and 10 saved up, no more than 210 are tried again. Those that can never run
// are not tried again at all.
func TestRetryBudget(t *testing.T) {
	w := Workload{
		Generator: OpenLoop{Constant{10}}, Lengths: Separate{FixedCount(7), FixedCount(3)}, Requests: 1000,
		Retry: Retry{Attempts: 5, Backoff: sec, Budget: 0.2},
	}
	for _, c := range []struct {
		status Status
		budget float64
		want   int
	}{{TimedOut, 0.2, 1210}, {Aborted, 0, 5000}, {Failed, 0, 1000}, {Completed, 0, 1000}} {
		w.Retry.Budget = c.budget
		s, err := NewSource(w, 1)
		require.NoError(t, err)
		got := len(drain(t, s, func(_ int32, r *Spec) (Nanos, Status) { return r.SentAt, c.status }))
		assert.LessOrEqual(t, got, c.want)
		assert.GreaterOrEqual(t, got, c.want-10)
	}
}

// TestRetriesInClosedLoop: a client does not send its next request before the
// last attempt at this one has ended.
func TestRetriesInClosedLoop(t *testing.T) {
	w := Workload{
		Generator: ClosedLoop{Clients: 2}, Lengths: Separate{FixedCount(7), FixedCount(3)}, Requests: 20,
		Retry: Retry{Attempts: 3},
	}
	s, err := NewSource(w, 1)
	require.NoError(t, err)
	open := map[int32]int32{}
	drain(t, s, func(i int32, r *Spec) (Nanos, Status) {
		if r.Attempt == 0 {
			assert.NotContains(t, open, r.Client)
			open[r.Client] = i
		} else {
			assert.Equal(t, open[r.Client], r.Origin)
		}
		if r.Attempt == 2 {
			delete(open, r.Client)
		}
		return r.SentAt + sec, TimedOut
	})
}

// TestAttemptsByHand: A is answered at its second attempt, B never.
func TestAttemptsByHand(t *testing.T) {
	r := &Results{
		SentAt: inSeconds(0, 1, 2, 3), IntendedAt: inSeconds(0, 1, 0, 1), AdmittedAt: inSeconds(0, 1, 2, 3), FirstTokenAt: []Nanos{Never, Never, 4 * sec, Never},
		DoneAt: inSeconds(2, 3, 5, 5), Prompt: []int32{1, 1, 1, 1}, Output: []int32{1, 1, 1, 1}, Generated: []int32{0, 0, 1, 0},
		Client: []int32{-1, -1, -1, -1}, Replica: []int32{0, 0, 0, 0}, Status: []Status{TimedOut, TimedOut, Completed, TimedOut},
		Origin: []int32{0, 1, 0, 1}, EndAt: 5 * sec,
	}
	rep := NewReport(r, ReportOptions{})
	assert.Equal(t, Attempts{Requests: 2, Retries: 2, Answered: 1, Abandoned: 1}, rep.Attempts)
	assert.Equal(t, Counts{Sent: 4, Completed: 1, TimedOut: 3}, rep.Counts)
	r.Origin = nil
	assert.Equal(t, Attempts{Requests: 4, Answered: 1, Abandoned: 3}, NewReport(r, ReportOptions{}).Attempts)
}

// TestShiftsByHand: one request a second; from 10 to 20 twice as many; answers
// of 10 tokens grow to 30; and half of the prompts are long.
func TestShiftsByHand(t *testing.T) {
	w := Workload{
		Generator: OpenLoop{Constant{1}}, Lengths: Separate{FixedCount(7), FixedCount(10)}, Until: 30 * sec,
		Shared: SharedPrefixes{Prefixes: 1, Tokens: 4, Share: 1},
		Shifts: []Shift{
			{Span: Span{10 * sec, 20 * sec}, Rate: 2, Outputs: 3},
			{Span: Span{15 * sec, 20 * sec}, LongShare: 1, LongTokens: 100, PrefixLoss: 1},
		},
	}
	s, err := NewSource(w, 1)
	require.NoError(t, err)
	all := drain(t, s, func(_ int32, r *Spec) (Nanos, Status) { return r.SentAt, Completed })
	require.Len(t, all, 40)
	for i, r := range all {
		at := float64(i)
		switch {
		case i >= 30:
			at = float64(i) - 10
		case i >= 10:
			at = 10 + float64(i-10)/2
		}
		assert.Equal(t, Seconds(at), r.SentAt)
		output, prompt, shared := 10.0, int32(11), 1
		if at >= 10 && at < 20 {
			output = 10 * (1 + 2*(at-10)/10)
			if at >= 15 {
				prompt, shared = 100, 0
			}
		}
		assert.Equal(t, int32(output+0.5), r.Output)
		assert.Equal(t, prompt, r.Prompt)
		assert.Len(t, r.Prefix, shared)
	}
}
