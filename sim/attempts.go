package sim

// Attempts counts requests apart from the attempts at them. A row of Results is
// an attempt; where clients do not try again both are the same.
type Attempts struct {
	Requests  int64 // first sent in the window
	Retries   int64 // further attempts at them, whenever they were sent
	Answered  int64 // of the requests, with an attempt that completed
	Abandoned int64 // whose last attempt ended without an answer
	Open      int64 // whose last attempt had not ended when the run stopped
}

func attemptsOf(r *Results, w reportWindow) Attempts {
	var out Attempts
	last := make([]Status, len(r.Status)) // by first attempt: how the last one stands
	for i, s := range r.Status {
		first := i
		if len(r.Origin) > 0 {
			first = int(r.Origin[i])
		}
		last[first] = s
		if first != i && w.has(r.SentAt[first]) {
			out.Retries++
		}
	}
	for i := range r.Status {
		if r.Repeats(i) || !w.has(r.SentAt[i]) {
			continue
		}
		out.Requests++
		switch {
		case last[i] == Completed:
			out.Answered++
		case last[i].Final():
			out.Abandoned++
		default:
			out.Open++
		}
	}
	return out
}
