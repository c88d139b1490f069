package sim

import "math"

// Curve is a Poisson process whose rate follows straight lines through
// RatePerSec[0] at 0, RatePerSec[1] at Every, RatePerSec[2] at 2*Every and so
// on. After the last it stays there, or, if Repeat is set, goes on to the first
// within another Every and starts again.
type Curve struct {
	RatePerSec []float64
	Every      Nanos
	Repeat     bool
}

const maxKnots = 100_000

func (a Curve) check(c *checker, field string, w *Workload) {
	c.int(field+".RatePerSec points", int64(len(a.RatePerSec)), 1, maxKnots)
	c.span(field+".Every", a.Every, Millisecond, maxNanos)
	sum := 0.0
	for i, r := range a.RatePerSec {
		if !(r >= 0 && r <= maxRate) {
			c.float(indexed(field+".RatePerSec", i), r, 0, maxRate)
			return
		}
		sum += r
	}
	if c.Err != nil {
		return
	}
	mean := sum / float64(len(a.RatePerSec))
	if mean < minRate {
		c.fail(field+".RatePerSec", "on average "+floatText(mean), "at least "+floatText(minRate)+" on average")
	}
	if a.Repeat {
		w.checkRate(c, field+".RatePerSec", mean)
	}
}

// Diurnal is a day: a Curve from LowPerSec at 0 to HighPerSec at Period/2 and
// back, repeated. The shape is a raised cosine, drawn as 24 straight lines.
type Diurnal struct {
	LowPerSec  float64
	HighPerSec float64
	Period     Nanos
}

func (a Diurnal) check(c *checker, field string, w *Workload) {
	c.float(field+".LowPerSec", a.LowPerSec, 0, maxRate)
	c.float(field+".HighPerSec", a.HighPerSec, max(a.LowPerSec, minRate), maxRate)
	c.span(field+".Period", a.Period, 24*Millisecond, maxNanos)
	w.checkRate(c, field+".HighPerSec", float64(0.5*a.LowPerSec)+float64(0.5*a.HighPerSec))
}

// (1 - cos(k*15 degrees))/2 for k = 0..12: the hours up to noon.
var morning = [13]float64{
	0, 0.01703708685546585, 0.06698729810778067, 0.14644660940672624, 0.25, 0.37059047744873963, 0.5,
	0.6294095225512604, 0.75, 0.8535533905932737, 0.9330127018922193, 0.9829629131445341, 1,
}

func (a Diurnal) curve() Curve {
	c := Curve{RatePerSec: make([]float64, 24), Every: a.Period / 24, Repeat: true}
	for k := range c.RatePerSec {
		c.RatePerSec[k] = a.LowPerSec + float64((a.HighPerSec-a.LowPerSec)*morning[min(k, 24-k)])
	}
	return c
}

func (a Diurnal) stream(seed uint64) instants { return a.curve().stream(seed) }

// Ramp is a Curve that goes from one rate to another over a span and stays.
type Ramp struct {
	FromPerSec float64
	ToPerSec   float64
	Over       Nanos
}

func (a Ramp) check(c *checker, field string, w *Workload) {
	c.float(field+".FromPerSec", a.FromPerSec, 0, maxRate)
	c.float(field+".ToPerSec", a.ToPerSec, 0, maxRate)
	c.float(field+".FromPerSec + ToPerSec", a.FromPerSec+a.ToPerSec, minRate, 2*maxRate)
	c.span(field+".Over", a.Over, Millisecond, maxNanos)
}

func (a Ramp) stream(seed uint64) instants {
	return Curve{RatePerSec: []float64{a.FromPerSec, a.ToPerSec}, Every: a.Over}.stream(seed)
}

func (a Curve) stream(seed uint64) instants {
	s := &curve{
		rand: NewRand(seed, StreamArrivals, 0), knots: a.RatePerSec,
		every: a.Every, h: a.Every.Seconds(), repeat: a.Repeat,
	}
	for i := range s.knots {
		s.area += s.areaFrom(i, 0)
	}
	return s
}

// curve walks along the rate: the expected number of requests between two is
// exponential with mean 1, so each gap is where the area under the rate has
// grown by such a variable. Each area is a triangle or trapezoid, so the place
// within a piece is the root of a quadratic.
type curve struct {
	rand   Rand
	knots  []float64
	every  Nanos
	h      float64 // every in seconds
	repeat bool
	area   float64 // of one period

	piece int64   // since 0; the one that starts at piece*every
	x     float64 // seconds into it
}

func (s *curve) next() (Nanos, bool) {
	left := s.rand.Exponential()
	n := int64(len(s.knots))
	for {
		i := int(s.piece % n)
		if !s.repeat && s.piece >= n-1 {
			return s.beyond(left)
		}
		rest := s.areaFrom(i, s.x)
		if left < rest {
			s.x = min(s.x+s.within(i, left), s.h)
			return s.now()
		}
		left -= rest
		s.piece++
		s.x = 0
		if s.repeat && s.piece%n == 0 && left > s.area {
			// Whole periods at once: a plan with few requests a period must
			// not walk through them all.
			k := math.Floor(left / s.area)
			if float64(k*s.h) > MaxSeconds {
				return 0, false
			}
			s.piece += int64(k) * n
			left = max(left-float64(k*s.area), 0)
		}
	}
}

// beyond is next on the level that follows the last knot.
func (s *curve) beyond(left float64) (Nanos, bool) {
	s.x += left / s.knots[len(s.knots)-1] // +Inf for a level of 0
	return s.now()
}

// now is the instant reached. Whole pieces are added as integers, so that
// rounding cannot set an instant before one of an earlier piece.
func (s *curve) now() (Nanos, bool) {
	x, ok := instant(s.x)
	if !ok || s.piece > int64(maxNanos/s.every) {
		return 0, false
	}
	t := Nanos(s.piece)*s.every + x
	return t, t < maxNanos
}

// ends are the rates at both ends of piece i.
func (s *curve) ends(i int) (from, to float64) {
	return s.knots[i], s.knots[(i+1)%len(s.knots)]
}

func (s *curve) rateAt(i int, x float64) float64 {
	from, to := s.ends(i)
	return max(from+float64((to-from)*(x/s.h)), 0)
}

// areaFrom is the expected number of requests from x to the end of piece i.
func (s *curve) areaFrom(i int, x float64) float64 {
	_, to := s.ends(i)
	return float64(float64(0.5*(s.rateAt(i, x)+to)) * (s.h - x))
}

// within is how far from x the area of piece i grows by a: the root of
// slope/2*d^2 + rate*d = a in the form that does not cancel.
func (s *curve) within(i int, a float64) float64 {
	from, to := s.ends(i)
	rate := s.rateAt(i, s.x)
	square := float64(rate*rate) + float64(2*a*((to-from)/s.h))
	return 2 * a / (rate + math.Sqrt(max(square, 0)))
}
