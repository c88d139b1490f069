package sim

import "math"

// A report is what a reader sees of a run: numbers, what they rest on, and
// doubts. It holds no text.
//
// Who counts. Counts, latencies and the share of goodput are of the requests
// SENT in the window, whenever they ended, so that a slow request does not
// fall out by being slow. Rates are of the EVENTS in the window, whoever they
// belong to. The window is [From, To); one that reaches the end of the run
// includes the events of its last instant. Requests that were never sent, for
// example because a throttled client still held them when the run stopped, are
// not in Results and count nowhere.

// ReportOptions says what to report. The zero value reports the whole run from
// actual sends, with p50, p90 and p99 by nearest rank.
type ReportOptions struct {
	From, To Nanos // the window; To 0 or past the end is the end of the run
	SLO      SLO
	Clock    Clock
	Rule     Rule

	Quantiles []float64 // each in [0,1]; nil is 0.5, 0.9, 0.99
	Level     float64   // of all intervals, in (0,1); 0 is 0.95
	Batches   int       // of batch means; 0 is 20

	// LostAreNever counts a request that has not got its first token, or not
	// ended well, as one with an infinite latency, instead of leaving it out.
	LostAreNever bool

	Replicas   int  // 0: as many as the results name
	ClosedLoop bool // the source was one; known without asking if every request has a client
}

// Report is a run in numbers.
type Report struct {
	From, To Nanos // the window as used
	Clock    Clock
	Rule     Rule
	Level    float64

	Counts  Counts
	Rates   Rates
	Goodput Goodput
	Little  Little

	TTFT, TPOT, E2E, QueueTime Dist
	ITL                        ITLDist // of the whole run

	BusyFrac float64 // share of the window in which a replica had a step in progress, mean over replicas; NaN if unknown
	Verdict  Verdict
	WarmUp   [2]WarmUpLength // of the whole run, by TTFT and by TPOT
	Warnings []Warning
}

// Counts says how the requests sent in the window stood when the run stopped.
type Counts struct {
	Sent      int64 // the sum of those below
	Completed int64
	Failed    int64
	TimedOut  int64
	Dropped   int64
	Running   int64
	Waiting   int64
}

// Lost is how many ended without completing.
func (c Counts) Lost() int64 { return c.Failed + c.TimedOut + c.Dropped }

// Unfinished is how many had not ended.
func (c Counts) Unfinished() int64 { return c.Running + c.Waiting }

// Rates are events in the window per second.
type Rates struct {
	Planned   float64 // requests due by the plan
	Sent      float64
	Completed float64 // request throughput
	Ended     float64 // however

	// OutputTokens are the tokens generated. Instants of tokens between the
	// first and the end of a request are not recorded; they are taken as
	// evenly spread. Over the whole run the number is exact.
	OutputTokens float64
	PromptTokens float64 // prompts whose first token came in the window
	TotalTokens  float64 // both: what tools call total token throughput
}

// Little checks Little's law: requests in the system = rate * time in it. Over
// a run that starts and ends empty it is exact. Over any window it is exact
// with what the ends cut off:
//
//	InFlight = PerSec*Seconds - CarriedIn + LeftOver
type Little struct {
	InFlight  float64 // L: mean number of requests in the system, over the window
	PerSec    float64 // X: requests that ended in the window, per second
	Seconds   float64 // W: their mean time in the system; 0 if there are none
	CarriedIn float64 // time that they had spent before the window, per second of the window
	LeftOver  float64 // time spent in the window by those that ended later, per second of the window
}

// Dist is the distribution of a latency over the requests that have it.
type Dist struct {
	Metric    Metric
	Count     int64   // values
	Lost      int64   // requests sent in the window that should have one and have none
	Mean      float64 // in seconds; 0 if there is no value, +Inf if lost ones count
	Min, Max  Nanos   // Never if there is no value
	Quantiles []Quantile

	// MeanInterval is by batch means in the order of sending, in seconds.
	MeanInterval Interval
}

// At is the quantile q, one of those asked for; ok is false for any other.
func (d *Dist) At(q float64) (at Quantile, ok bool) {
	for _, x := range d.Quantiles {
		if x.Q == q {
			return x, true
		}
	}
	return Quantile{}, false
}

// ITLDist is the distribution of the gaps between tokens, pooled over
// requests, so that long answers weigh more. Its mean is not the mean TPOT.
type ITLDist struct {
	Count     int64
	Mean      float64 // in seconds
	Max       Picos
	Quantiles []BinQuantile
}

// BinQuantile is a nearest-rank quantile known to lie in [Lo, Hi).
type BinQuantile struct {
	Q      float64
	Lo, Hi Picos
}

// NewReport reads results; it does not change or keep them.
func NewReport(r *Results, o ReportOptions) Report {
	o.fill()
	out := Report{Clock: o.Clock, Rule: o.Rule, Level: o.Level}
	w := newReportWindow(r, o.From, o.To)
	out.From, out.To = w.from, w.to
	out.count(r, w)
	out.rate(r, w)
	out.Goodput = goodput(r, w, o.SLO, o.Clock, out.Counts)
	out.Little = littleOf(r, w, o.Clock)
	out.BusyFrac = busyFrac(r, w, o.Replicas)
	var s Selector
	s.grow(len(r.Status))
	out.TTFT = dist(r, w, TTFT, &o, &s)
	out.TPOT = dist(r, w, TPOT, &o, &s)
	out.E2E = dist(r, w, E2E, &o, &s)
	out.QueueTime = dist(r, w, QueueTime, &o, &s)
	out.ITL = itlDist(&r.ITL, o.Quantiles)
	out.Verdict = Judge(r, w.from, w.past(), o.ClosedLoop)
	out.WarmUp = [2]WarmUpLength{findWarmUp(r, TTFT, o.Clock, &s), findWarmUp(r, TPOT, o.Clock, &s)}
	out.warn(r, w)
	return out
}

