package diagnose

import (
	"slices"

	"openloop/sim"
)

// Points, verdict and runner-up.

const (
	enough    = 5.5   // points from which a failure is named
	enoughFew = 3.0   // and where there is no series
	faint     = 1.5   // widths up to which a move counts nothing
	clear     = 3.5   // and from which it counts in full
	another   = 3.0   // widths that the key of a second failure needs
	telling   = 5.0   // points of a line that says as much as a key
	stays     = 4     // windows for which a cause lasts at least
	ruledOut  = 100.0 // taken from what lacks its key
	reasonMin = 0.25
	glance    = 0.5 // what a gauge counts if it was only looked at twice, and what moved late or not for long
)

func (m *series) judge() Reading {
	out := Reading{OnsetWindow: m.onset, Since: m.how, Found: m.found}
	if m.onset >= 0 && m.w[m.onset].Timed && finite(m.w[m.onset].Start) {
		out.Onset = m.w[m.onset].Start
	}
	var points [len(table)]float64
	best, second := -1, -1
	for i := range table {
		var moved bool
		points[i], moved = m.points(&table[i])
		if !moved {
			continue // nothing happened that it would do
		}
		switch {
		case m.tells(&table[i]) && (best < 0 || points[i] > points[best]):
			best, second = i, larger(best, second, points[:])
		default:
			second = larger(i, second, points[:])
		}
	}
	if best < 0 || points[best] < m.enough() {
		m.noFailure(&out, larger(best, second, points[:]), points[:])
		return out
	}
	out.Verdict, out.Points = table[best].verdict, points[best]
	if second >= 0 {
		out.Second, out.SecondPoints = table[second].verdict, points[second]
		out.Separator = m.separator(&table[best], &table[second])
		out.Among = !m.tells(&table[second])
	}
	if out.Verdict != Healthy {
		out.Also = m.also(best, points[:])
		out.Else = m.unexplained(&table[best], rowOf(out.Also))
		out.Hidden = m.hidden(&points, &table[best], rowOf(out.Also))
	}
	out.Remedy = RemedyOf(out.Verdict)
	out.Reasons = m.reasons(&table[best])
	out.Missing = m.missing(&table[best], nil)
	if second >= 0 {
		out.Missing = m.missing(&table[second], out.Missing)
	}
	return out
}

// tells says whether the windows can name a row: which of several replicas is
// ill, or the link between two, no sum over all of them shows, and of a single
// process there are no others to be compared with.
func (m *series) tells(r *row) bool {
	return len(r.among) == 0 || slices.ContainsFunc(r.among, func(s Sign) bool { return m.found[s].Known })
}

// larger is which of two rows has more points, the first of equal ones; -1 is none.
func larger(a, b int, points []float64) int {
	if a < 0 || b >= 0 && points[b] > points[a] {
		return b
	}
	return a
}

// late says whether a sign moved too long after the first to be why it did.
func (m *series) late(f *Finding) bool {
	wait := 0
	switch f.Sign {
	case FirstAttempts, accepted, hit, ShareApart, ReplicasDown:
		wait = 5
	case prompts, ITLApart, DecodeWaiting:
		wait = 6
	case KVPerRequest, outputs, batch, DecodeKV: // a leak is slow, and lengths are known when answers end
		wait = 8
	default:
		return false
	}
	return f.Move != sim.Flat && f.From > m.onset+wait
}

// brief says whether what comes from outside was soon over.
func (m *series) brief(f *Finding) bool {
	switch f.Sign {
	case FirstAttempts, accepted, hit, ShareApart, ITLApart, prompts, outputs, KVPerRequest, DecodeWaiting:
		return f.Move != sim.Flat && f.To-f.From < stays && f.To < len(m.w)
	}
	return false
}

func (m *series) enough() float64 {
	if m.how == WithNormal {
		return enough
	}
	return enoughFew
}

