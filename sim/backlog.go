package sim

// backlog is a series on a grid of verdictCells equal cells.
type backlog struct {
	waiting [verdictCells + 1]int64 // at the end of cell j, or at the start for 0
	shed    [verdictCells + 1]int64 // so far
	due     [verdictCells + 1]int64 // so far
	prompt  int64                   // of the second half
	late    int64                   // arrivals of the second half
	inside  total                   // time in the system of what was due in the window and admitted
	entered int64                   // how many those are
	carried int64                   // due before the window, waiting at its start
}

// newBacklog counts over the arrivals due in [from, to), the first at start
// and the last at end, later than start, and over those that waited already.
func newBacklog(r *Results, from, to, start, end Nanos) *backlog {
	g := new(backlog)
	// Cell j ends at start + (end-start)*j/verdictCells; an event belongs to
	// the first cell that ends at or after it. MaxSeconds keeps the product
	// within int64.
	cell := func(at Nanos) int { return int(((at-start)*verdictCells + end - start - 1) / (end - start)) }
	half := start + (end-start)/2
	for i, due := range r.IntendedAt {
		at := leftQueue(r, i)
		if due >= to || r.Status[i] == Failed || r.Repeats(i) || due < from && at <= start {
			continue
		}
		if due < from {
			g.waiting[0]++
			g.carried++
		} else {
			g.waiting[cell(due)]++
			g.due[cell(due)]++
		}
		if at <= end {
			g.waiting[cell(at)]--
		}
		if shed(r, i) && r.DoneAt[i] <= end {
			g.shed[cell(r.DoneAt[i])]++
		}
		if due >= from && r.AdmittedAt[i] != Never {
			g.inside.add(int64(min(r.DoneAt[i], r.EndAt) - due))
			g.entered++
		}
		if due > half {
			g.late++
			if promptly(r, i) {
				g.prompt++
			}
		}
	}
	for j := 1; j <= verdictCells; j++ {
		g.waiting[j] += g.waiting[j-1]
		g.shed[j] += g.shed[j-1]
		g.due[j] += g.due[j-1]
	}
	return g
}

// leftQueue is when request i was admitted, or was lost while it waited.
func leftQueue(r *Results, i int) Nanos { return min(r.AdmittedAt[i], r.DoneAt[i]) }

// lost says that request i was refused, or that its client gave up: work on an
// answer that nobody waits for is not done.
func lost(r *Results, i int) bool {
	return r.Status[i] == Dropped || r.Status[i] == TimedOut || r.Status[i] == Aborted
}

// shed says that it was lost to the queue: not admitted, or so late that its
// client had no patience left. One that was admitted promptly and given up then
// was too long, or served too slowly.
func shed(r *Results, i int) bool { return lost(r, i) && !promptly(r, i) }

// promptly says that request i waited no longer than it was then served, or
// has been so far.
func promptly(r *Results, i int) bool {
	at := r.AdmittedAt[i]
	return at != Never && at-r.IntendedAt[i] <= min(r.DoneAt[i], r.EndAt)-at
}
