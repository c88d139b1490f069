package route

import (
	"math"

	"openloop/sim"
)

// Level is the share of intervals that hold the true value, over many seeds.
const Level = 0.95

const levelZ = 1.959963984540054 // Phi^-1((1+Level)/2)

// Estimate is a mean over drawn requests with its interval of Level.
type Estimate struct{ Mean, Lo, Hi float64 }

// Sampled is what a number of drawn requests gave.
type Sampled struct {
	N          int
	StrongFrac Estimate
	Accuracy   Estimate
	Cost       Estimate

	// Hit, False and Stale are shares of all requests; 0 without a cache.
	Hit, False, Stale Estimate
}

// shareOf is Wilson's interval of a share (Journal of the American Statistical
// Association 22, 1927), which is right also near 0 and 1.
func shareOf(k, n int) Estimate {
	size := float64(n)
	p := float64(k) / size
	z2 := float64(levelZ*levelZ) / size
	mid := (p + float64(0.5*z2)) / (1 + z2)
	half := float64(levelZ*math.Sqrt(float64(p*(1-p))/size+float64(0.25*z2)/size)) / (1 + z2)
	return Estimate{p, max(0, mid-half), min(1, mid+half)}
}

// scaled is a + b*e.
func (e Estimate) scaled(a, b float64) Estimate {
	lo, hi := a+float64(b*e.Lo), a+float64(b*e.Hi)
	return Estimate{a + float64(b*e.Mean), min(lo, hi), max(lo, hi)}
}

// moments collects money; its interval is the normal one of a mean. It is too
// narrow where n is so small that a rare, dear kind of request never came.
type moments struct{ sum, squares float64 }

func (m *moments) add(x float64) {
	m.sum += x
	m.squares += float64(x * x)
}

func (m *moments) estimate(n int) Estimate {
	size := float64(n)
	mean := m.sum / size
	variance := max(0, m.squares/size-float64(mean*mean))
	half := float64(levelZ * math.Sqrt(variance/size))
	return Estimate{mean, mean - half, mean + half}
}

// answers says which models are right on a drawn request.
type answers struct{ weak, strong bool }

func draw(rnd *sim.Rand, r Rates) answers { return answersOf(rnd.Float64(), r) }

// answersOf is the request that a uniform number stands for.
func answersOf(u float64, r Rates) answers {
	switch {
	case u < r.Pi:
		return answers{strong: true}
	case u < r.Pi+r.Lam:
		return answers{weak: true}
	case u < r.Lam+r.Strong: // Pi + Lam + both
		return answers{weak: true, strong: true}
	}
	return answers{}
}

// passes draws a request's score and holds it against the threshold. Infinitely
// far apart there is none to draw, only shares.
func (s screen) passes(rnd *sim.Rand, q passed, wanted bool) bool {
	shift, part := 0.0, q.unwanted
	if wanted {
		shift, part = s.d, q.wanted
	}
	if math.IsInf(s.d, 0) {
		return rnd.Float64() < part
	}
	return rnd.Normal()+shift > q.t
}

// judge is how a strategy decides on drawn requests.
type judge struct {
	screen screen
	passed passed
	noise  float64 // drawn apart, so that the simulation does not rest on NoisyAUC
	weak   bool    // wanted are the weak model's errors, else what only the strong one gets right
	base   float64 // cost of a request that is not sent on
	more   float64 // and what sending on adds
}

// judge is the router at a share f.
func (r Router) judge(f float64) judge {
	s := r.screen()
	return judge{screen: s, passed: s.atShare(f), base: r.Prices.Weak, more: r.gap()}
}

// judge is the cascade at a share f: its screen has no noise, and a threshold
// for the score with noise in units of the score without.
func (c Cascade) judge(f float64) judge {
	s := c.screen()
	q := s.atShare(f)
	sd := math.Sqrt(1 + float64(c.NoiseSD*c.NoiseSD))
	s.d, q.t = float64(s.d*sd), float64(q.t*sd)
	return judge{screen: s, passed: q, noise: c.NoiseSD, weak: true, base: c.Prices.Weak + c.Prices.Verify, more: c.Prices.Strong}
}

