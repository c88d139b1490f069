package planner

import (
	"math"

	"openloop/numerics/detmath"
	"openloop/sim"
)

// A day, played: the load rises and falls, at its fullest some replicas fail and come
// back cold, and fleets of several sizes serve it. A plan promises means at the peak;
// a day says what its hours keep, and at what price.
//
// A day is shorter here: an hour takes as long as a request stays, some times over, so
// that each hour is nearly in equilibrium with its load. What builds up while a fleet is
// overloaded is then less than a real hour would build up, and is gone sooner.

// DayHours is what a day is cut into.
const DayHours = 24

// hourStays is how many times as long as a request stays an hour of the day lasts, and
// hourRequests how many requests there are in it, at least, at the mean load.
const hourStays, hourRequests = 3, 100

// mostDayRequests bounds the requests of one day.
const mostDayRequests = 100_000

// DayOptions say which fleets are played, and what fails.
type DayOptions struct {
	Replicas  []int // of each fleet
	Seeds     int   // days of each; 0 is 5
	FirstSeed uint64

	Failed    int // replicas that fail at FailHour; those that there are, at most
	FailHour  int // 0 to 23
	GoneHours int // how long they are gone: 1 to 23
}

// DayHour is what the requests sent in one hour saw. A request that ended without an
// answer counts as late for ever.
type DayHour struct {
	Sent, Lost, Within          int64 // Within: its own first token and time per token are within the limits
	TTFTSeconds, TTFTp99Seconds float64
	TPOTSeconds, TPOTp99Seconds float64
	Kept                        bool // nothing was lost and both means are within the limits
}

// DayRun is one day of one fleet.
type DayRun struct {
	Hours              [DayHours]DayHour
	Sent, Lost, Within int64
	Kept               int // hours
}

// DayFleet is one size of fleet.
type DayFleet struct {
	Replicas, GPUs int
	Runs           []DayRun // by seed
}

// DayResult is what a day found.
type DayResult struct {
	Plan        Plan
	HourSeconds float64           // simulated, of each hour
	Rates       [DayHours]float64 // requests/s at the start of each hour; straight lines between
	Fleets      []DayFleet        // in the order that was asked for
}

// Day is a day in progress.
type Day struct {
	work
	result DayResult
}

// NewDay makes a day of a plan, to be worked. An error is a *ValueError.
func NewDay(w Workload, d Deployment, o Objective, opts DayOptions) (*Day, error) {
	p, err := Evaluate(w, d, o)
	if err != nil {
		return nil, err
	}
	if opts.Seeds == 0 {
		opts.Seeds = 5
	}
	c := &checker{}
	so := SimOptions{Requests: 1, MostRequests: 1e7}
	c.simulated(&p, &w, &so)
	if d.Disaggregated {
		c.fail("Deployment.Disaggregated", "true", "false for a day: pools that are apart are run one after the other", "false")
	}
	c.count("DayOptions.Seeds", opts.Seeds, 1, 1000)
	c.count("DayOptions.Replicas", len(opts.Replicas), 1, 16)
	for _, n := range opts.Replicas {
		c.count("DayOptions.Replicas", n, 1, 4096)
	}
	c.count("DayOptions.Failed", opts.Failed, 0, 4096)
	c.count("DayOptions.FailHour", opts.FailHour, 0, DayHours-1)
	c.count("DayOptions.GoneHours", opts.GoneHours, 0, DayHours-1)
	if c.Err != nil {
		return nil, c.Err
	}
	k := &Day{result: DayResult{Plan: p, HourSeconds: max(float64(hourStays*p.stay(&w)), hourRequests/p.mix.mean), Rates: dayRates(p.mix.mean, p.mix.peak)}}
	if n := float64(DayHours * k.result.HourSeconds * p.mix.mean); n > mostDayRequests {
		return nil, &ValueError{Field: "DayOptions.MostRequests", Value: number(mostDayRequests), Legal: "at least the requests of a day", Nearest: number(math.Ceil(n))}
	}
	if opts.FirstSeed == 0 {
		opts.FirstSeed = 1
	}
	w, opts.Replicas = w.own(), append([]int(nil), opts.Replicas...)
	k.start(func(t *turns) { k.do(t, &w, &o, &opts) })
	return k, nil
}

// Result is complete when Work has said so.
func (k *Day) Result() (DayResult, error) { return k.result, k.turns.err }

// morning is (1 - cos(k 15 degrees))/2 for k = 0..12.
var morning = [13]float64{
	0, 0.01703708685546585, 0.06698729810778067, 0.14644660940672624, 0.25, 0.37059047744873963, 0.5,
	0.6294095225512604, 0.75, 0.8535533905932737, 0.9330127018922193, 0.9829629131445341, 1,
}

