package sim

import (
	"math"

	"openloop/numerics/detmath"
)

// The queue that an engine with steps of one length really is. A request needs
// a geometric number of steps, at most k are in a step, and who arrives while a
// step is in progress waits for its end, seat or no seat. The textbook's M/M/k
// is the limit of many short steps.
//
// It is solved without approximation. The number of requests x that a step
// starts with is a Markov chain: min(x, k) of them end with probability
// 1/meanSteps each, and arrivals of the step come on top. When nobody is left
// the engine idles until the next arrival, which starts a step at once. Means
// over time follow from the chain, mean waits from those by Little's law.

// StepQueue is the steady state of that queue under Poisson arrivals.
type StepQueue struct {
	Load        float64
	WaitSeconds float64 // mean, from arrival to the start of the first step
	Idle        float64 // share of time without a step in progress

	k    int
	step float64 // seconds
	ends []float64
	// ahead[j] is the probability that an arrival finds k+j requests ahead of
	// it when the step in progress has ended: j+1 of them must end first.
	ahead []float64
}

// MMKSteps solves it for k seats. meanSteps is at least 1. A load of 1 or more
// has no steady state: the wait is +Inf.
func MMKSteps(k int, ratePerSec, stepSeconds, meanSteps float64) StepQueue {
	service := float64(meanSteps * stepSeconds)
	q := StepQueue{k: k, step: stepSeconds, ends: binomial(k, 1/meanSteps)}
	q.Load = float64(ratePerSec*service) / float64(k)
	if q.Load >= 1 {
		q.WaitSeconds = math.Inf(1)
		return q
	}
	perStep := float64(ratePerSec * stepSeconds)
	arrivals := poissonMasses(perStep)
	most := k + int(40/(1-q.Load)) // the tail falls by the load with each request: to below e^-40
	chain := stepChain{most: most, k: k, p: 1 / meanSteps, arrivals: func(int) []float64 { return arrivals }}
	share, empties := chain.solve()

	busy, present := 0.0, 0.0
	for x, p := range share {
		busy += float64(p * stepSeconds)
		present += float64(p * stepSeconds * (float64(x) + float64(perStep/2)))
	}
	all := busy + empties/ratePerSec
	q.Idle = 1 - busy/all
	q.WaitSeconds = present/all/ratePerSec - service
	q.find(share, busy/all, arrivals, perStep)
	return q
}

// find fills in ahead: an arrival sees what time sees, so it comes in a step
// that started with x, somewhere in it.
func (q *StepQueue) find(share []float64, busy float64, arrivals []float64, perStep float64) {
	// Arrivals of the same step that come earlier: Poisson with a mean that is
	// uniform up to that of the whole step, hence the tails of that over the mean.
	before := make([]float64, len(arrivals))
	tail := 0.0
	for j := len(arrivals) - 1; j > 0; j-- {
		tail += arrivals[j]
		before[j-1] = tail / perStep
	}
	q.ahead = make([]float64, len(share)+len(before))
	for x, p := range share {
		ends := q.ends
		if x < q.k {
			ends = binomial(x, q.ends1())
		}
		for d, pd := range ends {
			for a, pa := range before {
				if j := x - d + a - q.k; j >= 0 {
					q.ahead[j] += float64(busy * p * pd * pa)
				}
			}
		}
	}
}

// ends1 is the probability that one request ends with a step.
func (q *StepQueue) ends1() float64 {
	mean := 0.0
	for d, p := range q.ends {
		mean += float64(float64(d) * p)
	}
	return mean / float64(q.k)
}

// WaitQuantile is the level-quantile of the wait, level in (0,1), first come
// first served. Where in the step a request arrives is taken as independent of
// how many others the step brings, which moves the result by far less than a
// step.
func (q StepQueue) WaitQuantile(level float64) float64 {
	beyond := 1 - level
	if q.Load >= 1 {
		return math.Inf(1)
	}
	longer, next := 1-q.Idle, sumOf(q.ahead) // P(steps waited beyond the one in progress > n-1), and > n
	if longer <= beyond {
		return 0
	}
	left, after := q.ahead, make([]float64, len(q.ahead))
	for n := 0; ; n++ {
		if next <= beyond {
			return float64(q.step * (float64(n) + (longer-beyond)/(longer-next)))
		}
		clear(after)
		for j, p := range left {
			for d, pd := range q.ends {
				if j-d >= 0 {
					after[j-d] += float64(p * pd)
				}
			}
		}
		left, after = after, left
		longer, next = next, sumOf(left)
	}
}

