package diagnose

import (
	"math"
	"slices"

	"openloop/sim"
)

// Which replica is apart. A replica whose gaps are longer than those of the
// others is slow; one to which more comes than to the others is favored; one
// to which nothing comes and in which nothing is, beside others that work, is
// gone.

func (m *series) replicas(k int, buffer []float64) {
	r := m.w[k].Replicas
	m.apart[0][k], m.apart[1][k] = -1, -1
	m.col[ITLApart][k], m.col[ShareApart][k], m.col[ReplicasDown][k] = math.NaN(), math.NaN(), math.NaN()
	if len(r) < 2 {
		return
	}
	m.col[ITLApart][k], m.apart[0][k] = apart(r, buffer, itlOf)
	m.col[ShareApart][k], m.apart[1][k] = apart(r, buffer, offeredOf)
	idle, work := 0, 0
	for i := range r {
		switch {
		case r[i].Running.Known && r[i].Running.Value+r[i].Waiting.Value+r[i].Offered.Value == 0:
			idle++
		case r[i].Running.Known && r[i].Running.Value > 0:
			work++
		}
	}
	if work > 0 {
		m.col[ReplicasDown][k] = float64(idle)
	}
}

func itlOf(r *sim.ReplicaWindow) float64 { return value(r.ITLp99) }

func offeredOf(r *sim.ReplicaWindow) float64 { return value(r.Offered) }

// apart is how many times the largest value is the median of the others, and
// whose it is. Replicas without a value, and those with 0, are left out: they
// do another kind of work, or none.
func apart(r []sim.ReplicaWindow, buffer []float64, of func(*sim.ReplicaWindow) float64) (times float64, who int16) {
	v := buffer[:0]
	who = -1
	most := 0.0
	for i := range r {
		x := of(&r[i])
		if !(x > 0) {
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
