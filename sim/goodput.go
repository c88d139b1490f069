package sim

// SLO is what a client was promised. A limit of 0 is no limit, and the zero
// SLO is met by every request that completes.
type SLO struct {
	TTFT, TPOT, E2E Nanos // most; a request exactly at a limit meets it
}

// Empty says that nothing was promised.
func (s SLO) Empty() bool { return s == SLO{} }

// Met says whether request i completed within every limit. An answer of one
// token has no TPOT and meets any limit on it.
func (s SLO) Met(r *Results, i int, c Clock) bool {
	return r.Status[i] == Completed &&
		within(s.TTFT, r, TTFT, i, c) && within(s.TPOT, r, TPOT, i, c) && within(s.E2E, r, E2E, i, c)
}

func within(limit Nanos, r *Results, m Metric, i int, c Clock) bool {
	if limit == 0 {
		return true
	}
	span, ok := r.Latency(m, i, c)
	return !ok || span <= limit
}

// Goodput counts the requests that met every limit. It is not throughput: a
// system that finishes everything late has none.
type Goodput struct {
	PerSec  float64 // requests that completed in the window, in time, per second
	Good    int64   // requests sent in the window that completed in time
	Pending int64   // sent in the window and not ended when the run stopped: may still become good
	Frac    float64 // Good / sent in the window; what was lost or is pending counts against it
}

func goodput(r *Results, w reportWindow, slo SLO, c Clock, counts Counts) Goodput {
	out := Goodput{Pending: counts.Unfinished()}
	var done int64
	for i := range r.Status {
		if !slo.Met(r, i, c) {
			continue
		}
		if w.has(r.DoneAt[i]) {
			done++
		}
		if w.has(r.SentAt[i]) {
			out.Good++
		}
	}
	out.PerSec = w.perSec(done)
	if counts.Sent > 0 {
		out.Frac = float64(out.Good) / float64(counts.Sent)
	}
	return out
}
