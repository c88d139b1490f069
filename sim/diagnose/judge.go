package diagnose

import (
	"slices"

	"openloop/sim"
)

// Points, verdict and runner-up.

const (
	enough    = 3.0   // points from which a failure is named
	clear     = 4.0   // widths from which a move counts in full
	another   = 3.0   // widths that the key of a second failure needs
	ruledOut  = 100.0 // taken from what lacks its key
	reasonMin = 0.25
	glance    = 0.5 // what a gauge counts if it was only looked at twice
)

func (m *series) judge() Reading {
	out := Reading{OnsetWindow: m.onset, Since: m.how, Found: m.found}
	if m.onset >= 0 && m.w[m.onset].Timed {
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
		case best < 0 || points[i] > points[best]:
			best, second = i, best
		case second < 0 || points[i] > points[second]:
			second = i
		}
	}
	if best < 0 || points[best] < enough {
		m.noFailure(&out, best)
		return out
	}
	if table[best].verdict == Healthy {
		out.Also = ""
	}
	out.Verdict, out.Points = table[best].verdict, points[best]
	if second >= 0 {
		out.Second, out.SecondPoints = table[second].verdict, points[second]
		out.Separator = m.separator(&table[best], &table[second])
	}
	out.Also = m.also(best, points[:])
	out.Remedy = RemedyOf(out.Verdict)
	out.Reasons = m.reasons(&table[best])
	out.Missing = m.missing(&table[best], nil)
	if second >= 0 {
		out.Missing = m.missing(&table[second], out.Missing)
	}
	return out
}

// gives is what one line gives or takes.
func (m *series) gives(l *line) float64 {
	f := &m.found[l.sign]
	if !f.Known {
		return 0
	}
	strength := min(1, f.Widths/clear)
	if l.sign.gauge() && m.how != WithNormal {
		strength *= glance
	}
	switch {
	case l.move == notUp && f.Move == sim.Up, l.move == notDown && f.Move == sim.Down:
		return -float64(l.minus * strength)
	case l.move == notUp, l.move == notDown:
		return l.plus
	case l.move == sim.Flat && f.Move == sim.Flat:
		if m.how != WithNormal {
			return float64(l.plus * glance)
		}
		return l.plus
	case l.move == sim.Flat:
		return -float64(l.minus * strength)
	case f.Move == l.move:
		return float64(l.plus * strength)
	case m.how != WithNormal && f.Move == sim.Flat:
		return 0 // it may have been so before
	case f.Move != sim.Flat:
		return -float64(2 * l.minus * strength)
	default:
		return -l.minus
	}
}

// points are what the lines of a row come to, and whether one of its moves was
// seen: a look at a gauge is not one.
func (m *series) points(r *row) (sum float64, moved bool) {
	for i := range r.lines {
		l := &r.lines[i]
		g := m.gives(l)
		if f := &m.found[l.sign]; l.key && f.Known && !fits(l.move, f.Move) && (m.how == WithNormal || l.sign.State()) {
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
	found, most := "", enough
	for i := range table {
		if i == best || points[i] < most {
			continue
		}
		for _, l := range table[i].lines {
			f := &m.found[l.sign]
			if !l.key || f.Move != l.move || l.sign.State() || f.Widths < another || m.explained(&table[best], &l) {
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
		if d := m.gives(&x) - m.gives(&y); !out.HasSign || d > out.Points {
			out = Separator{Sign: l.sign, Verdict: x.move, Second: y.move, Found: m.found[l.sign], Points: d, HasSign: true}
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

func (m *series) lineFor(r *row, s Sign) line {
	for _, l := range r.lines {
		if l.sign == s {
			return l
		}
	}
	return line{sign: s}
}

// noFailure is for windows that no row fits well enough.
func (m *series) noFailure(out *Reading, best int) {
	out.Verdict = Healthy
	if best >= 0 {
		out.Second = table[best].verdict
		out.Missing = m.missing(&table[best], nil)
	}
	latency := m.found[ttft].Known && m.found[itl].Known
	if m.how == WithNothing || m.how != WithNormal && !latency {
		out.Verdict = Undetermined
		for s := range strip {
			if !m.found[s].Known && !slices.Contains(out.Missing, s) {
				out.Missing = append(out.Missing, s)
			}
		}
	}
	out.Remedy = RemedyOf(out.Verdict)
}
