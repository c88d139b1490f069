package diagnose

import (
	"math"
	"slices"

	"openloop/sim"
)

// Which replica is apart. A replica whose gaps are longer than those of the
// others is slow; one to which more comes than to the others is favored.

// What a replica was seen to do.
const (
	firstTokens = 1 << iota
	gaps
)

// kinds finds what each replica does: where prefill and decode are apart, some
// never have a first token and some never have a gap.
func (m *series) kinds() {
	for k := range m.w {
		r := m.w[k].Replicas
		for len(m.kind) < len(r) {
			m.kind = append(m.kind, 0)
		}
		for i := range r {
			if r[i].TTFTp99.Known {
				m.kind[i] |= firstTokens
			}
			if r[i].ITLp99.Known {
				m.kind[i] |= gaps
			}
		}
	}
}

func (m *series) poolsApart() bool {
	return slices.Contains(m.kind, gaps) && slices.Contains(m.kind, firstTokens)
}

func (m *series) replicas(k int, buffer []float64) {
	r := m.w[k].Replicas
	m.apart[0][k], m.apart[1][k] = -1, -1
	for _, s := range [...]Sign{ITLApart, ITLLeast, ShareApart, ReplicasDown, DecodeWaiting, DecodeKV} {
		m.col[s][k] = math.NaN()
	}
	if len(r) < 2 {
		return
	}
	m.col[ITLApart][k], m.apart[0][k] = apart(r, buffer, itlOf)
	half := 0.0 // of an arrival, as a rate: a replica to which nothing came is not infinitely less favored
	if w := &m.w[k]; w.Timed && w.End > w.Start {
		half = 0.5 / (w.End - w.Start)
	}
	m.col[ShareApart][k], m.apart[1][k] = apart(r, buffer, func(x *sim.ReplicaWindow) float64 { return m.offered(x, half) })
	down, waiting, held, decoding := 0.0, 0.0, 0.0, 0.0
	for i := range r {
		if v := itlOf(&r[i]); v == v && !(m.col[ITLLeast][k] <= v) {
			m.col[ITLLeast][k] = v
		}
		if v := value(r[i].Up); v == v {
			down += 1 - v
		} else {
			down = math.NaN()
		}
		if m.kind[i] == gaps {
			waiting, held, decoding = waiting+r[i].Waiting.Value, held+r[i].KV.Value, decoding+1
		}
	}
	m.col[ReplicasDown][k] = down
	if m.poolsApart() {
		m.col[DecodeWaiting][k], m.col[DecodeKV][k] = waiting, held/decoding
	}
}

func itlOf(r *sim.ReplicaWindow) float64 { return value(r.ITLp99) }

// offered is what comes to a replica; unknown of one that only decodes, which
// gets what others hand over.
func (m *series) offered(r *sim.ReplicaWindow, half float64) float64 {
	if v := value(r.Offered); v >= 0 && !(m.poolsApart() && r.TTFTp99 == (sim.Measured{}) && v == 0) {
		return v + half
	}
	return math.NaN()
}

// apart is how many times the largest value is the median of the others, and
// whose it is. Replicas without a value, and those with 0, are left out: they
// do another kind of work, or none; so are those that were there for a part of
// the window only.
func apart(r []sim.ReplicaWindow, buffer []float64, of func(*sim.ReplicaWindow) float64) (times float64, who int16) {
	v := buffer[:0]
	who = -1
	most := 0.0
	for i := range r {
		x := of(&r[i])
		if !(x > 0) || value(r[i].Up) < 0.999 {
			continue
		}
		if v = append(v, x); x > most {
			most, who = x, int16(i)
		}
	}
	if len(v) < 2 {
		return math.NaN(), -1
	}
	slices.Sort(v)
	return most / middle(v[:len(v)-1]), who
}

// middle is the median of sorted values; NaN of none.
func middle(v []float64) float64 {
	n := len(v)
	if n == 0 {
		return math.NaN()
	}
	return float64((v[(n-1)/2] + v[n/2]) / 2)
}

// least is for how many windows a replica must be apart: for half of those in
// which gaps are long, if it is about gaps.
func (m *series) least(s Sign) int {
	const shortest = 3
	if f := &m.found[itl]; s == ITLApart && f.Move == sim.Up {
		return max(shortest, (f.To-f.From)/2)
	}
	return shortest
}

// oneReplica finds which replica a move is about; a move of no one in
// particular is none.
func (m *series) oneReplica(f *Finding) {
	which := m.apart[0]
	if f.Sign == ShareApart {
		which = m.apart[1]
	}
	var times [256]int
	n := 0
	for _, i := range which[f.From:f.To] {
		if i >= 0 && int(i) < len(times) {
			times[i]++
			n++
		}
	}
	most := 0
	for i, x := range times {
		if x > times[most] {
			most = i
		}
	}
	if f.Move != sim.Up || 10*times[most] < 7*n || m.how == WithNormal && f.To-f.From < m.least(f.Sign) {
		f.Move = sim.Flat
		return
	}
	f.Replica = most
}

// rolling says whether replicas went down one after the other and came back.
func (m *series) rolling() bool {
	count := 0
	last := -1 // the last window in which one was down
	for i := range m.kind {
		from, to := -1, -1
		for k := range m.w {
			if i >= len(m.w[k].Replicas) {
				continue
			}
			if v := value(m.w[k].Replicas[i].Up); v < 0.98 {
				if from < 0 {
					from = k
				}
				to = k
			}
		}
		if from < 0 {
			continue
		}
		if from < last || to == len(m.w)-1 && count == 0 {
			return false
		}
		last = to
		count++
	}
	return count >= 2
}
