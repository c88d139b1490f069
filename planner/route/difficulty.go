package route

import (
	"math"

	"openloop/numerics/detmath"
)

// Difficulty is a model with a cause: a request has a difficulty x, uniform on
// 0 to 1, and a model of ability theta answers it right with probability
// 1/(1 + e^((x-theta)/tau)), the logistic curve of item response theory (Rasch,
// 1960), independently given x. A router sees x + N(0, Noise^2) and sends the
// hardest on. Only the weak model being right is then not rarer where the
// router sends: past some share, sending more costs accuracy as well.
type Difficulty struct {
	ThetaWeak, ThetaStrong float64 // difficulty at which half is right, -100 to 100
	Tau                    float64 // softness of the curve, 0.002 to 50; small: a cliff
	Noise                  float64 // standard deviation of what the router sees, in units of x, 0 to 100
}

// The range of Tau: below, exponentials overflow; above, difficulty does not matter.
const (
	minTau = 0.002
	maxTau = 50
)

// Check wants the ranges above.
func (d Difficulty) Check() error {
	var k checker
	k.float("ThetaWeak", d.ThetaWeak, -100, 100)
	k.float("ThetaStrong", d.ThetaStrong, -100, 100)
	k.float("Tau", d.Tau, minTau, maxTau)
	k.float("Noise", d.Noise, 0, 100)
	return k.result()
}

// right is the chance to answer a request of difficulty x.
func (d Difficulty) right(theta, x float64) float64 {
	return 1 / (1 + detmath.Exp((x-theta)/d.Tau))
}

// Right is the chance of either model to answer a request of difficulty x.
func (d Difficulty) Right(x float64) (weak, strong float64) {
	return d.right(d.ThetaWeak, x), d.right(d.ThetaStrong, x)
}

// softplus is ln(1 + e^z).
func softplus(z float64) float64 {
	return max(z, 0) + detmath.Log1p(detmath.Exp(-math.Abs(z)))
}

// integral is that of the chance over difficulties from a to b:
// tau*[ln(1+e^((theta-a)/tau)) - ln(1+e^((theta-b)/tau))].
func (d Difficulty) integral(theta, a, b float64) float64 {
	return float64(d.Tau * (softplus((theta-a)/d.Tau) - softplus((theta-b)/d.Tau)))
}

// gained is what the strong model answers right beyond the weak one between two
// difficulties.
func (d Difficulty) gained(a, b float64) float64 {
	return d.integral(d.ThetaStrong, a, b) - d.integral(d.ThetaWeak, a, b)
}

// MeanAccuracy of both models.
func (d Difficulty) MeanAccuracy() (weak, strong float64) {
	return d.integral(d.ThetaWeak, 0, 1), d.integral(d.ThetaStrong, 0, 1)
}

// flat is a log odds ratio below which only one model is right equally often
// for both, to first order.
const flat = 1e-5

// exactlyOne is the share of all requests, with difficulties from a to b, that
// only the strong and only the weak model answers right. Their ratio is the
// same at each x, e^r with r = (thetaStrong - thetaWeak)/tau, and their
// difference is gained; so wanted = gained/(1 - e^-r).
func (d Difficulty) exactlyOne(a, b float64) (strongOnly, weakOnly float64) {
	diff := d.gained(a, b)
	r := (d.ThetaStrong - d.ThetaWeak) / d.Tau
	switch {
	case r > flat:
		strongOnly = diff / -expMinus1(-r)
		return strongOnly, max(0, strongOnly-diff)
	case r < -flat:
		weakOnly = -diff / -expMinus1(r)
		return max(0, weakOnly+diff), weakOnly
	}
	// The integral of p(1-p) is tau*(p(a) - p(b)), because p' = -p(1-p)/tau.
	mid := d.ThetaWeak + float64(0.5*(d.ThetaStrong-d.ThetaWeak))
	same := float64(d.Tau * (d.right(mid, a) - d.right(mid, b)))
	half := float64(0.5 * diff)
	return same + half, same - half
}

