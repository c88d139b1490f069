package diagnose

import (
	"slices"

	"openloop/sim"
)

// Points, verdict and runner-up.

const (
	enough    = 3.0 // points from which a failure is named
	clear     = 4.0 // widths from which a move counts in full
	another   = 3.5 // points that a second failure needs of what the first does not explain
	ruledOut  = -100.0
	reasonMin = 0.25
)

func (m *series) judge() Reading {
	out := Reading{OnsetWindow: m.onset, Since: m.how, Found: m.found}
	if m.onset >= 0 && m.w[m.onset].Timed {
		out.Onset = m.w[m.onset].Start
	}
	var points [len(table)]float64
	best, second := -1, -1
	for i := range table {
		points[i] = m.points(&table[i])
		switch {
		case best < 0 || points[i] > points[best]:
			best, second = i, best
		case second < 0 || points[i] > points[second]:
			second = i
		}
	}
	if points[best] < enough {
		m.noFailure(&out)
		return out
	}
	out.Verdict, out.Points = table[best].verdict, points[best]
	if points[second] > 0 {
		out.Second, out.SecondPoints = table[second].verdict, points[second]
		out.Separator = m.separator(&table[best], &table[second])
	}
	out.Remedy = RemedyOf(out.Verdict)
	out.Reasons = m.reasons(&table[best])
	for _, l := range table[best].lines {
		if !m.found[l.sign].Known && l.for_ >= 1 {
			out.Missing = append(out.Missing, l.sign)
		}
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
	switch {
	case l.move == sim.Flat && f.Move == sim.Flat:
		return l.for_
	case l.move == sim.Flat:
		return -float64(l.agains * strength)
	case f.Move == l.move:
		return float64(l.for_ * strength)
	default:
		return -l.agains
	}
}

func (m *series) points(r *row) float64 {
	sum := 0.0
	moved := false
	for i := range r.lines {
		l := &r.lines[i]
		g := m.gives(l)
		if l.key && m.found[l.sign].Known && m.found[l.sign].Move != l.move {
			return ruledOut
		}
		moved = moved || l.move != sim.Flat && g > 0
		sum += g
	}
	if !moved {
		return ruledOut // nothing happened that it would do
	}
	return sum
}

func (m *series) reasons(r *row) []Reason {
	var out []Reason
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
		case l.move == sim.Flat:
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

// separator is the sign on which two rows are furthest apart.
func (m *series) separator(a, b *row) Separator {
	out := Separator{}
	try := func(l *line) {
		x, y := m.lineFor(a, l.sign), m.lineFor(b, l.sign)
		if x.move == y.move && x.for_ > 0 && y.for_ > 0 {
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

// noFailure is for windows that no row fits.
func (m *series) noFailure(out *Reading) {
	out.Verdict = Healthy
	if m.how == WithNothing {
		out.Verdict = Undetermined
	}
	out.Remedy = RemedyOf(out.Verdict)
}
