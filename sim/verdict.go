package sim

import "math"

// Whether a system keeps up is a question about its queue, not about its
// latency, its utilization or the rate that a tool prints: a fast enough
// system can look slow (one long last answer stretches the run), and one that
// falls behind can look fast (the requests that wait have no latency yet).
//
// The quantity judged is the backlog: requests that were due by the plan and
// have not been admitted, those that were put back into the queue and have not
// been admitted again, and those that were refused, or admitted so late that
// their clients gave up. Work that is shed is backlog that went away; counting it keeps a queue limit
// from hiding overload. Requests held back by the client count from when they
// were due, so a throttled generator does not hide it either.
//
// The time from the first to the last due arrival is cut into ten spans. If
// the system falls behind, the backlog grows in most of them, about equally;
// under a stable queue growth in one is taken back in another. The mean growth
// over the ten, against its standard error, is the test. That error takes
// growths of different spans as independent, as they are in overload; those of
// a stable queue cancel, so for it the test is more careful than it says.

// State is the answer.
type State uint8

// The states.
const (
	CannotTell State = iota
	Stable
	Backlogged // requests piled up, but a lasting lack of capacity is not shown
	Overloaded // the backlog grows all along: more is asked than can be done
)

// Reason is why.
type Reason uint8

// The reasons, by state.
const (
	// CannotTell.

	ReasonNoRequests Reason = iota
	ReasonTooFew            // fewer than MinArrivals: chance alone could look like anything
	ReasonClosedLoop        // clients wait for their answers, so arrivals slow down with the system: a closed loop cannot show overload

	// ReasonTooShort: the window is less than MinTurnovers times the mean time
	// in the system. Running batches are still filling, and hide for so long
	// that more comes than goes. A queue that grows already is told.
	ReasonTooShort

	// Stable.

	ReasonKeptUp    // the backlog did not grow
	ReasonDrainTail // the same; but completed / whole run is below the offered rate, only because the last answers took their time

	// Backlogged.

	ReasonBurst        // (nearly) all requests were due at one instant: there is no rate to keep up with
	ReasonPiledUp      // a pile came and went: Peak
	ReasonNoneServed   // hardly a request of the second half was admitted promptly: no spare capacity seen
	ReasonGrowthUnsure // the backlog grew by a notable share, but in too few of the spans to exclude a passing cause
	ReasonGivenUp      // a notable share was lost, but not to a queue that grows: answers take longer than clients wait

	// Overloaded.

	ReasonQueueGrows // GrowthPerSec, in most spans
	ReasonWorkIsShed // the same, and most of the growth was refused or gave up waiting
)

// The thresholds. MinArrivals: the growth of a random queue over n arrivals is
// near sqrt(2n), so below 50 more than a fifth of them. notableGrowth follows
// the usual reading of completed/offered >= 0.97 as "kept". promptShare: in
// front of one server with random arrivals and service at load rho a share of
// about 2*(1-rho) waits no longer than it is served; 1% is a load of 0.995.
const (
	MinArrivals   = 50
	MinTurnovers  = 5 // by then a batch that can fill is full to within e^-5
	verdictSpans  = 10
	verdictCells  = 1000
	notableGrowth = 0.03
	promptShare   = 0.01
	keptShare     = 0.97
)

// growthSure is the 0.99 quantile of Student's t with verdictSpans-1 degrees
// of freedom.
const growthSure = 2.8214379250

// Verdict is the answer with the numbers behind it; they are there for
// CannotTell too. Rates and growth are 0 if all were due at one instant.
type Verdict struct {
	State  State
	Reason Reason

	Arrivals  int64 // due in the window
	From, To  Nanos // first and last of them
	AtStart   int64 // backlog at From: what waited already, and the arrivals of that instant
	AtEnd     int64 // backlog at To, shed work included
	Peak      int64 // most waiting at once, shed work left out
	Shed      int64 // lost to the queue in [From, To]: refused, or given up after more waiting than service
	Lost      int64 // refused or given up, whenever and why ever
	LastEndAt Nanos // when the last of them ended; Never if some have not

	GrowthPerSec float64 // (AtEnd - AtStart) / (To - From)
	GrowthSE     float64 // its standard error over ten spans
	GrowthFrac   float64 // (AtEnd - AtStart) / Arrivals: what of the offered load was not taken up

	OfferedPerSec  float64 // Arrivals / (To - From)
	AdmittedPerSec float64 // admitted in [From, To], and neither shed nor put back there for good
	WholeRunPerSec float64 // completed / (LastEndAt or the end of the run - From): what tools print
	Turnovers      float64 // (To - From) / mean time in the system of what was admitted, to its end or the run's
	WaitingMean    float64 // over the second half of [From, To]
	PromptFrac     float64 // share of the second half's arrivals that waited no longer than they were served
}

