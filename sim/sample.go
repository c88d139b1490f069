package sim

import "slices"

// window is what a replica counts between two rows of the signal series.
type window struct {
	row     Sample // counters; gauges are filled in when it closes
	since   Picos  // up to when the sums over time below reach
	waiting wide   // requests * ps
	running wide
	busy    Picos
	down    Picos
	ttft    []Nanos
	itl     windowHist
}

// tick brings the sums over time up to now. It is called before a count that
// they sum changes.
func (r *replica) tick() {
	if !r.sampled {
		return
	}
	w, now := &r.window, r.s.now
	w.waiting.add(int64(r.waiting), int64(now-w.since))
	w.running.add(int64(len(r.running)), int64(now-w.since))
	if r.inFlight > 0 {
		w.busy += max(0, now-max(w.since, r.inProgress().ramp.start))
	}
	w.since = now
}

// closeWindow writes a row for each replica and begins the next window.
func (s *ServingSim) closeWindow() {
	for i := range s.replicas {
		s.replicas[i].sample(s.now - s.windowFrom)
	}
	s.windowFrom = s.now
	s.windowTo = s.now + s.c.SampleEvery.Picos()
}

func (r *replica) sample(span Picos) {
	r.settle()
	r.tick()
	w := &r.window
	row := w.row
	row.At, row.Replica = r.s.Now(), r.id
	row.Waiting, row.Running = r.waiting, int32(len(r.running))
	row.WaitingMean = w.waiting.float() / float64(span)
	row.RunningMean = w.running.float() / float64(span)
	row.Busy = float64(w.busy) / float64(span)
	if r.s.eventful {
		r.countDown()
		row.Down = float64(w.down) / float64(span)
		w.down = 0
	}
	row.UsedBlocks = r.kv.used()
	row.TTFTp99, row.ITLp99 = Never, Never
	if n := len(w.ttft); n > 0 {
		slices.Sort(w.ttft)
		row.TTFTp99 = w.ttft[rank(0.99, int64(n))-1]
	}
	if w.itl.count > 0 {
		_, hi := w.itl.quantile(0.99)
		row.ITLp99 = hi.Nanos()
	}
	r.s.res.Samples = append(r.s.res.Samples, row)
	w.row = Sample{}
	w.waiting, w.running, w.busy = wide{}, wide{}, 0
	w.ttft = w.ttft[:0]
	w.itl.clear()
}

// windowHist is a Hist that is cleared often: it knows which bins are in use.
type windowHist struct {
	bins   [histBins]int64
	count  int64
	lo, hi int // bins in use are in [lo, hi)
}

func (h *windowHist) use(lo, hi int) {
	if h.count == 0 {
		h.lo, h.hi = lo, hi+1
		return
	}
	h.lo, h.hi = min(h.lo, lo), max(h.hi, hi+1)
}

func (h *windowHist) add(p Picos, n int64) {
	bin := histBin(p)
	h.use(bin, bin)
	h.bins[bin] += n
	h.count += n
}

func (h *windowHist) addRamp(first, slope Picos, k, n int64) {
	h.use(histBin(first), histBin(first+slope*Picos(k-1)))
	h.count += k * n
	addRamp(&h.bins, first, slope, k, n)
}

func (h *windowHist) quantile(q float64) (lo, hi Picos) {
	left := rank(q, h.count)
	for i := h.lo; i < h.hi; i++ {
		if left <= h.bins[i] {
			return histEdge(i), histEdge(i + 1)
		}
		left -= h.bins[i]
	}
	panic("sim: a window has fewer gaps than it counts")
}

func (h *windowHist) clear() {
	clear(h.bins[h.lo:h.hi])
	h.count, h.lo, h.hi = 0, 0, 0
}