// ClosedSteps is the same engine under a closed loop of clients whose think
// times are exponential: MachineRepair in steps.
func ClosedSteps(clients, k int, thinkSeconds, stepSeconds, meanSteps float64) Closed {
	back := 1 - detmath.Exp(-stepSeconds/thinkSeconds) // a client that thinks returns within a step
	chain := stepChain{most: clients, k: k, p: 1 / meanSteps, arrivals: func(x int) []float64 { return binomial(clients-x, back) }}
	share, empties := chain.solve()
	idle := float64(empties * thinkSeconds / float64(clients))

	// Of the thinking clients this many are back on the average over a step.
	early := 1 - float64(back*thinkSeconds/stepSeconds)
	all, present, done := idle, 0.0, 0.0
	for x, p := range share {
		all += float64(p * stepSeconds)
		present += float64(p * stepSeconds * (float64(x) + float64(early*float64(clients-x))))
		done += float64(p*float64(min(x, k))) / meanSteps
	}
	c := Closed{PerSec: done / all, InSystemMean: present / all}
	c.Seconds = c.InSystemMean / c.PerSec
	return c
}

// stepChain is the chain of the numbers of requests that steps start with.
type stepChain struct {
	most     int // states are 1 to most; what would pass most stays there
	k        int
	p        float64
	arrivals func(x int) []float64
}

// solve gives the share of steps that start with x, by x, and how often a step
// leaves nobody, per step. It eliminates states from the largest down, without
// a subtraction (Grassmann, Taksar and Heyman, 1985), so that even the smallest
// shares are right to almost all digits.
func (c stepChain) solve() (share []float64, empties float64) {
	p := c.matrix()
	for s := c.most; s > 1; s-- {
		down := sumOf(p[s][:s])
		for i := 1; i < s; i++ {
			if p[i][s] == 0 {
				continue
			}
			p[i][s] /= down
			for j := max(1, s-c.k); j < s; j++ {
				p[i][j] += float64(p[i][s] * p[s][j])
			}
		}
	}
	share = make([]float64, c.most+1)
	share[1] = 1
	total := 1.0
	for s := 2; s <= c.most; s++ {
		for i := 1; i < s; i++ {
			share[s] += float64(share[i] * p[i][s])
		}
		total += share[s]
	}
	for x := range share {
		share[x] /= total
	}
	for x := 1; x <= min(c.k, c.most); x++ {
		nobody := c.arrivals(x)[0]
		for range x {
			nobody = float64(nobody * c.p)
		}
		empties += float64(share[x] * nobody)
	}
	return share, empties
}

// matrix has the probability of x to y in row x; no one left counts as one,
// who comes after the idle time.
func (c stepChain) matrix() [][]float64 {
	p := make([][]float64, c.most+1)
	ends := binomial(c.k, c.p)
	for x := range p {
		p[x] = make([]float64, c.most+1)
		if x == 0 {
			continue
		}
		arrivals := c.arrivals(x)
		of := ends
		if x < c.k {
			of = binomial(x, c.p)
		}
		for d, pd := range of {
			for a, pa := range arrivals {
				p[x][min(max(1, x-d+a), c.most)] += float64(pd * pa)
			}
		}
	}
	return p
}

// binomial is the probabilities of 0 to n successes, made trial by trial.
func binomial(n int, p float64) []float64 {
	out := make([]float64, n+1)
	out[0] = 1
	for i := 1; i <= n; i++ {
		for j := i; j > 0; j-- {
			out[j] = float64(out[j]*(1-p)) + float64(out[j-1]*p)
		}
		out[0] = float64(out[0] * (1 - p))
	}
	return out
}

// poissonMasses is the probabilities of 0, 1, ..., up to what is left is below
// 1e-18.
func poissonMasses(mean float64) []float64 {
	var out []float64
	p := detmath.Exp(-mean)
	for j := 1; p > 1e-18 || float64(j) < mean; j++ {
		out = append(out, p)
		p = float64(p * mean / float64(j))
	}
	return out
}

func sumOf(values []float64) (total float64) {
	for _, x := range values {
		total += x
	}
	return total
}
