package sim

import (
	"math"

	"openloop/numerics/detmath"
)

// Closed forms of queueing theory, to hold the simulator against and to plan
// with. Rates are per second, times in seconds. A load of 1 or more has no
// steady state: its waits and queues are +Inf.
//
// Sources are textbooks: Kleinrock, Queueing Systems, volume 1; Harchol-Balter,
// Performance Modeling and Design of Computer Systems; Lazowska, Zahorjan,
// Graham and Sevcik, Quantitative System Performance (closed systems).

// Queue is the steady state of an open queue.
type Queue struct {
	Load         float64 // rho: offered work / capacity
	WaitProb     float64 // an arriving request finds all servers busy
	WaitSeconds  float64 // mean, from arrival to the start of service
	InSystemSecs float64 // mean, from arrival to the end of service
	WaitingMean  float64 // requests waiting, by Little's law
	InSystemMean float64 // requests waiting or in service
	tailRate     float64 // k*mu - lambda: the rate at which the tail of the wait falls off
}

// queueOf completes a queue from its mean wait.
func queueOf(ratePerSec, serviceSeconds, load, waitProb, wait, tailRate float64) Queue {
	q := Queue{Load: load, WaitProb: waitProb, WaitSeconds: wait, tailRate: tailRate}
	q.InSystemSecs = wait + serviceSeconds
	q.WaitingMean = float64(ratePerSec * wait)
	q.InSystemMean = float64(ratePerSec * q.InSystemSecs)
	if ratePerSec == 0 {
		q.WaitingMean, q.InSystemMean = 0, 0
	}
	return q
}

// MM1 is one server, random (Poisson) arrivals, exponential service:
// mean wait = rho*s/(1-rho).
func MM1(ratePerSec, serviceSeconds float64) Queue { return MMK(1, ratePerSec, serviceSeconds) }

// MMK is k servers with one queue, Poisson arrivals and exponential service:
// mean wait = C*s/(k*(1-rho)) with Erlang's C.
func MMK(k int, ratePerSec, serviceSeconds float64) Queue {
	erlangs := float64(ratePerSec * serviceSeconds)
	load := erlangs / float64(k)
	if load >= 1 {
		return queueOf(ratePerSec, serviceSeconds, load, 1, math.Inf(1), 0)
	}
	c := ErlangC(k, erlangs)
	tailRate := (float64(k) - erlangs) / serviceSeconds
	return queueOf(ratePerSec, serviceSeconds, load, c, c/tailRate, tailRate)
}

// WaitQuantile is the q-quantile of the wait of an MM1 or MMK queue served
// first come, first served: P(wait > t) = C*exp(-(k*mu-lambda)*t).
func (m Queue) WaitQuantile(q float64) float64 {
	switch {
	case m.WaitProb <= 1-q:
		return 0
	case m.tailRate == 0:
		return math.Inf(1)
	}
	return detmath.Log(m.WaitProb/(1-q)) / m.tailRate
}

// MM1InSystemQuantile is the q-quantile of the time in an MM1 system, first
// come, first served: it is exponential with rate mu-lambda.
func MM1InSystemQuantile(ratePerSec, serviceSeconds, q float64) float64 {
	free := 1/serviceSeconds - ratePerSec
	if free <= 0 {
		return math.Inf(1)
	}
	return -detmath.Log1p(-q) / free
}

// ErlangB is the share of requests refused by k servers without a queue that
// are offered this many erlangs (rate * mean service), by the recursion
// B(j) = a*B(j-1)/(j + a*B(j-1)), which only adds and never overflows.
func ErlangB(k int, erlangs float64) float64 {
	b := 1.0
	for j := 1; j <= k; j++ {
		ab := float64(erlangs * b)
		b = ab / (float64(j) + ab)
	}
	return b
}

// ErlangC is the probability that a request has to wait in MMK:
// C = B/(1 - rho*(1-B)). It is 1 at a load of 1 or more.
func ErlangC(k int, erlangs float64) float64 {
	load := erlangs / float64(k)
	if load >= 1 {
		return 1
	}
	b := ErlangB(k, erlangs)
	return b / (1 - float64(load*(1-b)))
}

