package sim

// Arrivals is a plan of instants that does not depend on answers: Constant,
// Poisson, Gamma, Burst, MMPP, Curve, Diurnal, Ramp or Stamps. Requests
// may share an instant.
type Arrivals interface {
	check(c *checker, field string, w *Workload)
	stream(seed uint64) instants
}

// instants gives the planned instants one by one, in order; ok is false when
// there are no more, or none before MaxSeconds.
type instants interface {
	next() (at Nanos, ok bool)
}

// The rates that are allowed, in requests per second.
const (
	minRate = 1e-6
	maxRate = 1e6
)

func checkArrivals(c *checker, field string, a Arrivals, w *Workload) {
	if a == nil {
		c.fail(field, "missing", "Constant, Poisson, Gamma, Burst, MMPP, Curve, Diurnal, Ramp or Stamps")
		return
	}
	a.check(c, field, w)
}

// instant rounds seconds to an instant if a run may last that long.
func instant(seconds float64) (Nanos, bool) {
	if seconds < MaxSeconds {
		return Seconds(seconds), true
	}
	return 0, false
}

// Constant sends at 0, 1/rate, 2/rate and so on.
type Constant struct{ RatePerSec float64 }

func (a Constant) check(c *checker, field string, w *Workload) {
	c.float(field+".RatePerSec", a.RatePerSec, minRate, maxRate)
	w.checkRate(c, field+".RatePerSec", a.RatePerSec)
}

func (a Constant) stream(uint64) instants { return &constant{rate: a.RatePerSec} }

type constant struct {
	rate float64
	n    float64
}

func (s *constant) next() (Nanos, bool) {
	t := s.n / s.rate // not a sum of gaps: no drift
	s.n++
	return instant(t)
}

// Poisson sends with independent exponential gaps, the first from 0.
type Poisson struct{ RatePerSec float64 }

func (a Poisson) check(c *checker, field string, w *Workload) {
	Gamma{a.RatePerSec, 1}.check(c, field, w)
}

func (a Poisson) stream(seed uint64) instants { return Gamma{a.RatePerSec, 1}.stream(seed) }

// Gamma sends with independent gamma gaps, as vLLM's --burstiness means it:
// Burstiness is the shape, the scale is 1/(rate*Burstiness), so that the mean
// gap stays 1/rate and the coefficient of variation is 1/sqrt(Burstiness). 1 is
// Poisson, to the bit; below 1 gaps come in bursts; above 1 they even out.
// (vLLM also stretches the gaps so that the last arrival is at N/rate.)
type Gamma struct {
	RatePerSec float64
	Burstiness float64
}

func (a Gamma) check(c *checker, field string, w *Workload) {
	c.float(field+".RatePerSec", a.RatePerSec, minRate, maxRate)
	c.float(field+".Burstiness", a.Burstiness, 0.01, 1e4)
	w.checkRate(c, field+".RatePerSec", a.RatePerSec)
}

func (a Gamma) stream(seed uint64) instants {
	return &renewal{
		rand:  NewRand(seed, StreamArrivals, 0),
		shape: a.Burstiness, rate: float64(a.RatePerSec * a.Burstiness),
	}
}

type renewal struct {
	rand  Rand
	shape float64
	rate  float64 // of the gamma variable: 1/scale
	t     float64 // seconds
}

func (s *renewal) next() (Nanos, bool) {
	s.t += s.rand.Gamma(s.shape) / s.rate
	return instant(s.t)
}

// Burst sends everything at 0: what --request-rate inf does without a cap, and
// MLPerf's Offline. Requests must say how many.
type Burst struct{}

func (a Burst) check(c *checker, field string, w *Workload) {
	if _, isRows := w.Lengths.(Rows); w.Requests == 0 && !isRows {
		c.fail("Requests", "0", "1 to "+intText(MaxRequests)+" for a burst")
	}
}

func (a Burst) stream(uint64) instants { return burst{} }

type burst struct{}

func (burst) next() (Nanos, bool) { return 0, true }
