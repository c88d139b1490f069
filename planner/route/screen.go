package route

import (
	"math"

	"openloop/numerics/detmath"
)

// screen sends on the requests whose score exceeds a threshold. A share p of
// the requests are wanted, with scores N(d,1); the others have N(0,1). Wanted
// are for a router those whom only the strong model answers right, for a
// cascade those whom the weak one got wrong, for a cache those that repeat.
type screen struct{ p, d float64 }

// distance is the d of an AUC (0 to 1): sqrt 2 * Phi^-1(AUC). It is infinite
// for a perfect score and negative for one that points the wrong way.
func distance(auc float64) float64 { return float64(sqrt2 * detmath.NormQuantile(auc)) }

// NoisyAUC is what is left of an AUC when independent normal noise of standard
// deviation sd is added to the score, in units of the score's own spread
// within a class: both spreads grow to sqrt(1+sd^2) and the distance of the
// means stays, so AUC' = Phi(Phi^-1(AUC)/sqrt(1+sd^2)). A perfect score is an
// infinite distance, which finite noise does not shorten.
func NoisyAUC(auc, sd float64) float64 {
	return detmath.NormCDF(detmath.NormQuantile(auc) / math.Sqrt(1+float64(sd*sd)))
}

// above is the share of N(0,1) above t.
func above(t float64) float64 { return detmath.NormCDF(-t) }

// passed is the outcome of a screen: the threshold, and the shares of wanted
// and unwanted requests that are sent on.
type passed struct{ t, wanted, unwanted float64 }

func (s screen) at(t float64) passed {
	switch {
	case math.IsInf(t, 0):
		both := above(t)
		return passed{t, both, both}
	case math.IsInf(s.d, 0):
		return passed{t, above(-s.d), above(t)}
	}
	return passed{t, above(t - s.d), above(t)}
}

// share is the part of all requests that is sent on.
func (s screen) share(q passed) float64 {
	return float64(s.p*q.wanted) + float64((1-s.p)*q.unwanted)
}

// atShare is the outcome that sends on a share f (0 to 1) of all requests.
func (s screen) atShare(f float64) passed {
	switch {
	case f <= 0:
		return s.at(math.Inf(1))
	case f >= 1:
		return s.at(math.Inf(-1))
	case s.d > math.MaxFloat64:
		return s.perfect(f)
	case s.d < -math.MaxFloat64:
		return s.perverse(f)
	case s.d == 0:
		return passed{-detmath.NormQuantile(f), f, f}
	}
	return s.solve(f)
}

// perfect sends every wanted request before the first unwanted one.
func (s screen) perfect(f float64) passed {
	if f <= s.p {
		return passed{math.Inf(1), f / s.p, 0}
	}
	rest := (f - s.p) / (1 - s.p)
	return passed{-detmath.NormQuantile(rest), 1, rest}
}

// perverse sends every unwanted request before the first wanted one.
func (s screen) perverse(f float64) passed {
	if f <= 1-s.p {
		rest := f / (1 - s.p)
		return passed{-detmath.NormQuantile(rest), 0, rest}
	}
	return passed{math.Inf(-1), (f - (1 - s.p)) / s.p, 1}
}

const (
	sharePrecision = 1e-15 // of f; two rounded terms tell no closer
	solveSteps     = 120   // bisection alone needs 60
)

// solve finds the threshold by Halley's method on the share, kept inside a
// bracket that shrinks: with z the threshold for N(0,1), the one for a mixture
// of N(0,1) and N(d,1) lies between z and z+d.
func (s screen) solve(f float64) passed {
	z := -detmath.NormQuantile(f)
	lo, hi := min(z, z+s.d), max(z, z+s.d)
	t := z + float64(s.p*s.d)
	var q passed
	before := math.Inf(1)
	for range solveSteps {
		q = s.at(t)
		miss := s.share(q) - f
		if miss > 0 {
			lo = t
		} else {
			hi = t
		}
		if found(miss, f) {
			return q
		}
		next := t + s.halley(t, miss)
		if slow := math.Abs(miss) > float64(0.5*before); slow || !(lo < next && next < hi) {
			next = lo + float64(0.5*(hi-lo))
		}
		before = math.Abs(miss)
		if next == t || !(lo < next && next < hi) {
			return q
		}
		t = next
	}
	return q
}

func found(miss, f float64) bool { return math.Abs(miss) <= float64(sharePrecision*f) }