// Rates are what a benchmark with such requests would count.
func (d Difficulty) Rates() Rates {
	weak, strong := d.MeanAccuracy()
	pi, lam := d.exactlyOne(0, 1)
	return Rates{Weak: weak, Strong: strong, Pi: pi, Lam: lam}
}

// AtFrac sends the share f (0 to 1) of requests that look hardest to the strong
// model; Threshold is the difficulty as seen.
func (d Difficulty) AtFrac(f float64, prices Prices) Point {
	t := d.threshold(f)
	weak, _ := d.MeanAccuracy()
	return Point{
		Threshold:  t,
		StrongFrac: f,
		Accuracy:   weak + d.gainAbove(t),
		Cost:       prices.Weak + float64(f*(prices.Strong-prices.Weak)),
	}
}

// Curve fills dst with equal steps of the share, from none to all.
func (d Difficulty) Curve(dst []Point, prices Prices) {
	for i := range dst {
		dst[i] = d.AtFrac(stepOf(i, len(dst)), prices)
	}
}

// tails is a number of standard deviations beyond which nothing counts.
const tails = 9

// threshold solves f = s*[psi((1-t)/s) - psi(-t/s)], the mean of
// Phi((x-t)/s) over x, by Newton's method inside a bracket; psi' = Phi.
func (d Difficulty) threshold(f float64) float64 {
	switch {
	case f <= 0:
		return math.Inf(1)
	case f >= 1:
		return math.Inf(-1)
	case d.Noise == 0:
		return 1 - f
	}
	s := d.Noise
	lo, hi := -float64(tails*s), 1+float64(tails*s)
	t := 1 - f
	for range solveSteps {
		miss := float64(s*(psi((1-t)/s)-psi(-t/s))) - f
		if miss > 0 {
			lo = t
		} else {
			hi = t
		}
		next := t + miss/(detmath.NormCDF((1-t)/s)-detmath.NormCDF(-t/s))
		if !(lo < next && next < hi) {
			next = lo + float64(0.5*(hi-lo))
		}
		if math.Abs(next-t) <= float64(1e-15*(s+1)) {
			return next
		}
		t = next
	}
	return t
}

// psi is the integral of Phi from -Inf to z: z*Phi(z) + phi(z).
func psi(z float64) float64 { return float64(z*detmath.NormCDF(z)) + density(z) }

// gainAbove is the integral of (p_strong - p_weak)*Phi((x-t)/s): closed where
// Phi is 1, by Gauss's rule where it rises.
func (d Difficulty) gainAbove(t float64) float64 {
	reach := float64(tails * d.Noise)
	from := min(1, max(0, t-reach))
	to := min(1, max(0, t+reach))
	sum := d.gained(to, 1)
	if d.Noise == 0 || from >= to {
		return sum
	}
	panels := int((to-from)/min(d.Noise, d.Tau)) + 1
	h := (to - from) / float64(panels)
	for i := range panels {
		mid := from + float64((float64(i)+0.5)*h)
		half := float64(0.5 * h)
		for j, u := range gaussNodes {
			off := float64(half * u)
			sum += float64(half * float64(gaussWeights[j]*(d.seen(mid-off, t)+d.seen(mid+off, t))))
		}
	}
	return sum
}

func (d Difficulty) seen(x, t float64) float64 {
	weak, strong := d.Right(x)
	return float64((strong - weak) * detmath.NormCDF((x-t)/d.Noise))
}

// Gauss-Legendre rule of 8 points on -1 to 1, the positive half (Abramowitz and
// Stegun, table 25.4).
var (
	gaussNodes   = [4]float64{0.183434642495649805, 0.525532409916328986, 0.796666477413626740, 0.960289856497536232}
	gaussWeights = [4]float64{0.362683783378361983, 0.313706645877887287, 0.222381034453374471, 0.101228536290376259}
)
