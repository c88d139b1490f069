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
	again   []Nanos                 // by request: how long it waited after having been put back; nil if none was
}

// newBacklog counts over the arrivals due in [from, to), the first at start
// and the last at end, later than start, and over those that waited already.
func newBacklog(r *Results, from, to, start, end Nanos) *backlog {
	g := &backlog{again: waitedAgain(r)}
	// Cell j ends at start + (end-start)*j/verdictCells; an event belongs to
	// the first cell that ends at or after it. MaxSeconds keeps the product
	// within int64.
	cell := func(at Nanos) int { return int(((at-start)*verdictCells + end - start - 1) / (end - start)) }
	for _, p := range r.PutBacks {
		i := p.Request
		if r.IntendedAt[i] >= to || r.Status[i] == Failed || p.Again <= start || p.At > end {
			continue
		}
		if p.At <= start {
			g.waiting[0]++
			g.carried++
		} else {
			g.waiting[cell(p.At)]++
		}
		if p.Again <= end {
			g.waiting[cell(p.Again)]--
		}
	}
	half := start + (end-start)/2
	for i, due := range r.IntendedAt {
		at := leftQueue(r, i)
		if due >= to || r.Status[i] == Failed || due < from && at <= start {
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
		if g.shedding(r, i) && r.DoneAt[i] <= end {
			g.shed[cell(r.DoneAt[i])]++
		}
		if due >= from && r.AdmittedAt[i] != Never {
			g.inside.add(int64(min(r.DoneAt[i], r.EndAt) - due))
			g.entered++
		}
		if due > half {
			g.late++
			if g.promptly(r, i) {
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

// waitedAgain is, by request, for how long it was put back; nil if none was.
func waitedAgain(r *Results) []Nanos {
	if len(r.PutBacks) == 0 {
		return nil
	}
	out := make([]Nanos, len(r.Status))
	for _, p := range r.PutBacks {
		out[p.Request] += min(p.Again, r.EndAt) - p.At
	}
	return out
}

// leftQueue is when request i was admitted, or was lost while it waited.
func leftQueue(r *Results, i int) Nanos { return min(r.AdmittedAt[i], r.DoneAt[i]) }

// lost says that request i was refused, or that its client gave up: work on an
// answer that nobody waits for is not done.
func lost(r *Results, i int) bool { return r.Status[i] == Dropped || r.Status[i] == TimedOut }

// shedding says that it was lost to the queue: not admitted, or so late that its
// client had no patience left. One that was admitted promptly and given up then
// was too long, or served too slowly.
func (g *backlog) shedding(r *Results, i int) bool { return lost(r, i) && !g.promptly(r, i) }

// promptly says that request i waited no longer than it was then served, or
// has been so far. The time after it was put back is waiting.
func (g *backlog) promptly(r *Results, i int) bool {
	at := r.AdmittedAt[i]
	if at == Never {
		return false
	}
	waited, served := at-r.IntendedAt[i], min(r.DoneAt[i], r.EndAt)-at
	if g.again != nil {
		waited += g.again[i]
		served -= g.again[i]
	}
	return waited <= served
}