// after is atShare for a share a little above that of an outcome at hand, in
// half the time: Halley's method needs no bracket so near. Where it does not
// settle at once, atShare decides.
func (s screen) after(last passed, f float64) passed {
	miss := s.share(last) - f
	for range 4 {
		t := last.t + s.halley(last.t, miss)
		if !(math.Abs(t-last.t) < 1) { // also NaN and beyond the ends
			break
		}
		last = s.at(t)
		if miss = s.share(last) - f; found(miss, f) {
			return last
		}
	}
	return s.atShare(f)
}

// halley is the step that brings the share down by miss. With g the density at
// t and g' its slope, share' = -g and share” = -g'.
func (s screen) halley(t, miss float64) float64 {
	g1 := float64(s.p * density(t-s.d))
	g0 := float64((1 - s.p) * density(t))
	g := g1 + g0
	slope := -float64((t-s.d)*g1) - float64(t*g0)
	newton := miss / g
	return newton / (1 + float64(float64(0.5*newton)*(slope/g)))
}

const (
	invSqrt2Pi = 0.3989422804014327
	sqrt2      = 1.4142135623730951
)

func density(t float64) float64 {
	return float64(invSqrt2Pi * detmath.Exp(-float64(float64(0.5*t)*t)))
}

// best is the outcome that makes gain*wanted - loss*unwanted largest; of equal
// ones that which sends least. Inside, the two densities are in the ratio
// loss/gain: t = d/2 + ln(loss/gain)/d. Otherwise it is all or nothing.
func (s screen) best(gain, loss float64) passed {
	top := s.at(math.Inf(1))
	most := 0.0
	try := func(q passed) {
		if v := float64(gain*q.wanted) - float64(loss*q.unwanted); v > most {
			top, most = q, v
		}
	}
	if q, ok := s.turning(gain, loss); ok {
		try(q)
	}
	try(s.at(math.Inf(-1)))
	return top
}

// turning is where gain*wanted - loss*unwanted turns, if it does.
func (s screen) turning(gain, loss float64) (passed, bool) {
	switch {
	case s.d > math.MaxFloat64:
		return passed{math.Inf(1), 1, 0}, true
	case s.d < -math.MaxFloat64:
		return passed{math.Inf(-1), 0, 1}, true
	case s.d == 0 || !(float64(gain*loss) > 0):
		return passed{}, false
	}
	return s.at(float64(0.5*s.d) + detmath.Log(loss/gain)/s.d), true
}

// reach is the outcome with the least share for which gain*wanted -
// loss*unwanted is at least want; gain and loss are not negative.
func (s screen) reach(gain, loss, want float64) (passed, bool) {
	value := func(q passed) float64 { return float64(gain*q.wanted) - float64(loss*q.unwanted) }
	all := s.at(math.Inf(-1))
	switch {
	case want <= 0:
		return s.at(math.Inf(1)), true
	case math.IsInf(s.d, 0):
		return s.reachSharp(gain, loss, want)
	case s.d <= 0 && value(all) < want:
		return passed{}, false
	case s.d == 0:
		return s.atShare(want / (gain - loss)), true
	}
	// With d > 0 the value rises from nothing sent to the turning point; with
	// d < 0 it falls first and rises from there until all are sent.
	lo, hi := -farOut-math.Abs(s.d), farOut+math.Abs(s.d)
	if turn, ok := s.turning(gain, loss); ok {
		if s.d > 0 {
			lo = max(lo, turn.t)
		} else {
			hi = min(hi, turn.t)
		}
	}
	if value(s.at(lo)) < want {
		return passed{}, false
	}
	for range 2 * solveSteps {
		mid := lo + float64(0.5*(hi-lo))
		if !(lo < mid && mid < hi) {
			break
		}
		if value(s.at(mid)) >= want {
			lo = mid
		} else {
			hi = mid
		}
	}
	return s.at(lo), true
}

// farOut is a score above which a normal distribution has nothing left.
const farOut = 40

// reachSharp is reach for scores that tell perfectly, or perfectly wrongly.
func (s screen) reachSharp(gain, loss, want float64) (passed, bool) {
	if s.d > 0 {
		if gain < want {
			return passed{}, false
		}
		return passed{math.Inf(1), want / gain, 0}, true
	}
	if gain-loss < want {
		return passed{}, false
	}
	return passed{math.Inf(-1), (want + loss) / gain, 1}, true
}

// stepOf is i of n equal steps from 0 to 1.
func stepOf(i, n int) float64 {
	if n < 2 {
		return 0
	}
	return float64(i) / float64(n-1)
}

// step is the outcome at step i of n, where last is that at the step before.
func (s screen) step(last passed, i, n int) passed {
	f := stepOf(i, n)
	if i < 2 || f >= 1 || s.d == 0 || math.IsInf(s.d, 0) {
		return s.atShare(f)
	}
	return s.after(last, f)
}
