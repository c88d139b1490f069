package sim

import "math"

// A Window is what a dashboard knows of one span of time: the eight signals,
// what stands beside them, and each replica apart. It says of every value
// whether it is known, and from where to where it may lie, so that one set of
// rules can read a simulated run, two scrapes of a real server and the lines
// of a log. It holds nothing of the configuration: no limit, no length that
// was asked for, no name of a failure.

// Measured is a value as far as it is known: 0 and not Known if it is not.
// A value read from a histogram lies between Low and High, the bounds of its
// bucket; High is +Inf if it lies above the last one. An exact value has
// Low = Value = High.
type Measured struct {
	Value, Low, High float64
	Known            bool
}

// Exactly is a value that is known as it stands; NaN is not known.
func Exactly(v float64) Measured {
	if math.IsNaN(v) {
		return Measured{}
	}
	return Measured{Value: v, Low: v, High: v, Known: true}
}

// StripID numbers what stands beside the signals.
type StripID uint8

// The context strip. Rates are per second of the window.
const (
	GPUUtilization   StripID = iota // 0 to 1: share of time with a step in progress; full in good and bad states
	KVMean                          // 0 to 1: mean KV occupancy over replicas, beside the worst
	OfferedRate                     // requests sent, 1/s; of a real server those that it accepted
	CompletedRate                   // requests completed, 1/s
	GoodputRate                     // of those, within the objective, 1/s
	ShedRate                        // requests refused at the door, 1/s
	RetryRate                       // attempts after the first, 1/s; no engine sees them
	ReplicasUp                      // replicas that are there; of a simulated run the mean over the window
	Imbalance                       // largest of the replicas' waiting + running over their mean, 1 = even
	PromptTokensMean                // tokens: mean prompt of requests that ended (real) or got their first token (simulated)
	OutputTokensMean                // tokens: mean output of requests that ended
	GenerationRate                  // tokens generated, 1/s
	PromptRate                      // prompt tokens, cached ones included, 1/s: of requests that got their first token (simulated) or as the engine counts them (real)
	NumStrip
)

// Window is one span.
type Window struct {
	// Start and End are in seconds, from an origin that all windows of a
	// sequence share; Timed says whether they are known. A window of unknown
	// length has counts, ratios and percentiles, no rates.
	Start, End float64
	Timed      bool

	// Baseline: everything since the process began, against which the next
	// window is read. Restarted: a process began again inside the window, so
	// rates and counts are lower bounds.
	Baseline, Restarted bool

	Signal   [NumSignals]Measured
	Strip    [NumStrip]Measured
	Replicas []ReplicaWindow // empty where the source does not tell them apart
}

// ReplicaWindow is one replica in it.
type ReplicaWindow struct {
	Waiting, Running Measured // requests, at the end
	KV               Measured // 0 to 1, at the end
	Offered          Measured // requests that came to it, 1/s
	Completed        Measured // 1/s
	TTFTp99, ITLp99  Measured // s
	Up               Measured // 0 to 1: share of the window in which it was there
}

// NewWindows turns the samples of a run into windows, one for each window of
// Results.Samples.
func NewWindows(r *Results, o SeriesOptions) []Window {
	s := NewSeries(r, o)
	out := make([]Window, len(s.At))
	rows := r.Samples
	replicas := make([]ReplicaWindow, 0, len(rows))
	from := Nanos(0)
	for k, at := range s.At {
		w := &out[k]
		w.Start, w.End, w.Timed = from.Seconds(), at.Seconds(), at > from
		for id := range s.Signal {
			w.Signal[id] = Exactly(s.Signal[id][k])
		}
		w.Strip[GPUUtilization] = Exactly(s.Busy[k])
		w.Strip[KVMean] = Exactly(s.KVMean[k])
		w.Strip[OfferedRate] = Exactly(s.Offered[k])
		w.Strip[CompletedRate] = Exactly(s.Completed[k])
		w.Strip[GoodputRate] = Exactly(s.Goodput[k])
		w.Strip[ShedRate] = Exactly(s.Shed[k])
		w.Strip[RetryRate] = Exactly(s.Retries[k])
		w.Strip[ReplicasUp] = Exactly(s.Up[k])
		w.Strip[Imbalance] = Exactly(s.Imbalance[k])
		first, tokens := len(replicas), int64(0)
		for len(rows) > 0 && rows[0].At == at {
			replicas = append(replicas, replicaWindow(&rows[0], (at-from).Seconds(), o.KVBlocks))
			tokens += rows[0].Tokens
			rows = rows[1:]
		}
		w.Replicas = replicas[first:len(replicas):len(replicas)]
		w.Strip[GenerationRate] = Exactly(ratio(float64(tokens), (at - from).Seconds()))
		from = at
	}
	s.lengths(r, out)
	return out
}

func replicaWindow(x *Sample, seconds float64, kvBlocks int) ReplicaWindow {
	return ReplicaWindow{
		Waiting:   Exactly(float64(x.Waiting)),
		Running:   Exactly(float64(x.Running)),
		KV:        Exactly(ratio(float64(x.UsedBlocks), float64(kvBlocks))),
		Offered:   Exactly(ratio(float64(x.Arrived), seconds)),
		Completed: Exactly(ratio(float64(x.Completed), seconds)),
		TTFTp99:   span(x.TTFTp99),
		ITLp99:    span(x.ITLp99),
		Up:        Exactly(1 - x.Down),
	}
}

func span(n Nanos) Measured {
	if n == Never {
		return Measured{}
	}
	return Exactly(n.Seconds())
}

// lengths fills the mean lengths of the requests of each window.
func (s *Series) lengths(r *Results, out []Window) {
	n := len(out)
	if n == 0 {
		return
	}
	var started, prompt, done, output = make([]int64, n+1), make([]int64, n+1), make([]int64, n+1), make([]int64, n+1)
	for i := range r.Status {
		k := s.windowOf(r.FirstTokenAt[i])
		started[k]++
		prompt[k] += int64(r.Prompt[i])
		if r.Status[i] == Completed {
			k = s.windowOf(r.DoneAt[i])
			done[k]++
			output[k] += int64(r.Generated[i])
		}
	}
	for k := range out {
		out[k].Strip[PromptTokensMean] = Exactly(ratio(float64(prompt[k]), float64(started[k])))
		out[k].Strip[PromptRate] = Exactly(ratio(float64(prompt[k]), out[k].End-out[k].Start))
		out[k].Strip[OutputTokensMean] = Exactly(ratio(float64(output[k]), float64(done[k])))
	}
}
