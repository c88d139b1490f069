package diagnose

import (
	"math"
	"slices"

	"openloop/numerics/detmath"
	"openloop/sim"
)

// What is normal, and since when it is not.
//
// The first windows are taken for normal. Their median is the typical value
// and their spread the noise, at least what chance alone does to a count. A
// sign is out of its band in the span in which it lies furthest on one side of
// it: the span with the largest sum of (widths out - slack), so that a long
// small shift and a short large one both count, and one wild window does not.

const (
	slack     = 1.25 // widths that a window may be out without counting
	most      = 8.0  // widths: one window counts no more
	alarm     = 6.0  // sum from which a sign has moved
	plainly   = 12.0 // and from which it is plain
	fewest    = 5    // windows from which noise can be seen
	firstPart = 3    // one in so many windows is taken for normal at first
)

// compare finds how every sign moved.
func (m *series) compare() {
	for s := range m.found {
		m.found[s] = Finding{Sign: Sign(s), Replica: -1}
	}
	n := len(m.w)
	switch {
	case n == 0:
	case n == 1:
		m.how = WithNothing
	case m.w[0].Baseline:
		m.how, m.normal = WithLifetime, [2]int{0, 1}
		m.every()
	case n < 2*fewest:
		m.how, m.normal = WithFirst, [2]int{0, 1}
		m.every()
	default:
		m.how = WithNormal
		from := m.filled()
		m.normal = [2]int{from, max(from+fewest, from+(n-from)/firstPart)}
		m.every()
		if first := m.first(); first > m.normal[1] { // more of it is normal than was thought
			m.normal[1] = first
			m.every()
		}
	}
	m.onset = m.first()
}

// filled is the first window in which a server that has just been started is
// as full as it will be: its batch is near what it is later on.
func (m *series) filled() int {
	run := m.col[sim.RunningBatch]
	n := len(run)
	v := make([]float64, 0, n)
	for _, x := range run[:n/firstPart+1] {
		if x == x {
			v = append(v, x)
		}
	}
	slices.Sort(v)
	typical := middle(v)
	k := 0
	for k < n/6 && !(run[k] >= 0.75*typical) {
		k++
	}
	return k
}

func (m *series) every() {
	for s := range Sign(KVFull) {
		m.find(s)
	}
}

// band is what is normal of a sign, on its scale.
type band struct {
	center, width float64
	look          *look
	seconds       float64
}

func (b *band) on(x float64) float64 {
	if b.look.scale == factors {
		if !(x > 0) {
			return math.NaN()
		}
		return detmath.Log(x)
	}
	return x
}

func (b *band) off(y float64) float64 {
	if b.look.scale == factors {
		return detmath.Exp(y)
	}
	return y
}

// out is how many widths a value lies above the center.
func (b *band) out(x float64) float64 {
	z := (b.on(x) - b.center) / b.width
	return max(-most, min(most, z))
}

// bandOf is what the normal windows say; ok is false if they do not have the sign.
func (m *series) bandOf(s Sign) (b band, ok bool) {
	b = band{look: &looks[s], seconds: m.width()}
	var buffer [128]float64
	y := buffer[:0]
	for k := m.normal[0]; k < m.normal[1] && len(y) < len(buffer); k++ {
		if v := b.on(m.col[s][k]); v == v {
			y = append(y, v)
		}
	}
	if len(y) == 0 {
		return b, false
	}
	slices.Sort(y)
	b.center = middle(y)
	sum := 0.0
	for _, v := range y {
		sum += float64((v - b.center) * (v - b.center))
	}
	b.width = math.Sqrt(sum / float64(max(1, len(y)-1)))
	least := b.look.least
	if m.how != WithNormal || len(y) < fewest {
		least = b.look.rough
	}
	switch b.look.scale {
	case counts:
		least *= math.Sqrt(max(b.center, 1))
	case rates:
		least *= math.Sqrt(max(b.center*b.seconds, 1)) / b.seconds
	}
	b.width = max(b.width, least)
	return b, true
}

// width is how long a window is, in seconds; 1 if that is not known.
func (m *series) width() float64 {
	w := &m.w[len(m.w)-1]
	if x := w.End - w.Start; w.Timed && x > 0 && !math.IsInf(x, 0) {
		return x
	}
	return 1
}

// find works out the finding of one sign.
func (m *series) find(s Sign) {
	f := &m.found[s]
	*f = Finding{Sign: s, Replica: -1}
	b, ok := m.bandOf(s)
	if !ok {
		return
	}
	x := m.col[s]
	up, down := span{}, span{}
	known := false
	for k := m.normal[1]; k < len(x); k++ {
		z := b.out(x[k])
		if z != z {
			continue
		}
		known = true
		up.take(k, z-slack)
		down.take(k, -z-slack)
	}
	if !known {
		return
	}
	f.Known = true
	f.Before = b.off(b.center)
	f.Noise = b.width
	best, sign := &up, sim.Up
	if down.best > up.best {
		best, sign = &down, sim.Down
	}
	f.From, f.To = best.from, best.to
	m.sum[s] = best.best
	limit := alarm
	if m.how != WithNormal {
		limit = 2 // one window is all there is
	}
	if best.best < limit {
		f.After = f.Before
		return
	}
	f.Move = sign
	if s == ITLApart || s == ShareApart {
		m.oneReplica(f)
	}
	if m.describe(f, &b); f.Move == sim.Flat {
		f.After, f.Widths = f.Before, 0
	}
}

// describe fills in the size and the shape of what moved.
func (m *series) describe(f *Finding, b *band) {
	x := m.col[f.Sign]
	sum, out, n := 0.0, 0.0, 0.0
	head, tail, heads, tails := 0.0, 0.0, 0.0, 0.0
	third := max(1, (f.To-f.From)/3)
	for k := f.From; k < f.To; k++ {
		y := b.on(x[k])
		if y != y {
			continue
		}
		z := math.Abs(y-b.center) / b.width
		sum, out, n = sum+y, out+min(most, z), n+1
		if k < f.From+third {
			head, heads = head+z, heads+1
		}
		if k >= f.To-third {
			tail, tails = tail+z, tails+1
		}
	}
	f.After = b.off(sum / n)
	f.Widths = out / n
	f.Back = f.To < len(x)-1
	f.Fades = f.To-f.From >= 3 && heads > 0 && tails > 0 && tail/tails < head/heads/3
}

// span is the stretch with the largest sum.
type span struct {
	sum, best      float64
	start          int
	from, to       int
	open, foundOne bool
}

func (s *span) take(k int, v float64) {
	if !s.open || s.sum <= 0 {
		s.sum, s.start, s.open = 0, k, true
	}
	if s.sum += v; s.sum > s.best || !s.foundOne {
		s.best, s.from, s.to, s.foundOne = s.sum, s.start, k+1, true
	}
}

// first is the earliest window in which a sign that moved is out; -1 if none.
// What moved plainly counts before what hardly did.
func (m *series) first() int {
	for _, least := range [...]float64{plainly, 0} {
		k := -1
		for s := range m.found {
			if f := &m.found[s]; f.Move != sim.Flat && m.sum[s] >= least && (k < 0 || f.From < k) {
				k = f.From
			}
		}
		if k >= 0 {
			return k
		}
	}
	return -1
}
