package route

import (
	"math"

	"openloop/numerics/detmath"
)

// Lifetime says how long answers to one recurring question are kept. Requests
// for it are a Poisson stream, and so are the changes of its right answer; each
// change makes all earlier answers wrong for ever.
type Lifetime struct {
	Hours         float64 // time to live, 0 to +Inf; 0 keeps nothing
	Sliding       bool    // each hit starts the time anew, as in a cache that drops what is unused; else it counts from the model's answer
	RepeatPerHour float64 // requests for the question, 0 to 1e9 per hour
	ChangePerHour float64 // changes of its answer, 0 to 1e9 per hour
}

// Check wants the ranges above.
func (l Lifetime) Check() error {
	var k checker
	k.lifetime("", l)
	return k.result()
}

func (k *checker) lifetime(at string, l Lifetime) {
	k.float(at+"Hours", l.Hours, 0, math.Inf(1))
	k.float(at+"RepeatPerHour", l.RepeatPerHour, 0, 1e9)
	k.float(at+"ChangePerHour", l.ChangePerHour, 0, 1e9)
}

// StaleAt is the share of answers of an age in hours that have gone wrong:
// 1 - e^(-change*age).
func StaleAt(ageHours, changePerHour float64) float64 {
	if changePerHour == 0 {
		return 0
	}
	return -expMinus1(-float64(ageHours * changePerHour))
}

// Live is the share of requests that find an answer kept.
//
// With a fixed lifetime L each stored answer meets rate*L requests and then one
// that finds nothing and renews it: rate*L/(1 + rate*L). With a sliding one a
// request finds an answer unless the gap before it exceeds L: 1 - e^(-rate*L).
func (l Lifetime) Live() float64 {
	x := product(l.RepeatPerHour, l.Hours)
	switch {
	case l.Sliding:
		return -expMinus1(-x)
	case math.IsInf(x, 0):
		return 1
	}
	return x / (1 + x)
}

// Stale is the share of true hits whose answer has gone wrong.
//
// With a fixed lifetime the ages of hits are uniform up to L, so with m = change*L
// it is 1 - (1 - e^-m)/m, whatever the rate. With a sliding one the k-th hit has
// an age of k gaps, each shorter than L. With q the chance of such a gap and g
// the chance that the answer outlives one, a cycle has sum q^k hits, sum (q*g)^k
// of them fresh: fresh = g*(1-q)/(1 - q*g), and
// q*g = rate/(rate+change)*(1 - e^(-(rate+change)*L)). Popular answers are then
// kept without end, and all go wrong.
func (l Lifetime) Stale() float64 {
	m := product(l.ChangePerHour, l.Hours)
	q := l.Live()
	switch {
	case m == 0:
		return 0
	case !l.Sliding || q == 0:
		return meanStale(m)
	case math.IsInf(l.Hours, 0):
		return 1
	}
	both := l.RepeatPerHour + l.ChangePerHour
	qg := float64(l.RepeatPerHour / both * -expMinus1(-float64(both*l.Hours)))
	ended := detmath.Exp(-product(l.RepeatPerHour, l.Hours))                                        // 1-q, not rounded off
	dies := (l.ChangePerHour + float64(l.RepeatPerHour*detmath.Exp(-float64(both*l.Hours)))) / both // 1-q*g, likewise
	return max(0, 1-float64(qg/q*ended)/dies)
}

// meanStale is the mean of 1 - e^-x over x from 0 to m.
func meanStale(m float64) float64 {
	switch {
	case math.IsInf(m, 0):
		return 1
	case m < 0x1p-6: // the series m/2! - m^2/3! + ...; there the other form cancels
		sum := 0.0
		for k := 8; k >= 2; k-- {
			sum = (1 - sum) * (m / float64(k))
		}
		return sum
	}
	return 1 + expMinus1(-m)/m
}

// expMinus1 is e^x - 1 for x <= 0, with a relative error below 1e-13.
func expMinus1(x float64) float64 {
	if x < -0x1p-6 {
		return detmath.Exp(x) - 1
	}
	sum := 0.0
	for k := 8; k >= 1; k-- {
		sum = (1 + sum) * (x / float64(k))
	}
	return sum
}

// product is x*y, and 0 for 0 times infinity: what never comes, never comes.
func product(x, y float64) float64 {
	if x == 0 || y == 0 {
		return 0
	}
	return float64(x * y)
}