// MG1 is one server, Poisson arrivals and any service whose squared
// coefficient of variation (variance / mean^2) is scv: Pollaczek and
// Khinchine's mean wait = rho*s/(1-rho) * (1+scv)/2. scv is 1 for exponential
// service, 0 for constant, 1-1/m for a geometric number of equal steps with
// mean m.
func MG1(ratePerSec, serviceSeconds, scv float64) Queue {
	load := float64(ratePerSec * serviceSeconds)
	if load >= 1 {
		return queueOf(ratePerSec, serviceSeconds, load, 1, math.Inf(1), 0)
	}
	wait := float64(load * serviceSeconds / (1 - load) * ((1 + scv) / 2))
	return queueOf(ratePerSec, serviceSeconds, load, load, wait, math.NaN())
}

// MD1 is MG1 with constant service: half the wait of MM1.
func MD1(ratePerSec, serviceSeconds float64) Queue { return MG1(ratePerSec, serviceSeconds, 0) }

// MGK is an approximation for k servers: MMK's wait times (1+scv)/2 (Lee and
// Longton). It is exact for k = 1 and for scv = 1, and a few percent off for
// scv below 1 at high load; long-tailed service can be far off.
func MGK(k int, ratePerSec, serviceSeconds, scv float64) Queue {
	m := MMK(k, ratePerSec, serviceSeconds)
	return queueOf(ratePerSec, serviceSeconds, m.Load, m.WaitProb, float64(m.WaitSeconds*((1+scv)/2)), math.NaN())
}

// Closed is a closed loop: N clients, each of which thinks, sends, and waits
// for the answer.
type Closed struct {
	PerSec       float64 // X, throughput
	Seconds      float64 // R, mean time in the system; X*(R+Z) = N
	InSystemMean float64 // X*R
}

// ClosedBounds are the asymptotic bounds of a closed loop (Lazowska et al.
// chapter 5): X <= min(N/(Z+R1), capacity), R >= max(R1, N/capacity - Z). R1
// is the time of a request that is alone, capacity the most requests that the
// system can complete per second. Beyond Knee clients more of them only wait.
type ClosedBounds struct {
	PerSec  float64 // most
	Seconds float64 // least
	Knee    float64 // capacity*(Z+R1)
}

// BoundClosed computes them. Clients need not be a whole number, so that the
// bounds can be drawn as lines.
func BoundClosed(clients, thinkSeconds, aloneSeconds, capacityPerSec float64) ClosedBounds {
	return ClosedBounds{
		PerSec:  min(clients/(thinkSeconds+aloneSeconds), capacityPerSec),
		Seconds: max(aloneSeconds, clients/capacityPerSec-thinkSeconds),
		Knee:    float64(capacityPerSec * (thinkSeconds + aloneSeconds)),
	}
}

// MVA is one station with one server and thinking clients, by exact mean value
// analysis: R(n) = s*(1 + L(n-1)), X(n) = n/(R(n)+Z), L(n) = X(n)*R(n). It
// holds for exponential service in any order that does not look at sizes, and
// for any service if the station shares its capacity equally.
func MVA(clients int, thinkSeconds, serviceSeconds float64) Closed {
	var c Closed
	for n := 1; n <= clients; n++ {
		c.Seconds = float64(serviceSeconds * (1 + c.InSystemMean))
		c.PerSec = float64(n) / (c.Seconds + thinkSeconds)
		c.InSystemMean = float64(c.PerSec * c.Seconds)
	}
	return c
}

// MachineRepair is a closed loop before k servers with one queue (M/M/k//N, the
// machine-repair model): exponential think and service times. The number in
// the system is a birth and death chain, whose probabilities are summed from
// their ratios. With k = 1 it is MVA. Think time 0 keeps everyone in the
// system.
func MachineRepair(clients, k int, thinkSeconds, serviceSeconds float64) Closed {
	if clients < 1 {
		return Closed{}
	}
	if thinkSeconds == 0 {
		x := float64(min(clients, k)) / serviceSeconds
		return Closed{PerSec: x, Seconds: float64(clients) / x, InSystemMean: float64(clients)}
	}
	p, all, inSystem, busy := 1.0, 1.0, 0.0, 0.0
	for n := 0; n < clients; n++ {
		p = float64(p * float64(clients-n) / thinkSeconds * (serviceSeconds / float64(min(n+1, k))))
		all += p
		inSystem += float64(p * float64(n+1))
		busy += float64(p * float64(min(n+1, k)))
		if all > 1e200 { // only ratios matter
			p, all, inSystem, busy = p/1e200, all/1e200, inSystem/1e200, busy/1e200
		}
	}
	x := busy / all / serviceSeconds
	return Closed{PerSec: x, Seconds: inSystem / busy * serviceSeconds, InSystemMean: inSystem / all}
}