// gives is what one line gives or takes.
func (m *series) gives(l *line) float64 {
	f := &m.found[l.sign]
	if !f.Known || l.bare && !m.bare {
		return 0
	}
	strength := max(0, min(1, (f.Widths-faint)/(clear-faint)))
	if m.how != WithNormal {
		return m.hints(l, f, strength)
	}
	doubt := m.late(f) || m.brief(f) || f.Move != sim.Flat && !l.sign.State() && f.To <= m.onset
	if doubt {
		strength *= glance
	}
	switch {
	case fits(l.move, f.Move) && (l.move == sim.Up || l.move == sim.Down):
		if doubt {
			return float64(l.plus*strength) - float64(l.minus*glance)
		}
		return float64(l.plus * strength)
	case fits(l.move, f.Move):
		return l.plus
	case l.move == sim.Up || l.move == sim.Down:
		if f.Move != sim.Flat {
			return -float64(2 * l.minus * strength)
		}
		return -l.minus
	}
	return -float64(l.minus * strength)
}

// hints is the same where there is no series: a gauge was only looked at twice,
// and what is still may have moved before.
func (m *series) hints(l *line, f *Finding, strength float64) float64 {
	if l.sign.gauge() {
		strength *= glance
	}
	switch {
	case fits(l.move, f.Move) && (l.move == sim.Up || l.move == sim.Down):
		return float64(l.plus * strength)
	case fits(l.move, f.Move):
		return float64(l.plus * glance)
	case f.Move == sim.Flat:
		return 0
	case l.move == sim.Up || l.move == sim.Down:
		return -float64(l.minus * strength * glance)
	}
	return -float64(l.minus * strength)
}

// points are what the lines of a row come to, and whether one of its moves was
// seen: a look at a gauge is not one.
func (m *series) points(r *row) (sum float64, moved bool) {
	for i := range r.lines {
		l := &r.lines[i]
		g := m.gives(l)
		switch f := &m.found[l.sign]; {
		case !l.key:
		case !f.Known: // two looks do not show whether pools are apart, or that something wore off
			if l.sign.State() && m.how != WithNormal {
				sum -= ruledOut
			}
		case !fits(l.move, f.Move) && (m.how == WithNormal || l.sign.State()):
			sum -= ruledOut
		}
		moved = moved || (l.move == sim.Up || l.move == sim.Down) && g > 0 && (m.how == WithNormal || !l.sign.gauge())
		sum += g
	}
	return sum, moved
}

// fits says whether a sign did what a line wants.
func fits(want, did sim.Move) bool {
	return want == did || want == notUp && did != sim.Up || want == notDown && did != sim.Down
}

func (m *series) reasons(r *row) []Reason {
	out := make([]Reason, 0, len(r.lines))
	for i := range r.lines {
		l := &r.lines[i]
		g := m.gives(l)
		if g < reasonMin {
			continue
		}
		kind := Moved
		f := m.found[l.sign]
		switch {
		case l.sign.State():
			kind = Holds
		case l.move != sim.Up && l.move != sim.Down:
			kind = Stays
		case f.From == m.onset:
			kind = First
		}
		out = append(out, Reason{Finding: f, Kind: kind, Wanted: l.move, Points: g})
	}
	slices.SortStableFunc(out, func(a, b Reason) int {
		switch {
		case a.Points > b.Points:
			return -1
		case a.Points < b.Points:
			return 1
		}
		return 0
	})
	return out
}

// missing adds what a row would have been told by.
func (m *series) missing(r *row, to []Sign) []Sign {
	for _, l := range r.lines {
		if !m.found[l.sign].Known && !l.sign.State() && max(l.plus, l.minus) >= 2 && !slices.Contains(to, l.sign) {
			to = append(to, l.sign)
		}
	}
	return to
}

// also looks for a second failure: one whose key moved clearly, which is not
// what the first one does or brings along.
func (m *series) also(best int, points []float64) string {
	found, most := "", m.enough()
	for i := range table {
		if i == best || points[i] < most || !m.tells(&table[i]) {
			continue
		}
		for _, l := range table[i].lines {
			f := &m.found[l.sign]
			if !l.key && l.plus < telling || f.Move != l.move || l.sign.State() || f.Widths < another || m.explained(&table[best], &l) {
				continue
			}
			found, most = table[i].verdict, points[i]
		}
	}
	return found
}

