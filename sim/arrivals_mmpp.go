package sim

// MMPP is a Markov-modulated Poisson process of two states: it sends at
// RatePerSec[s] while in state s, where it stays for an exponential time of mean
// MeanStay[s]. It is bursty over many requests, as gamma gaps, which forget
// each other, are not. A rate of 0 makes a state silent. The first state is
// drawn by how long the process is in each, so the mean rate holds from 0 on.
type MMPP struct {
	RatePerSec [2]float64
	MeanStay   [2]Nanos
}

// Below this many requests a cycle the walk from state to state would take
// longer than a plan may.
const minPerCycle = 0.01

func (a MMPP) check(c *checker, field string, w *Workload) {
	for s := range 2 {
		c.float(indexed(field+".RatePerSec", s), a.RatePerSec[s], 0, maxRate)
		c.span(indexed(field+".MeanStay", s), a.MeanStay[s], Millisecond, maxNanos)
	}
	if c.Err != nil {
		return
	}
	perCycle := float64(a.RatePerSec[0]*a.MeanStay[0].Seconds()) + float64(a.RatePerSec[1]*a.MeanStay[1].Seconds())
	if perCycle < minPerCycle {
		c.fail(field+".RatePerSec", floatText(a.RatePerSec[0])+" and "+floatText(a.RatePerSec[1]),
			"such that both stays together bring at least "+floatText(minPerCycle)+" requests")
	}
	w.checkRate(c, field+".RatePerSec", a.MeanRatePerSec())
}

// MeanRatePerSec is the rate over a long time.
func (a MMPP) MeanRatePerSec() float64 {
	s0, s1 := a.MeanStay[0].Seconds(), a.MeanStay[1].Seconds()
	return (float64(a.RatePerSec[0]*s0) + float64(a.RatePerSec[1]*s1)) / (s0 + s1)
}

func (a MMPP) stream(seed uint64) instants {
	s := &mmpp{
		rand: NewRand(seed, StreamArrivals, 0), rate: a.RatePerSec,
		leave: [2]float64{1 / a.MeanStay[0].Seconds(), 1 / a.MeanStay[1].Seconds()},
	}
	if float64(s.rand.Float64()*(s.leave[0]+s.leave[1])) < s.leave[0] {
		s.state = 1 // the share of state 1 is leave[0]/(leave[0]+leave[1])
	}
	return s
}

type mmpp struct {
	rand  Rand
	rate  [2]float64
	leave [2]float64 // rate of leaving the state
	state int
	t     float64 // seconds
}

// next walks from event to event. Both kinds are memoryless, so the next one
// comes at the sum of their rates, and its kind is drawn in their proportion.
func (s *mmpp) next() (Nanos, bool) {
	for s.t < MaxSeconds {
		sum := s.rate[s.state] + s.leave[s.state]
		s.t += s.rand.Exponential() / sum
		if float64(s.rand.Float64()*sum) < s.rate[s.state] {
			return instant(s.t)
		}
		s.state = 1 - s.state
	}
	return 0, false
}
