package sim

import "math"

// WarmUpLength is how much of the beginning of a run is unlike the rest.
type WarmUpLength struct {
	// Found is false if the rule could not tell: the series is too short, or
	// it is still changing in its second half. Then a longer run is needed,
	// and the other fields are 0.
	Found bool

	Values   int   // to leave out, from the start of the series; a multiple of 5
	Requests int   // to leave out, from the first sent
	Until    Nanos // when the first request that counts was sent

	Before float64 // mean of what is left out, in seconds; NaN if nothing is
	After  float64 // mean of the rest, in seconds
}

// The rule. A batch is 5 values; a run of fewer than 10 batches says nothing;
// the last 5 batches are no place to cut, because so few can agree by chance.
const (
	mserBatch     = 5
	mserFewest    = 10
	mserLeftAtEnd = 5
)

// MSER5 finds where a series settles: the marginal standard error rule on
// means of 5 (White, Simulation 69, 1997; White, Cobb and Spratt, Winter
// Simulation Conference 2000). Of all cuts it takes the one that makes the
// standard error of the mean of the rest smallest, (sum of squares about that
// mean) / (number left)^2: cutting a transient shrinks the sum faster than the
// number, cutting good data does not. A cut in the second half means that no
// steady state was seen, and ok is false. cut counts values.
//
// Its known failures: one extreme value late in the run draws the cut past it
// (hence the rule of the second half); a slow oscillation or strong
// correlation makes it cut too much; a transient smaller than the noise is not
// seen, so that cut = 0 means "not visible", not "none".
func MSER5(series []float64) (cut int, ok bool) {
	return mser5(len(series), func(i int) float64 { return series[i] })
}

func mser5(n int, at func(i int) float64) (cut int, ok bool) {
	batches := n / mserBatch
	if batches < mserFewest {
		return 0, false
	}
	batch := func(b int) float64 {
		sum := 0.0
		for i := b * mserBatch; i < (b+1)*mserBatch; i++ {
			sum += at(i)
		}
		return sum / mserBatch
	}
	// From the end, so that each batch is added once. Welford's update keeps
	// the digits where the mean is large against the spread.
	best, bestError := 0, 0.0
	mean, squares := 0.0, 0.0
	for b := batches - 1; b >= 0; b-- {
		left := float64(batches - b)
		x := batch(b)
		off := x - mean
		mean += off / left
		squares += float64(off * (x - mean))
		if batches-b <= mserLeftAtEnd {
			continue
		}
		err := squares / float64(left*left)
		if batches-b == mserLeftAtEnd+1 || err <= bestError {
			best, bestError = b, err // <= : of equal cuts the earliest
		}
	}
	return best * mserBatch, best <= batches/2
}

// FindWarmUp applies MSER5 to metric m of the requests that have it, in the
// order of sending. TTFT shows the queue filling and what the first requests
// pay, TPOT shows the batch filling.
func FindWarmUp(r *Results, m Metric, c Clock) WarmUpLength {
	var s Selector
	return findWarmUp(r, m, c, &s)
}

func findWarmUp(r *Results, m Metric, c Clock, s *Selector) WarmUpLength {
	s.Reset()
	s.grow(len(r.Status))
	for i := range r.Status {
		if span, ok := r.Latency(m, i, c); ok {
			s.Add(span)
		}
	}
	cut, ok := mser5(s.Len(), s.seconds)
	if !ok {
		return WarmUpLength{}
	}
	first := nthWith(r, m, cut)
	return WarmUpLength{
		Found: true, Values: cut, Requests: first, Until: r.SentAt[first],
		Before: meanSeconds(s.values[:cut]), After: meanSeconds(s.values[cut:]),
	}
}

// nthWith is the first request after n that have metric m; where
// nothing is left out it is request 0, whether it has one or not.
func nthWith(r *Results, m Metric, n int) int {
	for i := range r.Status {
		if n == 0 {
			return i
		}
		if _, ok := r.Latency(m, i, FromSent); ok {
			n--
		}
	}
	return len(r.Status) - 1
}

// meanSeconds is NaN for no values.
func meanSeconds(spans []int64) float64 {
	if len(spans) == 0 {
		return math.NaN()
	}
	var sum total
	for _, x := range spans {
		sum.add(x)
	}
	return sum.over(float64(len(spans))) / 1e9
}
