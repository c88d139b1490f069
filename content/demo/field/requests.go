package field

import (
	"math"
	"slices"

	"openloop/sim"
)

// What demos want of a run beyond its windows. A report of package sim has it
// all, and would bring all of it into the module.

// firstTokens are the times to first token of the requests sent from an instant
// on that have one, in seconds, rising.
func firstTokens(r *sim.Results, from sim.Nanos) []float64 {
	var out []float64
	for i, at := range r.SentAt {
		if span, ok := r.Latency(sim.TTFT, i, sim.FromSent); ok && at >= from {
			out = append(out, span.Seconds())
		}
	}
	slices.Sort(out)
	return out
}

// quantile of rising values by nearest rank; NaN of none.
func quantile(x []float64, q float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	return x[max(int(math.Ceil(float64(q*float64(len(x))))), 1)-1]
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, y := range x {
		sum += y
	}
	return sum / float64(len(x))
}

// completedRate is the requests completed a second from an instant on.
func completedRate(r *sim.Results, from sim.Nanos) float64 {
	n := 0
	for i, at := range r.DoneAt {
		if r.Status[i] == sim.Completed && at >= from {
			n++
		}
	}
	return float64(n) / (r.EndAt - from).Seconds()
}

// outputRate is the tokens generated a second over the whole run.
func outputRate(r *sim.Results) float64 {
	n := int64(0)
	for _, tokens := range r.Generated {
		n += int64(tokens)
	}
	return float64(n) / r.EndAt.Seconds()
}
