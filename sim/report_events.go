package sim

import "math"

// Counts and rates of a report.

func (out *Report) count(r *Results, w reportWindow) {
	var by [NumStatuses]int64
	for i, at := range r.SentAt {
		if w.has(at) {
			by[r.Status[i]]++
			out.Counts.Sent++
		}
	}
	c := &out.Counts
	c.Completed, c.Failed, c.TimedOut = by[Completed], by[Failed], by[TimedOut]
	c.Dropped, c.Running, c.Waiting = by[Dropped], by[Running], by[Waiting]
	c.Aborted = by[Aborted]
}

func (out *Report) rate(r *Results, w reportWindow) {
	var planned, completed, ended, prompt, first, tokens int64
	for i := range r.Status {
		if w.has(r.IntendedAt[i]) {
			planned++
		}
		if w.has(r.DoneAt[i]) {
			ended++
			if r.Status[i] == Completed {
				completed++
			}
		}
		if w.has(r.FirstTokenAt[i]) {
			prompt += int64(r.Prompt[i])
			first++
		}
		tokens += laterTokens(r, w, i)
	}
	out.Rates = Rates{
		Planned: w.perSec(planned), Sent: w.perSec(out.Counts.Sent), Completed: w.perSec(completed), Ended: w.perSec(ended),
		OutputTokens: w.perSec(first) + float64(w.perSec(tokens)/tokenParts), PromptTokens: w.perSec(prompt),
	}
	out.Rates.TotalTokens = out.Rates.OutputTokens + out.Rates.PromptTokens
}

// tokenParts is the unit in which shares of tokens are added: whole numbers,
// so that their sum does not depend on the order of the requests.
const tokenParts = 1 << 20

// laterTokens is how many of the tokens of request i after its first came in
// the window, in tokenParts, if they came evenly.
func laterTokens(r *Results, w reportWindow, i int) int64 {
	n := int64(r.Generated[i] - 1)
	first, last := r.FirstTokenAt[i], min(r.DoneAt[i], r.EndAt)
	switch {
	case n < 1 || first == Never:
		return 0
	case last == first && !w.has(first):
		return 0
	case last == first || first >= w.from && last <= w.to:
		return n * tokenParts
	}
	return portion(n*tokenParts, int64(w.overlap(first, last)), int64(last-first))
}

// busyFrac is exact over the whole run and over windows that begin and end
// with a sample; a sample cut by an end counts by the part inside.
func busyFrac(r *Results, w reportWindow, replicas int) float64 {
	if w.to == w.from {
		return math.NaN()
	}
	if w.wholeRun(r) {
		if replicas == 0 {
			replicas = replicasSeen(r)
		}
		return float64(r.Totals.BusyPicos) / float64(r.EndAt.Picos()) / float64(max(replicas, 1))
	}
	if len(r.Samples) == 0 {
		return math.NaN()
	}
	busy, length := 0.0, 0.0
	var from, last Nanos
	for _, s := range r.Samples {
		if s.At != last {
			from, last = last, s.At
		}
		part := float64(w.overlap(from, s.At))
		busy += float64(part * s.Busy)
		length += part
	}
	return busy / length
}

// replicasSeen is one more than the highest replica named.
func replicasSeen(r *Results) int {
	highest := int32(-1)
	for _, s := range r.Samples {
		highest = max(highest, s.Replica)
	}
	for _, i := range r.Replica {
		highest = max(highest, i)
	}
	return int(highest) + 1
}