// dayRates are a raised cosine with its top at noon, whose mean and whose top are given:
// on a floor if the top is at most twice the mean, else to a power that makes it as
// steep as it must be.
func dayRates(mean, peak float64) (out [DayHours]float64) {
	shape := func(h int, power float64) float64 {
		x := morning[min(h, DayHours-h)]
		if power != 1 && x > 0 {
			x = detmath.Pow(x, power)
		}
		return x
	}
	sum := func(power float64) (s float64) {
		for h := range DayHours {
			s += shape(h, power)
		}
		return s / DayHours
	}
	if peak <= 2*mean {
		low := 2*mean - peak
		for h := range out {
			out[h] = low + float64((peak-low)*shape(h, 1))
		}
		return out
	}
	lo, hi := 1.0, 4096.0 // at which only noon is left
	for range 60 {
		if mid := float64(0.5 * (lo + hi)); float64(sum(mid)*peak) > mean {
			lo = mid
		} else {
			hi = mid
		}
	}
	for h := range out {
		out[h] = float64(peak * shape(h, lo))
	}
	return out
}

func (k *Day) do(t *turns, w *Workload, o *Objective, opts *DayOptions) {
	r := &k.result
	for _, n := range opts.Replicas {
		r.Fleets = append(r.Fleets, DayFleet{Replicas: n, GPUs: n * r.Plan.TP})
	}
	// Seed by seed, so that whoever looks early sees all fleets.
	for s := range opts.Seeds {
		for i := range r.Fleets {
			run, ok := r.play(t, w, o, opts, r.Fleets[i].Replicas, opts.FirstSeed+uint64(s))
			if !ok {
				return
			}
			r.Fleets[i].Runs = append(r.Fleets[i].Runs, run)
		}
	}
}

func (r *DayResult) play(t *turns, w *Workload, o *Objective, opts *DayOptions, replicas int, seed uint64) (out DayRun, ok bool) {
	s, err := r.Plan.setup(w, &SimOptions{Requests: 1, Replicas: replicas, MostRequests: 1e7})
	if err != nil {
		t.err = err
		return out, false
	}
	hour := sim.Seconds(r.HourSeconds)
	s.Workload.Generator = sim.OpenLoop{Arrivals: sim.Curve{RatePerSec: r.Rates[:], Every: hour, Repeat: true}}
	s.Workload.Until = DayHours * hour
	for n := range min(opts.Failed, replicas) {
		s.Config.Changes = append(s.Config.Changes, sim.Change{Span: sim.Span{From: sim.Nanos(opts.FailHour) * hour, To: sim.Nanos(opts.FailHour+opts.GoneHours) * hour}, Replica: n, Down: true})
	}
	res, ok := t.pool(s.Config, s.Workload, seed)
	if !ok {
		return out, false
	}
	for h := range out.Hours {
		out.Hours[h] = hourOf(res, o, sim.Nanos(h)*hour, sim.Nanos(h+1)*hour)
		x := &out.Hours[h]
		out.Sent, out.Lost, out.Within = out.Sent+x.Sent, out.Lost+x.Lost, out.Within+x.Within
		if x.Kept {
			out.Kept++
		}
	}
	return out, true
}

// hourOf reads the requests that were sent in an hour.
func hourOf(r *sim.Results, o *Objective, from, to sim.Nanos) (x DayHour) {
	opts := sim.ReportOptions{From: from, To: to, Quantiles: []float64{0.99}}
	read := func(m sim.Metric) (mean, p99 float64) {
		d := sim.NewDist(r, m, opts)
		if d.Count == 0 {
			return 0, 0
		}
		if q, ok := d.At(0.99); ok {
			p99 = q.Value.Seconds()
		}
		return d.Mean, p99
	}
	x.TTFTSeconds, x.TTFTp99Seconds = read(sim.TTFT)
	x.TPOTSeconds, x.TPOTp99Seconds = read(sim.TPOT)
	under := func(limit, x float64) bool { return limit == 0 || x <= limit }
	for i := range r.Status {
		if r.SentAt[i] < from || r.SentAt[i] >= to {
			continue
		}
		x.Sent++
		if r.Status[i] != sim.Completed {
			x.Lost++
			continue
		}
		first, each := (r.FirstTokenAt[i] - r.SentAt[i]).Seconds(), 0.0
		if n := r.Generated[i] - 1; n > 0 {
			each = (r.DoneAt[i] - r.FirstTokenAt[i]).Seconds() / float64(n)
		}
		if under(o.TTFTSeconds, first) && under(o.TPOTSeconds, each) {
			x.Within++
		}
	}
	x.Kept = x.Lost == 0 && under(o.TTFTSeconds, x.TTFTSeconds) && under(o.TPOTSeconds, x.TPOTSeconds)
	return x
}