func (o *ReportOptions) fill() {
	if o.Quantiles == nil {
		o.Quantiles = []float64{0.5, 0.9, 0.99}
	}
	if o.Level == 0 {
		o.Level = 0.95
	}
	if o.Batches == 0 {
		o.Batches = 20
	}
	if !(o.Level > 0 && o.Level < 1) {
		panic("sim: confidence level outside (0,1)")
	}
}

// reportWindow is a part of a run.
type reportWindow struct {
	from, to Nanos
	toEnd    bool // the instant to belongs to it, and nothing comes later
}

func newReportWindow(r *Results, from, to Nanos) reportWindow {
	from = max(from, 0)
	if to == 0 || to >= r.EndAt {
		return reportWindow{from: from, to: max(r.EndAt, from), toEnd: true}
	}
	return reportWindow{from: from, to: max(to, from)}
}

// past is the first instant after the window.
func (w reportWindow) past() Nanos {
	if w.toEnd {
		return w.to + 1
	}
	return w.to
}

func (w reportWindow) has(at Nanos) bool { return at >= w.from && at < w.past() }

// perSec is a count over the length of the window; 0 if it has none.
func (w reportWindow) perSec(n int64) float64 {
	if w.to == w.from {
		return 0
	}
	return float64(n) / (w.to - w.from).Seconds()
}

// overlap is how long [a, b) lies within the window.
func (w reportWindow) overlap(a, b Nanos) Nanos {
	return max(0, min(b, w.to)-max(a, w.from))
}

func (w reportWindow) wholeRun(r *Results) bool { return w.toEnd && w.from == 0 }

func (out *Report) count(r *Results, w reportWindow) {
	var by [Dropped + 1]int64
	for i, at := range r.SentAt {
		if w.has(at) {
			by[r.Status[i]]++
			out.Counts.Sent++
		}
	}
	c := &out.Counts
	c.Completed, c.Failed, c.TimedOut = by[Completed], by[Failed], by[TimedOut]
	c.Dropped, c.Running, c.Waiting = by[Dropped], by[Running], by[Waiting]
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

func littleOf(r *Results, w reportWindow, c Clock) Little {
	var inside, ended, carried, left total
	var n int64
	for i := range r.Status {
		start, end := r.StartAt(i, c), min(r.DoneAt[i], r.EndAt)
		within := int64(w.overlap(start, end))
		inside.add(within)
		switch {
		case w.has(r.DoneAt[i]):
			n++
			ended.add(int64(end - start))
			carried.add(int64(max(0, w.from-start)))
		case r.DoneAt[i] >= w.past():
			left.add(within)
		}
	}
	out := Little{PerSec: w.perSec(n)}
	if n > 0 {
		out.Seconds = ended.over(float64(n)) / 1e9
	}
	if length := float64(w.to - w.from); length > 0 {
		out.InFlight, out.CarriedIn, out.LeftOver = inside.over(length), carried.over(length), left.over(length)
	}
	return out
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

// NewDist is one distribution of the report alone.
func NewDist(r *Results, m Metric, o ReportOptions) Dist {
	o.fill()
	var s Selector
	s.grow(len(r.Status))
	return dist(r, newReportWindow(r, o.From, o.To), m, &o, &s)
}

func dist(r *Results, w reportWindow, m Metric, o *ReportOptions, s *Selector) Dist {
	d := Dist{Metric: m, Min: Never, Max: Never}
	s.Reset()
	var sum total
	for i, at := range r.SentAt {
		if !w.has(at) || r.undefined(m, i) {
			continue
		}
		span, ok := r.Latency(m, i, o.Clock)
		if !ok {
			d.Lost++
			if o.LostAreNever {
				s.Add(Never)
			}
			continue
		}
		s.Add(span)
		sum.add(int64(span))
		if d.Count == 0 {
			d.Min, d.Max = span, span
		}
		d.Count++
		d.Min, d.Max = min(d.Min, span), max(d.Max, span)
	}
	d.MeanInterval = OverSeeds(nil, o.Level)
	if d.Count > 0 {
		d.Mean = sum.over(float64(d.Count)) / 1e9
	}
	switch {
	case o.LostAreNever && d.Lost > 0:
		d.Mean, d.Max = math.Inf(1), Never
	case d.Count > 0:
		d.MeanInterval = batchMeans(s.Len(), o.Batches, o.Level, s.seconds)
	}
	d.Quantiles = s.Quantiles(make([]Quantile, 0, len(o.Quantiles)), o.Quantiles, o.Rule, o.Level)
	return d
}

func itlDist(h *Hist, qs []float64) ITLDist {
	out := ITLDist{Count: h.Count(), Mean: h.Mean(), Max: h.Max(), Quantiles: make([]BinQuantile, len(qs))}
	for i, q := range qs {
		lo, hi := h.Quantile(q)
		out.Quantiles[i] = BinQuantile{Q: q, Lo: lo, Hi: hi}
	}
	return out
}
