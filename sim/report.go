package sim

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

	// SamplesPerQuery is that of MLPerfMultiStream, whose request i is a sample
	// of query i div SamplesPerQuery. 0 means that there are no queries.
	SamplesPerQuery int

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

	// Query is the E2E of queries, which is what LoadGen reports of
	// MultiStream: from the start of a query to the end of its last sample. It
	// is there if SamplesPerQuery is given.
	Query Dist

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
	if o.SamplesPerQuery > 0 {
		out.Query = dist(queries(r, o.SamplesPerQuery), w, E2E, &o, &s)
	}
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
	if o.SamplesPerQuery < 0 {
		panic("sim: fewer than no samples a query")
	}
}