// decide draws one request and says whether it went to the strong model and was
// answered right.
func (j judge) decide(rnd *sim.Rand, r Rates) (sent, right bool) {
	a := draw(rnd, r)
	wanted := a.strong && !a.weak
	if j.weak {
		wanted = !a.weak
	}
	q := j.passed
	if j.noise > 0 {
		q.t -= float64(j.noise * rnd.Normal())
	}
	if j.screen.passes(rnd, q, wanted) {
		return true, a.strong
	}
	return false, a.weak
}

// Sample draws n (at least 1) requests and routes the share f (0 to 1) that
// scores highest in the long run; how many it is among n varies. With the rates
// of Labels the requests are the benchmark's questions, drawn with replacement:
// n = Total shows what a benchmark of that size can tell apart.
func (r Router) Sample(f float64, seed uint64, n int) Sampled {
	return r.judge(f).sample(r.Rates, seed, n)
}

// Sample is that of Router, with noise drawn for each confidence.
func (c Cascade) Sample(f float64, seed uint64, n int) Sampled {
	return c.judge(f).sample(c.Rates, seed, n)
}

func (j judge) sample(r Rates, seed uint64, n int) Sampled {
	rnd := sim.NewRand(seed, sim.StreamRouting, 0)
	sent, right := 0, 0
	for range n {
		s, ok := j.decide(&rnd, r)
		sent += one(s)
		right += one(ok)
	}
	return j.sampled(sent, right, n)
}

func (j judge) sampled(sent, right, n int) Sampled {
	out := Sampled{N: n, StrongFrac: shareOf(sent, n), Accuracy: shareOf(right, n)}
	out.Cost = out.StrongFrac.scaled(j.base, j.more)
	return out
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// Sample draws n (at least 1) requests for a cache at a hit rate, with
// something behind it that is right behind.Accuracy of the time.
func (c Cache) Sample(hit float64, behind Point, seed uint64, n int) Sampled {
	always := judge{base: behind.Cost, passed: passed{t: math.Inf(1)}}
	rates := Rates{Weak: behind.Accuracy, Strong: behind.Accuracy}
	return c.sample(hit, always, rates, Batch{}, seed, n)
}

// Sample draws n (at least 1) requests for the stack, of which the share f (0 to
// 1) of those that the cache does not answer goes to the strong model.
func (s Stack) Sample(f float64, seed uint64, n int) Sampled {
	j, rates := s.Route.sampling(f)
	return s.Cache.sample(s.Hit, j, rates, s.Batch, seed, n)
}

func (r Router) sampling(f float64) (judge, Rates)  { return r.judge(f), r.Rates }
func (c Cascade) sampling(f float64) (judge, Rates) { return c.judge(f), c.Rates }

func (c Cache) sample(hit float64, j judge, rates Rates, batch Batch, seed uint64, n int) Sampled {
	rnd := sim.NewRand(seed, sim.StreamRouting, 0)
	s := c.screen()
	q := s.atShare(hit)
	var money moments
	var hits, falses, stales, sent, right int
	for range n {
		repeat := rnd.Float64() < c.Repeats
		cached := s.passes(&rnd, q, repeat)
		toStrong, ok := j.decide(&rnd, rates)
		cost := c.Embed
		switch {
		case !cached:
			sent += one(toStrong)
			cost += j.cost(toStrong, batch, &rnd)
		case !repeat:
			falses++
			ok = rnd.Float64() < c.AccFalse
		case rnd.Float64() < c.Stale:
			stales++
			ok = rnd.Float64() < c.AccStale
		}
		hits += one(cached)
		right += one(ok)
		money.add(cost)
	}
	return Sampled{
		N: n, StrongFrac: shareOf(sent, n), Accuracy: shareOf(right, n), Cost: money.estimate(n),
		Hit: shareOf(hits, n), False: shareOf(falses, n), Stale: shareOf(stales, n),
	}
}

func (j judge) cost(sent bool, batch Batch, rnd *sim.Rand) float64 {
	cost := j.base
	if sent {
		cost += j.more
	}
	if rnd.Float64() < batch.Share {
		cost = float64(cost * (1 - batch.Discount))
	}
	return cost
}
