package route

import (
	"math"

	"openloop/numerics/detmath"
)

// Cascade asks the weak model first and the strong one where the answer does
// not look right. Confidence is N(d,1) for right answers of the weak model and
// N(0,1) for wrong ones. It pays the weak model and the verifier for every
// request, the strong one on top for each that it escalates; and it escalates
// in vain where both models are wrong.
type Cascade struct {
	Pair
	AUC float64 // chance that a right answer looks better than a wrong one, 0 to 1

	// NoiseSD is the standard deviation of independent normal noise in the
	// confidence, in units of its spread without noise, 0 to 1e6: one sampled
	// answer more or less, a judge that contradicts itself. See NoisyAUC.
	NoiseSD float64
}

// Check wants a legal pair, an AUC of 0 to 1 and noise of 0 to 1e6.
func (c Cascade) Check() error {
	var k checker
	k.pair(c.Pair)
	k.share("AUC", c.AUC)
	k.float("NoiseSD", c.NoiseSD, 0, 1e6)
	return k.result()
}

// EffectiveAUC is what the noise leaves of the AUC.
func (c Cascade) EffectiveAUC() float64 { return NoisyAUC(c.AUC, c.NoiseSD) }

// screen turns the confidence round: wanted are the wrong answers, and the
// threshold of the screen is d - t.
func (c Cascade) screen() screen {
	return screen{1 - c.Rates.Weak, distance(c.AUC) / math.Sqrt(1+float64(c.NoiseSD*c.NoiseSD))}
}

// point is accuracy = Weak + Pi*X - Lam*R and cost = c_w + c_v + e*c_s, with X
// and R the shares of wrong and right answers that are escalated.
func (c Cascade) point(s screen, q passed) Point {
	e := s.share(q)
	return Point{
		Threshold:  confidence(s, q),
		StrongFrac: e,
		Accuracy:   c.Rates.Weak + (float64(c.Rates.Pi*q.wanted) - float64(c.Rates.Lam*q.unwanted)),
		Cost:       c.Prices.Weak + c.Prices.Verify + float64(e*c.Prices.Strong),
	}
}

// confidence is the threshold below which answers are escalated. Where right
// and wrong answers are infinitely far apart it is on the scale of the wrong.
func confidence(s screen, q passed) float64 {
	switch {
	case !math.IsInf(s.d, 0):
		return s.d - q.t
	case s.d > 0 && q.unwanted > 0:
		return math.Inf(1)
	}
	return detmath.NormQuantile(q.wanted)
}

// At escalates answers whose confidence is below the threshold, in units of the
// spread of the confidence with its noise. +Inf escalates all, -Inf none.
func (c Cascade) At(threshold float64) Point {
	s := c.screen()
	switch {
	case math.IsInf(threshold, 0):
		return c.point(s, s.at(-threshold))
	case s.d > math.MaxFloat64:
		return c.point(s, passed{math.Inf(1), detmath.NormCDF(threshold), 0})
	case s.d < -math.MaxFloat64:
		return c.point(s, passed{math.Inf(-1), detmath.NormCDF(threshold), 1})
	}
	return c.point(s, s.at(s.d-threshold))
}

// AtFrac escalates the share e (0 to 1) with the least confidence.
func (c Cascade) AtFrac(e float64) Point {
	s := c.screen()
	return c.point(s, s.atShare(e))
}

// Kept is the share of the weak model's right answers that are kept, and
// Escalated the share of its wrong answers that are escalated, where a share e
// of all is.
func (c Cascade) Kept(e float64) (keptRight, escalatedWrong float64) {
	q := c.screen().atShare(e)
	return 1 - q.unwanted, q.wanted
}

// Curve fills dst with points of equal steps in the escalated share, from none
// to all; a single one gets none.
func (c Cascade) Curve(dst []Point) {
	s := c.screen()
	var q passed
	for i := range dst {
		q = s.step(q, i, len(dst))
		dst[i] = c.point(s, q)
	}
}

// Best is the most accurate point; of equal ones that which escalates least.
// For an AUC above 1/2 the threshold is d/2 + ln(Pi/Lam)/d.
func (c Cascade) Best() Point {
	s := c.screen()
	return c.point(s, s.best(c.Rates.Pi, c.Rates.Lam))
}

// BestFor is the point with the most net worth, value*accuracy - cost, where
// value (not negative) is the worth of one right answer in the unit of Prices;
// of equal ones that which escalates least.
func (c Cascade) BestFor(value float64) Point {
	s := c.screen()
	gain := float64(c.Rates.Pi*value) - float64(s.p*c.Prices.Strong)
	loss := float64(c.Rates.Lam*value) + float64((1-s.p)*c.Prices.Strong)
	return c.point(s, s.best(gain, loss))
}

// Reach is the point that escalates least and is at least as accurate as asked;
// not ok if there is none.
func (c Cascade) Reach(accuracy float64) (Point, bool) {
	s := c.screen()
	q, ok := s.reach(c.Rates.Pi, c.Rates.Lam, accuracy-c.Rates.Weak)
	if !ok {
		return Point{}, false
	}
	return c.point(s, q), true
}

// CrossOver is the escalated share above which a cascade costs more than the
// strong model for everything: (c_s - c_w - c_v)/c_s. At 22 to 1 that is 0.955,
// at 3 to 1 0.667, at 1.5 to 1 0.333 (no verifier). Not ok, and 0, if it is
// dearer even when it escalates nothing.
func (c Cascade) CrossOver() (escalated float64, ok bool) {
	first := c.Prices.Weak + c.Prices.Verify
	switch {
	case first == 0:
		return 1, true // never dearer
	case first > c.Prices.Strong:
		return 0, false
	}
	return (c.Prices.Strong - first) / c.Prices.Strong, true
}

// CrossOverRatio is the price ratio c_s/c_w below which a cascade that
// escalates a share (0 to 1) costs more than the strong model for everything:
// (1 + verify)/(1 - escalated), where verify is c_v/c_w. It is +Inf where all is
// escalated: then no price ratio helps.
func CrossOverRatio(escalated, verify float64) float64 {
	if escalated >= 1 {
		return math.Inf(1)
	}
	return (1 + verify) / (1 - escalated)
}

// RouterFrac is the share that a router could send to the strong model for the
// money of a cascade that escalates e: (c_v + e*c_s)/(c_s - c_w). Above 1 it
// could send all and keep the change. Not ok unless the strong model is dearer.
func (c Cascade) RouterFrac(e float64) (float64, bool) {
	if c.gap() <= 0 {
		return 0, false
	}
	return (c.Prices.Verify + float64(e*c.Prices.Strong)) / c.gap(), true
}
