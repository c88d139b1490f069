package failing

import "openloop/sim"

// What demos want of a run beyond its windows. A report of package sim has it
// all, and would bring all of it into the module.

// inTime is the share of the requests sent in [from, to) that met an SLO; what
// was lost or has not ended counts against it.
func inTime(r *sim.Results, from, to sim.Nanos, slo sim.SLO) float64 {
	met, sent := 0, 0
	for i, at := range r.SentAt {
		if at < from || at >= to {
			continue
		}
		sent++
		if slo.Met(r, i, sim.FromSent) {
			met++
		}
	}
	return float64(met) / float64(max(sent, 1))
}

// attempts counts requests, attempts after the first, and requests that an
// attempt completed for.
func attempts(r *sim.Results) (requests, retries, answered int) {
	for i, s := range r.Status {
		if r.Repeats(i) {
			retries++
		} else {
			requests++
		}
		if s == sim.Completed {
			answered++
		}
	}
	return requests, retries, answered
}