func (m *series) explained(r *row, l *line) bool {
	return m.lineFor(r, l.sign).move == l.move || slices.Contains(r.brings, l.sign)
}

// separator is the sign on which two rows are furthest apart.
func (m *series) separator(a, b *row) Separator {
	out := Separator{}
	try := func(l *line) {
		x, y := m.lineFor(a, l.sign), m.lineFor(b, l.sign)
		if x.move == y.move && x.plus > 0 && y.plus > 0 {
			return
		}
		expects := [2]bool{told(a, l.sign, &x), told(b, l.sign, &y)}
		if expects[0] && expects[1] && (fits(x.move, y.move) || fits(y.move, x.move)) {
			return // they do alike, whatever one of them makes of it
		}
		if d := m.gives(&x) - m.gives(&y); !out.HasSign || d > out.Points {
			out = Separator{Sign: l.sign, Verdict: x.move, Second: y.move, Expects: expects, Found: m.found[l.sign], Points: d, HasSign: true}
		}
	}
	for i := range a.lines {
		try(&a.lines[i])
	}
	for i := range b.lines {
		try(&b.lines[i])
	}
	return out
}

// told says whether a row, or else the matrix of the signals that its failure
// moves, says what becomes of a sign; what the matrix says is put into the line.
func told(r *row, s Sign, l *line) bool {
	if l.plus > 0 || l.minus > 0 {
		return true
	}
	id, ok := s.Signal()
	e, known := sim.Signature(r.verdict)
	if !ok || !known {
		return false
	}
	l.move = e.Moves[id]
	return true
}

func (m *series) lineFor(r *row, s Sign) line {
	for _, l := range r.lines {
		if l.sign == s {
			return l
		}
	}
	return line{sign: s}
}

// Tells is the sign that speaks most for a failure beside one that is seen already,
// and what it does; where several do as much, the first of them.
func Tells(failure string, seen Sign) (most Sign, move sim.Move) {
	points := 0.0
	for _, l := range rowOf(failure).lines {
		if l.plus > points && !l.bare && l.sign != seen && (l.move == sim.Up || l.move == sim.Down || l.sign.State()) {
			most, move, points = l.sign, l.move, l.plus
		}
	}
	return most, move
}

// rowOf is the row of a failure; one without lines for any other verdict.
func rowOf(verdict string) *row {
	for i := range table {
		if table[i].verdict == verdict && verdict != Healthy {
			return &table[i]
		}
	}
	return new(row)
}

// noFailure is for windows that no row fits well enough. Good health can be told
// from a series of the queue and the batch, or from latencies now and before;
// from less it cannot, nor where what fits is about replicas that are not told
// apart.
func (m *series) noFailure(out *Reading, best int, points []float64) {
	out.Verdict = Healthy
	if best >= 0 {
		out.Second = table[best].verdict
		out.Missing = m.missing(&table[best], nil)
	}
	enough := m.found[queue].Known && m.found[batch].Known
	if m.how != WithNormal {
		enough = m.how != WithNothing && m.found[ttft].Known && m.found[itl].Known
	}
	if !m.bare && !m.found[FirstAttempts].Known && m.found[queue].Move == sim.Up {
		enough = false // who waits may be the day's peak or a failure, and nobody counts who comes
	}
	if best >= 0 && points[best] >= m.enough() {
		enough = false
		for _, s := range table[best].among {
			if !slices.Contains(out.Missing, s) && !s.State() {
				out.Missing = append(out.Missing, s)
			}
		}
	}
	if !enough {
		out.Verdict = Undetermined
	}
	for s := range strip {
		if !m.found[s].Known && !slices.Contains(out.Missing, s) {
			out.Missing = append(out.Missing, s)
		}
	}
	out.Remedy = RemedyOf(out.Verdict)
}
