package sim

// A latency of one request is the span between two of its instants. Which
// instant starts it is a choice, and the choice decides what an overloaded
// system looks like: see Clock.

// Clock is the instant from which latency counts.
type Clock uint8

// The clocks. In an open loop both agree. A throttled generator holds requests
// back while the system is slow; from the actual send that wait is invisible
// (coordinated omission).
const (
	FromSent     Clock = iota // when it was sent
	FromIntended              // when the plan wanted it sent
)

// Metric is a latency that every request has at most once.
type Metric uint8

// The metrics.
const (
	TTFT      Metric = iota // FirstTokenAt - start: of every request that got a first token, however it ended
	TPOT                    // (DoneAt - FirstTokenAt) / (Generated - 1), to the nearest ns; completed, two tokens or more
	E2E                     // DoneAt - start: of completed requests
	QueueTime               // AdmittedAt - start: of every request that was admitted
	numMetrics
)

// StartAt is when the clock of request i starts.
func (r *Results) StartAt(i int, c Clock) Nanos {
	if c == FromIntended {
		return r.IntendedAt[i]
	}
	return r.SentAt[i]
}

// Latency is metric m of request i; ok is false if the request has none.
func (r *Results) Latency(m Metric, i int, c Clock) (span Nanos, ok bool) {
	switch m {
	case TTFT:
		return spanTo(r.FirstTokenAt[i], r.StartAt(i, c))
	case QueueTime:
		return spanTo(r.AdmittedAt[i], r.StartAt(i, c))
	case E2E:
		return r.DoneAt[i] - r.StartAt(i, c), r.Status[i] == Completed
	case TPOT:
		gaps := Nanos(r.Generated[i] - 1)
		if r.Status[i] != Completed || gaps < 1 {
			return 0, false
		}
		return (r.DoneAt[i] - r.FirstTokenAt[i] + gaps/2) / gaps, true
	}
	return 0, false
}

func spanTo(at, start Nanos) (Nanos, bool) { return at - start, at != Never }

// undefined says that request i cannot have metric m even if all goes well: an
// answer of one token has no time per further token.
func (r *Results) undefined(m Metric, i int) bool { return m == TPOT && r.Output[i] < 2 }
