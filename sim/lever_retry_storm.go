package sim

import "slices"

// Clients that ask again when they get no answer, and a trigger: no step starts
// for the first fifth of the window. The clients ask again for the whole run;
// without a trigger they have no reason to. Their backoff and budget are those
// of the workload.
var retryStorm = Lever{
	ID: "retry_storm", Name: "retry storm", Breaks: "a short stall, and clients that ask again",
	Unit: "attempts at a request", Low: 2, High: 100, Default: 4, Start: leverStart, End: leverEnd,
	pull: func(p *Pull, s *Scenario, c *checker) {
		if s.Config.Timeout == 0 {
			c.fail("Timeout", "0 ns", "above 0 for retry_storm: clients that wait for ever do not ask again")
		}
		if float64(int(p.Intensity)) != p.Intensity {
			c.fail("Intensity", floatText(p.Intensity), "a whole number")
		}
		s.Workload.Retry.Attempts = max(s.Workload.Retry.Attempts, int(p.Intensity))
		s.Config.Pauses = joinPause(s.Config.Pauses, Span{p.From, p.From + max(1, (p.To-p.From)/stallPart)})
	},
}

const stallPart = 5

// joinPause adds a pause to a list in order, and joins those that overlap.
func joinPause(pauses []Span, add Span) []Span {
	pauses = append(pauses, add)
	slices.SortFunc(pauses, func(a, b Span) int {
		if a.From < b.From {
			return -1
		}
		return b2i(a.From > b.From)
	})
	out := pauses[:1]
	for _, p := range pauses[1:] {
		if last := &out[len(out)-1]; p.From <= last.To {
			last.To = max(last.To, p.To)
		} else {
			out = append(out, p)
		}
	}
	return out
}
