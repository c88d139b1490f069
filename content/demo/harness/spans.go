package harness

import (
	"slices"

	"openloop/content/demo/text"
	"openloop/sim"
)

// Latencies of a run, in seconds.

// spans are those of the requests that have one, the shortest first.
func spans(r *sim.Results, m sim.Metric, c sim.Clock) []float64 {
	out := make([]float64, 0, len(r.SentAt))
	for i := range r.SentAt {
		if span, ok := r.Latency(m, i, c); ok {
			out = append(out, span.Seconds())
		}
	}
	slices.Sort(out)
	return out
}

// loadGen is a percentile as MLPerf's LoadGen takes it: the value at the index
// floor(n·q), without interpolation, so that p99 of a hundred is the largest. 0
// for none.
func loadGen(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(float64(len(sorted))*q), len(sorted)-1)]
}

// linear is a percentile as numpy takes it, between two values that were
// observed. 0 for none.
func linear(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	at := float64(float64(len(sorted)-1) * q)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + float64((sorted[high]-sorted[low])*(at-float64(low)))
}

// duration is a span for prose: "37 ms", "1.6 s".
func duration(seconds float64, digits int) string {
	if seconds < 0.9995 {
		return text.Num(1000*seconds, digits) + " ms"
	}
	return text.Num(seconds, digits) + " s"
}

// completed counts the requests that got their answer.
func completed(r *sim.Results) (n int) {
	for _, s := range r.Status {
		if s == sim.Completed {
			n++
		}
	}
	return n
}

// mostInFlight is the largest number of requests in the system at one instant.
func mostInFlight(r *sim.Results) (most int) {
	sent, done := slices.Clone(r.SentAt), slices.Clone(r.DoneAt)
	slices.Sort(sent)
	slices.Sort(done)
	for i, ended := 0, 0; i < len(sent); i++ {
		for ended < len(done) && done[ended] <= sent[i] {
			ended++
		}
		most = max(most, i+1-ended)
	}
	return most
}

// inFlight is how many requests are in the system over time, as means over
// sixtieths of the longest run shown, in two columns. It ends with the last send,
// or with the last answer if everything was sent at the start.
func inFlight(r *sim.Results, until float64) (x, y []float64) {
	const points = 60
	change := make([]float64, points+1)
	at := func(t sim.Nanos) int { return min(int(t.Seconds()/until*points), points) }
	for i, sent := range r.SentAt {
		if sent == sim.Never {
			continue
		}
		done := r.DoneAt[i]
		if done == sim.Never {
			done = r.EndAt
		}
		// Its share of each step: a request that is there for half of one counts half.
		from, to := at(sent), at(done)
		width := until / points
		if from == to {
			change[from] += (done - sent).Seconds() / width
			continue
		}
		change[from] += (float64(float64(from+1)*width) - sent.Seconds()) / width
		for k := from + 1; k < to; k++ {
			change[k]++
		}
		change[to] += (done.Seconds() - float64(float64(to)*width)) / width
	}
	last := points
	for last > 0 && change[last-1] == 0 {
		last--
	}
	lastSent := sim.Nanos(0)
	for _, sent := range r.SentAt {
		lastSent = max(lastSent, sent)
	}
	if lastSent > 0 {
		last = min(last, at(lastSent)+1)
	}
	for k := range last {
		x, y = append(x, (float64(k)+0.5)*until/points), append(y, change[k])
	}
	return x, y
}
