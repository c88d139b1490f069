package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestQueriesByHand: queries of two samples, of which the third has lost one
// and the fourth was cut short by the end of the run.
func TestQueriesByHand(t *testing.T) {
	const s = Second
	r := &Results{
		IntendedAt:   []Nanos{0, 0, 5 * s, 5 * s, 9 * s, 9 * s, 12 * s},
		SentAt:       []Nanos{0, 0, 6 * s, 6 * s, 9 * s, 9 * s, 12 * s},
		AdmittedAt:   []Nanos{0, 0, 6 * s, 6 * s, 9 * s, Never, 12 * s},
		FirstTokenAt: []Nanos{1 * s, 1 * s, 7 * s, 7 * s, 10 * s, Never, 13 * s},
		DoneAt:       []Nanos{5 * s, 3 * s, 8 * s, 9 * s, 12 * s, 9 * s, 13 * s},
		Prompt:       make([]int32, 7), Output: make([]int32, 7), Generated: make([]int32, 7), Replica: make([]int32, 7),
		Client: make([]int32, 7), Status: []Status{Completed, Completed, Completed, Completed, Completed, Dropped, Completed}, EndAt: 13 * s,
	}
	q := NewReport(r, ReportOptions{SamplesPerQuery: 2}).Query
	assert.Equal(t, []int64{2, 2}, []int64{q.Count, q.Lost})
	assert.Equal(t, []Nanos{3 * s, 5 * s}, []Nanos{q.Min, q.Max}, "the later of 5 s and 3 s, and of 2 s and 3 s after the send")
	assert.Equal(t, 4.0, q.Mean)

	q = NewReport(r, ReportOptions{SamplesPerQuery: 2, Clock: FromIntended, From: 5 * s, To: 9 * s}).Query
	assert.Equal(t, []int64{1, 0}, []int64{q.Count, q.Lost})
	assert.Equal(t, 4*s, q.Max)

	assert.Zero(t, NewReport(r, ReportOptions{}).Query, "no queries")
	one := NewReport(r, ReportOptions{SamplesPerQuery: 1})
	assert.Equal(t, []any{one.E2E.Count, one.E2E.Mean, one.E2E.Quantiles}, []any{one.Query.Count, one.Query.Mean, one.Query.Quantiles}, "queries of one sample are requests")
}

// TestMultiStreamQueries: queries of a MultiStream run follow one another
// without a gap, so that their latencies add up to the run.
func TestMultiStreamQueries(t *testing.T) {
	const samples, requests = 8, 400
	src, err := NewSource(Workload{
		Generator: MLPerfMultiStream{samples}, Requests: requests,
		Lengths: Separate{NormalCount{512, 256, 16, 2048}, NormalCount{192, 96, 1, 768}},
	}, 1)
	require.NoError(t, err)
	s, err := New(p8Config(), src, 1)
	require.NoError(t, err)
	s.Run()
	r := s.Results()
	rep := NewReport(r, ReportOptions{SamplesPerQuery: samples})
	assert.EqualValues(t, requests/samples, rep.Query.Count)
	assert.InDelta(t, r.EndAt.Seconds(), rep.Query.Mean*requests/samples, 1e-9)
	assert.Greater(t, rep.Query.Mean, rep.E2E.Mean*1.2, "the slowest of eight")
	assert.Equal(t, rep.E2E.Max, rep.Query.Max)
}
