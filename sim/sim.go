package sim

// ServingSim runs a Config against a Source.
//
// It is a loop over instants. At each one, in this order: steps end, the cluster
// changes (events.go), clients give up, requests arrive, replicas schedule, a
// window of samples closes.
// Between instants nothing happens. A replica that only decodes for a while
// wakes up once for many steps (jump.go); all else is the same whether it does
// or not.
type ServingSim struct {
	c       Config
	src     Source
	seed    uint64
	mixed   uint64 // seed, mixed for the draws of drafts
	res     Results
	now     Picos
	end     Picos // the run stops here at the latest
	over    bool
	jumping bool
	live    int   // requests inside a replica
	effort  int64 // work done, about 150 a microsecond
	enough  int64 // effort at which Work stops, even inside an instant
	stage   stage // of the instant that is now (instant.go)
	place   int   // in that stage: the replica whose turn it is

	replicas []replica
	wake     []Picos // by replica: when its step, or the last of its jump, ends
	turn     [2]int  // of RoundRobin, in the first pool and in the second

	// The cluster over time; see events.go.
	eventful   bool
	boundaries []Picos // instants at which changes begin or end, those to come
	links      []link  // by prefill replica
	evaluateAt Picos   // of the autoscaler
	fewer      Picos   // since when fewer replicas are enough; -1 if they are not
	refreshAt  Picos   // of the router
	seen       []int64 // loads as the router saw them last; nil if it always sees
	probe      text    // of the request to be routed

	seqs   []seq // requests inside a replica, by slot
	texts  []text
	shelf  shelf
	vacant []int32 // slots without a request

	spec    Spec    // buffer for Take
	arrival Picos   // of the next request, as the source said
	asked   bool    // since then nothing has changed for the source
	slotOf  []int32 // by request; kept only if there are timeouts
	overdue int     // first request whose timeout has not been looked at
	pause   int     // the next pause, or the one that now is in

	windowFrom Picos // the current window of samples
	windowTo   Picos

	keptEnded int64 // steps in res.Steps that have ended
}

const never = Picos(Never)

// mostRoom is for how many rows room is made ahead, some 80 MB: more are made as
// they come.
const mostRoom = 1 << 20

// New makes a simulation that stands at the start of the run. The seed decides
// which drafts are accepted; what the source draws is its own affair.
func New(c Config, src Source, seed uint64) (*ServingSim, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	s := &ServingSim{c: c, src: src, seed: seed, end: maxRun, windowTo: never, enough: unlimited}
	s.mixed, s.probe.shelf = mix(seed), &s.shelf
	if c.Horizon > 0 {
		s.end = c.Horizon.Picos()
	}
	if c.SampleEvery > 0 {
		s.windowTo = c.SampleEvery.Picos()
	}
	s.replicas = make([]replica, max(c.Replicas, c.Scale.Max))
	s.wake = make([]Picos, len(s.replicas))
	for i := range s.replicas {
		s.replicas[i].set(s, i)
		s.wake[i] = never
	}
	s.eventful = c.eventful()
	s.setEvents()
	if n, ok := src.(Counted); ok && c.Horizon == 0 {
		s.widen(min(n.Most(), mostRoom))
	}
	return s, nil
}

// Run goes on to the end: until the source has nothing more and all requests
// have ended, or to the horizon.
func (s *ServingSim) Run() {
	s.jumping = true
	for s.advance(s.end) {
	}
}

// RunUntil does all that happens at or before t.
func (s *ServingSim) RunUntil(t Nanos) {
	limit := s.end
	if t < limit.Nanos() {
		limit = t.Picos()
	}
	s.jumping = true
	for s.advance(limit) {
	}
	if !s.over {
		s.now = max(s.now, limit)
	}
}

