package sim

// queries is a run with a row for each query of so many samples instead of a
// row for each sample. A query starts with its first sample and ends with its
// last; it completes if all of its samples do, and is else what the first of
// the others is. One that the end of the run cut short is Waiting.
func queries(r *Results, samples int) *Results {
	q := &Results{EndAt: r.EndAt}
	n := len(r.Status)
	for first := 0; first < n; first += samples {
		past := min(first+samples, n)
		done, status := r.DoneAt[first], r.Status[first]
		for i := first + 1; i < past; i++ {
			done = max(done, r.DoneAt[i])
			if status == Completed {
				status = r.Status[i]
			}
		}
		if past < first+samples && status == Completed {
			done, status = Never, Waiting
		}
		q.IntendedAt = append(q.IntendedAt, r.IntendedAt[first])
		q.SentAt = append(q.SentAt, r.SentAt[first])
		q.DoneAt = append(q.DoneAt, done)
		q.Status = append(q.Status, status)
	}
	return q
}
