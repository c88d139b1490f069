package sim

import "slices"

// Trace is recorded traffic, one row a request, in order of time. Readers of
// trace files make it; At counts from wherever the caller wants 0 to be.
type Trace struct {
	At         []Nanos
	Prompt     []int32
	Output     []int32
	Hashes     [][]uint64 // optional, as in Rows
	HashTokens int32
}

// Replay is the workload that sends the trace again in an open loop, rateScale
// times as fast, with stamps that are multiples of quantum spread over it (0
// leaves them). It is checked when it is used.
func (t Trace) Replay(rateScale float64, quantum Nanos) Workload {
	return Workload{
		Generator: OpenLoop{Stamps{At: t.At, RateScale: rateScale, Quantum: quantum}},
		Lengths:   Rows{Prompt: t.Prompt, Output: t.Output, Hashes: t.Hashes, HashTokens: t.HashTokens},
		Requests:  len(t.At),
	}
}

// Stamps sends at recorded instants, divided by RateScale: 2 doubles the rate.
// (Scaling by time keeps the shape of bursts and shortens the pauses between
// them; the real traffic of twice the users would overlap instead.)
//
// Clocks that tick once in a Quantum leave many equal stamps. With a Quantum
// above 0 a run of equal stamps is spread: each gets its own uniform instant
// from the stamp up to a quantum later, or to the next stamp if that is nearer,
// in order, before scaling. Order is kept, and stamps that occur once stay.
type Stamps struct {
	At        []Nanos
	RateScale float64
	Quantum   Nanos
}

func (a Stamps) check(c *checker, field string, _ *Workload) {
	c.float(field+".RateScale", a.RateScale, 1e-3, 1e3)
	c.span(field+".Quantum", a.Quantum, 0, maxNanos)
	c.int(field+".At rows", int64(len(a.At)), 1, MaxRequests)
	before := Nanos(0)
	for i, t := range a.At {
		if t < before || t > maxNanos {
			c.span(indexed(field+".At", i), t, before, maxNanos)
			return
		}
		before = t
	}
	if c.Err == nil && float64(before+a.Quantum)/a.RateScale >= float64(maxNanos) {
		c.fail(field+".RateScale", floatText(a.RateScale), "such that the last stamp is before "+intText(MaxSeconds)+" s")
	}
}

func (a Stamps) stream(seed uint64) instants {
	s := &stamps{at: a.At, scale: a.RateScale}
	if a.Quantum > 0 {
		r := NewRand(seed, StreamJitter, 0)
		s.at = spread(slices.Clone(a.At), a.Quantum, &r)
	}
	return s
}

// spread moves equal stamps apart, in place.
func spread(times []Nanos, quantum Nanos, r *Rand) []Nanos {
	for from := 0; from < len(times); {
		to := from + 1
		for to < len(times) && times[to] == times[from] {
			to++
		}
		room := quantum
		if to < len(times) {
			room = min(room, times[to]-times[from])
		}
		if equal := times[from:to]; len(equal) > 1 {
			for i := range equal {
				equal[i] += Nanos(r.IntN(int(room)))
			}
			slices.Sort(equal)
		}
		from = to
	}
	return times
}

type stamps struct {
	at    []Nanos
	scale float64
	i     int
}

func (s *stamps) next() (Nanos, bool) {
	if s.i == len(s.at) {
		return 0, false
	}
	t := s.at[s.i]
	s.i++
	if s.scale != 1 {
		t = Nanos(float64(t)/s.scale + 0.5) // exact below 2^53 ns, and monotone
	}
	return t, true
}