// Judge decides about the requests that were due in [from, to).
// closed says that a closed loop sent them; a run in which every request has a
// client is one anyway.
func Judge(r *Results, from, to Nanos, closed bool) Verdict {
	v := arrivalsIn(r, from, to)
	if v.Arrivals == 0 {
		return v // CannotTell, ReasonNoRequests
	}
	atOnce := v.To == v.From
	if atOnce {
		v.AtStart, v.AtEnd, v.Peak = v.Arrivals, v.Arrivals, v.Arrivals
	} else {
		g := newBacklog(r, from, to, v.From, v.To)
		v.measure(g)
		atOnce = g.due[verdictCells/100] >= v.Arrivals*9/10 // nine in ten within the first hundredth
	}
	switch {
	case closed || allFromClients(r, from, to):
		v.State, v.Reason = CannotTell, ReasonClosedLoop
	case v.Arrivals < MinArrivals:
		v.State, v.Reason = CannotTell, ReasonTooFew
	case atOnce:
		v.State, v.Reason = Backlogged, ReasonBurst
	default:
		v.State, v.Reason = v.decide()
	}
	return v
}

// dueWithin says whether request i was due in [from, to). One that could never
// run is no work to fall behind with.
func dueWithin(r *Results, i int, from, to Nanos) bool {
	due := r.IntendedAt[i]
	return due >= from && due < to && r.Status[i] != Failed
}

// arrivalsIn fills what needs no series.
func arrivalsIn(r *Results, from, to Nanos) Verdict {
	v := Verdict{From: Never, To: -Never}
	var completed int64
	for i, due := range r.IntendedAt {
		if !dueWithin(r, i, from, to) {
			continue
		}
		v.Arrivals++
		v.From = min(v.From, due)
		v.To = max(v.To, due)
		v.LastEndAt = max(v.LastEndAt, r.DoneAt[i])
		if r.Status[i] == Completed {
			completed++
		}
		if lost(r, i) {
			v.Lost++
		}
	}
	if v.Arrivals == 0 {
		return Verdict{LastEndAt: Never}
	}
	if run := min(v.LastEndAt, r.EndAt) - v.From; run > 0 {
		v.WholeRunPerSec = float64(completed) / run.Seconds()
	}
	return v
}

func allFromClients(r *Results, from, to Nanos) bool {
	for i := range r.IntendedAt {
		if dueWithin(r, i, from, to) && r.Client[i] < 0 {
			return false
		}
	}
	return true
}

func (v *Verdict) measure(g *backlog) {
	const last = verdictCells
	v.AtStart = g.waiting[0] + g.shed[0]
	v.AtEnd = g.waiting[last] + g.shed[last]
	v.Shed = g.shed[last]
	var late int64
	for j, n := range g.waiting {
		v.Peak = max(v.Peak, n)
		if j > last/2 {
			late += n
		}
	}
	v.WaitingMean = float64(late) / (last / 2)
	seconds := (v.To - v.From).Seconds()
	growth := float64(v.AtEnd - v.AtStart)
	v.GrowthPerSec = growth / seconds
	v.GrowthFrac = growth / float64(v.Arrivals)
	v.OfferedPerSec = float64(v.Arrivals) / seconds
	v.AdmittedPerSec = float64(v.Arrivals+g.carried-v.AtEnd) / seconds

	var spans [verdictSpans]float64
	const each = verdictCells / verdictSpans
	at := func(j int) int64 { return g.waiting[j] + g.shed[j] }
	for k := range spans {
		spans[k] = float64(at((k+1)*each) - at(k*each))
	}
	sd := deviation(spans[:], growth/verdictSpans)
	v.GrowthSE = sd * math.Sqrt(verdictSpans) / seconds
	if mean := g.inside.over(float64(max(g.entered, 1))) / 1e9; mean > 0 {
		v.Turnovers = seconds / mean
	}
	v.PromptFrac = math.NaN()
	if g.late > 0 {
		v.PromptFrac = float64(g.prompt) / float64(g.late)
	}
}

// decide is for open loops with enough arrivals, spread over time.
func (v *Verdict) decide() (State, Reason) {
	notable := v.GrowthFrac >= notableGrowth
	sure := v.GrowthPerSec > float64(growthSure*v.GrowthSE)
	noneServed := v.PromptFrac < promptShare && v.WaitingMean > chance(v.Arrivals)/4
	switch {
	case sure && (notable || noneServed):
		if 2*v.Shed > v.AtEnd-v.AtStart {
			return Overloaded, ReasonWorkIsShed
		}
		return Overloaded, ReasonQueueGrows
	case notable && float64(v.AtEnd-v.AtStart) > chance(v.Arrivals):
		return Backlogged, ReasonGrowthUnsure
	case float64(v.Lost) >= max(float64(notableGrowth*float64(v.Arrivals)), chance(v.Arrivals)):
		return Backlogged, ReasonGivenUp
	case noneServed:
		return Backlogged, ReasonNoneServed
	case v.piled():
		return Backlogged, ReasonPiledUp
	case v.Turnovers < MinTurnovers:
		return CannotTell, ReasonTooShort
	case v.WholeRunPerSec < float64(keptShare*v.OfferedPerSec):
		return Stable, ReasonDrainTail
	}
	return Stable, ReasonKeptUp
}

// piled says that the peak is a notable share of all arrivals and more than
// chance explains.
func (v *Verdict) piled() bool {
	peak := float64(v.Peak)
	return peak >= float64(notableGrowth*float64(v.Arrivals)) && peak > 2*chance(v.Arrivals)
}

// chance is how far a queue without any drift wanders over n arrivals: the
// root of a variance of 2 an arrival, one each for random arrivals and random
// service.
func chance(n int64) float64 { return math.Sqrt(2 * float64(n)) }
