package sim

// wakeups is a heap of instants at which somebody sends again, first the
// earliest, then the one that was entered first. O(log n) in those who wait; no
// allocation once it has grown.
type wakeups struct {
	heap []wakeup
	seq  int64
}

type wakeup struct {
	at  Nanos
	seq int64
	who int32
}

func (a wakeup) before(b wakeup) bool { return a.at < b.at || a.at == b.at && a.seq < b.seq }

func (w *wakeups) push(at Nanos, who int32) {
	w.seq++
	w.heap = append(w.heap, wakeup{at, w.seq, who})
	h := w.heap
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !h[i].before(h[up]) {
			return
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
}

// first is the next wakeup; ok is false if there is none.
func (w *wakeups) first() (wakeup, bool) {
	if len(w.heap) == 0 {
		return wakeup{}, false
	}
	return w.heap[0], true
}

// pop removes the next wakeup, which must exist.
func (w *wakeups) pop() {
	h := w.heap
	last := len(h) - 1
	h[0] = h[last]
	h = h[:last]
	w.heap = h
	for i := 0; ; {
		down := 2*i + 1
		if down >= last {
			return
		}
		if down+1 < last && h[down+1].before(h[down]) {
			down++
		}
		if !h[down].before(h[i]) {
			return
		}
		h[i], h[down] = h[down], h[i]
		i = down
	}
}
