package sim

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"openloop/numerics/detmath"
)

// Stream names a use of randomness. Each has its own numbers under one seed, so
// that a change in one part of a run (longer prompts, say) leaves the draws of
// all other parts as they were, and two runs differ only in what was changed.
type Stream uint64

// The streams. Their numbers are part of what a seed means: add at the end.
const (
	StreamArrivals Stream = iota + 1 // gaps between requests, starts of sessions
	StreamPrompts                    // prompt lengths
	StreamOutputs                    // output lengths
	StreamPrefixes                   // who shares which prefix
	StreamThink                      // think times
	StreamTiers                      // who is in the batch tier
	StreamTurns                      // turns of a session
	StreamJitter                     // spreading of quantized time stamps
	StreamDrafts                     // acceptance of draft tokens
	StreamRouting
	StreamFaults
	StreamRetries // jitter of clients that try again
)

// Rand is a stream of random numbers: PCG-DXSM, whose output Go fixes for ever,
// and distributions that use only correctly rounded or detmath arithmetic, so
// that a seed gives the same bits on every machine.
type Rand struct {
	pcg   rand.PCG
	spare float64 // the second normal of a pair
	has   bool    // whether spare is one
}

// NewRand starts a stream. sub tells apart many of one kind, such as the
// streams of single sessions; it is 0 where there is one.
func NewRand(seed uint64, s Stream, sub uint64) Rand {
	// Neighboring seeds, streams and subs must not give neighboring states:
	// each word is scrambled before it meets the next.
	h := scramble(scramble(scramble(seed)+uint64(s)) + sub)
	return Rand{pcg: *rand.NewPCG(h, scramble(h))}
}

// scramble is the finalizer of SplitMix64 with its increment: a bijection of 64
// bits in which each input bit turns over about half of the output bits.
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Uint64 is uniform over all 64-bit words.
func (r *Rand) Uint64() uint64 { return r.pcg.Uint64() }

// Float64 is uniform over the multiples of 2^-53 in [0,1).
func (r *Rand) Float64() float64 { return float64(r.pcg.Uint64()>>11) * 0x1p-53 }

// Open is uniform in (0,1), never an end: the odd multiples of 2^-53. It is
// what a logarithm can take.
func (r *Rand) Open() float64 {
	return float64(r.pcg.Uint64()>>12<<1|1) * 0x1p-53
}

// IntN is uniform in [0, n), n >= 1. Its bias is below n/2^64.
func (r *Rand) IntN(n int) int {
	hi, _ := bits.Mul64(r.pcg.Uint64(), uint64(n))
	return int(hi)
}

// Exponential has mean 1: -log U.
func (r *Rand) Exponential() float64 { return -detmath.Log(r.Open()) }

// Normal has mean 0 and standard deviation 1, by Marsaglia's polar method,
// which gives two at a time: a third of the time of inverting the distribution.
func (r *Rand) Normal() float64 {
	if r.has {
		r.has = false
		return r.spare
	}
	for {
		u, v := r.sign(), r.sign()
		s := float64(u*u) + float64(v*v)
		if s < 1 {
			k := math.Sqrt(-2 * detmath.Log(s) / s)
			r.spare, r.has = float64(v*k), true
			return float64(u * k)
		}
	}
}

// sign is uniform in (-1,1) and never 0.
func (r *Rand) sign() float64 {
	return float64(int64(r.pcg.Uint64())>>11<<1|1) * 0x1p-53
}

// Gamma has mean shape and variance shape (scale 1), by Marsaglia and Tsang, "A
// simple method for generating gamma variables", ACM TOMS 26 (2000). Shape 1 is
// Exponential to the bit.
func (r *Rand) Gamma(shape float64) float64 {
	switch {
	case shape == 1:
		return r.Exponential()
	case shape < 1:
		// Gamma(a) = Gamma(a+1) * U^(1/a).
		g := r.Gamma(shape + 1)
		return float64(g * detmath.Pow(r.Open(), 1/shape))
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(float64(9*d))
	for {
		x := r.Normal()
		t := 1 + float64(c*x)
		if t <= 0 {
			continue
		}
		v := float64(float64(t*t) * t)
		bound := float64(0.5*float64(x*x)) + float64(d*(1-v+detmath.Log(v)))
		if detmath.Log(r.Open()) < bound {
			return float64(d * v)
		}
	}
}

// LogNormal is median * exp(sigma * Normal).
func (r *Rand) LogNormal(median, sigma float64) float64 {
	return float64(median * detmath.Exp(float64(sigma*r.Normal())))
}

// Geometric is the number of trials up to the first success, from 1 up, where
// mean = 1/p >= 1. No number that it can give exceeds 37 times the mean.
func (r *Rand) Geometric(mean float64) int64 {
	if mean <= 1 {
		return 1
	}
	return 1 + int64(detmath.Log(r.Open())/detmath.Log1p(-1/mean))
}

// zipf draws k in [0, n) with probability proportional to 1/(k+1)^s.
type zipf struct {
	upTo []float64 // upTo[k] is the weight of 0..k
}

func newZipf(n int, s float64) zipf {
	z := zipf{upTo: make([]float64, n)}
	sum := 0.0
	for k := range z.upTo {
		sum += detmath.Pow(float64(k+1), -s)
		z.upTo[k] = sum
	}
	return z
}

// draw looks for the first k whose upTo exceeds a uniform share of the total.
func (z zipf) draw(r *Rand) int {
	u := float64(r.Float64() * z.upTo[len(z.upTo)-1])
	lo, hi := 0, len(z.upTo)-1
	for lo < hi {
		if mid := (lo + hi) / 2; z.upTo[mid] > u {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}
