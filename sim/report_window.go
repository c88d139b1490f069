package sim

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
