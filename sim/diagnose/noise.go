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
	plainly   = 0.25 // share of all moves, by their sums, that has begun by then
	fewest    = 6    // windows from which noise can be seen
	leaves    = 1.75 // widths that the first window of a move is out, at least,
	third     = 0.35 // or this share of what it is out on average
	early     = 0.25 // share of the largest stretch that an earlier one must be
	firstPart = 4    // one in so many windows is taken for normal at first
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
		if first := m.earliest(); m.normal[1] < first && first < n { // more of it is normal than was thought
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
	for _, s := range [...]Sign{outputs, prompts, hit, PerPrompt} {
		of := promptRate
		if s == outputs {
			of = StripSign(sim.CompletedRate)
		}
		m.usual[s] = math.NaN()
		if b, ok := m.bandOf(of); ok {
			m.usual[s] = b.off(b.center)
		}
	}
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
	if s == ITLApart || s == ShareApart {
		b.width = max(0.7*b.width, math.Sqrt(b.width*spread(y, b.center))) // the largest of some is wild now and then
	}
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

// spread is the standard deviation that the median distance from the center
// stands for. It reorders y.
func spread(y []float64, center float64) float64 {
	for i, v := range y {
		y[i] = math.Abs(v - center)
	}
	slices.Sort(y)
	return 1.4826 * middle(y)
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
	var out spans
	for k := m.normal[1]; k < len(x); k++ {
		if z := b.out(x[k]); z == z {
			f.Known = true
			out.take(k, z*m.weight(s, k))
		}
	}
	if !f.Known {
		return
	}
	f.Before = b.off(b.center)
	f.Noise = b.width
	limit := alarm
	if m.how != WithNormal {
		limit = 2 // one window is all there is
	}
	e := out.earliest()
	if e.sum < limit {
		f.From, f.To, f.After = e.from, e.to, b.off(m.within(s, &b, e))
		if !finite(f.Before) || !finite(f.After) || !finite(f.Noise) {
			*f = Finding{Sign: s, Replica: -1}
		}
		return
	}
	m.trim(&e, &b, s)
	f.From, f.To, m.sum[s] = e.from, e.to, e.sum
	f.Move = e.move
	if s == ITLApart || s == ShareApart {
		m.oneReplica(f)
	}
	if m.describe(f, &b); f.Move == sim.Flat {
		f.Widths = 0
	}
	if !finite(f.Before) || !finite(f.After) || !finite(f.Noise) || !finite(f.Widths) {
		*f = Finding{Sign: s, Replica: -1} // values that no server has
	}
}

// within is the mean of a sign, on its scale, over windows in which it did not
// move far enough; its center if there are none.
func (m *series) within(s Sign, b *band, e span) float64 {
	sum, n := 0.0, 0.0
	for _, v := range m.col[s][e.from:e.to] {
		if y := b.on(v); y == y {
			sum, n = sum+y, n+1
		}
	}
	if n == 0 {
		return b.center
	}
	return sum / n
}

func finite(x float64) bool { return x-x == 0 }

// trim takes the windows at the start of a stretch in which it was on its way,
// or by chance on that side, and not yet out: it begins where the sum of what is
// over a third of its mean is largest.
func (m *series) trim(e *span, b *band, s Sign) {
	if e.to-e.from < 2 {
		return
	}
	side := float64(e.move)
	mean, n := 0.0, 0.0
	for _, v := range m.col[s][e.from:e.to] {
		if z := b.out(v); z == z {
			mean, n = mean+float64(side*z), n+1
		}
	}
	least := max(leaves, third*mean/n)
	sum, best, at := 0.0, 0.0, e.to-1
	for k := e.to - 1; k >= e.from; k-- {
		if z := b.out(m.col[s][k]); z == z {
			if sum += float64(side*z) - least; sum > best {
				best, at = sum, k
			}
		}
	}
	e.from = m.lonely(at, e.to, side, b, s)
}

// lonely skips a first window that is out by itself: the next two are in, so it
// was chance, and what stays begins later.
func (m *series) lonely(from, to int, side float64, b *band, s Sign) int {
	in := func(k int) bool {
		z := b.out(m.col[s][k])
		return z == z && float64(side*z) < leaves
	}
	k := from + 1
	for k < to && in(k) {
		k++
	}
	if k-from > 2 && k < to {
		return k
	}
	return from
}

// weight is what a window's value counts beside those of before: a mean, or a
// share, of fewer requests than usual is the noisier for it.
func (m *series) weight(s Sign, k int) float64 {
	of := StripSign(sim.CompletedRate)
	switch s {
	case outputs:
	case prompts, hit, PerPrompt:
		of = promptRate
	default:
		return 1
	}
	now := over(m.col[of][k], m.usual[s])
	if now != now {
		return 1
	}
	return min(1, math.Sqrt(now))
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
		z = float64(z * m.weight(f.Sign, k))
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

// earliest is the first window in which any sign that moved is out, the number of
// windows if none is.
func (m *series) earliest() int {
	k := len(m.w)
	for s := range m.found {
		if f := &m.found[s]; f.Move != sim.Flat {
			k = min(k, f.From)
		}
	}
	return k
}

// first is when it began: by then a quarter of all that moved is out, each sign
// as heavy as it moved; -1 if none did.
func (m *series) first() int {
	at := make([]float64, len(m.w))
	all := 0.0
	for s := range m.found {
		if f := &m.found[s]; f.Move != sim.Flat && beginning(Sign(s)) {
			at[f.From] += m.sum[s]
			all += m.sum[s]
		}
	}
	if all == 0 {
		return -1
	}
	sum := 0.0
	for k, v := range at {
		if sum += v; sum >= plainly*all {
			return k
		}
	}
	return len(at) - 1
}

// beginning says whether a sign may say when it began: the signals do, and what
// comes from outside.
func beginning(s Sign) bool {
	switch s {
	case FirstAttempts, prompts, outputs, RetryShare, MeanGap, ITLApart, ShareApart, ReplicasDown:
		return true
	}
	return s < strip
}
