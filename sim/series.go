package sim

import "math"

// SeriesOptions says what NewSeries needs beyond the results.
type SeriesOptions struct {
	KVBlocks int // of one replica, for KV occupancy; 0 makes it NaN
	SLO      SLO // for goodput
	Clock    Clock
}

// Series is the dashboard of a cluster over time: one value for each window of
// Results.Samples. A value is NaN where the window has nothing to say: no
// first token, no lookup, no draft.
type Series struct {
	At     []Nanos // ends of the windows; a window begins where the one before ends, the first at 0
	Signal [NumSignals][]float64

	// The context strip.

	Busy      []float64 // GPU utilization: mean over replicas of the share of time with a step in progress
	KVMean    []float64 // mean KV occupancy over replicas, beside the worst
	Offered   []float64 // requests sent, per second
	Completed []float64 // requests completed, per second
	Goodput   []float64 // of those, within the SLO
	Shed      []float64 // requests refused on arrival, per second
	Retries   []float64 // attempts after the first, sent per second
	Up        []float64 // replicas that are there, mean over the window
	Imbalance []float64 // largest of the replicas' waiting + running over their mean; NaN if there are none
}

// NewSeries pools the samples of all replicas.
func NewSeries(r *Results, o SeriesOptions) *Series {
	s := new(Series)
	for i := range r.Samples {
		if n := len(s.At); n == 0 || r.Samples[i].At != s.At[n-1] {
			s.At = append(s.At, r.Samples[i].At)
		}
	}
	s.allocate()
	from := Nanos(0)
	rows := r.Samples
	for k, at := range s.At {
		n := 0
		for n < len(rows) && rows[n].At == at {
			n++
		}
		s.pool(k, rows[:n], (at - from).Seconds(), o.KVBlocks)
		rows, from = rows[n:], at
	}
	s.fromRequests(r, o)
	return s
}

func (s *Series) allocate() {
	n := len(s.At)
	all := make([]float64, n*(int(NumSignals)+9))
	next := func() []float64 {
		part := all[:n:n]
		all = all[n:]
		return part
	}
	for id := range s.Signal {
		s.Signal[id] = next()
	}
	for _, p := range []*[]float64{&s.Busy, &s.KVMean, &s.Offered, &s.Completed, &s.Goodput, &s.Imbalance, &s.Shed, &s.Retries, &s.Up} {
		*p = next()
	}
}

// pool fills window k from the rows of its replicas.
func (s *Series) pool(k int, rows []Sample, seconds float64, kvBlocks int) {
	var waiting, running, used, mostUsed, mostHeld, preempted, hit, lookedUp, drafts, accepted int64
	itl := Nanos(-1)
	busy, down := 0.0, 0.0
	for i := range rows {
		x := &rows[i]
		waiting += int64(x.Waiting)
		running += int64(x.Running)
		mostHeld = max(mostHeld, int64(x.Waiting)+int64(x.Running))
		used += int64(x.UsedBlocks)
		mostUsed = max(mostUsed, int64(x.UsedBlocks))
		preempted += int64(x.Preempted)
		hit += x.Hit
		lookedUp += x.LookedUp
		drafts += x.DraftSteps
		accepted += x.Accepted
		busy += x.Busy
		down += x.Down
		if x.ITLp99 != Never {
			itl = max(itl, x.ITLp99)
		}
	}
	replicas := float64(len(rows)) - down
	s.Up[k] = replicas
	s.Signal[QueueDepth][k] = float64(waiting)
	s.Signal[ITLp99][k] = math.NaN()
	if itl >= 0 {
		s.Signal[ITLp99][k] = itl.Seconds()
	}
	s.Signal[RunningBatch][k] = float64(running)
	s.Signal[KVOccupancy][k] = ratio(float64(mostUsed), float64(kvBlocks))
	s.Signal[PreemptionRate][k] = ratio(float64(preempted), seconds)
	s.Signal[PrefixHit][k] = ratio(float64(hit), float64(lookedUp))
	s.Signal[AcceptedLength][k] = 1 + ratio(float64(accepted), float64(drafts))
	s.Busy[k] = ratio(busy, replicas)
	s.KVMean[k] = ratio(float64(used), float64(kvBlocks)*replicas)
	s.Imbalance[k] = ratio(float64(mostHeld)*replicas, float64(waiting+running))
}

// ratio is a/b, undefined if b is 0.
func ratio(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

// fromRequests fills what only the requests of all replicas give. An event at
// the end of a window belongs to it, as the samples count.
func (s *Series) fromRequests(r *Results, o SeriesOptions) {
	n := len(s.At)
	if n == 0 {
		return
	}
	counts := make([]int64, 5*(n+1)) // the last of each: after all windows
	count := func(k int) []int64 { return counts[k*(n+1) : (k+1)*(n+1)] }
	sent, done, good, refused, again := count(0), count(1), count(2), count(3), count(4)
	first := make([]int32, n+1) // first[k]: values before window k, after the running sum
	for i := range r.Status {
		if k := s.windowOf(r.FirstTokenAt[i]); k < n {
			first[k+1]++
		}
		sentIn := s.windowOf(r.SentAt[i])
		sent[sentIn]++
		if r.Status[i] == Dropped {
			refused[sentIn]++
		}
		if r.Repeats(i) {
			again[sentIn]++
		}
		if r.Status[i] == Completed {
			k := s.windowOf(r.DoneAt[i])
			done[k]++
			if o.SLO.Met(r, i, o.Clock) {
				good[k]++
			}
		}
	}
	for k := range n {
		first[k+1] += first[k]
	}
	spans := make([]int64, first[n])
	place := append([]int32(nil), first[:n]...)
	for i := range r.Status {
		if k := s.windowOf(r.FirstTokenAt[i]); k < n {
			spans[place[k]] = int64(r.FirstTokenAt[i] - r.StartAt(i, o.Clock))
			place[k]++
		}
	}
	from := Nanos(0)
	for k, at := range s.At {
		s.Signal[TTFTp99][k] = p99(spans[first[k]:first[k+1]])
		seconds := (at - from).Seconds()
		s.Offered[k] = ratio(float64(sent[k]), seconds)
		s.Completed[k] = ratio(float64(done[k]), seconds)
		s.Goodput[k] = ratio(float64(good[k]), seconds)
		s.Shed[k] = ratio(float64(refused[k]), seconds)
		s.Retries[k] = ratio(float64(again[k]), seconds)
		from = at
	}
}

// p99 reorders spans and gives their nearest-rank p99 in seconds.
func p99(spans []int64) float64 {
	if len(spans) == 0 {
		return math.NaN()
	}
	k := int(rank(0.99, int64(len(spans)))) - 1
	selectRanks(spans, []int{k})
	return Nanos(spans[k]).Seconds()
}

// windowOf is the window that at belongs to, len(s.At) if it lies after all.
// Windows but the last are equally wide, so the place is a division; the
// correction covers whatever they are.
func (s *Series) windowOf(at Nanos) int {
	n := len(s.At)
	if at > s.At[n-1] {
		return n
	}
	k := 0
	if width := s.At[0]; width > 0 {
		k = min(int(at/width), n-1)
	}
	for k > 0 && s.At[k-1] >= at {
		k--
	}
	for s.At[k] < at {
		k++
	}
	return k
}
