package serving

import (
	"openloop/content/demo/text"
	"openloop/sim"
)

// The latencies of a part of a run.

// sentIn says which requests were sent in [from, to).
func sentIn(r *sim.Results, from, to sim.Nanos) (picked []int) {
	for i, at := range r.SentAt {
		if at >= from && at < to {
			picked = append(picked, i)
		}
	}
	return picked
}

// sample is a set of latencies.
type sample struct {
	selector sim.Selector
	sum      float64 // s
}

// latencies are those of some requests; who has none is left out.
func latencies(r *sim.Results, m sim.Metric, c sim.Clock, of []int) *sample {
	s := new(sample)
	for _, i := range of {
		if span, ok := r.Latency(m, i, c); ok {
			s.selector.Add(span)
			s.sum += span.Seconds()
		}
	}
	return s
}

// mean is in seconds; 0 for none.
func (s *sample) mean() float64 { return s.sum / float64(max(1, s.selector.Len())) }

// at are the quantiles in seconds, by nearest rank; 0 for an empty sample.
func (s *sample) at(qs ...float64) []float64 {
	out := make([]float64, len(qs))
	if s.selector.Len() == 0 {
		return out
	}
	for i, q := range s.selector.Quantiles(nil, qs, sim.NearestRank, 0.95) {
		out[i] = q.Value.Seconds()
	}
	return out
}

// ended counts how some requests ended.
func ended(r *sim.Results, of []int) (by [sim.NumStatuses]int) {
	for _, i := range of {
		by[r.Status[i]]++
	}
	return by
}

// endedText is a line of counts, for a note: every request is in one of them.
func endedText(by [sim.NumStatuses]int) string {
	return text.Whole(by[sim.Completed]) + " completed, " + text.Whole(by[sim.Failed]) + " failed, " + text.Whole(by[sim.TimedOut]) + " timed out, " +
		text.Whole(by[sim.Dropped]+by[sim.Aborted]) + " dropped, " + text.Whole(by[sim.Waiting]+by[sim.Running]) + " still in the system"
}

// duration is a span for prose: "37 ms", "1.6 s".
func duration(seconds float64, digits int) string {
	if seconds < 0.9995 {
		return text.Num(1000*seconds, digits) + " ms"
	}
	return text.Num(seconds, digits) + " s"
}

// timesThe compares an amount: "37 times the prefill", "the same prefill".
func timesThe(x float64, what string) string {
	if text.Num(x, 2) == "1" {
		return "the same " + what
	}
	return times(x) + " the " + what
}

// times is a ratio for prose: "37 times".
func times(x float64) string { return text.Num(x, 2) + " times" }