// Step does all that happens at the next instant, without jumping: a step of
// one replica ends, or a request arrives. If Work has stopped inside an instant
// it does the rest of that one. It returns false at the end.
func (s *ServingSim) Step() bool {
	if s.stage != between {
		return s.advance(s.end)
	}
	if s.jumping {
		s.jumping = false
		for i := range s.replicas {
			s.replicas[i].cut()
		}
	}
	return s.advance(s.end)
}

// Work does about budget units of work, a unit being near 1 us of native time,
// and says whether the run is over.
//
// It stops inside an instant if that is too long, and goes on from there when
// it is called again; what is recorded does not depend on where it stops. It
// does at most eventsPerUnit*budget + 1 events, of these: a request arrives, a
// client gives up, a replica's step ends, a replica schedules. One event is
// never cut, and takes longer the more requests run in its replica. The end of
// a window of samples and of the run come on top.
func (s *ServingSim) Work(budget int) (done bool) {
	s.jumping = true
	s.enough = s.effort + int64(min(max(budget, 0), maxBudget))*effortPerUnit
	for s.effort < s.enough && s.advance(s.end) {
	}
	s.enough = unlimited
	return s.over
}

// Now is the instant that the run has come to.
func (s *ServingSim) Now() Nanos { return s.now.Nanos() }

// Results is what was recorded so far; it is overwritten as the run goes on.
// Between two calls of Work an instant may be half done.
func (s *ServingSim) Results() *Results {
	s.res.EndAt = s.Now()
	if s.c.TraceSteps > 0 {
		s.res.StepsNotKept = s.res.Totals.Steps - s.keptEnded
	}
	for i := range s.replicas {
		s.replicas[i].publish()
	}
	for i := range s.links {
		for _, slot := range s.links[i].queue {
			if q := &s.seqs[slot]; !q.ended {
				s.res.Generated[q.request] = q.generated
			}
		}
	}
	return &s.res
}

// nextOutside is the next instant at which something other than a step or an
// arrival happens: a client gives up, a pause begins or ends, a window closes.
func (s *ServingSim) nextOutside() Picos {
	t := s.windowTo
	if s.c.Timeout > 0 {
		t = min(t, s.nextExpiry())
	}
	if s.pause < len(s.c.Pauses) {
		t = min(t, s.nextPause())
	}
	if s.eventful {
		t = min(t, s.nextEvent())
	}
	return t
}

// paused says whether steps may not start now.
func (s *ServingSim) paused() bool {
	for s.pause < len(s.c.Pauses) && s.c.Pauses[s.pause].To.Picos() <= s.now {
		s.pause++
	}
	return s.pause < len(s.c.Pauses) && s.c.Pauses[s.pause].From.Picos() <= s.now
}

// afterPause is t, or the end of the pause that t is in.
func (s *ServingSim) afterPause(t Picos) Picos {
	for _, p := range s.c.Pauses[s.pause:] {
		if t < p.From.Picos() {
			break
		}
		t = max(t, p.To.Picos())
	}
	return t
}

// pauseWarning is the last picosecond before the next pause. Jumps are cut
// then, because a step may end at the very start of the pause.
func (s *ServingSim) pauseWarning() Picos {
	if s.pause == len(s.c.Pauses) {
		return never
	}
	return s.c.Pauses[s.pause].From.Picos() - 1
}

func (s *ServingSim) nextPause() Picos {
	if t := s.pauseWarning(); t > s.now {
		return t
	}
	return s.c.Pauses[s.pause].To.Picos()
}

// checkProgress panics if there are requests that nothing will ever move.
func (s *ServingSim) checkProgress() {
	for i := range s.replicas {
		if r := &s.replicas[i]; r.inFlight == 0 && !r.due && (r.waiting > 0 || len(r.running) > 0) {
			panic("sim: a replica has requests and no step to do")
		}
	}
}

func (s *ServingSim) finish() {
	s.over = true
	for i := range s.replicas {
		s.replicas[i].stop()
	}
	if s.now > s.windowFrom && s.windowTo != never {
		s.windowTo = s.now
		s.closeWindow()
	}
}
