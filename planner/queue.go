package planner

import "openloop/numerics/detmath"

// How busy servers may be so that requests do not wait too long for one.
//
// All formulas are for the mean in the long run. Ca2 and Cs2 are squared
// coefficients of variation (variance over squared mean) of the gaps between
// arrivals and of the service times; Poisson arrivals have Ca2 1, equal service
// times have Cs2 0. With one server and Poisson arrivals the mean wait is exact
// (Pollaczek and Khinchine); with other arrivals, or several servers, it is the
// approximation of Allen and Cunneen, which is exact for exponential times.

// maxServers is the largest number of servers that the functions here take;
// Erlang's recurrence takes a step a server.
const maxServers = 1 << 20

// solveServers is the largest number of servers for which Evaluate solves a
// target; a larger fleet is run as busy as this many servers may be.
const solveServers = 64

// mostVariable bounds the squared coefficients of variation: a trace with gaps
// of CV 13 (Azure 2023 code) is at 174.
const mostVariable = 1e6

// longestSeconds bounds every time that a reader gives: some thirty years.
const longestSeconds = 1e9

// ErlangC is the probability that an arrival must wait, M/M/k: servers k >= 1,
// rho the share of time that each is busy, in [0, 1). By Erlang's recurrence
// B(k) = aB(k-1)/(k + aB(k-1)), a = k rho, and C = B/(1 - rho(1-B)).
func ErlangC(servers int, rho float64) (float64, error) {
	c := &checker{}
	c.servers(servers, rho)
	if c.Err != nil {
		return 0, c.Err
	}
	return erlangC(servers, rho), nil
}

func erlangC(servers int, rho float64) float64 {
	a, b := float64(float64(servers)*rho), 1.0
	for k := 1; k <= servers; k++ {
		ab := float64(a * b)
		b = ab / (float64(k) + ab)
	}
	return b / (1 - float64(rho*(1-b)))
}

// MeanWait is the mean time in seconds that a request waits for one of the
// servers: Wq = C(k, rho) E[S]/(k(1-rho)) (Ca2+Cs2)/2. serviceSeconds is E[S].
func MeanWait(servers int, rho, serviceSeconds, ca2, cs2 float64) (float64, error) {
	c := &checker{}
	c.servers(servers, rho)
	c.service(serviceSeconds, ca2, cs2)
	if c.Err != nil {
		return 0, c.Err
	}
	return meanWait(servers, rho, serviceSeconds, ca2, cs2), nil
}

func meanWait(servers int, rho, serviceSeconds, ca2, cs2 float64) float64 {
	free := float64(float64(servers) * (1 - rho))
	return float64(erlangC(servers, rho)*serviceSeconds) / free * float64((ca2+cs2)*0.5)
}

// WaitQuantile is the time in seconds that a share q of requests waits at most,
// in [0, 1), for M/M/k exactly: max(0, ln(C/(1-q)) E[S]/(k(1-rho))).
func WaitQuantile(servers int, rho, serviceSeconds, q float64) (float64, error) {
	c := &checker{}
	c.servers(servers, rho)
	c.service(serviceSeconds, 1, 1)
	c.within("q", q, 0, 1-1e-9)
	if c.Err != nil {
		return 0, c.Err
	}
	free := float64(float64(servers) * (1 - rho))
	waits := erlangC(servers, rho)
	if waits <= 1-q {
		return 0, nil
	}
	return float64(detmath.Log(waits/(1-q))*serviceSeconds) / free, nil
}

// TargetFrac is the largest share of time that each of the servers may be busy
// so that the mean wait is at most waitSeconds: MeanWait solved for rho. For one
// server it is the closed form wait/(wait + E[S](Ca2+Cs2)/2). In (0, 1], 1 only
// if nothing varies.
func TargetFrac(servers int, waitSeconds, serviceSeconds, ca2, cs2 float64) (float64, error) {
	c := &checker{}
	c.servers(servers, 0)
	c.service(serviceSeconds, ca2, cs2)
	c.above("waitSeconds", waitSeconds, 0, float64(1e-3*serviceSeconds), longestSeconds)
	if c.Err != nil {
		return 0, c.Err
	}
	return targetFrac(servers, waitSeconds, serviceSeconds, ca2, cs2), nil
}

func targetFrac(servers int, waitSeconds, serviceSeconds, ca2, cs2 float64) float64 {
	vary := float64((ca2 + cs2) * 0.5)
	if vary == 0 {
		return 1
	}
	if servers == 1 {
		return waitSeconds / (waitSeconds + float64(serviceSeconds*vary))
	}
	lo, hi := 0.0, 1.0
	for range 60 {
		mid := float64((lo + hi) * 0.5)
		if mid <= lo || mid >= hi {
			break
		}
		if meanWait(servers, mid, serviceSeconds, ca2, cs2) <= waitSeconds {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// fleet is how many servers carry an offered load (in servers kept busy) with a
// mean wait of at most waitSeconds, as a real number: between the loads that k-1
// and k servers may carry it runs straight, so that it grows with the load
// without steps. More than solveServers are run as busy as that many may be,
// which errs on the safe side: a larger pool may be busier.
func fleet(load, waitSeconds, serviceSeconds, ca2, cs2 float64) float64 {
	carries := func(k int) float64 {
		if k == 0 {
			return 0
		}
		return float64(float64(k) * targetFrac(k, waitSeconds, serviceSeconds, ca2, cs2))
	}
	if load >= solveServers {
		return load / targetFrac(solveServers, waitSeconds, serviceSeconds, ca2, cs2)
	}
	// k servers do if they are not overloaded and the wait is short enough.
	does := func(k int) bool {
		rho := float64(load / float64(k)) // a constant k makes it a product
		return rho < 1 && meanWait(k, rho, serviceSeconds, ca2, cs2) <= waitSeconds
	}
	lo, hi := int(load), solveServers // lo does not, hi may
	if !does(hi) {
		return load / targetFrac(solveServers, waitSeconds, serviceSeconds, ca2, cs2)
	}
	for hi-lo > 1 {
		mid := int(uint(lo+hi) >> 1)
		if does(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	below, top := carries(hi-1), carries(hi)
	if top <= below { // nothing varies: k servers carry a load of k
		return load
	}
	return float64(hi-1) + (load-below)/(top-below)
}

func (c *checker) servers(servers int, rho float64) {
	c.count("servers", servers, 1, maxServers)
	c.within("rho", rho, 0, 1-1e-9)
}

func (c *checker) service(seconds, ca2, cs2 float64) {
	c.above("serviceSeconds", seconds, 0, 1e-9, longestSeconds)
	c.within("ca2", ca2, 0, mostVariable)
	c.within("cs2", cs2, 0, mostVariable)
}
